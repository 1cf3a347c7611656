package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/amqpfix/amqpfix/analyzer"
	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// Exit codes.
const (
	exitClean    = 0
	exitFailure  = 1
	exitUsage    = 2
	exitFindings = 3
)

func main() {
	if isGoCommand(os.Args[1:]) {
		unitchecker.Main(analyzer.Suite...) // does not return
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// isGoCommand reports whether the arguments are those of go vet -vettool or go
// fix -fixtool: the version, the list of flags, or a compilation unit.
func isGoCommand(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-flags" || strings.HasPrefix(args[0], "-V=") ||
		strings.HasSuffix(args[len(args)-1], ".cfg")
}

// run is main without the process: it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "help" {
		return help(args[1:], stdout, stderr)
	}
	if len(args) == 1 && args[0] == "version" {
		return printVersion(stdout)
	}
	conf, code, ok := parseFlags(args, stdout, stderr)
	if !ok {
		return code
	}
	// A signal ends the run where that leaves the tree whole, a second one ends
	// the process. One that comes when all is done changes nothing.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)

	p := newProgress(stderr)
	conf.options.Progress = func(now driver.Progress) {
		p.step(now)
		if atStep != nil {
			atStep(ctx, now)
		}
	}
	rep, err := driver.Run(ctx, conf.options)
	p.stop()
	if err != nil {
		fmt.Fprintf(stderr, "amqpfix: %v\n", describe(ctx, err, conf.options.Dir))
		if len(conf.options.Patterns) == 0 && strings.Contains(err.Error(), "no Go files in") {
			fmt.Fprintln(stderr, "without packages, amqpfix looks at the one in this directory: \"amqpfix ./...\" looks at those below too")
		}
		return exitFailure
	}
	if err := conf.print(rep, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "amqpfix: %v\n", err)
		return exitFailure
	}
	return exitCode(rep, conf.options.Mode)
}

// atStep is for tests: they hold a run before one of its steps. ctx ends with
// the first signal.
var atStep func(ctx context.Context, now driver.Progress)

// printVersion prints the version of the module that the command was built from.
func printVersion(w io.Writer) int {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = fmt.Sprintf("%s %s", cmp.Or(info.Main.Version, "(devel)"), info.GoVersion)
	}
	fmt.Fprintf(w, "amqpfix %s\n", version)
	return exitClean
}

// exitCode says how a run went, as documented in the package comment.
func exitCode(rep driver.Report, mode driver.Mode) int {
	if len(rep.Problems) > 0 {
		return exitFailure
	}
	if len(rep.Findings) > 0 || slices.ContainsFunc(rep.Sites, func(s driver.Site) bool { return stays(s, mode) }) ||
		slices.ContainsFunc(rep.Imports, func(i driver.Import) bool { return importStays(i, mode) }) {
		return exitFindings
	}
	if mode == driver.ModeDiff && len(rep.Files) > 0 {
		return exitFindings
	}
	return exitClean
}

// stays reports whether a site is a finding in a mode: one that is ignored
// never is, and one that the mode rewrites needs no word.
func stays(s driver.Site, mode driver.Mode) bool {
	return !s.Ignored() && (s.Tier == driver.Left || mode == driver.ModeReport)
}

// importStays is stays for an import.
func importStays(i driver.Import, mode driver.Mode) bool {
	return !i.Ignored() && (!i.Moved || mode == driver.ModeReport)
}
