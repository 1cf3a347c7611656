package main

import (
	"bytes"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

const ( // points
	width     vg.Length = 720
	rowHeight vg.Length = 13
	barWidth  vg.Length = 9
	margins   vg.Length = 60 // title, axis and its label
)

var (
	better = color.NRGBA{0x2b, 0x6c, 0xb0, 0xff}
	worse  = color.NRGBA{0xc0, 0x56, 0x21, 0xff}
	faint  = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// draw returns the chart of rows, from top to bottom.
func draw(rows []row) ([]byte, error) {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont

	rows = slices.Clone(rows)
	slices.Reverse(rows) // the axis counts upwards
	var names []string
	for _, r := range rows {
		names = append(names, r.label)
	}
	p := plot.New()
	p.Title.Text = "newapi against its peer"
	p.X.Label.Text = "how many times better, logarithmic"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = ticks(rows)
	p.NominalY(names...)
	p.Y.Tick.Label.Font.Size = 9
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	grid.Vertical.Color = faint
	values, err := labels(rows)
	if err != nil {
		return nil, err
	}
	p.Add(grid, bars(rows), values)

	image, err := p.WriterTo(width, vg.Length(len(rows))*rowHeight+margins, "svg")
	if err != nil {
		return nil, err
	}
	var svg bytes.Buffer
	if _, err := image.WriteTo(&svg); err != nil {
		return nil, err
	}
	// Fonts as wide as the one that the chart was laid out with, where that is
	// not installed.
	return bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), nil
}

// marks are where the axis may have its ticks.
var marks = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

func ticks(rows []row) plot.ConstantTicks {
	low, high, _, _ := bars(rows).DataRange()
	var all plot.ConstantTicks
	for _, mark := range marks {
		if low <= mark && mark <= high {
			all = append(all, plot.Tick{Value: mark, Label: ratioText(mark)})
		}
	}
	return all
}

func ratioText(ratio float64) string {
	if ratio < 10 {
		return strconv.FormatFloat(ratio, 'g', 2, 64) + "x"
	}
	return strconv.FormatFloat(ratio, 'f', 0, 64) + "x"
}

// labels write each ratio behind its bar.
func labels(rows []row) (*plotter.Labels, error) {
	var at plotter.XYLabels
	for i, r := range rows {
		at.XYs = append(at.XYs, plotter.XY{X: max(r.ratio, 1), Y: float64(i)})
		at.Labels = append(at.Labels, ratioText(r.ratio))
	}
	l, err := plotter.NewLabels(at)
	if err != nil {
		return nil, err
	}
	for i := range l.TextStyle {
		l.TextStyle[i].Font.Size = 8
		l.TextStyle[i].YAlign = -0.4
	}
	l.Offset.X = 3
	return l, nil
}

// bars draws one bar for each row, from 1 to its ratio. It implements plot.Plotter
// and plot.DataRanger; a plotter.BarChart would begin at 0, which a logarithmic
// axis does not have.
type bars []row

// Plot implements plot.Plotter.
func (b bars) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, r := range b {
		fill := better
		if r.ratio < 1 {
			fill = worse
		}
		bottom, top := y(float64(i))-barWidth/2, y(float64(i))+barWidth/2
		from, to := x(1), x(r.ratio)
		c.FillPolygon(fill, []vg.Point{{X: from, Y: bottom}, {X: to, Y: bottom}, {X: to, Y: top}, {X: from, Y: top}})
	}
	one := vgdraw.LineStyle{Color: color.Black, Width: 1}
	c.StrokeLine2(one, x(1), c.Min.Y, x(1), c.Max.Y)
}

// DataRange implements plot.DataRanger, with room for the ratios behind the bars.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = 1, 1
	for _, r := range b {
		xmin, xmax = min(xmin, r.ratio), max(xmax, r.ratio)
	}
	return xmin / 1.25, xmax * 1.6, -0.5, float64(len(b)) - 0.5
}
