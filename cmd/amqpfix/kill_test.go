package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestKilledFixIsCompleted kills -fix before each of its steps, all those of
// writing among them. Each file is the old or the new one then, and the next
// -fix makes the tree what an undisturbed one makes it.
func TestKilledFixIsCompleted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many processes")
	}
	tree := newKillTree(t, 2)
	for _, tt := range []struct {
		step    string
		journal bool
		written int // files in place
	}{
		{"listing packages", false, 0},
		{"proving 0/2", false, 0},
		{"writing", false, 0},
		{"writing 0/4", true, 0}, // the journal stands
		{"writing 1/4", true, 0}, // one file is staged
		{"writing 2/4", true, 0},
		{"writing 3/4", true, 1},
		{"writing 4/4", true, 2}, // the journal is still there
	} {
		t.Run(tt.step, func(t *testing.T) {
			tree.reset(t)
			h, _ := mustHold(t, tree.dir, tt.step)
			h.kill()
			if got := tree.journal(); got != tt.journal {
				t.Errorf("a journal stands: %t, want %t", got, tt.journal)
			}
			if got := tree.written(t); got != tt.written {
				t.Errorf("%d files are written, want %d", got, tt.written)
			}
			out := tree.complete(t)
			resumed := ""
			if left := len(tree.before) - tt.written; tt.journal && left > 0 {
				resumed = fmt.Sprintf("amqpfix: completed an interrupted run: %d of its files\n", left)
			}
			if !strings.HasPrefix(out, resumed) || strings.Contains(out, "interrupted") != (resumed != "") {
				t.Errorf("the next run says %q, want %q", out, resumed)
			}
		})
	}
}

// TestFixKilledAtRandomMoments kills -fix over 200 files 100 times: half of them
// before random steps of writing, the others whenever it comes.
func TestFixKilledAtRandomMoments(t *testing.T) {
	if os.Getenv("AMQPFIX_LONG") == "" {
		t.Skip("takes minutes; AMQPFIX_LONG=1 runs it")
	}
	const files, rounds = 200, 100
	tree := newKillTree(t, files)
	cut := 0
	for round := range rounds {
		tree.reset(t)
		if round%2 == 0 {
			h, _ := mustHold(t, tree.dir, fmt.Sprintf("writing %d/%d", rand.N(2*files+1), 2*files))
			h.kill()
		} else {
			cmd := fixCommand(tree.dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(rand.N(tree.undisturbed))
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
		}
		if tree.journal() {
			cut++
		}
		tree.written(t)
		tree.complete(t)
	}
	t.Logf("%d of %d runs were cut off while they wrote", cut, rounds)
	if cut < rounds/2 {
		t.Errorf("%d of %d runs were cut off while they wrote", cut, rounds)
	}
}

// TestInterruptedFix interrupts -fix before its steps: it ends with a line and all
// files as they were, or, once it writes, with all of them written.
func TestInterruptedFix(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("sends signals to processes")
	}
	tree := newKillTree(t, 2)
	for _, tt := range []struct {
		step    string
		written int
	}{
		{"listing packages", 0},
		{"loading packages 0/1", 0},
		{"analysing 0/1", 0},
		{"proving 0/2", 0},
		{"writing", 0},
		{"writing 0/4", 2},
		{"writing 3/4", 2},
	} {
		t.Run(tt.step, func(t *testing.T) {
			tree.reset(t)
			h, stderr := mustHold(t, tree.dir, tt.step)
			h.interrupt()
			code, said := exitFailure, "amqpfix: interrupted, nothing was written\n"
			if tt.written > 0 {
				code, said = exitClean, "amqpfix: 2 call sites: 2 folded, 0 left\namqpfix: wrote 2 files\n"
			}
			if got := h.cmd.ProcessState.ExitCode(); got != code || stderr.String() != said {
				t.Errorf("%v, %q, want exit code %d, %q", h.cmd.ProcessState, stderr, code, said)
			}
			if got := tree.written(t); got != tt.written {
				t.Errorf("%d files are written, want %d", got, tt.written)
			}
			checkNoStrays(t, tree.dir)
		})
	}
}

// A killTree is a module, and what an undisturbed -fix makes of its files.
type killTree struct {
	dir           string
	before, after map[string]string // text by name
	undisturbed   time.Duration     // how long that took
}

func newKillTree(t *testing.T, files int) *killTree {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	k := &killTree{dir: t.TempDir(), before: publishers(files)}
	k.reset(t)
	if err := writeModule(k.dir, "example.com/m", root); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if out, err := fixCommand(k.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	k.undisturbed = time.Since(start)
	k.after = k.read(t)
	for name := range k.before {
		if k.after[name] == k.before[name] {
			t.Fatalf("%s is not rewritten", name)
		}
	}
	return k
}

// reset writes the files as they were.
func (k *killTree) reset(t *testing.T) {
	t.Helper()
	for name, text := range k.before {
		name = filepath.Join(k.dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func (k *killTree) read(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for name := range k.before {
		b, err := os.ReadFile(filepath.Join(k.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(b)
	}
	return texts
}

func (k *killTree) journal() bool {
	_, err := os.Lstat(filepath.Join(k.dir, ".amqpfix-journal"))
	return err == nil
}

// written counts the files that are the new ones. One that is neither old nor
// new fails the test.
func (k *killTree) written(t *testing.T) int {
	t.Helper()
	n := 0
	for name, text := range k.read(t) {
		switch text {
		case k.after[name]:
			n++
		case k.before[name]:
		default:
			t.Fatalf("%s is neither old nor new:\n%s", name, text)
		}
	}
	return n
}

// complete runs -fix once more and checks that the tree is as after an
// undisturbed run. It returns what the run said.
func (k *killTree) complete(t *testing.T) string {
	t.Helper()
	out, err := fixCommand(k.dir).CombinedOutput()
	if err != nil {
		t.Fatalf("the next run: %v\n%s", err, out)
	}
	for name, text := range k.read(t) {
		if text != k.after[name] {
			t.Fatalf("%s is not as after an undisturbed run:\n%s", name, text)
		}
	}
	checkNoStrays(t, k.dir)
	return string(out)
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
