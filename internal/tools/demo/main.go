// Demo shows amqpfix at work on testdata/shop, a module such as a team has.
//
// Without flags it prints the patch that amqpfix makes of the module, applies it
// to a copy in a temporary directory, builds, vets and tests the result, compares
// what became of each call site with the module's SITES.tsv, and runs the
// programs before and after against one broker, to compare every message that
// they publish. The module itself is not touched.
//
// With -selftest it proves that the comparison would notice: it changes one
// priority, one header's type, one octet of a body and more in the copy, one at
// a time, and fails if the messages still count as equal.
//
// The broker is the one that AMQP_URL names; without it, a private RabbitMQ node
// if a server is installed; else the one of package amqptest. It exits 0 when all
// is as it should be, else 1 with the reason on standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func main() {
	selftest := flag.Bool("selftest", false, "prove that the comparison of messages notices a difference")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "demo: unexpected argument %q; there is only the flag -selftest\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	show := demonstrate
	if *selftest {
		show = testComparison
	}
	err := runDemo(ctx, os.Stdout, show)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted; what was written is removed")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo is one run: the copies of the shop that it works on, and what it expects
// of them.
type demo struct {
	out   io.Writer
	root  string // of the checkout
	dir   string // temporary; everything the run writes is in here
	tool  string // the amqpfix command, built from the checkout
	sites []site

	before string // copy of the shop as it is
	after  string // copy that -fix has rewritten
}

// runDemo sets a demo up, hands it to show, and removes what it has written.
func runDemo(ctx context.Context, out io.Writer, show func(context.Context, *demo) error) (err error) {
	root, err := findRoot()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "amqpfix-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	// The go command names directories by their real path.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}

	d := &demo{out: out, root: root, dir: dir, tool: filepath.Join(dir, "amqpfix")}
	if d.sites, err = readSites(filepath.Join(root, shopDir, "SITES.tsv")); err != nil {
		return err
	}
	if _, err := d.output(ctx, root, "go", "build", "-o", d.tool, "./cmd/amqpfix"); err != nil {
		return err
	}
	if d.before, err = d.copyShop(ctx, "before"); err != nil {
		return err
	}
	if d.after, err = d.copyShop(ctx, "after"); err != nil {
		return err
	}
	return show(ctx, d)
}

// demonstrate is the demo without flags.
func demonstrate(ctx context.Context, d *demo) error {
	d.section("What amqpfix makes of %s", shopDir)
	patch, said, err := d.diff(ctx, d.before)
	if err != nil {
		return err
	}
	d.say("%s\n%s", patch, said)
	patched, err := d.patchCopy(ctx, patch)
	if err != nil {
		return err
	}
	d.say("git apply takes the patch.")

	d.section("The same with -fix, in a copy")
	if err := d.goChecks(ctx, d.before); err != nil {
		return err
	}
	d.say("Before: go build, go vet and go test pass.")
	if err := d.fixAndCheck(ctx, patched); err != nil {
		return err
	}

	d.section("The call sites")
	d.printSites()
	sites, err := report(ctx, d.before)
	if err != nil {
		return err
	}
	if err := checkSites(d.sites, sites); err != nil {
		return err
	}
	remaining, err := report(ctx, d.after)
	if err != nil {
		return err
	}
	if err := checkRemaining(d.sites, remaining); err != nil {
		return err
	}
	d.say("All are as SITES.tsv says, and in the copy after only those are there that are left.")
	// A gap in the manual is no reason not to look at the messages.
	gaps := checkHeadings(filepath.Join(d.root, "MIGRATION.md"), d.sites)
	if gaps == nil {
		d.say("MIGRATION.md has a section for each reason.")
	}

	d.section("What goes over the wire, before and after")
	b, err := openBroker(ctx)
	if err != nil {
		return errors.Join(gaps, err)
	}
	d.say("Broker: %s.", b.name)
	_, err = d.compareRuns(ctx, b)
	return errors.Join(gaps, err, b.close())
}

// fixAndCheck rewrites the copy after, which must then be as the patch made the
// one that it was applied to, build, pass its tests, and give a second run
// nothing to do.
func (d *demo) fixAndCheck(ctx context.Context, patched tree) error {
	if err := d.fix(ctx, d.after); err != nil {
		return err
	}
	fixed, err := readTree(d.after)
	if err != nil {
		return err
	}
	if err := sameTrees(patched, fixed); err != nil {
		return fmt.Errorf("-fix does something else than -diff shows: %w", err)
	}
	d.say("After: the files are those that the patch makes.")
	if err := d.goChecks(ctx, d.after); err != nil {
		return err
	}
	d.say("After: go build, go vet and go test pass.")
	if err := d.fix(ctx, d.after); err != nil {
		return err
	}
	again, err := readTree(d.after)
	if err != nil {
		return err
	}
	if err := sameTrees(fixed, again); err != nil {
		return fmt.Errorf("a second -fix changes something: %w", err)
	}
	d.say("A second -fix changes nothing.")
	return nil
}

// compareRuns runs the programs before and after, compares what they publish,
// and returns what the one before does.
func (d *demo) compareRuns(ctx context.Context, b *broker) (before []amqptest.Published, err error) {
	if before, err = d.record(ctx, b, d.before); err != nil {
		return nil, fmt.Errorf("before: %w", err)
	}
	after, err := d.record(ctx, b, d.after)
	if err != nil {
		return nil, fmt.Errorf("after: %w", err)
	}
	if err := compareRecordings(d.sites, before, after); err != nil {
		return nil, err
	}
	d.say("%d messages equal, all %d site ids seen.", len(before), len(d.sites))
	return before, nil
}

// section starts a part of the output.
func (d *demo) section(format string, args ...any) {
	fmt.Fprintf(d.out, "\n== "+format+"\n\n", args...)
}

// say prints one line.
func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }
