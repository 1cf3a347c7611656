package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// publish adds the edits of one call, or says why there is no room for them.
//
//	ch.BasicPublish(exchange, key, mandatory, props, body)
//	--             -               ----------
//	newapi.BasicPublish(ctx, ch, exchange, key, props, body, newapi.FlagsIf(mandatory, false))
//
// Everything that is not underlined stays where it is, with its layout and its
// comments. A mandatory that is a constant goes, or becomes newapi.Mandatory.
func (l *editList) publish(s *flow.Site) *flow.Refusal {
	r := l.r
	call := s.Call
	recv := s.Select.X
	if c := r.lineDirective(call); c != nil {
		return noPlace(c)
	}
	l.need(oldapi.NewAPI, call.Pos())

	// The receiver, by its pointer.
	open := ""
	start, end := recv.Pos(), recv.End()
	if !isPointer(r.pass.TypesInfo.TypeOf(recv)) {
		if star, ok := ast.Unparen(recv).(*ast.StarExpr); ok {
			start, end = star.X.Pos(), star.X.End()
		} else {
			open = "&"
		}
	}
	if c := r.commentOutside(call.Pos(), call.Lparen, start, end); c != nil {
		return noPlace(c)
	}
	if c := l.joinLines(recv); c != nil {
		return noPlace(c)
	}

	ctx := r.ctxVar(s.Cur)
	if ctx == "" {
		l.need("context", call.Pos())
	}
	context := func() string {
		if ctx != "" {
			return ctx
		}
		return l.qualified("context", "Background") + "()"
	}
	l.rendered(call.Pos(), start, start-call.Pos(), func(innerFunc) string {
		return l.qualified(oldapi.NewAPI, oldapi.NewPublish) + "(" + context() + ", " + open
	})
	comma := ", "
	if leadingSpace(r.text(call.Lparen+1, call.Args[0].Pos())) > 0 || r.endsLine(call.Lparen+1) {
		comma = "," // a space, a comment or a new line follows
	}
	l.replace(end, call.Lparen+1, comma)

	if refusal := l.properties(s.Arg); refusal != nil {
		return refusal
	}
	return l.mandatory(s.Cur, call)
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// ctxVar returns the name of the context that -ctx has a call take, "" for
// context.Background().
func (r *rewriter) ctxVar(call inspector.Cursor) string {
	if r.ctx == ctxScope {
		return r.scopeContext(call)
	}
	return ""
}

// noPlace refuses for a comment that would be lost.
func noPlace(c *ast.Comment) *flow.Refusal {
	return &flow.Refusal{
		Category: plan.Position,
		Why:      "a comment has no place in the new text",
		At:       c,
		Note:     "the comment",
		Hint:     "move the comment",
	}
}

// properties adds the edits of the properties argument. A variable stays as it
// is; it has edits of its own.
func (l *editList) properties(arg flow.Argument) *flow.Refusal {
	r := l.r
	start, end := arg.Expr.Pos(), arg.Expr.End()
	switch arg.Kind {
	case flow.ArgNil, flow.ArgCreate:
		if c := r.flow.Comments(start, end); len(c) > 0 {
			return noPlace(c[0])
		}
		l.drop(arg.Expr)
		l.rendered(start, end, end-start, func(innerFunc) string {
			return l.qualified(oldapi.NewAPI, oldapi.NewProperties) + "{}"
		})
	case flow.ArgStruct:
		inner := arg.Call.Args[0]
		if c := r.commentOutside(start, end, inner.Pos(), inner.End()); c != nil {
			return noPlace(c)
		}
		l.drop(arg.Call.Fun)
		l.replace(start, inner.Pos(), "")
		l.replace(inner.End(), end, "")
	}
	return nil
}

// mandatory takes the argument out, and adds flags behind the body if they are
// not certainly none.
func (l *editList) mandatory(cur inspector.Cursor, call *ast.CallExpr) *flow.Refusal {
	r := l.r
	arg := call.Args[oldapi.Mandatory]
	var flags func(inner innerFunc) string
	switch value := r.flow.Constant(arg); {
	case value == nil:
		if !r.names.universal("false", arg.Pos()) {
			return shadowed("false", arg)
		}
		flags = func(inner innerFunc) string {
			return l.qualified(oldapi.NewAPI, oldapi.NewFlagsIf) + "(" + inner(arg.Pos(), arg.End()) + ", false)"
		}
	case constant.BoolVal(value):
		l.drop(arg)
		flags = func(innerFunc) string { return l.qualified(oldapi.NewAPI, oldapi.NewMandatory) }
	default:
		l.drop(arg)
	}

	gap := r.argumentGap(call, oldapi.Mandatory, oldapi.Mandatory)
	l.replace(gap.start, gap.end, "")
	var keep []string // comments that say more than the argument's name
	for _, c := range gap.comments {
		if !onlyNames(c.Text) {
			keep = append(keep, plainLines([]byte(c.Text)))
		}
	}
	// gofmt moves a comment before an argument to before the comma.
	key := call.Args[oldapi.RoutingKey]
	for _, c := range r.flow.Comments(key.End(), r.comma(key.End(), arg.Pos())) {
		if onlyNames(c.Text) && strings.Contains(strings.ToLower(c.Text), "mandatory") {
			l.replace(c.Pos()-token.Pos(trailingSpace(r.text(key.End(), c.Pos()))), r.commentEnd(c), "")
		}
	}

	if flags != nil {
		at, format := r.behindBody(call)
		if format == ownLine && len(keep) > 0 {
			// They stay with their argument.
			comments := " " + strings.Join(keep, " ")
			keep = nil
			l.rendered(at, at, call.End()-call.Pos(), func(inner innerFunc) string {
				return "\n" + r.indent(call.Args[oldapi.Body].Pos()) + flags(inner) + "," + comments
			})
		} else {
			l.rendered(at, at, call.End()-call.Pos(), func(inner innerFunc) string {
				if format == ownLine {
					return "\n" + r.indent(call.Args[oldapi.Body].Pos()) + flags(inner) + ","
				}
				return ", " + flags(inner)
			})
		}
	}
	if len(keep) == 0 {
		return nil
	}
	for stmt := range flow.Statements(cur) {
		if pos := stmt.Pos(); r.startsLine(pos) {
			l.before(pos, strings.Join(keep, "\n"+r.indent(pos))+"\n"+r.indent(pos))
			return nil
		}
	}
	return noPlace(gap.comments[0])
}

func shadowed(name string, at ast.Node) *flow.Refusal {
	return &flow.Refusal{
		Category: plan.Shadowed,
		Why:      fmt.Sprintf("%s does not have its predeclared meaning here", name),
		At:       at,
		Note:     "the new text needs it here",
	}
}

// gap is what goes with an argument: its comma, its comments and, when nothing
// else is there, its lines.
type gap struct {
	start, end token.Pos
	comments   []*ast.Comment
}

// argumentGap returns the gap of the arguments from i to j, which are neither
// first nor last.
//
// A comment before the arguments or among them belongs to them, and so does one
// behind the last comma, if the arguments start the line or the comment only
// names them. A comment on a line of its own belongs to what follows.
func (r *rewriter) argumentGap(call *ast.CallExpr, i, j int) gap {
	prev, arg, next := call.Args[i-1], call.Args[i], call.Args[j+1]
	prevComma := r.comma(prev.End(), arg.Pos())
	comma := r.comma(call.Args[j].End(), next.Pos())
	g := gap{start: arg.Pos(), end: comma + 1}

	for _, c := range r.flow.Comments(prevComma, arg.Pos()) {
		behindPrev := r.line(c.Pos()) == r.line(prevComma) && r.line(c.End()) < r.line(arg.Pos())
		if !behindPrev {
			g.start = min(g.start, c.Pos())
			g.comments = append(g.comments, c)
		}
	}
	for _, c := range r.flow.Comments(arg.End(), comma) {
		within := false
		for k := i; k <= j; k++ {
			within = within || call.Args[k].Pos() <= c.Pos() && c.Pos() < call.Args[k].End()
		}
		if !within {
			g.comments = append(g.comments, c)
		}
	}
	for _, c := range r.flow.Comments(comma, next.Pos()) {
		if r.line(c.Pos()) == r.line(comma) && r.line(c.End()) < r.line(next.Pos()) && (r.startsLine(g.start) || onlyNames(c.Text)) {
			g.end = r.commentEnd(c)
			g.comments = append(g.comments, c)
		}
	}

	switch {
	case r.startsLine(g.start) && r.endsLine(g.end):
		g.start = r.lineStart(g.start)
		g.end = r.tok.LineStart(r.line(g.end) + 1)
	case r.startsLine(g.start):
		g.end += token.Pos(leadingSpace(r.text(g.end, next.Pos())))
	default:
		before := r.text(prevComma+1, g.start)
		g.start -= token.Pos(trailingSpace(before))
	}
	return g
}

func leadingSpace(s string) int  { return len(s) - len(strings.TrimLeft(s, " \t")) }
func trailingSpace(s string) int { return len(s) - len(strings.TrimRight(s, " \t")) }

// comma returns the position of the first comma in [start, end) that is in no
// comment.
func (r *rewriter) comma(start, end token.Pos) token.Pos {
	comments := r.flow.Comments(start, end)
	for pos := start; pos < end; pos++ {
		if len(comments) > 0 && pos == comments[0].Pos() {
			pos = r.commentEnd(comments[0])
			comments = comments[1:]
		}
		if r.src[r.offset(pos)] == ',' {
			return pos
		}
	}
	return token.NoPos // not in a list of arguments that has been parsed
}

type placement bool

const (
	inLine  placement = false // behind the body: ", flags"
	ownLine placement = true  // as the body: a line with a comma at its end
)

// behindBody returns where flags go.
func (r *rewriter) behindBody(call *ast.CallExpr) (token.Pos, placement) {
	body := call.Args[oldapi.Body]
	at := body.End()
	comma := r.comma(at, call.Rparen)
	if !comma.IsValid() {
		for _, c := range r.flow.Comments(at, call.Rparen) {
			at = r.commentEnd(c)
		}
		return at, inLine
	}
	if !r.startsLine(body.Pos()) {
		return at, inLine
	}
	at = comma + 1
	for _, c := range r.flow.Comments(comma, call.Rparen) {
		if r.line(c.Pos()) == r.line(comma) {
			at = r.commentEnd(c)
		}
	}
	return at, ownLine
}

// onlyNames reports whether a comment says no more than the names and the values
// of the arguments mandatory and immediate.
func onlyNames(comment string) bool {
	words := strings.FieldsFunc(strings.ToLower(comment), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, word := range words {
		switch word {
		case "mandatory", "immediate", "flag", "flags", "false", "true", "not", "no", "is", "the":
		default:
			return false
		}
	}
	return len(words) > 0
}
