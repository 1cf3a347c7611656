package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const results = `case,unit,peer,ours,ratio
publish call/empty,ns/op,1200,60,20
publish call/empty,allocs/op,23,0,+Inf
broker/queue & more,msg/s,60000,57000,0.95
broker/queue & more,CPU ns/msg,5000,250,20
`

func TestReadRowsTakesAllButAllocations(t *testing.T) {
	got, err := readRows(strings.NewReader(results))
	want := []row{{"publish call/empty, ns/op", 20}, {"broker/queue & more, msg/s", 0.95}, {"broker/queue & more, CPU ns/msg", 20}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("rows %v, error %v; want %v", got, err, want)
	}
}

func TestReadRowsRefuses(t *testing.T) {
	const head = "case,unit,peer,ours,ratio\n"
	for _, test := range []struct{ name, csv, want string }{
		{"an empty file", "", "no results"},
		{"a head alone", head, "no results"},
		{"allocations alone", head + "a,allocs/op,1,0,+Inf\n", "no results"},
		{"other columns", "case,unit,before,after,ratio\n", `"before"`},
		{"a column less", head + "a,ns/op,1,1\n", "wrong number of fields"},
		{"a word for a ratio", head + "a,ns/op,1,1,many\n", `line 2: the ratio is "many"`},
		{"a ratio of 0", head + "a,ns/op,1,1,1\nb,ns/op,0,1,0\n", `line 3: the ratio is "0"`},
		{"an infinite ratio", head + "a,ns/op,1,0,+Inf\n", `"+Inf"`},
		{"no ratio", head + "a,ns/op,1,0,NaN\n", `"NaN"`},
	} {
		if rows, err := readRows(strings.NewReader(test.csv)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: rows %v, error %v; want %s", test.name, rows, err, test.want)
		}
	}
}

// texts returns what is written in an SVG, and fails unless it is well-formed.
func texts(t *testing.T, svg []byte) (all []string) {
	t.Helper()
	in := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(text)) > 0 {
			all = append(all, string(text))
		}
	}
}

func TestChartHasABarAndItsNumbersForEachRow(t *testing.T) {
	rows := []row{{"a & b, ns/op", 20}, {"c, msg/s", 0.95}, {"d, msg/s", 1}, {"e, msg/s", 7.25}}
	svg, err := draw(rows)
	if err != nil {
		t.Fatal(err)
	}
	written := texts(t, svg)
	for _, want := range []string{"a & b, ns/op", "c, msg/s", "d, msg/s", "e, msg/s", "20x", "0.95x", "1x", "7.2x", "5x", "10x"} {
		if !slices.Contains(written, want) {
			t.Errorf("%q is not in the chart, which says %q", want, written)
		}
	}
	if n := bytes.Count(svg, []byte("fill:#2B6CB0")); n != 3 {
		t.Errorf("%d bars of the better side, want 3", n)
	}
	if n := bytes.Count(svg, []byte("fill:#C05621")); n != 1 {
		t.Errorf("%d bars of the worse side, want 1", n)
	}
	again, err := draw(rows)
	if err != nil || !bytes.Equal(again, svg) {
		t.Errorf("drawn again the chart differs, error %v", err)
	}
	if rows[0].label != "a & b, ns/op" {
		t.Error("drawing changed the rows")
	}
}

func TestTicksCoverTheBars(t *testing.T) {
	for _, test := range []struct {
		rows []row
		want []string
	}{
		{[]row{{"", 1}}, []string{"1x"}},
		{[]row{{"", 0.3}, {"", 4}}, []string{"0.5x", "1x", "2x", "5x"}},
		{[]row{{"", 65}}, []string{"1x", "2x", "5x", "10x", "20x", "50x", "100x"}},
	} {
		var got []string
		for _, tick := range ticks(test.rows) {
			got = append(got, tick.Label)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: ticks %q, want %q", test.rows, got, test.want)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	good, bad, svg := filepath.Join(dir, "good.csv"), filepath.Join(dir, "bad.csv"), filepath.Join(dir, "out.svg")
	for name, content := range map[string]string{good: results, bad: "case\n"} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stderr strings.Builder
	if status := run([]string{good, svg}, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	drawn, err := os.ReadFile(svg)
	if err != nil || !slices.Contains(texts(t, drawn), "publish call/empty, ns/op") {
		t.Errorf("the chart, error %v:\n%s", err, drawn)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "usage"},
		{[]string{good}, 2, "usage"},
		{[]string{bad, svg}, 1, "bad.csv"},
		{[]string{filepath.Join(dir, "none.csv"), svg}, 1, "none.csv"},
		{[]string{good, filepath.Join(dir, "none", "out.svg")}, 1, "out.svg"},
	} {
		stderr.Reset()
		if status := run(test.args, &stderr); status != test.status || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%q: status %d, %s; want %d and %s", test.args, status, &stderr, test.status, test.want)
		}
	}
	if after, err := os.ReadFile(svg); err != nil || !bytes.Equal(after, drawn) {
		t.Errorf("a failed run changed the last chart, error %v", err)
	}
}
