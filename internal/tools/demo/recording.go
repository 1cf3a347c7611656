package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// runTimeout is how long the shop may take for its day.
const runTimeout = 2 * time.Minute

// recorder is a broker, or stands before one, and remembers what is published.
type recorder interface {
	URL() string
	Published() []amqptest.Published
	Close() error
}

// broker is what the programs before and after publish to.
type broker struct {
	name   string // for a person
	record func() (recorder, error)
	close  func() error
}

// openBroker returns the broker of the environment, a private one, or one in
// this process.
func openBroker(ctx context.Context) (*broker, error) {
	before := func(url string) func() (recorder, error) {
		return func() (recorder, error) { return amqptest.StartProxy(url) }
	}
	if url := os.Getenv("AMQP_URL"); url != "" {
		return &broker{
			name:   "the one that AMQP_URL names, behind a recording proxy",
			record: before(url),
			close:  func() error { return nil },
		}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, brokertest.StartTimeout)
	defer cancel()
	node, err := brokertest.Launch(ctx, brokertest.Options{})
	switch {
	case errors.Is(err, brokertest.ErrNotInstalled):
		return &broker{
			name:   "package amqptest, as no RabbitMQ is installed and AMQP_URL is not set",
			record: func() (recorder, error) { return amqptest.Start() },
			close:  func() error { return nil },
		}, nil
	case err != nil:
		return nil, err
	}
	return &broker{
		name:   "a private RabbitMQ node, behind a recording proxy",
		record: before(node.URL()),
		close:  node.Close,
	}, nil
}

// record builds the shop in dir, runs it and the test that holds a publish site,
// and returns what they published.
func (d *demo) record(ctx context.Context, b *broker, dir string) (published []amqptest.Published, err error) {
	bin, err := os.MkdirTemp(d.dir, "bin-")
	if err != nil {
		return nil, err
	}
	shop, test := filepath.Join(bin, "shop"), filepath.Join(bin, "stock.test")
	if _, err := d.output(ctx, dir, "go", "build", "-tags", traceTag, "-o", shop, "./cmd/shop"); err != nil {
		return nil, err
	}
	if _, err := d.output(ctx, dir, "go", "test", "-c", "-o", test, "./stock"); err != nil {
		return nil, err
	}

	r, err := b.record()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	// Names of our own: the broker may be somebody's.
	env := []string{"AMQP_URL=" + r.URL(), fmt.Sprintf("SHOP_PREFIX=amqpfix-demo-%d", os.Getpid())}
	if _, _, err := d.run(ctx, dir, env, shop); err != nil {
		return nil, err
	}
	if _, _, err := d.run(ctx, dir, env, test, "-test.run=^TestGarbageIsAnswered$"); err != nil {
		return nil, err
	}
	return r.Published(), nil
}

// compareRecordings compares two recordings, which must hold messages of every
// site and of no other. Each line of an error names the site it is about.
func compareRecordings(sites []site, before, after []amqptest.Published) error {
	var errs []error
	for _, d := range amqptest.Diff(before, after) {
		m := d.Want
		if m == nil {
			m = d.Got
		}
		errs = append(errs, fmt.Errorf("site %s: %v", siteOf(*m), d))
	}
	errs = append(errs, checkRecording("before", sites, before), checkRecording("after", sites, after))
	return errors.Join(errs...)
}

// checkRecording returns an error unless the messages of a recording come from
// all sites and from no others.
func checkRecording(name string, sites []site, recording []amqptest.Published) error {
	if len(recording) == 0 {
		return fmt.Errorf("the recording %s is empty", name)
	}
	unseen := make(map[string]bool)
	for _, s := range sites {
		unseen[s.id] = true
	}
	var strange []string
	for _, m := range recording {
		id := siteOf(m)
		if _, known := unseen[id]; known {
			unseen[id] = false
		} else if !slices.Contains(strange, id) {
			strange = append(strange, id)
		}
	}
	var errs []error
	for _, s := range sites {
		if unseen[s.id] {
			errs = append(errs, fmt.Errorf("site %s: none of the %d messages in the recording %s is from it", s.id, len(recording), name))
		}
	}
	if len(strange) > 0 {
		errs = append(errs, fmt.Errorf("the recording %s has messages of sites that SITES.tsv does not have: %s", name, strings.Join(strange, ", ")))
	}
	return errors.Join(errs...)
}
