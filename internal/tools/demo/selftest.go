package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// alteration is a small mistake in the program after, which the comparison of
// messages must notice.
type alteration struct {
	what     string // for a person
	site     string // the id of the site whose messages change
	file     string // in the shop, slash-separated
	old, new string // old stands in file once
}

// alterations are made one at a time. They are in text that amqpfix leaves as it
// is, so that they do not depend on how it writes the rest.
var alterations = []alteration{
	{
		what: "a priority, 7 to 8",
		site: "orders.pick",
		file: "orders/delivery.go",
		old:  "expressPriority uint8 = 7",
		new:  "expressPriority uint8 = 8",
	},
	{
		what: "the type of a header, int32 to int64",
		site: "orders.paid",
		file: "orders/service.go",
		old:  "int32(1)",
		new:  "int64(1)",
	},
	{
		what: "an octet of a body, p to P",
		site: "retry.alarm",
		file: "retry/worker.go",
		old:  `"parked "`,
		new:  `"Parked "`,
	},
	{
		what: "an element of a list in a header, refunds to Refunds",
		site: "audit.export.delta",
		file: "audit/logger.go",
		old:  `"refunds"`,
		new:  `"Refunds"`,
	},
	{
		what: "a routing key, price.alive to price.live",
		site: "prices.alive",
		file: "prices/feed.go",
		old:  `"price.alive"`,
		new:  `"price.live"`,
	},
	{
		what: "the order of two messages",
		site: "audit.login",
		file: "cmd/shop/main.go",
		old: `		d.log.Login("ada", "office", audit.Info),
		d.log.Login("bob", "abroad", audit.Warning),
`,
		new: `		d.log.Login("bob", "abroad", audit.Warning),
		d.log.Login("ada", "office", audit.Info),
`,
	},
	{
		what: "a message that is not sent at all",
		site: "audit.denied",
		file: "cmd/shop/main.go",
		old:  `d.log.Denied("eve", "refund")`,
		new:  `nil`,
	},
}

// testComparison is the demo with -selftest: the programs before and after are
// equal, and stop being so with each alteration.
func testComparison(ctx context.Context, d *demo) error {
	if err := d.fix(ctx, d.after); err != nil {
		return err
	}
	b, err := openBroker(ctx)
	if err != nil {
		return err
	}
	d.section("Does the comparison notice a difference?")
	d.say("Broker: %s.", b.name)
	return errors.Join(d.tryAlterations(ctx, b), b.close())
}

func (d *demo) tryAlterations(ctx context.Context, b *broker) error {
	// Programs that differ as they are would prove nothing by what follows.
	before, err := d.compareRuns(ctx, b)
	if err != nil {
		return err
	}

	unnoticed := 0
	for i, a := range alterations {
		dir := filepath.Join(d.dir, fmt.Sprintf("altered-%d", i+1))
		if err := os.CopyFS(dir, os.DirFS(d.after)); err != nil {
			return err
		}
		if err := a.apply(dir); err != nil {
			return err
		}
		altered, err := d.record(ctx, b, dir)
		if err != nil {
			return fmt.Errorf("altered %s: %w", a.what, err)
		}
		found := compareRecordings(d.sites, before, altered)
		d.say("\nAltered in %s: %s.", a.file, a.what)
		if err := a.noticed(found); err != nil {
			unnoticed++
			d.say("NOT NOTICED: %v", err)
			continue
		}
		d.say("Noticed: %s", strings.ReplaceAll(found.Error(), "\n", "\n         "))
	}
	d.say("")
	if unnoticed > 0 {
		return fmt.Errorf("%d of %d alterations were not noticed", unnoticed, len(alterations))
	}
	d.say("All %d alterations noticed.", len(alterations))
	return nil
}

// apply makes the alteration in the copy of the shop in dir.
func (a alteration) apply(dir string) error {
	name := filepath.Join(dir, filepath.FromSlash(a.file))
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if n := strings.Count(string(src), a.old); n != 1 {
		return fmt.Errorf("cannot alter %s: %s has %s %d times, want once", a.what, a.file, a.old, n)
	}
	return os.WriteFile(name, []byte(strings.Replace(string(src), a.old, a.new, 1)), 0o666)
}

// noticed returns an error unless every difference that a comparison found is in
// the altered site, and there is one.
func (a alteration) noticed(found error) error {
	if found == nil {
		return fmt.Errorf("the messages still count as equal")
	}
	for line := range strings.Lines(found.Error()) {
		if !strings.HasPrefix(line, "site "+a.site+":") {
			return fmt.Errorf("only site %s was altered, but: %s", a.site, strings.TrimSpace(line))
		}
	}
	return nil
}
