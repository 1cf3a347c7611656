package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// variable adds the edits of a properties variable: its creation with what
// folds into it, and every other use but the publishes.
func (l *editList) variable(v *flow.Value) *flow.Refusal {
	if refusal := l.creation(v); refusal != nil {
		return refusal
	}
	guarded := make(map[ast.Node]bool)
	for _, u := range v.Uses {
		if u.Folded {
			continue
		}
		if u.Guard && !guarded[u.Stmt.Node()] {
			guarded[u.Stmt.Node()] = true
			if refusal := l.guard(v, u); refusal != nil {
				return refusal
			}
		}
		var refusal *flow.Refusal
		switch u.Kind {
		case flow.UseMethod:
			refusal = l.method(v, u)
		case flow.UseHeadersRead, flow.UseHeadersWrite, flow.UseHeadersKeep:
			refusal = l.getter(u)
		}
		if refusal != nil {
			return refusal
		}
	}
	return nil
}

// creation replaces the call that makes the value by a literal, together with
// the folded statements behind it.
//
//	props := ch.CreateBasicProperties() // comment
//	         --------------------------
//	props.SetPriority(5)
//	--------------------
func (l *editList) creation(v *flow.Value) *flow.Refusal {
	r := l.r
	value := createdValue(v)
	start, end := value.Pos(), value.End()
	if c := r.flow.Comments(start, end); len(c) > 0 {
		return noPlace(c[0])
	}
	l.need(oldapi.NewAPI, start)

	if spec, ok := v.Decl.Node().(*ast.ValueSpec); ok && spec.Type != nil {
		name := spec.Names[0]
		if c := r.flow.Comments(name.End(), start); len(c) > 0 {
			return noPlace(c[0])
		}
		l.drop(spec.Type)
		l.replace(name.End(), start, " = ")
	}

	recv := v.Create.Fun
	if v.Keep != nil {
		stmt := v.Decl
		if _, ok := stmt.Node().(*ast.ValueSpec); ok {
			stmt = stmt.Parent().Parent()
		}
		at := stmt.Node().Pos()
		span := v.Create.End() - v.Create.Pos() // all of it is within the creation
		blank := "_ = "
		if !isPointer(r.pass.TypesInfo.TypeOf(v.Keep)) {
			blank = "_ = &" // a channel is not copied
		}
		l.rendered(at, at, span, func(inner innerFunc) string {
			return blank + inner(v.Keep.Pos(), v.Keep.End()) + "\n" + r.indent(at)
		})
		l.list[len(l.list)-1].statement = true
	} else {
		l.drop(recv)
	}

	lit := l.literal(v, end)
	last := lit.end
	parens := inClause(v.Decl) // a composite literal there would start the block
	l.rendered(start, last, last-start+1, func(inner innerFunc) string {
		column := int(start - r.lineStart(start))
		text := lit.make(inner).Text(r.indent(start), column, r.line(start) == r.line(last))
		if parens {
			return "(" + text + ")"
		}
		return text
	})
	return nil
}

// createdValue returns the whole expression that the variable is declared with.
func createdValue(v *flow.Value) ast.Expr {
	var values []ast.Expr
	switch n := v.Decl.Node().(type) {
	case *ast.AssignStmt:
		values = n.Rhs
	case *ast.ValueSpec:
		values = n.Values
	}
	for _, value := range values {
		if ast.Unparen(value) == ast.Expr(v.Create) {
			return value
		}
	}
	return v.Create
}

// inClause reports whether the statement is part of the head of an if, for or
// switch statement.
func inClause(stmt inspector.Cursor) bool {
	switch stmt.ParentEdgeKind() {
	case edge.IfStmt_Init, edge.ForStmt_Init, edge.ForStmt_Post, edge.SwitchStmt_Init, edge.TypeSwitchStmt_Init:
		return true
	}
	return false
}

// foldedLiteral is the literal of a creation: where it ends in the source, and
// how to make it once names are known.
type foldedLiteral struct {
	end  token.Pos
	make func(inner innerFunc) edit.Literal
}

// element is one folded use with its comments.
type element struct {
	use     *flow.Use
	blank   bool
	lead    []string
	comment string
}

// literal collects the folded uses, with the comments between and behind them.
// end is where the creation ends.
func (l *editList) literal(v *flow.Value, end token.Pos) foldedLiteral {
	r := l.r
	var (
		elements []element
		open     string // the comment behind the creation
		last     = end
	)
	// trailing takes the comment behind last on its line, if the line ends there
	// or with it.
	trailing := func(until token.Pos) string {
		comments := r.flow.Comments(last, until)
		if len(comments) == 0 {
			return ""
		}
		c := comments[0]
		if r.line(c.Pos()) != r.line(last) || strings.Contains(c.Text, "\n") || strings.TrimSpace(r.text(last, c.Pos())) != "" || !r.endsLine(r.commentEnd(c)) {
			return ""
		}
		last = r.commentEnd(c)
		return plainLines([]byte(c.Text))
	}
	for _, u := range v.Uses {
		if !u.Folded {
			continue
		}
		start, stop := u.Stmt.Node().Pos(), u.Stmt.Node().End()
		comment := trailing(start)
		if len(elements) == 0 {
			open = comment
		} else {
			elements[len(elements)-1].comment = comment
		}
		e := element{use: u}
		for _, c := range r.flow.Comments(last, start) {
			e.lead = append(e.lead, plainLines([]byte(c.Text)))
		}
		first := start
		if c := r.flow.Comments(last, start); len(c) > 0 {
			first = c[0].Pos()
		}
		e.blank = r.line(first) > r.line(last)+1
		elements = append(elements, e)
		last = stop
		l.dropFolded(u)
	}
	if len(elements) > 0 {
		behind := r.lineEnd(last)
		elements[len(elements)-1].comment = trailing(behind)
	}
	return foldedLiteral{last, func(inner innerFunc) edit.Literal {
		emptyTable := l.qualified(oldapi.NewAPI, oldapi.NewTable) + "{}"
		lit := edit.Literal{Type: l.qualified(oldapi.NewAPI, oldapi.NewProperties), Comment: open}
		table := -1
		for _, e := range elements {
			f := l.field(e, inner)
			if v.FillHeaders && r.setsNil(e.use) {
				f.Value = emptyTable
			}
			if e.use.Kind != flow.UseHeadersWrite {
				lit.Fields = append(lit.Fields, f)
				continue
			}
			if table < 0 {
				table = len(lit.Fields)
				lit.Fields = append(lit.Fields, edit.Field{
					Blank:  f.Blank,
					Key:    "Headers",
					Nested: &edit.Literal{Type: l.qualified(oldapi.NewAPI, oldapi.NewTable)},
				})
			}
			nested := lit.Fields[table].Nested
			nested.Fields = append(nested.Fields, f)
		}
		if v.InitHeaders {
			lit.Fields = append(lit.Fields, edit.Field{Key: "Headers", Value: emptyTable})
		}
		return lit
	}}
}

// field returns the element of a literal that stands for one folded use.
func (l *editList) field(e element, inner innerFunc) edit.Field {
	f := edit.Field{Blank: e.blank, Lead: e.lead, Comment: e.comment, Key: e.use.Method.Field}
	if e.use.Kind == flow.UseHeadersWrite {
		key := ast.Unparen(e.use.Write.Lhs[0]).(*ast.IndexExpr).Index
		f.Key = inner(key.Pos(), key.End())
		value := e.use.Write.Rhs[0]
		f.Value = inner(value.Pos(), value.End())
		return f
	}
	arg := e.use.Call.Args[0]
	switch e.use.Method.Role {
	case oldapi.SetPersistent:
		f.Value = l.persistent(arg)
	case oldapi.SetAddress:
		f.Value = operand(arg, inner(arg.Pos(), arg.End()), false) + ".String()"
	default:
		f.Value = inner(arg.Pos(), arg.End())
	}
	return f
}

// setsNil reports whether the use is SetHeaders(nil).
func (r *rewriter) setsNil(u *flow.Use) bool {
	return u.Kind == flow.UseMethod && u.Method.Role == oldapi.Set && u.Method.Kind == oldapi.Table &&
		r.pass.TypesInfo.Types[u.Call.Args[0]].IsNil()
}

// dropFolded counts the references to imports that go with the use.
func (l *editList) dropFolded(u *flow.Use) {
	if u.Kind == flow.UseMethod && u.Method.Role == oldapi.SetPersistent {
		l.drop(u.Call.Args[0])
	}
}

// persistent returns the delivery mode for a constant argument of
// SetPersistent.
func (l *editList) persistent(arg ast.Expr) string {
	name := oldapi.NewTransient
	if constant.BoolVal(l.r.flow.Constant(arg)) {
		name = oldapi.NewPersistent
	}
	return l.qualified(oldapi.NewAPI, name)
}

// operand returns the text of e so that a selector can follow it. In the head
// of a statement a composite literal needs parentheses too.
func operand(e ast.Expr, text string, inClause bool) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.TypeAssertExpr, *ast.ParenExpr:
		if !inClause || !hasLiteral(e) {
			return text
		}
	case *ast.CompositeLit:
		if !inClause {
			return text
		}
	}
	return "(" + text + ")"
}

func hasLiteral(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, is := n.(*ast.CompositeLit)
		found = found || is
		return !found
	})
	return found
}

// guard puts a statement before the use's that makes the headers when they are
// nil.
func (l *editList) guard(v *flow.Value, u *flow.Use) *flow.Refusal {
	r := l.r
	at := u.Stmt.Node().Pos()
	if !r.names.universal("nil", at) {
		return shadowed("nil", u.Call)
	}
	l.need(oldapi.NewAPI, at)
	headers := v.Var.Name() + ".Headers"
	l.rendered(at, at, 0, func(innerFunc) string {
		indent := r.indent(at)
		return "if " + headers + " == nil {\n" +
			indent + edit.Deeper(indent) + headers + " = " + l.qualified(oldapi.NewAPI, oldapi.NewTable) + "{}\n" +
			indent + "}\n" + indent
	})
	l.list[len(l.list)-1].statement = true
	return nil
}

// getter makes a field of a getter's call.
//
//	props.Priority()
//	              --
func (l *editList) getter(u *flow.Use) *flow.Refusal {
	sel := ast.Unparen(u.Call.Fun).(*ast.SelectorExpr)
	if c := l.r.commentOutside(u.Call.Pos(), u.Call.End(), sel.Pos(), sel.End()); c != nil {
		return noPlace(c)
	}
	if u.Alone {
		l.replace(u.Call.Pos(), u.Call.Pos(), "_ = ")
	}
	if u.Call.Pos() < sel.Pos() {
		l.replace(u.Call.Pos(), sel.Pos(), "") // (props.Priority)()
	}
	l.replace(sel.End(), u.Call.End(), "")
	return nil
}

// method replaces the call of any other method.
func (l *editList) method(v *flow.Value, u *flow.Use) *flow.Refusal {
	r := l.r
	field := v.Var.Name() + "." + u.Method.Field
	switch u.Method.Role {
	case oldapi.Get:
		return l.getter(u)
	case oldapi.GetAddress:
		return nil // newapi has the method
	case oldapi.Set:
		if v.FillHeaders && r.setsNil(u) {
			return l.clear(v, u, field)
		}
		return l.assign(u, field, "", "")
	case oldapi.SetAddress:
		arg := u.Call.Args[0]
		if operand(arg, "", inClause(u.Stmt)) == "" {
			return l.assign(u, field, "", ".String()")
		}
		return l.assign(u, field, "(", ").String()")
	case oldapi.Clear:
		return l.clear(v, u, field)
	case oldapi.SetPersistent:
		return l.setPersistent(u, field)
	case oldapi.Present:
		if u.Method.Kind == oldapi.Table && !r.names.universal("len", u.Call.Pos()) {
			return shadowed("len", u.Call)
		}
		return l.condition(u, func(negated bool) string { return present(field, u.Method.Kind, negated) })
	case oldapi.GetPersistent:
		l.need(oldapi.NewAPI, u.Call.Pos())
		return l.condition(u, func(negated bool) string {
			return field + equals(!negated) + l.qualified(oldapi.NewAPI, oldapi.NewPersistent)
		})
	}
	return nil
}

// assign makes an assignment of a setter's call; open and close go around the
// argument.
//
//	props.SetPriority( 5 )
//	------------------   -
func (l *editList) assign(u *flow.Use, field, open, close string) *flow.Refusal {
	r := l.r
	call, arg := u.Call, u.Call.Args[0]
	text := field + " = "
	for _, c := range r.flow.Comments(call.Pos(), arg.Pos()) {
		text += plainLines([]byte(c.Text))
		if c.Text[1] == '/' {
			text += "\n"
		} else {
			text += " "
		}
	}
	after := close
	for _, c := range r.flow.Comments(arg.End(), call.End()) {
		if c.Text[1] == '/' && !r.endsLine(call.End()) {
			return noPlace(c)
		}
		after += " " + plainLines([]byte(c.Text))
	}
	if open == "" && inClause(u.Stmt) && hasLiteral(arg) {
		open, after = "(", ")"+after
	}
	l.replace(call.Pos(), arg.Pos(), text+open)
	l.replace(arg.End(), call.End(), after)
	return nil
}

// clear assigns the zero value, or an empty table.
func (l *editList) clear(v *flow.Value, u *flow.Use, field string) *flow.Refusal {
	r := l.r
	call := u.Call
	if c := r.flow.Comments(call.Pos(), call.End()); len(c) > 0 {
		return noPlace(c[0])
	}
	switch {
	case u.Method.Kind == oldapi.Time:
		l.need("time", call.Pos())
	case u.Method.Kind == oldapi.Table && v.FillHeaders:
		l.need(oldapi.NewAPI, call.Pos())
	case u.Method.Kind == oldapi.Table && !r.names.universal("nil", call.Pos()):
		return shadowed("nil", call)
	}
	literal := func(path, name string) string {
		s := l.qualified(path, name) + "{}"
		if inClause(u.Stmt) {
			s = "(" + s + ")"
		}
		return s
	}
	l.rendered(call.Pos(), call.End(), call.End()-call.Pos(), func(innerFunc) string {
		switch u.Method.Kind {
		case oldapi.Octet:
			return field + " = 0"
		case oldapi.Table:
			if v.FillHeaders {
				return field + " = " + literal(oldapi.NewAPI, oldapi.NewTable)
			}
			return field + " = nil"
		case oldapi.Time:
			return field + " = " + literal("time", "Time")
		default:
			return field + ` = ""`
		}
	})
	return nil
}

// setPersistent assigns the delivery mode: at once for a constant, else by an
// if statement, which evaluates the condition once and before it assigns.
func (l *editList) setPersistent(u *flow.Use, field string) *flow.Refusal {
	r := l.r
	call, arg := u.Call, u.Call.Args[0]
	if c := r.commentOutside(call.Pos(), call.End(), arg.Pos(), arg.End()); c != nil {
		return noPlace(c)
	}
	l.need(oldapi.NewAPI, call.Pos())
	if r.flow.Constant(arg) != nil {
		l.drop(arg)
		l.rendered(call.Pos(), call.End(), call.End()-call.Pos(), func(innerFunc) string {
			return field + " = " + l.persistent(arg)
		})
		return nil
	}
	// A comment behind the call goes behind the condition.
	end, comment := call.End(), ""
	if comments := r.flow.Comments(end, r.lineEnd(end)); len(comments) > 0 {
		c := comments[0]
		if r.endsLine(r.commentEnd(c)) && strings.TrimSpace(r.text(end, c.Pos())) == "" {
			end, comment = r.commentEnd(c), " "+plainLines([]byte(c.Text))
		}
	}
	l.rendered(call.Pos(), end, end-call.Pos(), func(inner innerFunc) string {
		condition := inner(arg.Pos(), arg.End())
		if hasLiteral(arg) {
			condition = "(" + condition + ")"
		}
		indent := r.indent(call.Pos())
		return "if " + condition + " {" + comment + "\n" +
			indent + edit.Deeper(indent) + field + " = " + l.qualified(oldapi.NewAPI, oldapi.NewPersistent) + "\n" +
			indent + "} else {\n" +
			indent + edit.Deeper(indent) + field + " = " + l.qualified(oldapi.NewAPI, oldapi.NewTransient) + "\n" +
			indent + "}"
	})
	return nil
}

// condition replaces a call that returns a bool. A negation before it is made
// part of the new text.
func (l *editList) condition(u *flow.Use, text func(negated bool) string) *flow.Refusal {
	cur := u.Cur
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	node, negated := ast.Node(u.Call), false
	parens := false
	if not, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && not.Op == token.NOT {
		node, negated = not, true
		cur = cur.Parent()
	} else {
		cur = u.Cur
	}
	if c := l.r.flow.Comments(node.Pos(), node.End()); len(c) > 0 {
		return noPlace(c[0])
	}
	switch parent := cur.Parent().Node().(type) {
	case *ast.BinaryExpr:
		parens = parent.Op.Precedence() >= token.EQL.Precedence()
	case *ast.UnaryExpr:
		parens = true
	}
	l.rendered(node.Pos(), node.End(), node.End()-node.Pos(), func(innerFunc) string {
		s := text(negated)
		if parens && strings.Contains(s, " ") {
			s = "(" + s + ")"
		}
		if u.Alone {
			s = "_ = " + s
		}
		return s
	})
	return nil
}

// present returns the comparison that says that the field is present, or that
// it is not.
func present(field string, kind oldapi.Kind, negated bool) string {
	switch kind {
	case oldapi.Octet:
		return field + equals(negated) + "0"
	case oldapi.Table:
		if negated {
			return "len(" + field + ") == 0"
		}
		return "len(" + field + ") > 0"
	case oldapi.Time:
		if negated {
			return field + ".IsZero()"
		}
		return "!" + field + ".IsZero()"
	default:
		return field + equals(negated) + `""`
	}
}

func equals(equal bool) string {
	if equal {
		return " == "
	}
	return " != "
}
