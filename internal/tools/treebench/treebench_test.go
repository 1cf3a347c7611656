package main

import (
	"bytes"
	"encoding/json"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestTreesAreFormattedAndBuild(t *testing.T) {
	checkout, err := findCheckout()
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range []tree{importing(40), sharing(40)} {
		dir := t.TempDir()
		if err := tree.write(dir, checkout); err != nil {
			t.Fatal(err)
		}
		files := 0
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			files++
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
				t.Errorf("%s: %s is not formatted: %v", tree.name, name, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if want := 40*filesPerPackage + len(tree.users); files < want {
			t.Errorf("%s: %d files, want %d", tree.name, files, want)
		}
		build := exec.Command("go", "vet", "-copylocks", "./...")
		build.Dir = dir
		build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", tree.name, err, out)
		}
	}
}

func TestUsersAreApart(t *testing.T) {
	for _, n := range []int{40, 2000} {
		if got := len(importing(n).users); got != 5 {
			t.Errorf("%d packages import an old client, want 5", got)
		}
		if got := len(sharing(n).users); got != 20 {
			t.Errorf("%d packages publish through the library, want 20", got)
		}
	}
	for _, text := range sharing(40).users {
		if strings.Contains(text, "amqp091-go") || strings.Contains(text, "amqpfix/compat") {
			t.Errorf("a user of the library imports an old client:\n%s", text)
		}
	}
}

func TestCheckNoticesWhatIsNotFound(t *testing.T) {
	tree := sharing(40)
	type site struct{ Package string }
	var all []site
	for i := range tree.users {
		all = append(all, site{"example.com/tree/" + packageName(i)})
	}
	for name, tt := range map[string]struct {
		sites []site
		want  string
	}{
		"all":              {all, ""},
		"one is missing":   {all[1:], "finds 0 calls in " + all[0].Package},
		"one more":         {append([]site{{"example.com/tree/p0000x"}}, all...), "finds 21 calls, there are 20"},
		"one is elsewhere": {append([]site{{"example.com/tree/mq"}}, all[1:]...), "finds 0 calls in " + all[0].Package},
		"none":             {nil, "finds 0 calls, there are 20"},
	} {
		report, err := json.Marshal(map[string]any{"sites": tt.sites})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := tree.check(report); err != nil {
			got = err.Error()
		}
		if got == "" != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if err := tree.check([]byte("nonsense")); err == nil {
		t.Error("no error for a report that is none")
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	writeTable(&out, []row{{
		tree:    tree{name: "some", packages: 7},
		amqpfix: usage{2 * time.Second, 3 * time.Second, 100 << 20},
		vet:     usage{40 * time.Second, 50 * time.Second, 200 << 20},
	}}, true)
	want := "| module | command | wall time | processor time | peak memory of a process |\n" +
		"| --- | --- | ---: | ---: | ---: |\n" +
		"| 7 packages, some | `amqpfix ./...` | 2.0 s | 3.0 s | 100 MiB |\n" +
		"| 7 packages, some | `go vet -vettool=amqpfix ./...` | 40.0 s | 50.0 s | 200 MiB |\n" +
		"| 7 packages, some | amqpfix / go vet | 0.050 | 0.060 | |\n"
	if got := out.String(); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// TestMeasureCountsAllProcesses measures a go command, which starts others.
func TestMeasureCountsAllProcesses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	u, out, err := measure(dir, []int{0}, "go", "list", ".")
	if err != nil || string(out) != "example.com/m\n" || u.wall <= 0 || u.cpu <= 0 || u.memory < 1<<20 && runtime.GOOS != "windows" {
		t.Errorf("%+v, %q, %v", u, out, err)
	}
	if _, _, err := measure(dir, []int{0}, "go", "list", "./nosuch"); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("a command that fails: %v", err)
	}
}
