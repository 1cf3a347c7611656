package main

import (
	"fmt"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// goLines says which go lines go up, and what that does to loops. Paths are
// relative to dir; each line ends in a newline.
func goLines(list []driver.GoLine, dir string) string {
	var b strings.Builder
	for _, g := range list {
		fmt.Fprintf(&b, "amqpfix: the go line of %s goes from %s to %s\n", relative(dir, g.File), g.From, g.To)
		if len(g.Loops) > 0 {
			b.WriteString("from Go 1.22 on each iteration of a loop has its own variables, which changes:\n")
		}
		for _, v := range g.Loops {
			fmt.Fprintf(&b, "\t%s:%d: %s, %s in line %d\n", relative(dir, v.Pos.Filename), v.Pos.Line, v.Name, v.Why, v.Use.Line)
		}
	}
	return b.String()
}

// commands lists what to run before and after the rewrite.
func commands(before, after []string) string {
	var b strings.Builder
	for _, c := range before {
		b.WriteString("\t" + c + "\n")
	}
	if len(after) > 0 {
		if len(before) > 0 {
			b.WriteString("and, ")
		}
		b.WriteString("when the code is rewritten:\n")
	}
	for _, c := range after {
		b.WriteString("\t" + c + "\n")
	}
	return b.String()
}

type (
	jsonGoLine struct {
		File  string     `json:"file"`
		From  string     `json:"from"`
		To    string     `json:"to"`
		Loops []jsonLoop `json:"loops,omitempty"`
	}
	jsonLoop struct {
		jsonPlace
		Name string    `json:"name"`
		Why  string    `json:"why"`
		Use  jsonPlace `json:"use"`
	}
)

func jsonGoLines(list []driver.GoLine, dir string) []jsonGoLine {
	var out []jsonGoLine
	for _, g := range list {
		line := jsonGoLine{File: relative(dir, g.File), From: g.From, To: g.To}
		for _, v := range g.Loops {
			line.Loops = append(line.Loops, jsonLoop{
				jsonPlace{relative(dir, v.Pos.Filename), v.Pos.Line, v.Pos.Column}, v.Name, v.Why,
				jsonPlace{relative(dir, v.Use.Filename), v.Use.Line, v.Use.Column},
			})
		}
		out = append(out, line)
	}
	return out
}
