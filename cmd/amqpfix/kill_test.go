package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestKilledFixIsCompleted kills -fix at random moments. Whatever the moment,
// each file is the old or the new one, and the next -fix makes the tree what
// an undisturbed one makes it. AMQPFIX_LONG=1 does it 100 times on 200 files.
func TestKilledFixIsCompleted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many processes")
	}
	files, rounds := 60, 6
	if os.Getenv("AMQPFIX_LONG") != "" {
		files, rounds = 200, 100
	}
	before := publishers(files)
	dir := t.TempDir()
	reset(t, dir, before)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeModule(dir, "example.com/m", root); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := fixCommand(dir).Run(); err != nil {
		t.Fatal(err)
	}
	undisturbed := time.Since(start)
	after := readAll(t, dir, before)
	for name := range before {
		if after[name] == before[name] {
			t.Fatalf("%s is not rewritten", name)
		}
	}

	cut := 0
	for round := range rounds {
		reset(t, dir, before)
		cmd := fixCommand(dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if round%2 == 0 {
			waitForJournal(dir, 2*undisturbed)
			time.Sleep(rand.N(undisturbed / 50))
		} else {
			time.Sleep(rand.N(undisturbed))
		}
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if _, err := os.Lstat(filepath.Join(dir, ".amqpfix-journal")); err == nil {
			cut++
		}
		for name, text := range readAll(t, dir, before) {
			if text != before[name] && text != after[name] {
				t.Fatalf("round %d: %s is neither old nor new:\n%s", round, name, text)
			}
		}
		if out, err := fixCommand(dir).CombinedOutput(); err != nil {
			t.Fatalf("round %d: the next run: %v\n%s", round, err, out)
		}
		for name, text := range readAll(t, dir, before) {
			if text != after[name] {
				t.Fatalf("round %d: %s is not as after an undisturbed run:\n%s", round, name, text)
			}
		}
		checkNoStrays(t, dir)
	}
	t.Logf("%d of %d runs were cut off while they wrote", cut, rounds)
	if cut == 0 {
		t.Error("no run was cut off while it wrote")
	}
}

// TestInterruptedFix interrupts -fix at moments spread over its run: it ends
// with a line and all files as they were, or with all of them written.
func TestInterruptedFix(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("sends signals to processes")
	}
	before := publishers(20)
	dir := t.TempDir()
	reset(t, dir, before)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeModule(dir, "example.com/m", root); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := fixCommand(dir).Run(); err != nil {
		t.Fatal(err)
	}
	undisturbed := time.Since(start)
	after := readAll(t, dir, before)
	interrupted := 0
	for _, part := range []float64{0.1, 0.5, 0.9} {
		reset(t, dir, before)
		cmd := fixCommand(dir)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(part * float64(undisturbed)))
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the exit code says it
		want := after
		switch cmd.ProcessState.ExitCode() {
		case exitClean: // it was done, or past the point where it can stop
		case -1: // it was not up yet to take the signal
			if !maps.Equal(readAll(t, dir, before), after) {
				want = before
			}
		default:
			interrupted++
			want = before
			if got := stderr.String(); cmd.ProcessState.ExitCode() != exitFailure || got != "amqpfix: interrupted, nothing was written\n" {
				t.Errorf("interrupted after %.0f %%: %v, %q", part*100, cmd.ProcessState, got)
			}
		}
		if got := readAll(t, dir, before); !maps.Equal(got, want) {
			t.Errorf("interrupted after %.0f %%: %v: the tree is not as it should be", part*100, cmd.ProcessState)
		}
		checkNoStrays(t, dir)
	}
	if interrupted == 0 {
		t.Error("no run was interrupted")
	}
}

// fixCommand is amqpfix -fix over all of dir, as a process of its own.
func fixCommand(dir string) *exec.Cmd {
	cmd := exec.Command("amqpfix", "-fix", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
	return cmd
}

// publishers returns n files, by name, that publish the old way.
func publishers(n int) map[string]string {
	files := make(map[string]string)
	for i := range n {
		dir := fmt.Sprintf("p%d", i/20)
		files[fmt.Sprintf("%s/f%d.go", dir, i)] = fmt.Sprintf(`package %s

import "github.com/amqpfix/amqpfix/compat"

// Publish%[2]d publishes.
func Publish%[2]d(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetContentType("text/plain")
	props.SetPriority(%[3]d)
	return ch.BasicPublish("", "queue%[2]d", false, props, body)
}
`, dir, i, i%10)
	}
	return files
}

func reset(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func readAll(t *testing.T, dir string, names map[string]string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(bytes.Clone(b))
	}
	return texts
}

func waitForJournal(dir string, atMost time.Duration) {
	for end := time.Now().Add(atMost); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Lstat(filepath.Join(dir, ".amqpfix-journal")); err == nil {
			return
		}
	}
}

// checkNoStrays fails the test for any file of amqpfix's own in dir.
func checkNoStrays(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "amqpfix") {
			t.Errorf("left behind: %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
