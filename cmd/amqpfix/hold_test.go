package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// Environment variables that the command heeds when the test binary is it.
const (
	holdVariable  = "AMQPFIX_TEST_HOLD"  // the step, as stepText has it, before which to wait
	eagerVariable = "AMQPFIX_TEST_EAGER" // show progress at once
)

const heldLine = "held\n"

// testMain is main for processes that tests start.
func testMain() {
	if os.Getenv(eagerVariable) != "" {
		progressDelay = 0
	}
	if step := os.Getenv(holdVariable); step != "" {
		atStep = func(ctx context.Context, now driver.Progress) {
			if stepText(now) == step {
				hold(ctx)
			}
		}
	}
	main()
}

// hold says on standard output that the process waits, and waits until a signal
// ends the run, or standard input ends.
func hold(ctx context.Context) {
	fmt.Print(heldLine)
	released := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(released)
	}()
	select {
	case <-ctx.Done():
	case <-released:
	}
}

// A heldRun is an amqpfix that waits before one of its steps.
type heldRun struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	stdout *bufio.Reader
}

// startHeld starts a command, with amqpfix in it, and returns once it waits
// before the step. It is an error if the command ends without coming there.
func startHeld(cmd *exec.Cmd, step string) (*heldRun, error) {
	cmd.Env = append(cmd.Environ(), holdVariable+"="+step)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	h := &heldRun{cmd, stdin, bufio.NewReader(stdout)}
	if line, err := h.stdout.ReadString('\n'); line != heldLine {
		h.release()
		return nil, fmt.Errorf("%s never came to %q: %q, %v, %v", cmd, step, line, err, cmd.ProcessState)
	}
	return h, nil
}

// release lets the run go on and waits for its end.
func (h *heldRun) release() {
	h.stdin.Close()
	h.end()
}

// kill ends the process where it waits.
func (h *heldRun) kill() {
	_ = h.cmd.Process.Kill() // it is there: it waits
	h.end()
}

// interrupt sends the signal of Ctrl-C, on which the run goes on to its end.
func (h *heldRun) interrupt() {
	_ = h.cmd.Process.Signal(os.Interrupt)
	h.end()
	h.stdin.Close()
}

func (h *heldRun) end() {
	_, _ = io.Copy(io.Discard, h.stdout)
	_ = h.cmd.Wait() // ProcessState has it
}

// mustHold is startHeld for -fix over dir, with its standard error.
func mustHold(t *testing.T, dir, step string) (*heldRun, *strings.Builder) {
	t.Helper()
	cmd := fixCommand(dir)
	stderr := new(strings.Builder)
	cmd.Stderr = stderr
	h, err := startHeld(cmd, step)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	return h, stderr
}

// at STEP ACTION amqpfix ARG...: run amqpfix up to a step and do something then:
// "kill" it, "interrupt:N" it, or let it "go:N" on; N is its exit code.
func cmdAt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[2] != "amqpfix" {
		ts.Fatalf("usage: at step kill|interrupt:n|go:n amqpfix [arg...]")
	}
	cmd := command(ts, args[2:]...)
	cmd.Stderr = ts.Stderr()
	h, err := startHeld(cmd, args[0])
	ts.Check(err)
	action, code, _ := strings.Cut(args[1], ":")
	switch action {
	case "kill":
		h.kill()
		return
	case "interrupt":
		h.interrupt()
	case "go":
		h.release()
	default:
		h.kill()
		ts.Fatalf("unknown action %s", action)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != code {
		ts.Fatalf("%v, want exit code %s", cmd.ProcessState, code)
	}
}
