package edit

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// spec names an import in a file: its path and its local name, "." for a dot
// import.
type spec struct{ path, name string }

// check reports a spec that could not be written or not be referred to.
func (s spec) check() error {
	if s.name != "." && (s.name == "_" || !token.IsIdentifier(s.name)) {
		return fmt.Errorf("internal error: %q cannot be the name of the import of %q", s.name, s.path)
	}
	// As the specification allows a compiler to restrict it, and go/parser does.
	illegal := func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune("!\"#$%&'()*,:;<=>?[\\]^{|}`\uFFFD", r)
	}
	if s.path == "" || strings.ContainsFunc(s.path, illegal) {
		return fmt.Errorf("internal error: %q is no import path", s.path)
	}
	return nil
}

// changeImports adds and removes import specs. A spec that is both added and
// unused stays.
func changeImports(file string, text []byte, imports []plan.Import, uses []plan.Use) ([]byte, error) {
	keep := make(map[spec]bool)
	var add []spec
	for _, imp := range imports {
		s := spec{imp.Path, imp.Name}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if !keep[s] {
			keep[s] = true
			add = append(add, s)
		}
	}
	removed := make(map[spec]int)
	total := make(map[spec]int)
	var gone []spec
	for _, use := range uses {
		s := spec{use.Path, use.Name}
		removed[s] += use.Removed
		total[s] = use.Total
		if !slices.Contains(gone, s) {
			gone = append(gone, s)
		}
	}
	var err error
	for _, s := range add {
		if text, err = addImport(file, text, s); err != nil {
			return nil, err
		}
	}
	for _, s := range gone {
		if keep[s] || removed[s] < total[s] {
			continue
		}
		if text, err = removeImport(file, text, s); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// is reports whether the spec in the file certainly imports s.path as s.name.
func (s spec) is(in ast.Spec) bool {
	if importPath(in) != s.path {
		return false
	}
	if name := in.(*ast.ImportSpec).Name; name != nil {
		return name.Name == s.name
	}
	return s.name == path.Base(s.path)
}

func (s spec) String() string {
	if s.name == path.Base(s.path) {
		return strconv.Quote(s.path)
	}
	return s.name + " " + strconv.Quote(s.path)
}

func importPath(s ast.Spec) string {
	p, _ := strconv.Unquote(s.(*ast.ImportSpec).Path.Value)
	return p
}

// isStd reports whether the path is of the standard library: its first element
// has no dot.
func isStd(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// addImport adds a spec: into the group of a parenthesised declaration that
// holds its neighbours, in order of path; else into a declaration of its own.
func addImport(file string, text []byte, s spec) ([]byte, error) {
	src, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	decls := src.imports()
	var best group
	for _, decl := range decls {
		if slices.ContainsFunc(decl.Specs, s.is) {
			return text, nil
		}
		for _, g := range src.groups(decl) {
			if best.specs == nil || g.kin(s) > best.kin(s) {
				best = g
			}
		}
	}
	if best.specs != nil {
		if at, added := src.place(best, s); src.outside(at) {
			return src.replace(at, at, added), nil
		}
	}
	if len(decls) == 0 {
		return src.line(src.offset(src.file.Name.End()), "\nimport "+s.String()), nil
	}
	if len(decls) == 1 && src.alone(decls[0]) {
		return src.parenthesise(decls[0], s), nil
	}
	return src.line(src.offset(decls[len(decls)-1].End()), "import "+s.String()), nil
}

// A group is a run of import specs without an empty line in between.
type group struct{ specs []ast.Spec }

// kin says how well s fits the group: 0 is not at all.
func (g group) kin(s spec) int {
	std, kin := 0, 0
	for _, in := range g.specs {
		p := importPath(in)
		if isStd(p) {
			std++
		} else if !isStd(s.path) {
			kin = max(kin, 1+commonElements(p, s.path))
		}
	}
	switch {
	case !isStd(s.path):
		return kin
	case std == len(g.specs):
		return 2
	case std > 0:
		return 1
	}
	return 0
}

func commonElements(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// place returns where s goes in the group, or in a group of its own before or
// after it, and the lines to add there.
func (src *source) place(g group, s spec) (at int, added string) {
	first, last := g.specs[0], g.specs[len(g.specs)-1]
	indent := src.indent(src.offset(first.Pos()))
	line := indent + s.String() + "\n"
	before := func(in ast.Spec) int { return src.lineStart(src.start(in)) }
	after := src.lineEnd(src.offset(last.End()))
	if g.kin(s) == 0 {
		if isStd(s.path) {
			return before(first), line + "\n"
		}
		return after, "\n" + line
	}
	for _, in := range g.specs {
		if importPath(in) > s.path {
			return before(in), line
		}
	}
	return after, line
}

// parenthesise makes a block of a declaration without parentheses.
func (src *source) parenthesise(decl *ast.GenDecl, s spec) []byte {
	in := decl.Specs[0]
	start, end := src.offset(decl.Pos()), src.lineEnd(src.offset(decl.End()))
	old := strings.TrimRight(string(src.text[src.offset(in.Pos()):end]), " \t\n")
	indent := src.step()
	lines := []string{indent + s.String(), indent + old}
	if isStd(importPath(in)) && !isStd(s.path) || isStd(importPath(in)) == isStd(s.path) && importPath(in) < s.path {
		slices.Reverse(lines)
	}
	between := "\n"
	if isStd(importPath(in)) != isStd(s.path) {
		between = "\n\n"
	}
	return src.replace(start, end, "import (\n"+strings.Join(lines, between)+"\n)\n")
}

// removeImport removes a spec. One that shares its line with something else
// becomes an import for side effects only, which needs no reference.
func removeImport(file string, text []byte, s spec) ([]byte, error) {
	src, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	decl, in := src.find(s)
	if in == nil {
		return text, nil
	}
	node, doc := ast.Node(in), src.start(in)
	if len(decl.Specs) == 1 {
		node, doc = decl, src.offset(decl.Pos())
		if decl.Doc != nil {
			doc = src.offset(decl.Doc.Pos())
		}
	}
	start, end := src.lineStart(doc), src.lineEnd(src.offset(node.End()))
	whole := blank(src.text[start:doc]) && src.restIsComment(src.offset(node.End())) && src.outside(start) && src.outside(end)
	for _, other := range decl.Specs {
		whole = whole && (other == in || node != ast.Node(in) || src.offset(other.End()) <= start || end <= src.offset(other.Pos()))
	}
	if node == ast.Node(in) && decl.Lparen.IsValid() {
		whole = whole && src.offset(decl.Lparen) < start && end <= src.offset(decl.Rparen)
	}
	if !whole {
		from, to := src.offset(in.Pos()), src.offset(in.End())
		return src.replace(from, to, "_ "+in.(*ast.ImportSpec).Path.Value), nil
	}
	// Of the empty lines around what goes, one is enough, and none at the
	// edges of the parentheses.
	prev, next := src.lineBefore(start), src.lineAt(end)
	if prev == "" && (next == "" || next == ")") && start > 0 {
		start = src.lineStart(start - 1)
	} else if next == "" && strings.HasSuffix(prev, "(") {
		end = src.lineEnd(end)
	}
	return src.replace(start, end, ""), nil
}

// find returns the spec that imports s. A spec without a name is taken for it
// if none has its name.
func (src *source) find(s spec) (*ast.GenDecl, ast.Spec) {
	for _, certain := range []bool{true, false} {
		for _, decl := range src.imports() {
			for _, in := range decl.Specs {
				if s.is(in) || !certain && importPath(in) == s.path && in.(*ast.ImportSpec).Name == nil {
					return decl, in
				}
			}
		}
	}
	return nil, nil
}
