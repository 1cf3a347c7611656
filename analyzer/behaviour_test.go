package analyzer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

var (
	programs = flag.Int("programs", 600, "how many random programs TestBehaviour and TestPublishBehaviour rewrite and run")
	seed     = flag.Uint64("seed", 1, "seed of the first of them")
)

// TestBehaviour rewrites random programs, runs both versions and compares what
// they publish and which functions they call, in which order.
func TestBehaviour(t *testing.T) {
	const perFile = 50
	before, after := gopathWith(t, nil), gopathWith(t, nil)
	write := func(dir, name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, "src", "programs", name), text)
	}
	var list strings.Builder
	source := make(map[string]string)
	for first := 0; first < *programs; first += perFile {
		var file strings.Builder
		file.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n\n" +
			"var (\n\t_ = fmt.Sprint\n\t_ time.Time\n\t_ newapi.Table\n)\n\n")
		for i := first; i < min(first+perFile, *programs); i++ {
			name := fmt.Sprintf("program%06d", *seed+uint64(i))
			source[name] = program(*seed+uint64(i), name)
			file.WriteString(source[name] + "\n")
			fmt.Fprintf(&list, "\t%q: %s,\n", name, name)
		}
		write(before, fmt.Sprintf("programs%06d.go", first), file.String())
	}
	for _, dir := range []string{before, after} {
		write(dir, "world.go", world)
		write(dir, "list.go", "package main\n\nvar programs = map[string]program{\n"+list.String()+"}\n")
	}

	tiers := make(map[plan.Tier]int)
	reasons := make(map[string]int)
	for _, f := range runPlans(t, before, "programs") {
		for _, s := range f.sites {
			tiers[s.Tier]++
			if s.Tier == plan.Left {
				reasons[s.Category]++
			}
		}
		rewritten := f.apply(t)
		write(after, filepath.Base(f.name), string(rewritten))
		if len(f.sites) > 0 && bytes.Equal(rewritten, f.src) {
			t.Errorf("%s: nothing was rewritten", f.name)
		}
	}
	t.Logf("%d programs: %v, left: %v", *programs, tiers, reasons)
	for _, tier := range []plan.Tier{plan.Fold, plan.Value, plan.Left} {
		if tiers[tier] < *programs/4 {
			t.Errorf("only %d sites of %d programs are of tier %s: the programs say too little", tiers[tier], *programs, tier)
		}
	}

	was, is := runGopath(t, before), runGopath(t, after)
	differ := 0
	for name, log := range was {
		if is[name] != log {
			if differ++; differ <= 3 {
				key, _, _ := strings.Cut(name, " ")
				t.Errorf("%s\n--- was\n%s--- is\n%s--- program\n%s", name, log, is[name], source[key])
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d runs differ", differ, len(was))
	}
	if len(was) != 2**programs || len(is) != len(was) {
		t.Errorf("%d and %d runs were recorded, want %d", len(was), len(is), 2**programs)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runGopath runs the programs and returns the notes of each run.
func runGopath(t *testing.T, gopath string, flags ...string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"run"}, flags...), "programs")...)
	cmd.Dir = gopath
	cmd.Env = append(os.Environ(), "GOPATH="+gopath, "GO111MODULE=off", "GOWORK=off", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, stderr.String())
	}
	runs := make(map[string]string)
	name := ""
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "\t") {
			name = strings.TrimSpace(line)
			runs[name] = ""
			continue
		}
		runs[name] += line
	}
	return runs
}
