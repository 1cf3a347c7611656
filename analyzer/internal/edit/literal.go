package edit

import (
	"go/format"
	"go/scanner"
	"go/token"
	"strings"
)

// A Literal is a keyed composite literal to be written.
type Literal struct {
	Type    string
	Comment string // behind the opening brace
	Fields  []Field
}

// A Field is an element of a Literal with the comments that belong to it.
type Field struct {
	Blank   bool     // an empty line comes before
	Lead    []string // comments on lines of their own before it
	Key     string
	Value   string
	Nested  *Literal // instead of Value
	Comment string   // behind it on its line
}

// width is the length of line up to which a literal is written on one line.
const width = 100

// Text returns the literal as gofmt would print it on lines that are indented
// by indent, the first line starting at column. A literal without comments and
// with at most two elements is written on one line if it fits; with oneLine any
// literal is that can be.
func (l Literal) Text(indent string, column int, oneLine bool) string {
	if s, ok := l.short(); ok && (oneLine || l.small() && column+len(s) <= width) {
		return s
	}
	var b strings.Builder
	l.write(&b)
	return formatted(b.String(), indent)
}

// small reports whether one line is a fair place for all of it.
func (l Literal) small() bool {
	const most = 2
	if len(l.Fields) > most {
		return false
	}
	for _, f := range l.Fields {
		if f.Nested != nil && (!f.Nested.small() || len(f.Nested.Fields) > 1) {
			return false
		}
	}
	return true
}

// short returns the literal on one line, if it has no comments and no line
// break.
func (l Literal) short() (string, bool) {
	if l.Comment != "" {
		return "", false
	}
	elems := make([]string, len(l.Fields))
	for i, f := range l.Fields {
		value, ok := f.Value, true
		if f.Nested != nil {
			value, ok = f.Nested.short()
		}
		if !ok || len(f.Lead) > 0 || f.Comment != "" || strings.ContainsAny(value, "\n") {
			return "", false
		}
		elems[i] = f.Key + ": " + value
	}
	return l.Type + "{" + strings.Join(elems, ", ") + "}", true
}

// write writes one element a line.
func (l Literal) write(b *strings.Builder) {
	b.WriteString(l.Type + "{")
	if l.Comment != "" {
		b.WriteString(" " + l.Comment)
	}
	b.WriteString("\n")
	for i, f := range l.Fields {
		if f.Blank && i > 0 {
			b.WriteString("\n")
		}
		for _, c := range f.Lead {
			b.WriteString(c + "\n")
		}
		b.WriteString(f.Key + ": ")
		if f.Nested == nil {
			b.WriteString(f.Value)
		} else if s, ok := f.Nested.short(); ok && len(f.Nested.Fields) <= 1 {
			b.WriteString(s)
		} else {
			f.Nested.write(b)
		}
		b.WriteString(",")
		if f.Comment != "" {
			b.WriteString(" " + f.Comment)
		}
		b.WriteString("\n")
	}
	b.WriteString("}")
}

// formatted returns the expression as gofmt prints it on lines indented by
// indent; as it is if it cannot be parsed. In a file that is indented by spaces
// it is too.
func formatted(expr, indent string) string {
	spaces := indent != "" && !strings.Contains(indent, "\t")
	depth := max(1, strings.Count(indent, "\t"))
	if spaces {
		depth = 1
	}
	const assign = "_ = "
	src := "package p\n\nfunc _() {\n" + strings.Repeat("{\n", depth-1) + assign + expr + "\n" + strings.Repeat("}\n", depth)
	out, err := format.Source([]byte(src))
	if err != nil {
		return expr
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	lines = lines[2+depth : len(lines)-depth]
	lines[0] = strings.TrimPrefix(strings.TrimLeft(lines[0], "\t"), assign)
	if spaces {
		bySpaces(lines, indent)
	}
	return strings.Join(lines, "\n")
}

// Deeper returns what a line indented by indent is indented by in addition within
// a block: a tab, or spaces in a file that is indented by spaces.
func Deeper(indent string) string {
	switch {
	case indent == "" || strings.Contains(indent, "\t"):
		return "\t"
	case len(indent)%4 == 0:
		return "    "
	}
	return "  "
}

// bySpaces indents the lines of an expression by spaces instead of tabs, the
// first tab standing for indent. Lines of raw strings stay.
func bySpaces(lines []string, indent string) {
	raw := rawLines(strings.Join(lines, "\n"))
	for i, line := range lines {
		rest := strings.TrimLeft(line, "\t")
		if tabs := len(line) - len(rest); tabs > 0 && !raw[i] {
			lines[i] = indent + strings.Repeat(Deeper(indent), tabs-1) + rest
		}
	}
}

// rawLines returns the indices of the lines that begin within a raw string.
func rawLines(src string) map[int]bool {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	raw := make(map[int]bool)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return raw
		}
		for i := range strings.Count(lit, "\n") {
			if tok == token.STRING {
				raw[file.Line(pos)+i] = true // the next line, counted from 0
			}
		}
	}
}
