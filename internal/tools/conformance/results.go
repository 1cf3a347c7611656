package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// event is a line of go test -json.
type event struct {
	Action  string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// results is what became of each test, and of the run as a whole.
type results struct {
	action map[string]string // pass, fail or skip, by test
	output map[string][]string
	failed bool // the run as a whole
}

// runTests runs the go command with args in dir, and reads what it prints.
func runTests(ctx context.Context, dir, url string, args []string) (*results, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "AMQP_URL="+url)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r, readErr := readEvents(out)
	var exit *exec.ExitError
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case readErr != nil:
		return nil, fmt.Errorf("go test: %w\n%s", readErr, &stderr)
	case errors.As(err, &exit) && len(r.action) > 0:
		r.failed = true // the report says how
	case err != nil:
		return nil, fmt.Errorf("go test: %w\n%s%s", err, &stderr, strings.Join(r.output[""], ""))
	}
	return r, nil
}

func readEvents(in io.Reader) (*results, error) {
	r := &results{action: make(map[string]string), output: make(map[string][]string)}
	for decoder := json.NewDecoder(in); ; {
		var e event
		if err := decoder.Decode(&e); err == io.EOF {
			return r, nil
		} else if err != nil {
			return r, err
		}
		test, _, sub := strings.Cut(e.Test, "/")
		switch e.Action {
		case "output", "build-output":
			r.output[test] = append(r.output[test], e.Output)
		case "pass", "fail", "skip":
			if test != "" && !sub {
				r.action[test] = e.Action
			}
		}
	}
}

// failing are those of want that ran and did not pass.
func (r *results) failing(want []string) []string {
	return slices.DeleteFunc(slices.Clone(want), func(test string) bool {
		return r.action[test] != "fail"
	})
}

// repeated takes over what a second run of the failing tests gave.
func (r *results) repeated(again *results) {
	for test, action := range again.action {
		r.action[test], r.output[test] = action, again.output[test]
	}
	r.failed, r.output[""] = again.failed, again.output[""]
}

// errNotConform is for a run whose report says what is wrong.
var errNotConform = errors.New("a test did not pass")

// report prints what did not pass, and the last line. The error is errNotConform
// if that is anything.
func (r *results) report(out io.Writer, want []string) error {
	passed := 0
	for _, test := range want {
		switch action := r.action[test]; action {
		case "pass":
			passed++
		case "":
			fmt.Fprintf(out, "\nnot run: %s\n%s", test, strings.Join(r.output[test], ""))
		default:
			fmt.Fprintf(out, "\n%s: %s\n%s", action, test, strings.Join(r.output[test], ""))
		}
	}
	conform := passed == len(want)
	if r.failed {
		conform = false
		fmt.Fprintf(out, "\ngo test failed:\n%s", strings.Join(r.output[""], ""))
	}
	var unknown []string
	for test := range r.action {
		if !slices.Contains(want, test) {
			unknown = append(unknown, test)
		}
	}
	if len(unknown) > 0 {
		conform = false
		slices.Sort(unknown)
		fmt.Fprintf(out, "\nrun, but not in %s: %s\n", testFile, strings.Join(unknown, ", "))
	}
	fmt.Fprintf(out, "conformance: %d/%d\n", passed, len(want))
	if !conform {
		return errNotConform
	}
	return nil
}
