package edit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A source is a file's text, with its imports parsed.
type source struct {
	text []byte
	file *ast.File
	tok  *token.File
}

func parse(file string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the imports do not parse: %w", err)
	}
	return &source{text, f, fset.File(f.FileStart)}, nil
}

func (src *source) offset(pos token.Pos) int { return src.tok.Offset(pos) }

// lineStart returns the offset of the first byte of the line around offset.
func (src *source) lineStart(offset int) int { return bytes.LastIndexByte(src.text[:offset], '\n') + 1 }

// lineEnd returns the offset behind the newline of the line around offset.
func (src *source) lineEnd(offset int) int {
	if i := bytes.IndexByte(src.text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src.text)
}

// lineAt returns the line around offset without the white space around it.
func (src *source) lineAt(offset int) string {
	return strings.TrimSpace(string(src.text[src.lineStart(offset):src.lineEnd(offset)]))
}

// lineBefore returns the line before the one that starts at offset.
func (src *source) lineBefore(start int) string {
	if start == 0 {
		return ""
	}
	return src.lineAt(start - 1)
}

// indent returns the white space that the line around offset starts with.
func (src *source) indent(offset int) string {
	line := src.text[src.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// step returns the white space that the first indented line of code starts with.
func (src *source) step() string {
	for line := range bytes.Lines(src.text[src.offset(src.file.Name.End()):]) {
		if code := bytes.TrimLeft(line, " \t"); len(code) < len(line) && code[0] != '*' && len(bytes.TrimSpace(code)) > 0 {
			return string(line[:len(line)-len(code)])
		}
	}
	return "\t"
}

// replace returns the text with [start, end) replaced.
func (src *source) replace(start, end int, with string) []byte {
	out := make([]byte, 0, len(src.text)+len(with))
	out = append(out, src.text[:start]...)
	out = append(out, with...)
	return append(out, src.text[end:]...)
}

// line returns the text with a line added behind the line around offset, or
// right at offset when code follows on that line.
func (src *source) line(offset int, added string) []byte {
	if end := src.lineEnd(offset); src.restIsComment(offset) && src.outside(end) {
		if end > 0 && src.text[end-1] != '\n' {
			return src.replace(end, end, "\n"+added)
		}
		return src.replace(end, end, added+"\n")
	}
	return src.replace(offset, offset, "\n"+added)
}

// outside reports whether the offset is in no comment.
func (src *source) outside(offset int) bool {
	for _, g := range src.file.Comments {
		for _, c := range g.List {
			// The length of c.Text is no help: it lacks carriage returns.
			start := src.offset(c.Pos())
			end := src.lineEnd(start)
			if c.Text[1] == '*' {
				end = start + 2 + bytes.Index(src.text[start+2:], []byte("*/")) + 2
			}
			if start < offset && offset < end {
				return false
			}
		}
	}
	return true
}

// restIsComment reports whether nothing but a comment follows on the line.
func (src *source) restIsComment(offset int) bool {
	rest := bytes.TrimSpace(src.text[offset:src.lineEnd(offset)])
	return len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) ||
		bytes.HasPrefix(rest, []byte("/*")) && bytes.Index(rest, []byte("*/")) == len(rest)-2
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// imports returns the import declarations, those of "C" excluded.
func (src *source) imports() (decls []*ast.GenDecl) {
	for _, d := range src.file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT || len(decl.Specs) == 1 && importPath(decl.Specs[0]) == "C" {
			continue
		}
		decls = append(decls, decl)
	}
	return decls
}

// start returns the offset of the spec with its comment above.
func (src *source) start(in ast.Spec) int {
	if doc := in.(*ast.ImportSpec).Doc; doc != nil {
		return src.offset(doc.Pos())
	}
	return src.offset(in.Pos())
}

// groups returns the groups of a parenthesised declaration whose specs stand
// on lines of their own; none for any other.
func (src *source) groups(decl *ast.GenDecl) (groups []group) {
	if !decl.Lparen.IsValid() {
		return nil
	}
	last := src.offset(decl.Lparen) + 1
	for _, in := range decl.Specs {
		start := src.start(in)
		if src.lineStart(start) < last || !src.restIsComment(src.offset(in.End())) {
			return nil
		}
		if gap := src.text[last:start]; len(groups) == 0 || bytes.Count(gap, []byte("\n")) > 1 {
			groups = append(groups, group{})
		}
		g := &groups[len(groups)-1]
		g.specs = append(g.specs, in)
		last = src.offset(in.End())
	}
	if src.lineStart(src.offset(decl.Rparen)) < last {
		return nil
	}
	return groups
}

// alone reports whether the declaration is one spec without parentheses on a
// line of its own.
func (src *source) alone(decl *ast.GenDecl) bool {
	if decl.Lparen.IsValid() || len(decl.Specs) != 1 {
		return false
	}
	start, end := src.offset(decl.Pos()), src.offset(decl.End())
	between := src.text[start+len("import") : src.offset(decl.Specs[0].Pos())]
	return blank(src.text[src.lineStart(start):start]) && src.restIsComment(end) && src.outside(src.lineEnd(end)) &&
		blank(between) && !bytes.Contains(between, []byte("\n")) && src.lineAt(start) == src.lineAt(end)
}
