// Conformance runs amqp091-go's own integration tests against compat/amqp091.
//
// It takes integration_test.go of the required version of amqp091-go from the
// module cache, makes the few edits that let it compile beside aliases (edits, in
// edit.go; none touches the body of a test), and runs it as a test of the package
// compat/amqp091 itself: an overlay puts it and testdata/support_test.go in the
// place of the package's own tests. Nothing of amqp091-go is copied into the
// repository.
//
// The broker is the one that AMQP_URL names, or else a private RabbitMQ node.
// With -upstream the same tests run in amqp091-go itself, for comparison. -run and
// -race are those of go test.
//
// Those tests wait for 200 ms at a time, which a busy machine may need for
// itself: what fails is run once more, by itself, and that is said. What fails
// again is printed with its output. The last line is
//
//	conformance: passed/total
//
// where total counts the tests in amqp091-go's file. The exit status is 0 if all
// of them ran and passed, 1 if not, and 2 for a wrong command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
)

const (
	ourPackage     = "github.com/amqpfix/amqpfix/compat/amqp091"
	upstreamModule = "github.com/rabbitmq/amqp091-go"
	testFile       = "integration_test.go"
	buildTag       = "integration" // of testFile
)

func main() {
	var opts options
	flag.BoolVar(&opts.upstream, "upstream", false, "run the tests in amqp091-go itself")
	flag.StringVar(&opts.run, "run", "", "run only the tests that match `regexp`")
	flag.BoolVar(&opts.race, "race", false, "run with the race detector")
	flag.DurationVar(&opts.timeout, "timeout", 10*time.Minute, "give up after `duration`")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "conformance: unexpected argument %q; there are only flags, see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	if _, err := regexp.Compile(opts.run); err != nil {
		fmt.Fprintln(os.Stderr, "conformance: -run:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := conform(ctx, os.Stdout, opts)
	stop()
	switch {
	case errors.Is(err, errNotConform): // has been reported
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

type options struct {
	upstream bool
	race     bool
	run      string
	timeout  time.Duration
}

func conform(ctx context.Context, out io.Writer, opts options) (err error) {
	ours, err := output(ctx, "", "go", "list", "-find", "-f", "{{.Dir}}", ourPackage)
	if err != nil {
		return err
	}
	// In the module of ours: it is its requirement that counts.
	found, err := output(ctx, ours, "go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", upstreamModule)
	if err != nil {
		return err
	}
	version, upstream, _ := strings.Cut(found, " ")
	if upstream == "" {
		return fmt.Errorf("%s %s is not in the module cache; run: go mod download", upstreamModule, version)
	}
	source, err := os.ReadFile(filepath.Join(upstream, testFile))
	if err != nil {
		return err
	}
	want, err := testNames(source)
	if err != nil {
		return err
	}

	temp, err := os.MkdirTemp("", "amqpfix-conformance-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()

	args := []string{"test", "-json", "-count=1", "-tags=" + buildTag, "-timeout=" + opts.timeout.String()}
	dir, subject := ours, ourPackage
	if opts.upstream {
		// The file has the build tag to itself only as far as its names go.
		dir, subject = upstream, upstreamModule+" "+version
		args = append(args, "-mod=mod", "-run="+exactly(want))
	} else {
		overlay, err := writeOverlay(temp, ours, source)
		if err != nil {
			return err
		}
		args = append(args, "-overlay="+overlay)
	}
	if opts.race {
		args = append(args, "-race")
	}
	if opts.run != "" {
		want = matching(want, opts.run)
		args = append(args, "-run="+opts.run)
	}
	if len(want) == 0 {
		return fmt.Errorf("no test of %s matches -run %q", testFile, opts.run)
	}

	url, closeBroker, err := broker(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeBroker()) }()
	fmt.Fprintf(out, "%s of %s %s on %s\n", testFile, upstreamModule, version, subject)
	results, err := runTests(ctx, dir, url, append(args, "."))
	if err != nil {
		return err
	}
	if failing := results.failing(want); len(failing) > 0 {
		fmt.Fprintln(out, "once more:", strings.Join(failing, ", "))
		// The last -run counts.
		again, err := runTests(ctx, dir, url, append(args, "-run="+exactly(failing), "."))
		if err != nil {
			return err
		}
		results.repeated(again)
	}
	return results.report(out, want)
}

// broker returns the broker that AMQP_URL names, or a node of our own.
func broker(ctx context.Context) (url string, end func() error, err error) {
	if url := os.Getenv("AMQP_URL"); url != "" {
		return url, func() error { return nil }, nil
	}
	ctx, cancel := context.WithTimeout(ctx, brokertest.StartTimeout)
	defer cancel()
	node, err := brokertest.Launch(ctx, brokertest.Options{})
	if err != nil {
		return "", nil, err
	}
	return node.URL(), node.Close, nil
}

// output returns what a command prints, without the newline. An error has what it
// said on standard error.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
