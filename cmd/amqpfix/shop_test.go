package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShop migrates a copy of testdata/shop and holds the result against what
// SITES.tsv says, decided by hand, about each publish.
func TestShop(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(root, "testdata", "shop")
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.CopyFS(dir, os.DirFS(shop)); err != nil {
		t.Fatal(err)
	}
	run := func(want int, name string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Fatalf("%s: exit code %d, want %d: %v\n%s%s", cmd, got, want, err, out, &stderr)
		}
		return out
	}
	run(0, "go", "mod", "edit", "-replace=github.com/amqpfix/amqpfix="+root)

	var report jsonReport
	if err := json.Unmarshal(run(3, "amqpfix", "-json", "./..."), &report); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, s := range report.Sites {
		tier := string(s.Tier)
		if s.Category != "" {
			tier += " " + s.Category
		}
		got[fmt.Sprintf("%s:%d", filepath.ToSlash(s.File), s.Line)] = tier
	}
	rewritten := 0
	for place, want := range shopSites(t, filepath.Join(shop, "SITES.tsv")) {
		if got[place] != want {
			t.Errorf("%s: %q, want %q", place, got[place], want)
		}
		if !strings.HasPrefix(want, "left") {
			rewritten++
		}
		delete(got, place)
	}
	for place, tier := range got {
		t.Errorf("%s: %s, and not in SITES.tsv", place, tier)
	}
	if n := len(report.Sites); rewritten*10 < n*8 {
		t.Errorf("%d of %d sites rewritten, want at least 80 %%", rewritten, n)
	}

	run(3, "amqpfix", "-fix", "./...")
	run(0, "go", "build", "./...")
	run(0, "go", "vet", "./...")
	run(0, "go", "vet", "-tags=trace", "./...")
	if err := json.Unmarshal(run(3, "amqpfix", "-json", "-fix", "./..."), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Files) > 0 {
		t.Errorf("a second -fix changes %d files:\n%s", len(report.Files), report.Files[0].Diff)
	}
	for _, s := range report.Sites {
		if s.Tier != "left" {
			t.Errorf("after -fix, %s:%d is %s", s.File, s.Line, s.Tier)
		}
	}
}

// shopSites reads SITES.tsv: tier and category by file:line.
func shopSites(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sites := make(map[string]string)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 4 {
			t.Fatalf("%s: %q", name, lines.Text())
		}
		tier := fields[2]
		if fields[3] != "-" {
			tier += " " + fields[3]
		}
		sites[fields[1]] = tier
	}
	if err := lines.Err(); err != nil || len(sites) == 0 {
		t.Fatalf("%d sites in %s: %v", len(sites), name, err)
	}
	return sites
}
