package analyzer

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A rewriter collects the edits of one file.
type rewriter struct {
	pass  *analysis.Pass
	flow  *flow.Package
	names *names
	file  *ast.File
	tok   *token.File
	name  string // of the file, as the loader named it
	src   []byte
	ctx   string // the -ctx flag
	edits []*pending
}

// pending is an edit in the making. Its text may contain other edits: those of
// a setter's argument that moves into a literal.
type pending struct {
	start, end int
	text       string
	render     func(inner innerFunc) string // instead of text
	span       int                          // edits with a smaller span are rendered first
	statement  bool                         // comes before other edits at its start
	unit       *unit
	absorbed   bool
}

// innerFunc returns the source in [start, end) with all edits in it made, which
// then are part of the caller's edit.
type innerFunc func(start, end token.Pos) string

// unit is a plan.Unit in the making. Units that share text become one.
type unit struct {
	id      string
	into    *unit // the unit that this one was merged into
	needs   map[reference]bool
	dropped map[*types.PkgName]int
	sites   []*site
}

func (u *unit) find() *unit {
	for u.into != nil {
		u = u.into
	}
	return u
}

// merge makes one unit of two.
func (u *unit) merge(other *unit) {
	u, other = u.find(), other.find()
	if u == other {
		return
	}
	if other.id < u.id {
		u, other = other, u
	}
	other.into = u
	for ref := range other.needs {
		u.needs[ref] = true
	}
	for name, n := range other.dropped {
		u.dropped[name] += n
	}
	u.sites = append(u.sites, other.sites...)
}

func (r *rewriter) offset(pos token.Pos) int { return r.tok.Offset(pos) }

// text returns the source in [start, end), with plain line ends.
func (r *rewriter) text(start, end token.Pos) string {
	return plainLines(r.src[r.offset(start):r.offset(end)])
}

func plainLines(b []byte) string { return strings.ReplaceAll(string(b), "\r\n", "\n") }

// line returns the line number of pos.
func (r *rewriter) line(pos token.Pos) int { return r.tok.PositionFor(pos, false).Line }

// lineStart returns the position of the first byte of pos's line.
func (r *rewriter) lineStart(pos token.Pos) token.Pos { return r.tok.LineStart(r.line(pos)) }

// lineEnd returns the position of the line end of pos's line.
func (r *rewriter) lineEnd(pos token.Pos) token.Pos {
	offset := r.offset(pos)
	for offset < len(r.src) && r.src[offset] != '\n' {
		offset++
	}
	if offset > 0 && offset < len(r.src) && r.src[offset-1] == '\r' {
		offset--
	}
	return r.tok.Pos(offset)
}

// indent returns the white space that pos's line starts with.
func (r *rewriter) indent(pos token.Pos) string {
	line := r.text(r.lineStart(pos), r.lineEnd(pos))
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// startsLine reports whether nothing stands before pos on its line.
func (r *rewriter) startsLine(pos token.Pos) bool {
	return strings.TrimSpace(r.text(r.lineStart(pos), pos)) == ""
}

// endsLine reports whether nothing stands behind pos on its line.
func (r *rewriter) endsLine(pos token.Pos) bool {
	return strings.TrimSpace(r.text(pos, r.lineEnd(pos))) == ""
}

// commentEnd returns the end of a comment in the source, where it may have
// carriage returns that its Text lacks.
func (r *rewriter) commentEnd(c *ast.Comment) token.Pos {
	if c.Text[1] == '/' {
		return c.End()
	}
	start := r.offset(c.Pos())
	return r.tok.Pos(start + 2 + bytes.Index(r.src[start+2:], []byte("*/")) + 2)
}

// commentOutside returns a comment that lies in [start, end) but not within
// [from, to), or nil.
func (r *rewriter) commentOutside(start, end, from, to token.Pos) *ast.Comment {
	for _, c := range r.flow.Comments(start, end) {
		if c.Pos() < from || to <= c.Pos() {
			return c
		}
	}
	return nil
}

// lineDirective returns a comment in n that names the place of what is behind it,
// or nil.
func (r *rewriter) lineDirective(n ast.Node) *ast.Comment {
	for _, c := range r.flow.Comments(n.Pos(), n.End()) {
		if text := c.Text[2:]; strings.HasPrefix(text, "line ") {
			return c
		}
	}
	return nil
}

// An editList is a list of edits for one unit, not yet accepted.
type editList struct {
	r    *rewriter
	at   token.Pos // a place in the function of all its edits
	unit *unit
	list []*pending
}

func (l *editList) replace(start, end token.Pos, text string) {
	l.add(&pending{start: l.r.offset(start), end: l.r.offset(end), text: text, span: int(end - start)})
}

// joinLines makes one line of a chain of selectors whose links stand on lines of
// their own, for it to be an argument. It returns a comment that is in the way.
//
//	pool.
//	    Get().
//	    Channel
//	    ------- pool.Get().Channel
func (l *editList) joinLines(chain ast.Expr) *ast.Comment {
	for {
		switch e := chain.(type) {
		case *ast.SelectorExpr:
			if l.r.line(e.X.End()) < l.r.line(e.Sel.Pos()) {
				if comments := l.r.flow.Comments(e.X.End(), e.Sel.Pos()); len(comments) > 0 {
					return comments[0]
				}
				l.replace(e.X.End(), e.Sel.Pos(), ".")
			}
			chain = e.X
		case *ast.CallExpr:
			chain = e.Fun
		case *ast.IndexExpr:
			chain = e.X
		case *ast.TypeAssertExpr:
			chain = e.X
		case *ast.ParenExpr:
			chain = e.X
		case *ast.StarExpr:
			chain = e.X
		default:
			return nil
		}
	}
}

// before inserts statements or comments before the statement at pos.
func (l *editList) before(pos token.Pos, text string) {
	offset := l.r.offset(pos)
	l.add(&pending{start: offset, end: offset, text: text, statement: true})
}

// rendered adds an edit whose text is known when names are chosen and the edits
// within the span are made.
func (l *editList) rendered(start, end token.Pos, span token.Pos, render func(inner innerFunc) string) {
	l.add(&pending{start: l.r.offset(start), end: l.r.offset(end), render: render, span: int(span)})
}

func (l *editList) add(p *pending) {
	p.unit = l.unit
	l.list = append(l.list, p)
}

// need says that the edit at pos refers to a package.
func (l *editList) need(path string, pos token.Pos) {
	l.unit.needs[reference{path, l.r.names.declaration(pos)}] = true
	l.r.names.need(path, pos)
}

// qualified returns how the list's edits write a name of a package.
func (l *editList) qualified(path, name string) string { return l.r.names.qualified(path, name, l.at) }

// drop says that the expression goes, with its references to imports.
func (l *editList) drop(n ast.Node) {
	for name, count := range l.r.names.references(n) {
		l.unit.dropped[name] += count
	}
}

// render makes the text of all edits. It returns two units whose edits overlap
// without one containing the other, if there are such.
func (r *rewriter) render() (a, b *unit) {
	slices.SortStableFunc(r.edits, func(a, b *pending) int { return cmp.Compare(a.span, b.span) })
	for i, e := range r.edits {
		if e.render == nil {
			continue
		}
		e.text = e.render(func(start, end token.Pos) string {
			from, to := r.offset(start), r.offset(end)
			var within []*pending
			for _, in := range r.edits[:i] {
				if !in.absorbed && from <= in.start && in.end <= to {
					within = append(within, in)
				}
			}
			sortEdits(within)
			var b strings.Builder
			for _, in := range within {
				in.absorbed = true
				e.unit.merge(in.unit)
				b.Write(r.src[from:in.start])
				b.WriteString(in.text)
				from = in.end
			}
			b.Write(r.src[from:to])
			return plainLines([]byte(b.String()))
		})
	}
	r.edits = slices.DeleteFunc(r.edits, func(e *pending) bool { return e.absorbed })
	sortEdits(r.edits)
	r.join()
	for i := 1; i < len(r.edits); i++ {
		if r.edits[i].start < r.edits[i-1].end {
			return r.edits[i-1].unit.find(), r.edits[i].unit.find()
		}
	}
	return nil, nil
}

// join makes one edit of insertions at the same place, whose order would else
// depend on that of their units.
func (r *rewriter) join() {
	for i := 1; i < len(r.edits); i++ {
		a, b := r.edits[i-1], r.edits[i]
		if a.start == b.start && a.start == a.end {
			b.text = a.text + b.text
			b.unit.merge(a.unit)
			a.absorbed = true
		}
	}
	r.edits = slices.DeleteFunc(r.edits, func(e *pending) bool { return e.absorbed })
}

func sortEdits(edits []*pending) {
	slices.SortStableFunc(edits, func(a, b *pending) int {
		byStatement := 0
		if a.statement != b.statement {
			byStatement = 1
			if a.statement {
				byStatement = -1
			}
		}
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), byStatement)
	})
}

// planned returns the unit's part of the plan.
func (r *rewriter) planned(u *unit) plan.Unit {
	out := plan.Unit{ID: u.id, Package: r.pass.Pkg.Path()}
	for _, e := range r.edits {
		if e.unit.find() == u {
			out.Edits = append(out.Edits, plan.Edit{File: r.name, Start: e.start, End: e.end, New: e.text})
		}
	}
	for ref := range u.needs {
		out.Imports = append(out.Imports, plan.Import{File: r.name, Path: ref.path, Name: r.names.local(ref.path, ref.decl)})
	}
	slices.SortFunc(out.Imports, func(a, b plan.Import) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
	out.Imports = slices.Compact(out.Imports)
	for name, removed := range u.dropped {
		out.Uses = append(out.Uses, plan.Use{
			File: r.name, Path: name.Imported().Path(), Name: name.Name(),
			Removed: removed, Total: r.names.totals()[name],
		})
	}
	slices.SortFunc(out.Uses, func(a, b plan.Use) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
	return out
}
