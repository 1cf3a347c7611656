package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestDiffOfManyFiles compares the patch for a module of 40 files with files that
// were written by hand: git apply makes just these of it, and it changes no more
// lines than differ. Files have all kinds of line ends and beginnings in turns.
func TestDiffOfManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a module")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	const files = 40
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := txtar.ParseFile("testdata/shapes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string) // by "shape/when"
	var names []string
	for _, f := range shapes.Files {
		texts[f.Name] = string(f.Data)
		if shape, when := path.Split(f.Name); when == "before" {
			names = append(names, path.Clean(shape))
		}
	}
	if len(names) < 12 || len(texts) != 2*len(names) {
		t.Fatalf("%d texts of %d shapes", len(texts), len(names))
	}
	for _, tree := range []struct {
		name  string
		bytes func(i int, text string) string
	}{
		{"plain", func(i int, text string) string { return text }},
		{"CR LF and byte order marks", func(i int, text string) string {
			if i%3 > 0 {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			if i%3 > 1 || i%4 == 0 {
				text = "\ufeff" + text
			}
			if i%5 == 0 {
				text = strings.TrimRight(text, "\r\n")
			}
			return text
		}},
	} {
		t.Run(tree.name, func(t *testing.T) {
			t.Parallel()
			dir, golden := t.TempDir(), t.TempDir()
			for i := range files {
				shape := names[i%len(names)]
				name := fmt.Sprintf("d%d/%s%d.go", i/10, shape, i)
				for when, dir := range map[string]string{"before": dir, "after": golden} {
					text := strings.ReplaceAll(texts[shape+"/"+when], "NAME", strconv.Itoa(i))
					if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
						t.Fatalf("%s of %s is not formatted: %v", shape, when, err)
					}
					writeFile(t, filepath.Join(dir, name), tree.bytes(i, text))
				}
			}
			if err := writeModule(dir, "example.com/shapes", root); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "init", "-q")
			git(t, dir, "config", "core.autocrlf", "false")
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-q", "-m", "all")

			cmd := exec.Command("amqpfix", "-diff", "./...")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			patch, err := cmd.Output()
			if cmd.ProcessState.ExitCode() != exitFindings {
				t.Fatalf("%s: %v\n%s", cmd, err, &stderr)
			}
			if git(t, dir, "status", "--porcelain") != "" {
				t.Error("-diff changed files")
			}
			file := filepath.Join(t.TempDir(), "patch")
			writeFile(t, file, string(patch))
			git(t, dir, "apply", "--whitespace=nowarn", file)

			changed := strings.Fields(git(t, dir, "diff", "--name-only"))
			if len(changed) != files {
				t.Errorf("%d files change, want %d:\n%s", len(changed), files, &stderr)
			}
			for i := range files {
				name := fmt.Sprintf("d%d/%s%d.go", i/10, names[i%len(names)], i)
				want := readText(t, filepath.Join(golden, name))
				if got := readText(t, filepath.Join(dir, name)); got != want {
					t.Errorf("%s:\n%q\nby hand:\n%q", name, got, want)
				}
			}
			if got, want := countLines(string(patch)), countLines(git(t, dir, "diff", "--minimal")); !slices.Equal(got, want) {
				t.Errorf("removed and added lines %v, want %v", got, want)
			}
		})
	}
}

// countLines counts the lines that a patch removes and adds.
func countLines(patch string) []int {
	counts := make([]int, 2)
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "-"):
			counts[0]++
		case strings.HasPrefix(line, "+"):
			counts[1]++
		}
	}
	return counts
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
