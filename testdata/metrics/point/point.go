// Package point is a measurement.
package point

import (
	"fmt"
	"strconv"
	"time"
)

// Point is one measured value.
type Point struct {
	Name  string // dotted: "http.requests"
	Value float64
	Unit  string
	At    time.Time
}

// Line returns the point as a line without its end.
func (p Point) Line() []byte {
	b := append([]byte(p.Name), ' ')
	b = strconv.AppendFloat(b, p.Value, 'g', -1, 64)
	if p.Unit != "" {
		b = append(b, ' ')
		b = append(b, p.Unit...)
	}
	return b
}

// String is Line with the time.
func (p Point) String() string { return fmt.Sprintf("%s @%d", p.Line(), p.At.Unix()) }
