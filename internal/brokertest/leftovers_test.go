//go:build linux

package brokertest

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// running returns the programs that have dir in their environment or command
// line: those of the node that writes there.
func running(t *testing.T, dir string) []string {
	t.Helper()
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(procs) == 0 {
		t.Fatalf("listing /proc: %d processes, error %v", len(procs), err)
	}
	var found []string
	for _, proc := range procs {
		env, _ := os.ReadFile(proc + "/environ") // a zombie's is empty
		cmd, _ := os.ReadFile(proc + "/cmdline")
		if bytes.Contains(env, []byte(dir)) || bytes.Contains(cmd, []byte(dir)) {
			found = append(found, filepath.Base(proc)+": "+string(bytes.ReplaceAll(cmd, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// wantNothingLeft waits a little for a node's programs and folder to be gone.
func wantNothingLeft(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := running(t, dir)
		_, err := os.Stat(dir)
		if len(left) == 0 && os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %s; folder %s: %v", strings.Join(left, "\n"), dir, err)
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	node := Start(t)
	if err := node.Resume(); err != nil { // skips where the node is not ours
		t.Fatal(err)
	}
	dir := node.dir
	if left := running(t, dir); len(left) < 3 {
		t.Fatalf("found %q while the node runs, want at least the server, epmd and the keeper", left)
	}
	if err := node.Close(); err != nil {
		t.Fatal(err)
	}
	wantNothingLeft(t, dir)
}

// childVar makes TestChildHoldsANode hold a node until it is killed.
const childVar = "BROKERTEST_HOLD_A_NODE"

func TestChildHoldsANode(t *testing.T) {
	if os.Getenv(childVar) == "" {
		return // it has nothing to say by itself: see below
	}
	node, err := Launch(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Pause(); err != nil { // the hardest to end
		t.Fatal(err)
	}
	os.Stdout.WriteString("\nholding " + node.dir + "\n")
	select {}
}

func TestKilledTestBinaryLeavesNothing(t *testing.T) {
	t.Parallel()
	if err := Shared(t).Resume(); err != nil { // skips where there is no node to kill
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(exe, "-test.run=^TestChildHoldsANode$")
	child.Env = append(os.Environ(), childVar+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
		dir, _ = strings.CutPrefix(lines.Text(), "holding ")
		if !strings.HasPrefix(dir, "/") {
			t.Logf("child: %s", dir)
			dir = ""
		}
	}
	if dir != "" && len(running(t, dir)) < 3 {
		t.Error("the child's node is not running")
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if dir == "" {
		t.Fatal("the child did not start its node")
	}
	wantNothingLeft(t, dir)
}
