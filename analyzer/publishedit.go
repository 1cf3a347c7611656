package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// edits adds the edits of one call, or says why there is no room for them.
//
//	ch.PublishWithContext(ctx, exchange, key, mandatory, immediate, amqp.Publishing{Type: t, Body: b})
//	---------------------                   ----------------------  ---------------        ---------
//	newapi.BasicPublish(ctx, ch, exchange, key, newapi.BasicProperties{Type: t}, b, newapi.FlagsIf(mandatory, immediate))
//
// Everything that is not underlined stays where it is, with its layout and its
// comments.
func (f *publishFile) edits(l *editList, c *publishCall) *flow.Refusal {
	if comment := f.r.lineDirective(c.call); comment != nil {
		return noPlace(comment)
	}
	if refusal := f.callee(l, c); refusal != nil {
		return refusal
	}
	behind := new(behind)
	switch c.form.tier {
	case plan.Native:
		if refusal := f.properties(l, c, behind); refusal != nil {
			return refusal
		}
	case plan.Header:
		if refusal := f.header(l, c, behind); refusal != nil {
			return refusal
		}
	}
	return f.arguments(l, c, behind)
}

// callee replaces the method by the function, and puts the channel behind the
// context.
func (f *publishFile) callee(l *editList, c *publishCall) *flow.Refusal {
	r, call := f.r, c.call
	pkg := oldapi.NewAPI
	if c.form.tier == plan.Whole {
		pkg = oldapi.Compat091
	}
	l.need(pkg, call.Pos())
	function := func() string {
		name := oldapi.NewPublish
		if c.method.Deferred && f.on("deferred") {
			name = oldapi.NewPublishDeferred
		}
		return l.qualified(pkg, name) + "("
	}

	open, path := "", ""
	for _, name := range c.path {
		path += "." + name
	}
	channel := c.sel.X
	if path == "" {
		channel = ast.Unparen(channel)
	}
	start, end := channel.Pos(), channel.End()
	if c.star {
		open = "&"
		if star, ok := channel.(*ast.StarExpr); ok && f.on("dereference") {
			open, start, end = "", star.X.Pos(), star.X.End()
		}
	}
	if comment := r.commentOutside(call.Pos(), call.Lparen, start, end); comment != nil {
		return noPlace(comment)
	}
	if comment := l.joinLines(channel); comment != nil {
		return noPlace(comment)
	}

	if c.ctx == nil {
		ctx := r.ctxVar(c.cur)
		if ctx == "" {
			l.need("context", call.Pos())
		}
		background := func() string {
			switch {
			case !f.on("background"):
				return function() + "nil, "
			case ctx == "":
				return function() + l.qualified("context", "Background") + "(), "
			}
			return function() + ctx + ", "
		}
		comma := ", "
		if leadingSpace(r.text(call.Lparen+1, c.exchange.Pos())) > 0 || r.endsLine(call.Lparen+1) {
			comma = "," // a space, a comment or a new line follows
		}
		if c.hoisted != "" {
			f.statement(l, c, c.hoisted, func(inner innerFunc) string { return open + inner(start, end) + path })
			l.rendered(call.Pos(), call.Lparen+1, call.End()-call.Pos(), func(innerFunc) string {
				return background() + c.hoisted + comma
			})
			return nil
		}
		l.rendered(call.Pos(), start, start-call.Pos(), func(innerFunc) string { return background() + open })
		l.replace(end, call.Lparen+1, path+comma)
		return nil
	}

	l.rendered(call.Pos(), call.Lparen+1, call.End()-call.Pos(), func(inner innerFunc) string {
		return function()
	})
	span := call.End() - call.Pos() - 1
	evaluate := func(inner innerFunc) string { return open + inner(start, end) + path }
	here := evaluate
	if c.hoisted != "" {
		here = func(innerFunc) string { return c.hoisted }
		f.statement(l, c, c.hoisted, evaluate)
	}
	at, own := f.behindContext(c)
	l.rendered(at, at, span, func(inner innerFunc) string {
		channel := here(inner)
		if own {
			return "\n" + r.indent(c.ctx.Pos()) + channel + ","
		}
		return ", " + channel
	})
	return nil
}

// statement adds a statement before the one with the call, behind those that were
// added before, that gives a new variable its value.
func (f *publishFile) statement(l *editList, c *publishCall, name string, value func(inner innerFunc) string) {
	r := f.r
	offset := r.offset(c.before)
	span := c.call.End() - c.call.Pos() - 1
	l.add(&pending{start: offset, end: offset, statement: true, span: int(span), render: func(inner innerFunc) string {
		return name + " := " + value(inner) + "\n" + r.indent(c.before)
	}})
}

// behindContext returns where the channel goes, and whether it gets a line of its
// own as the context has.
func (f *publishFile) behindContext(c *publishCall) (at token.Pos, own bool) {
	r := f.r
	comma := r.comma(c.ctx.End(), c.exchange.Pos())
	if !r.startsLine(c.ctx.Pos()) || r.line(c.exchange.Pos()) == r.line(comma) || !f.on("own-line") {
		return c.ctx.End(), false
	}
	at = comma + 1
	for _, comment := range r.flow.Comments(comma, c.exchange.Pos()) {
		if r.line(comment.Pos()) == r.line(comma) {
			at = r.commentEnd(comment)
		}
	}
	return at, true
}

// behind is what comes behind the message: arguments, each with its comments.
type behind struct {
	args []behindArg
}

type behindArg struct {
	lead  []string // comments on lines above
	text  func(inner innerFunc) string
	after []string // comments behind it
}

func (b *behind) add(text func(inner innerFunc) string) *behindArg {
	b.args = append(b.args, behindArg{text: text})
	return &b.args[len(b.args)-1]
}

// header converts the message.
//
//	msg          *msg
//	---          ----
//	Header(msg)  Header(*msg)
func (f *publishFile) header(l *editList, c *publishCall, b *behind) *flow.Refusal {
	r := f.r
	l.need(oldapi.Compat091, c.msg.Pos())
	core := c.form.core
	if comment := r.commentOutside(c.msg.Pos(), c.msg.End(), core.Pos(), core.End()); comment != nil {
		return noPlace(comment)
	}
	l.dropAround(c.msg, core)
	l.rendered(c.msg.Pos(), core.Pos(), c.msg.End()-c.msg.Pos(), func(innerFunc) string {
		return l.qualified(oldapi.Compat091, oldapi.Header) + "("
	})
	l.replace(core.End(), c.msg.End(), ")")

	base := core
	if star, ok := core.(*ast.StarExpr); ok {
		base = ast.Unparen(star.X)
	}
	text := r.text(base.Pos(), base.End())
	if strings.Contains(text, "\n") || len(r.flow.Comments(base.Pos(), base.End())) > 0 {
		text = types.ExprString(base)
	}
	for name, n := range r.names.references(base) {
		l.unit.dropped[name] -= n // the second mention
	}
	b.add(func(innerFunc) string { return text + "." + oldapi.PublishingBody })
	return nil
}

// dropAround drops the references in outer that are not in inner.
func (l *editList) dropAround(outer, inner ast.Expr) {
	l.drop(outer)
	for name, n := range l.r.names.references(inner) {
		l.unit.dropped[name] -= n
	}
}

// properties makes a properties literal of the message's literal.
//
//	amqp.Publishing{Type: t, Body: b}
//	---------------        ---------
//	newapi.BasicProperties{Type: t}
func (f *publishFile) properties(l *editList, c *publishCall, b *behind) *flow.Refusal {
	r, lit := f.r, c.form.lit
	l.need(oldapi.NewAPI, lit.Pos())
	retype := func(old ast.Expr) {
		l.drop(old)
		l.rendered(old.Pos(), old.End(), old.End()-old.Pos(), func(innerFunc) string {
			return l.qualified(oldapi.NewAPI, oldapi.NewProperties)
		})
	}
	if comments := r.flow.Comments(lit.Type.Pos(), lit.Lbrace); len(comments) > 0 {
		return noPlace(comments[0])
	}
	retype(lit.Type)
	if c.form.typ != nil {
		retype(c.form.typ)
	}

	// What is around the literal or the variable in the call goes.
	core := c.form.core
	if comment := r.commentOutside(c.msg.Pos(), c.msg.End(), core.Pos(), core.End()); comment != nil {
		return noPlace(comment)
	}
	if core != c.msg {
		l.dropAround(c.msg, core)
		l.replace(c.msg.Pos(), core.Pos(), "")
		l.replace(core.End(), c.msg.End(), "")
	}

	kv := c.form.body
	if kv == nil {
		b.add(func(innerFunc) string { return "nil" })
		return nil
	}
	if comments := r.flow.Comments(kv.Pos(), kv.Value.Pos()); len(comments) > 0 {
		return noPlace(comments[0])
	}
	g, lead, after := r.elementGap(lit, kv)
	l.replace(g.start, g.end, "")
	arg := b.add(func(inner innerFunc) string { return inner(kv.Value.Pos(), kv.Value.End()) })
	if f.on("other-comments") {
		arg.lead, arg.after = lead, after
	}
	return nil
}

// elementGap returns what goes with an element of a literal, and the comments
// that belong to it: those on the lines right above, and those behind it.
func (r *rewriter) elementGap(lit *ast.CompositeLit, elem ast.Expr) (g gap, lead, after []string) {
	prev, next := lit.Lbrace+1, lit.Rbrace
	prevEnd := prev
	last, sole := true, len(lit.Elts) == 1
	for i, elt := range lit.Elts {
		if elt != elem {
			continue
		}
		if i > 0 {
			prevEnd = lit.Elts[i-1].End()
			prev = r.comma(prevEnd, elem.Pos()) + 1
		}
		if i+1 < len(lit.Elts) {
			next, last = lit.Elts[i+1].Pos(), false
		}
	}
	g = gap{start: elem.Pos(), end: elem.End()}
	comma := r.comma(elem.End(), next)
	if comma.IsValid() {
		g.end = comma + 1
	}

	above := r.flow.Comments(prev, elem.Pos())
	for len(above) > 0 {
		c := above[len(above)-1]
		if !r.startsLine(c.Pos()) || r.line(r.commentEnd(c))+1 < r.line(g.start) {
			break
		}
		g.start = c.Pos()
		lead = append([]string{plainLines([]byte(c.Text))}, lead...)
		above = above[:len(above)-1]
	}
	behind := r.flow.Comments(elem.End(), next)
	for _, c := range behind {
		if r.line(c.Pos()) != r.line(g.end) || !r.startsLine(g.start) && r.endsLine(r.commentEnd(c)) && !sole {
			break // of another line, or of all that is on this one
		}
		g.end = max(g.end, r.commentEnd(c))
		after = append(after, plainLines([]byte(c.Text)))
	}

	switch {
	case sole && len(above) == 0 && len(behind) == len(after):
		g.start, g.end = lit.Lbrace+1, lit.Rbrace
	case r.startsLine(g.start) && r.endsLine(g.end):
		g.start = r.lineStart(g.start)
		g.end = r.tok.LineStart(r.line(g.end) + 1)
		for last && r.line(g.end) == r.line(lit.Rbrace) && r.blankBefore(g.start) {
			g.start = r.tok.LineStart(r.line(g.start) - 1)
		}
	case !last:
		if r.line(next) == r.line(g.end) {
			g.end = next
		} else if !r.startsLine(g.start) {
			g.start -= token.Pos(trailingSpace(r.text(r.lineStart(g.start), g.start)))
		}
	case len(r.flow.Comments(prevEnd, g.start)) > 0:
		// They stay, and with them the comma.
		if !r.startsLine(g.start) {
			g.start -= token.Pos(trailingSpace(r.text(r.lineStart(g.start), g.start)))
		}
	case comma.IsValid():
		g.start = prev // its comma stays
	default:
		g.start = prevEnd
	}
	return g, lead, after
}

// blankBefore reports whether the line before the one that starts at pos is empty.
func (r *rewriter) blankBefore(pos token.Pos) bool {
	line := r.line(pos)
	return line > 1 && strings.TrimSpace(r.text(r.tok.LineStart(line-1), pos)) == ""
}

// arguments takes the flags out, and adds what comes behind the message.
func (f *publishFile) arguments(l *editList, c *publishCall, b *behind) *flow.Refusal {
	r, call := f.r, c.call
	i := c.index()
	g := r.argumentGap(call, i, i+1)
	l.replace(g.start, g.end, "")
	var keep []string // comments that say more than the flags' names
	for _, comment := range g.comments {
		if names := onlyNames(comment.Text) && f.on("names-only"); !names && f.on("other-comments") {
			keep = append(keep, plainLines([]byte(comment.Text)))
		}
	}
	// gofmt moves a comment before an argument to before the comma.
	for _, comment := range r.flow.Comments(c.key.End(), r.comma(c.key.End(), c.mandatory.Pos())) {
		if text := strings.ToLower(comment.Text); onlyNames(text) && strings.Contains(text, "mandatory") {
			l.replace(comment.Pos()-token.Pos(trailingSpace(r.text(c.key.End(), comment.Pos()))), r.commentEnd(comment), "")
		}
	}

	switch c.flags {
	case noFlags:
		l.drop(c.mandatory)
		l.drop(c.immediate)
	case mandatory:
		l.drop(c.mandatory)
		l.drop(c.immediate)
		l.need(oldapi.NewAPI, call.Pos())
		b.add(func(innerFunc) string { return l.qualified(oldapi.NewAPI, oldapi.NewMandatory) })
	case flagsIf:
		if f.on("flags-if") {
			l.need(oldapi.NewAPI, call.Pos())
			value := func(inner innerFunc) string {
				return l.qualified(oldapi.NewAPI, oldapi.NewFlagsIf) +
					"(" + inner(c.mandatory.Pos(), c.mandatory.End()) + ", " + inner(c.immediate.Pos(), c.immediate.End()) + ")"
			}
			if c.hoistedFlags != "" {
				f.statement(l, c, c.hoistedFlags, value)
				value = func(innerFunc) string { return c.hoistedFlags }
			}
			b.add(value)
		}
	}

	own := f.ownLines(c)
	if comma := r.comma(c.msg.End(), call.Rparen); comma.IsValid() && !own {
		// The call may get too short for go/printer to keep the comma before these.
		for _, comment := range r.flow.Comments(comma, call.Rparen) {
			if r.line(comment.Pos()) != r.line(comma) || comment.Text[1] == '*' {
				return noPlace(comment)
			}
		}
	}
	if c.flags != noFlags && c.hoistedFlags == "" && own && len(b.args) > 0 {
		flag := &b.args[len(b.args)-1]
		if len(keep) == 1 {
			flag.after = keep
		} else {
			flag.lead = keep
		}
		keep = nil
	}
	if !own {
		for i := range b.args {
			keep = append(append(keep, b.args[i].lead...), b.args[i].after...)
			b.args[i].lead, b.args[i].after = nil, nil
		}
	}
	f.behind(l, c, b, own)
	if len(keep) == 0 {
		return nil
	}
	for stmt := range flow.Statements(c.cur) {
		if pos := stmt.Pos(); r.startsLine(pos) {
			l.before(pos, strings.Join(keep, "\n"+r.indent(pos))+"\n"+r.indent(pos))
			return nil
		}
	}
	if len(g.comments) > 0 {
		return noPlace(g.comments[0])
	}
	return noPlace(r.flow.Comments(c.form.lit.Pos(), c.form.lit.End())[0])
}

// ownLines reports whether each argument behind the message gets a line of its
// own: the message begins a line, and so does an argument on the line before.
func (f *publishFile) ownLines(c *publishCall) bool {
	if !f.r.startsLine(c.msg.Pos()) || !f.on("own-line") {
		return false
	}
	for _, arg := range c.call.Args {
		if arg != c.msg && f.r.line(arg.Pos()) == f.r.line(c.immediate.Pos()) && f.r.startsLine(arg.Pos()) {
			return true
		}
	}
	return false
}

// behind adds the arguments behind the message.
func (f *publishFile) behind(l *editList, c *publishCall, b *behind, own bool) {
	if len(b.args) == 0 {
		return
	}
	r, call := f.r, c.call
	at := c.msg.End()
	comma := r.comma(at, call.Rparen)
	span := call.End() - call.Pos()
	if !own {
		if !comma.IsValid() {
			for _, comment := range r.flow.Comments(at, call.Rparen) {
				at = r.commentEnd(comment)
			}
		}
		l.rendered(at, at, span, func(inner innerFunc) string {
			var s strings.Builder
			for _, arg := range b.args {
				s.WriteString(", " + arg.text(inner))
			}
			return s.String()
		})
		return
	}

	indent := "\n" + r.indent(c.msg.Pos())
	if comma.IsValid() {
		at = comma + 1
		for _, comment := range r.flow.Comments(comma, call.Rparen) {
			if r.line(comment.Pos()) == r.line(comma) {
				at = r.commentEnd(comment)
			}
		}
	}
	l.rendered(at, at, span, func(inner innerFunc) string {
		var s strings.Builder
		if !comma.IsValid() {
			s.WriteString(",")
		}
		for i, arg := range b.args {
			lead, after := arg.lead, arg.after
			last := i == len(b.args)-1
			if last && !comma.IsValid() { // the parenthesis follows
				lead, after = append(lead, after...), nil
			}
			for _, comment := range lead {
				s.WriteString(indent + comment)
			}
			s.WriteString(indent + arg.text(inner))
			if !last || comma.IsValid() {
				s.WriteString(",")
			}
			for _, comment := range after {
				s.WriteString(" " + comment)
			}
		}
		return s.String()
	})
}
