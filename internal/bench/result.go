package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
)

// result is one line of the table.
type result struct {
	name string
	unit
	peer, ours float64
}

// ratio returns how many times better ours is: +Inf if it needs nothing at all
// of what the peer needs, 1 if neither does.
func (r result) ratio() float64 {
	switch {
	case r.peer == r.ours:
		return 1
	case r.more:
		return r.ours / r.peer
	}
	return r.peer / r.ours
}

const tableHead = "| case | unit | peer | ours | ratio |\n| --- | --- | ---: | ---: | ---: |\n"

func (r result) markdown() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", r.name, r.unit.name, short(r.peer), short(r.ours), ratioText(r.ratio()))
}

// short writes a value with the digits that mean something.
func short(v float64) string {
	switch {
	case v >= 10 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func ratioText(ratio float64) string {
	switch {
	case math.IsInf(ratio, 1):
		return "∞"
	case ratio < 2:
		return strconv.FormatFloat(ratio, 'f', 2, 64) + "x"
	}
	return strconv.FormatFloat(ratio, 'f', 1, 64) + "x"
}

// writeCSV writes results in full precision, an infinite ratio as +Inf.
func writeCSV(w io.Writer, results []result) error {
	out := csv.NewWriter(w)
	records := [][]string{{"case", "unit", "peer", "ours", "ratio"}}
	for _, r := range results {
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		records = append(records, []string{r.name, r.unit.name, number(r.peer), number(r.ours), number(r.ratio())})
	}
	return out.WriteAll(records)
}
