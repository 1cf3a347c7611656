// Bench compares newapi with amqp091-go, side by side in one run.
//
// Usage:
//
//	bench [-run regexp] [-rounds 7] [-time 50ms] [-csv bench.csv]
//
// For each case it calibrates how many operations one round has, then lets the
// two sides take turns, round by round, so that whatever else the machine does
// meets both; it reports medians. Both do the same number of operations and must
// have sent the same number of octets, or the run fails: a side that is fast by
// not doing its work is no result.
//
// It prints a Markdown table with the columns case, unit, peer, ours and ratio
// (how many times better ours is: above 1 is better), writes the same as CSV, and
// prints the CSV's path last. The exit status is 1 if anything failed, 2 for a
// wrong command line.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// cases is everything that is compared, in order of appearance.
var cases = publishCalls

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	pattern := flags.String("run", "", "compare only the cases whose name matches this `regexp`")
	rounds := flags.Int("rounds", 7, "`number` of rounds of each side")
	least := flags.Duration("time", 50*time.Millisecond, "least `duration` of one round of the faster side")
	csv := flags.String("csv", "bench.csv", "`file` for the results")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	selected, err := regexp.Compile(*pattern)
	switch {
	case err != nil:
		err = fmt.Errorf("-run: %w", err)
	case *rounds < 1:
		err = fmt.Errorf("-rounds %d: it takes at least 1", *rounds)
	case *least <= 0:
		err = fmt.Errorf("-time %v: it takes more than 0", *least)
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q; cases are chosen with -run", flags.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	if err := compareAll(cases, selected, *rounds, *least, *csv, stdout); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func compareAll(all []comparison, selected *regexp.Regexp, rounds int, least time.Duration, csvFile string, stdout io.Writer) error {
	fmt.Fprintf(stdout, "%s, medians of %d rounds\n\n%s", machine(), rounds, tableHead)
	var results []result
	for _, c := range all {
		if !selected.MatchString(c.name) {
			continue
		}
		rows, err := c.compare(rounds, least)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for _, row := range rows {
			fmt.Fprint(stdout, row.markdown())
		}
		results = append(results, rows...)
	}
	if len(results) == 0 {
		return fmt.Errorf("no case matches -run %q", selected)
	}
	file, err := os.Create(csvFile)
	if err != nil {
		return err
	}
	if err := errors.Join(writeCSV(file, results), file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "\n%s\n", csvFile)
	return err
}

// machine describes what the numbers were taken with.
func machine() string {
	peer := "amqp091-go"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if strings.HasSuffix(dep.Path, "/amqp091-go") {
				peer += " " + dep.Version
			}
		}
	}
	return fmt.Sprintf("newapi against %s: %s, %s/%s, %s, GOMAXPROCS %d",
		peer, runtime.Version(), runtime.GOOS, runtime.GOARCH, processor(), runtime.GOMAXPROCS(0))
}

// processor returns the processor's model, where Linux tells it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere there is none
	for _, line := range strings.Split(string(info), "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
