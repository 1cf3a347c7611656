package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/amqpfix/amqpfix/internal/brokertest"
)

func TestMain(m *testing.M) {
	if os.Getenv(sinkVariable) != "" {
		os.Exit(sinkMain(os.Stdin, os.Stdout, os.Stderr))
	}
	brokertest.Main(m, func() error { return goleak.Find() })
}

// Every case runs once, for a moment. That both sides do the same work is what a
// comparison itself insists on.
func TestEveryCase(t *testing.T) {
	l := new(lab)
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	seen := make(map[string]bool)
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			if seen[c.name] {
				t.Error("there are two cases of this name")
			}
			seen[c.name] = true
			if strings.HasPrefix(c.name, "broker/") || strings.HasSuffix(c.name, "Publish_Hello_World") {
				t.Setenv("AMQP_URL", brokertest.URL(t))
			}
			results, err := c.compare(l, 1, time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if len(results) != len(c.units) || len(results) == 0 {
				t.Fatalf("%d results for %d units", len(results), len(c.units))
			}
			for _, r := range results {
				least := 0.0
				if r.unit.name == timePerOp.name || r.unit.name == messageRate.name {
					least = 1
				}
				if !(r.peer >= least) || !(r.ours >= least) {
					t.Errorf("%s: peer %v, ours %v", r.unit.name, r.peer, r.ours)
				}
			}
		})
	}
}

func TestRunPrintsTheTableAndTheCSVPathLast(t *testing.T) {
	dir := t.TempDir()
	file, profile := filepath.Join(dir, "out.csv"), filepath.Join(dir, "cpu.prof")
	var stdout, stderr strings.Builder
	status := run([]string{"-run", "^publish call/empty/32 B$", "-rounds", "1", "-time", "1us", "-csv", file, "-cpuprofile", profile}, &stdout, &stderr)
	if status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if lines[len(lines)-1] != file {
		t.Errorf("last line %q, want the CSV's path", lines[len(lines)-1])
	}
	row := regexp.MustCompile(`(?m)^\| publish call/empty/32 B \| ns/op \| [0-9.]+ \| [0-9.]+ \| [0-9.]+x \|$`)
	if !strings.Contains(stdout.String(), tableHead) || !row.MatchString(stdout.String()) {
		t.Errorf("printed:\n%s", &stdout)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"unit"}
	for _, u := range withCPU(timePerOp, allocsPerOp) {
		want = append(want, u.name)
	}
	var got []string
	for i, r := range records {
		if got = append(got, r[1]); i > 0 && r[0] != "publish call/empty/32 B" {
			t.Errorf("CSV record about %q", r[0])
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("units in the CSV: %q, want %q", got, want)
	}
	if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
		t.Errorf("the CPU profile: %v, %v", info, err)
	}
}

func TestRunNamesWhatItCannotMeasure(t *testing.T) {
	l := new(lab)
	missing := func(*lab) (subject, error) { return nil, brokertest.ErrNotInstalled }
	measured, _ := versus(fake{octets: 8}, fake{octets: 8})
	o := options{selected: regexp.MustCompile(""), rounds: 1, least: 1, csv: filepath.Join(t.TempDir(), "out.csv")}
	var stdout strings.Builder
	results, names, err := o.measureAll(l, []comparison{{name: "no broker", peer: missing, ours: missing}, measured}, &stdout)
	if err != nil || len(names) != 1 || names[0] != "no broker" || len(results) != len(measured.units) {
		t.Errorf("results %v, missing %q, %v", results, names, err)
	}
	stdout.Reset()
	err = o.compareAll([]comparison{{name: "no broker", peer: missing, ours: missing}}, &stdout)
	if err == nil || !strings.Contains(stdout.String(), "no broker") {
		t.Errorf("error %v, printed:\n%s\nwant an error, as nothing was measured, and the case's name", err, &stdout)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-run", "("}, 2, "-run"},
		{[]string{"-rounds", "0"}, 2, "-rounds 0"},
		{[]string{"-time", "-1s"}, 2, "-time -1s"},
		{[]string{"empty"}, 2, `"empty"`},
		{[]string{"-benchmem"}, 2, "-benchmem"},
		{[]string{"-run", "no such case"}, 1, "no case"},
		{[]string{"-cpuprofile", "/no/such/folder/file"}, 1, "/no/such/folder"},
	} {
		var stdout, stderr strings.Builder
		if status := run(test.args, &stdout, &stderr); status != test.status || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: status %d, %s; want %d and %s", test.args, status, &stderr, test.status, test.want)
		}
	}
}
