// Plot draws the ratios that make bench wrote, as SVG.
//
// Usage:
//
//	plot bench.csv bench.svg
//
// It draws one bar for each row of the CSV but those that count allocations: to
// the right of 1 where ours is better, to the left where the peer is. The exit
// status is 1 if anything failed, 2 for a wrong command line.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	if len(args) != 2 {
		fmt.Fprintln(stderr, "usage: plot bench.csv bench.svg")
		return 2
	}
	if err := plotFile(args[0], args[1]); err != nil {
		fmt.Fprintln(stderr, "plot:", err)
		return 1
	}
	return 0
}

// plotFile reads from and writes to. It leaves to alone if it cannot.
func plotFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := readRows(in)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	svg, err := draw(rows)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, svg, 0o666)
}
