// Bench compares newapi with amqp091-go, side by side in one run.
//
// Usage:
//
//	bench [-run regexp] [-rounds 7] [-time 40ms] [-csv bench.csv] [-cpuprofile file]
//
// For each case it calibrates how many operations one round has, then lets the
// two sides take turns, round by round, so that whatever else the machine does
// meets both; it reports medians, and how calls were shared out between goroutines
// over all rounds. Both do the same number of operations, and the
// same number of messages, frames and octets must have arrived at the other end
// when a round is over, or the run fails: a side that is fast by not doing its
// work is no result. Rounds about saturation have the same time instead, and each
// side must have delivered as many messages as its calls said.
//
// The other end is, by the case's name: nothing but a counter (publish call, PR
// 1096's framing), a process that takes every frame apart (sink, bare writes,
// compat/amqp091, TLS, saturation, round trip), one that delivers (receive), or RabbitMQ (broker,
// Publish_Hello_World), a private node or the one that AMQP_URL names. Where it is
// not installed, those cases are named as not measured.
//
// It prints a Markdown table with the columns case, unit, peer, ours and ratio
// (how many times better ours is: above 1 is better), writes the same as CSV, and
// prints the CSV's path last. The peer is amqp091-go. For PR 1096 it
// is compat, and for bare writes the socket alone: no client gets above 1 there. A CPU profile has the label side on every sample:
//
//	go tool pprof -tagfocus side=newapi file
//
// The exit status is 1 if anything failed, 2 for a wrong command line.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
)

// allCases returns everything that is compared, in order of appearance. The
// broker comes last: it works on when nobody asks it to.
func allCases() []comparison {
	var all []comparison
	for _, cases := range []func() []comparison{
		publishCalls, sinkCases, bareCases, compatCases, tlsCases, saturationCases, roundTripCases, receiveCases, pr1096Cases, brokerCases,
	} {
		all = append(all, cases()...)
	}
	return all
}

func main() {
	if os.Getenv(sinkVariable) != "" {
		os.Exit(sinkMain(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the command line says.
type options struct {
	selected *regexp.Regexp
	rounds   int
	least    time.Duration
	csv      string
	profile  string
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, errUsage):
		return 2
	case err != nil:
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	if err := o.compareAll(allCases(), stdout); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// errUsage says that package flag has told the user already.
var errUsage = errors.New("usage")

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	pattern := flags.String("run", "", "compare only the cases whose name matches this `regexp`")
	flags.IntVar(&o.rounds, "rounds", 7, "`number` of rounds of each side")
	flags.DurationVar(&o.least, "time", 40*time.Millisecond, "least `duration` of one round of the faster side")
	flags.StringVar(&o.csv, "csv", "bench.csv", "`file` for the results")
	flags.StringVar(&o.profile, "cpuprofile", "", "`file` for a CPU profile, in which the label side tells the sides apart")
	if err := flags.Parse(args); err != nil {
		return o, errUsage
	}
	o.selected, err = regexp.Compile(*pattern)
	switch {
	case err != nil:
		return o, fmt.Errorf("-run: %w", err)
	case o.rounds < 1:
		return o, fmt.Errorf("-rounds %d: it takes at least 1", o.rounds)
	case o.least <= 0:
		return o, fmt.Errorf("-time %v: it takes more than 0", o.least)
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q; cases are chosen with -run", flags.Arg(0))
	}
	return o, nil
}

// compareAll compares the selected cases and reports.
func (o options) compareAll(all []comparison, stdout io.Writer) (err error) {
	stop, err := o.startProfile()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	l := new(lab)
	results, missing, err := o.measureAll(l, all, stdout)
	if err := errors.Join(err, l.Close()); err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	if len(missing) > 0 {
		fmt.Fprintf(stdout, "Not measured, for want of RabbitMQ (apt-get install rabbitmq-server, or set AMQP_URL):\n%s\n\n", strings.Join(missing, "\n"))
	}
	if len(results) == 0 {
		return fmt.Errorf("no case that can be measured matches -run %q", o.selected)
	}
	file, err := os.Create(o.csv)
	if err != nil {
		return err
	}
	if err := errors.Join(writeCSV(file, results), file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, o.csv)
	return err
}

// measureAll prints the table and returns its rows, and the cases that need a
// broker where there is none.
func (o options) measureAll(l *lab, all []comparison, stdout io.Writer) (results []result, missing []string, err error) {
	fmt.Fprintf(stdout, "%s, medians of %d rounds\n\n%s", machine(), o.rounds, tableHead)
	for _, c := range all {
		if !o.selected.MatchString(c.name) {
			continue
		}
		rows, err := c.compare(l, o.rounds, o.least)
		if errors.Is(err, brokertest.ErrNotInstalled) {
			missing = append(missing, c.name)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, row := range rows {
			fmt.Fprint(stdout, row.markdown())
		}
		results = append(results, rows...)
	}
	if l.brokerName != "" {
		fmt.Fprintf(stdout, "\nBroker: %s\n", l.brokerName)
	}
	return results, missing, nil
}

// startProfile starts the CPU profile, if there is to be one, and returns what
// completes it.
func (o options) startProfile() (stop func() error, err error) {
	if o.profile == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(o.profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}
