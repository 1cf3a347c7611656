// Treebench measures what amqpfix costs in a large repository, of which a small
// part publishes.
//
// It makes two modules of 2,000 packages each. In one, 5 packages import an old
// client. In the other, all import a library that exposes the old channels, and 20
// publish through it without importing a client. Over each it runs
//
//	amqpfix ./...
//	go vet -vettool=amqpfix ./...
//
// each with an empty build cache and without the network, and prints wall time,
// processor time of all processes, and the peak memory of the largest one, as a
// Markdown table.
//
// It exits 0 when amqpfix found every call and took at most a tenth of what go vet
// took in the first module, else 1 with the reason on standard error. Temporary
// directories take about a gigabyte while it runs.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	packages := flag.Int("packages", 2000, "packages in each module, from 40 to 9999")
	vet := flag.Bool("vet", true, "run go vet too; without, there is nothing to compare with")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "treebench: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if *packages < 40 || *packages > 9999 {
		fmt.Fprintf(os.Stderr, "treebench: -packages=%d: want 40 to 9999\n", *packages)
		os.Exit(2)
	}
	if err := bench(os.Stdout, *packages, *vet); err != nil {
		fmt.Fprintln(os.Stderr, "treebench:", err)
		os.Exit(1)
	}
}

// atMost is the part of go vet's time that amqpfix may take in the first module.
const atMost = 0.1

// bench makes the modules, runs the commands and writes the table.
func bench(out io.Writer, n int, vet bool) (err error) {
	dir, err := os.MkdirTemp("", "treebench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	checkout, err := findCheckout()
	if err != nil {
		return err
	}
	tool := filepath.Join(dir, "amqpfix.exe")
	build := exec.Command("go", "build", "-o", tool, "./cmd/amqpfix")
	build.Dir = checkout
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", build, err, text)
	}
	var rows []row
	var problems []error
	for i, t := range []tree{importing(n), sharing(n)} {
		module := filepath.Join(dir, fmt.Sprint("tree", i))
		if err := t.write(module, checkout); err != nil {
			return err
		}
		r := row{tree: t}
		var report []byte
		if r.amqpfix, report, err = measure(module, []int{3}, tool, "-json", "./..."); err != nil {
			return err
		}
		if err := t.check(report); err != nil {
			problems = append(problems, err)
		}
		if vet {
			if r.vet, _, err = measure(module, []int{1}, "go", "vet", "-vettool="+tool, "./..."); err != nil {
				return err
			}
			if wall, cpu := r.ratios(); i == 0 && max(wall, cpu) > atMost {
				problems = append(problems, fmt.Errorf("%s: amqpfix takes %.2f of the time of go vet and %.2f of its processor time, want at most %.2f", t.name, wall, cpu, atMost))
			}
		}
		rows = append(rows, r)
	}
	writeTable(out, rows, vet)
	return errors.Join(problems...)
}

// findCheckout returns the directory of the module that amqpfix is part of.
func findCheckout() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/amqpfix/amqpfix").Output()
	if err != nil {
		return "", fmt.Errorf("looking for the checkout: %w; run this in it", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// check reports a call that amqpfix did not find, or one that there is not.
func (t tree) check(report []byte) error {
	var found struct {
		Sites []struct{ Package string }
	}
	if err := json.Unmarshal(report, &found); err != nil {
		return fmt.Errorf("%s: reading the report: %w", t.name, err)
	}
	in := make(map[string]int)
	for _, s := range found.Sites {
		in[s.Package]++
	}
	var errs []error
	for i := range t.users {
		path := "example.com/tree/" + packageName(i)
		if in[path] != 1 {
			errs = append(errs, fmt.Errorf("%s: amqpfix finds %d calls in %s, which has one", t.name, in[path], path))
		}
	}
	if len(found.Sites) != len(t.users) {
		errs = append(errs, fmt.Errorf("%s: amqpfix finds %d calls, there are %d", t.name, len(found.Sites), len(t.users)))
	}
	return errors.Join(errs...)
}

// A row is what the commands used in one tree.
type row struct {
	tree         tree
	amqpfix, vet usage
}

// ratios returns how much of go vet's wall and processor time amqpfix took.
func (r row) ratios() (wall, cpu float64) {
	return float64(r.amqpfix.wall) / float64(r.vet.wall), float64(r.amqpfix.cpu) / float64(r.vet.cpu)
}

func writeTable(out io.Writer, rows []row, vet bool) {
	fmt.Fprintln(out, "| module | command | wall time | processor time | peak memory of a process |")
	fmt.Fprintln(out, "| --- | --- | ---: | ---: | ---: |")
	for _, r := range rows {
		name := fmt.Sprintf("%d packages, %s", r.tree.packages, r.tree.name)
		line := func(command string, u usage) {
			fmt.Fprintf(out, "| %s | %s | %.1f s | %.1f s | %d MiB |\n", name, command, u.wall.Seconds(), u.cpu.Seconds(), u.memory>>20)
		}
		line("`amqpfix ./...`", r.amqpfix)
		if vet {
			line("`go vet -vettool=amqpfix ./...`", r.vet)
			wall, cpu := r.ratios()
			fmt.Fprintf(out, "| %s | amqpfix / go vet | %.3f | %.3f | |\n", name, wall, cpu)
		}
	}
}
