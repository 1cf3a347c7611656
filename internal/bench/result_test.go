package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestResultRows(t *testing.T) {
	results := []result{
		{"a", timePerOp, 1234.5, 61.725},
		{"a", allocsPerOp, 26, 0},
		{"b", allocsPerOp, 0, 0},
		{"b", timePerOp, 1.25, 2.5},
		{"c", messageRate, 1000, 2500},
	}
	var table, csvText strings.Builder
	for _, r := range results {
		table.WriteString(r.markdown())
	}
	if err := writeCSV(&csvText, results); err != nil {
		t.Fatal(err)
	}
	const wantTable = "| a | ns/op | 1234 | 62 | 20.0x |\n| a | allocs/op | 26 | 0 | ∞ |\n| b | allocs/op | 0 | 0 | 1.00x |\n" +
		"| b | ns/op | 1.2 | 2.5 | 0.50x |\n| c | msg/s | 1000 | 2500 | 2.5x |\n"
	if table.String() != wantTable {
		t.Errorf("table:\n%s\nwant:\n%s", &table, wantTable)
	}
	const wantCSV = "case,unit,peer,ours,ratio\na,ns/op,1234.5,61.725,20\na,allocs/op,26,0,+Inf\nb,allocs/op,0,0,1\n" +
		"b,ns/op,1.25,2.5,0.5\nc,msg/s,1000,2500,2.5\n"
	if csvText.String() != wantCSV {
		t.Errorf("CSV:\n%s\nwant:\n%s", &csvText, wantCSV)
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 1.25: "1.2", 9.96: "10.0", 12.5: "12", math.Pi * 1000: "3142", 0.1234: "0.12", 0.000456: "0.00046",
	} {
		if got := short(v); got != want {
			t.Errorf("short(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	calls := new(callTimes)
	for _, n := range []int{3, 1} { // of two goroutines
		var one callTimes
		for i := 0; i < n; i++ {
			one.record(time.Duration(n) * time.Millisecond)
		}
		calls.add(&one)
	}
	s := sample{operations: 1000, elapsed: 2 * time.Millisecond, cpu: 4 * time.Millisecond, allocs: 2049, calls: calls}
	for _, test := range []struct {
		unit unit
		want float64
	}{
		{timePerOp, 2000}, {allocsPerOp, 2}, {messageRate, 500_000}, {cpuPerMessage, 4000},
		{longestCall, 3}, {slowCalls, 3}, {worstServed, 0.5},
	} {
		if got := test.unit.value([]sample{s}); math.Abs(got-test.want) > test.want/1e6 {
			t.Errorf("%s: %v, want %v", test.unit.name, got, test.want)
		}
	}
}

func TestCPUTimeGoesOn(t *testing.T) {
	if !knowsCPUTime {
		t.Skip("this system does not tell")
	}
	before := cpuTime()
	for start := time.Now(); cpuTime() == before; {
		if time.Since(start) > 10*time.Second {
			t.Fatal("10 s of work were no CPU time")
		}
	}
}
