package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// row is a line of the CSV that is drawn.
type row struct {
	label string
	ratio float64
}

var columns = []string{"case", "unit", "peer", "ours", "ratio"}

// readRows reads what make bench writes. It leaves out allocations, whose ratio is
// infinite where ours has none.
func readRows(r io.Reader) ([]row, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(columns)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("no results: %w", err)
	}
	if !slices.Equal(head, columns) {
		return nil, fmt.Errorf("the columns are %q; make bench writes %q", head, columns)
	}
	var rows []row
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		name, unit, ratio := record[0], record[1], record[4]
		if strings.HasPrefix(unit, "allocs") {
			continue
		}
		value, err := strconv.ParseFloat(ratio, 64)
		if err != nil || !(value > 0) || math.IsInf(value, 1) {
			line, _ := in.FieldPos(4)
			return nil, fmt.Errorf("line %d: the ratio is %q, which no bar can show", line, ratio)
		}
		rows = append(rows, row{name + ", " + unit, value})
	}
	if len(rows) == 0 {
		return nil, errors.New("no results that can be drawn")
	}
	return rows, nil
}
