package main

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBothSidesOfEachCaseSendTheSame(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var sent []int64
			for _, open := range []func() (subject, error){c.peer, c.ours} {
				s, err := open()
				if err != nil {
					t.Fatal(err)
				}
				got, err := (&side{subject: s}).measure(3)
				if err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				sent = append(sent, got.octets)
			}
			if sent[0] != sent[1] || sent[0] < 3*32 {
				t.Errorf("octets of 3 messages: %d by amqp091-go, %d by newapi", sent[0], sent[1])
			}
		})
	}
}

// fake is a subject that notes its turns in a log that both sides share.
type fake struct {
	name   string
	log    *[]string
	takes  time.Duration // for each operation
	octets int64         // of each operation
	fails  error
	sent   int64
}

func (f *fake) Run(n int) error {
	*f.log = append(*f.log, f.name)
	time.Sleep(time.Duration(n) * f.takes)
	f.sent += int64(n) * f.octets
	return f.fails
}

func (f *fake) Sent() int64 { return f.sent }

func (f *fake) Close() error {
	*f.log = append(*f.log, "close "+f.name)
	return nil
}

// versus is a comparison of two fakes.
func versus(peer, ours fake) (comparison, *[]string) {
	log := new([]string)
	peer.name, peer.log, ours.name, ours.log = "peer", log, "ours", log
	return comparison{
		name: "fakes",
		peer: func() (subject, error) { return &peer, nil },
		ours: func() (subject, error) { return &ours, nil },
	}, log
}

func TestSidesTakeTurns(t *testing.T) {
	c, log := versus(fake{takes: time.Microsecond, octets: 8}, fake{takes: time.Microsecond, octets: 8})
	results, err := c.compare(3, 50*time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"peer", "ours", "peer", "ours", "peer", "ours", "close ours", "close peer"}
	if turns := (*log)[max(0, len(*log)-len(want)):]; !reflect.DeepEqual(turns, want) {
		t.Errorf("the last turns: %q, want %q", turns, want)
	}
	if len(results) != 2 || results[0].unit != "ns/op" || results[1].unit != "allocs/op" || results[0].peer <= 0 || results[0].ours <= 0 {
		t.Errorf("results: %+v", results)
	}
}

func TestUnequalWorkIsNoResult(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name       string
		peer, ours fake
		want       string
	}{
		{"fewer octets", fake{octets: 8}, fake{octets: 7}, "not the same work"},
		{"none at all", fake{}, fake{}, "not the same work"},
		{"peer fails", fake{octets: 8, fails: broken}, fake{octets: 8}, "amqp091-go: broken"},
		{"ours fails", fake{octets: 8}, fake{octets: 8, fails: broken}, "newapi: broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, log := versus(test.peer, test.ours)
			results, err := c.compare(1, time.Nanosecond)
			if err == nil || !strings.Contains(err.Error(), test.want) || results != nil {
				t.Errorf("results %v, error %v; want %s", results, err, test.want)
			}
			if all := strings.Join(*log, " "); !strings.HasSuffix(all, "close peer") || strings.Count(all, "close") > 1 != strings.Contains(all, "ours") {
				t.Errorf("turns: %s; want all closed at the end", all)
			}
		})
	}
}

func TestCalibrateGrowsUntilTheTimeIsReached(t *testing.T) {
	const least = 20 * time.Millisecond
	var runs []int
	var last time.Duration
	n, err := (&side{subject: runner(func(n int) {
		start := time.Now()
		time.Sleep(time.Duration(n) * time.Microsecond)
		runs, last = append(runs, n), time.Since(start)
	})}).calibrate(least)
	if err != nil {
		t.Fatal(err)
	}
	if n != runs[len(runs)-1] || !sort.IntsAreSorted(runs) || last < least*9/10 {
		t.Errorf("%d operations after runs of %v, the last of which took %v, for at least %v", n, runs, last, least)
	}
}

// runner is a subject that does nothing but run.
type runner func(n int)

func (r runner) Run(n int) error { r(n); return nil }
func (runner) Sent() int64       { return 0 }
func (runner) Close() error      { return nil }

func TestMedian(t *testing.T) {
	elapsed := func(s sample) float64 { return float64(s.elapsed) }
	for _, test := range []struct {
		values []time.Duration
		want   float64
	}{
		{[]time.Duration{5}, 5},
		{[]time.Duration{9, 1, 5}, 5},
		{[]time.Duration{9, 1, 5, 4}, 4.5},
	} {
		var samples []sample
		for _, v := range test.values {
			samples = append(samples, sample{elapsed: v})
		}
		if got := median(samples, elapsed); got != test.want {
			t.Errorf("median of %v = %v, want %v", test.values, got, test.want)
		}
	}
}

func TestResultRows(t *testing.T) {
	results := []result{
		{"a", "ns/op", 1234.5, 61.725},
		{"a", "allocs/op", 26, 0},
		{"b", "allocs/op", 0, 0},
		{"b", "ns/op", 1.25, 2.5},
	}
	var table, csvText strings.Builder
	for _, r := range results {
		table.WriteString(r.markdown())
	}
	if err := writeCSV(&csvText, results); err != nil {
		t.Fatal(err)
	}
	const wantTable = "| a | ns/op | 1234 | 62 | 20.0x |\n| a | allocs/op | 26 | 0 | ∞ |\n| b | allocs/op | 0 | 0 | 1.0x |\n| b | ns/op | 1.2 | 2.5 | 0.5x |\n"
	if table.String() != wantTable {
		t.Errorf("table:\n%s\nwant:\n%s", &table, wantTable)
	}
	const wantCSV = "case,unit,peer,ours,ratio\na,ns/op,1234.5,61.725,20\na,allocs/op,26,0,+Inf\nb,allocs/op,0,0,1\nb,ns/op,1.25,2.5,0.5\n"
	if csvText.String() != wantCSV {
		t.Errorf("CSV:\n%s\nwant:\n%s", &csvText, wantCSV)
	}
}

func TestRunPrintsTheTableAndTheCSVPathLast(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.csv")
	var stdout, stderr strings.Builder
	status := run([]string{"-run", "empty", "-rounds", "1", "-time", "1us", "-csv", file}, &stdout, &stderr)
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
	if len(records) != 3 || records[1][0] != "publish call/empty/32 B" || records[2][3] != "0" {
		t.Errorf("CSV records: %q; want a head, ns/op and allocs/op with ours 0", records)
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
		{[]string{"-run", "no such case"}, 1, "no case matches"},
	} {
		var stdout, stderr strings.Builder
		if status := run(test.args, &stdout, &stderr); status != test.status || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: status %d, %s; want %d and %s", test.args, status, &stderr, test.status, test.want)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 1.25: "1.2", 9.96: "10.0", 12.5: "12", math.Pi * 1000: "3142"} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %s, want %s", v, got, want)
		}
	}
}
