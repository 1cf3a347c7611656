package flow

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// Value is a variable of the old interface type, with the proof that it can be
// a struct or the reason why not.
type Value struct {
	Var     *types.Var
	Refusal *Refusal // nil: the value tier is proven

	// The rest is set when Refusal is nil.

	Decl   inspector.Cursor // *ast.AssignStmt or *ast.ValueSpec
	Create *ast.CallExpr
	Uses   []*Use // in source order, folded ones included
	def    *ast.Ident

	// Keep is the receiver of Create when it must be evaluated in a statement
	// before, nil when it can be dropped.
	Keep ast.Expr

	// InitHeaders asks for an empty table in the literal.
	InitHeaders bool

	// FillHeaders asks for a new empty table where the old value got one: by
	// ClearHeaders and by SetHeaders(nil). Else nil will do.
	FillHeaders bool
}

// UseKind says what a mention of the variable does.
type UseKind int

const (
	UseMethod       UseKind = iota // a method with a role of its own, Headers() excepted
	UseHeadersRead                 // Headers(), only read: nil will do
	UseHeadersWrite                // Headers()[k] = v as a statement
	UseHeadersKeep                 // any other Headers()
	UsePublish                     // the properties argument of a publish
	UseBlank                       // _ = props
)

// Use is one mention of the variable.
type Use struct {
	Kind   UseKind
	Ident  *ast.Ident
	Method oldapi.Method    // unless UsePublish or UseBlank
	Cur    inspector.Cursor // the method's or the publish's call; the identifier for UseBlank
	Call   *ast.CallExpr    // the same; nil for UseBlank
	Stmt   inspector.Cursor // the smallest statement around Cur
	Alone  bool             // Cur is a statement of its own

	Write  *ast.AssignStmt // UseHeadersWrite
	Folded bool            // goes into the literal, statement and all
	Guard  bool            // the headers need a map made by a statement before Stmt

	inLit bool // within a function literal that does not declare the variable
}

// changes reports whether the use changes the struct itself (as opposed to the
// map that it holds).
func (u *Use) changes() bool {
	switch u.Kind {
	case UseMethod:
		switch u.Method.Role {
		case oldapi.Set, oldapi.Clear, oldapi.SetPersistent, oldapi.SetAddress:
			return true
		}
	case UseHeadersWrite, UseHeadersKeep:
		return u.Guard
	}
	return false
}

// needsMap reports whether the use needs Headers not to be nil.
func (u *Use) needsMap() bool { return u.Kind == UseHeadersWrite || u.Kind == UseHeadersKeep }

// Folds reports whether everything that is set is set in the literal.
func (v *Value) Folds() bool {
	for _, u := range v.Uses {
		if !u.Folded && (u.changes() || u.needsMap()) {
			return false
		}
	}
	return true
}

// Value proves or refuses the variable.
func (p *Package) Value(v *types.Var) *Value {
	value := p.values[v]
	if value == nil {
		value = &Value{Var: v}
		p.values[v] = value
		value.Refusal = p.prove(value)
	}
	return value
}

func (p *Package) prove(v *Value) *Refusal {
	m := p.mentionsOf(v.Var)
	decl, create, refusal := p.origin(v.Var, m)
	if refusal != nil {
		return refusal
	}
	v.Decl, v.Create = decl, create
	v.def = m.def.Node().(*ast.Ident)

	if spec, ok := decl.Node().(*ast.ValueSpec); ok && spec.Type != nil && len(spec.Names) > 1 {
		return &Refusal{
			Category: plan.Position,
			Why:      fmt.Sprintf("%s is declared with others under one type", v.Var.Name()),
			At:       spec,
			Note:     "the declaration",
		}
	}
	if recv := receiverOf(create); !p.droppable(recv) {
		v.Keep = recv
		if stmt := declStmt(decl); !isListed(stmt) || !single(decl.Node()) || !firstSpec(decl) {
			return &Refusal{
				Category: plan.OrderOfEffects,
				Why:      fmt.Sprintf("%s needs a statement of its own before %s", Short(recv), v.Var.Name()),
				At:       decl.Node(),
				Note:     "evaluated here",
			}
		}
	}

	declared := function(decl)
	for _, cur := range m.uses {
		use, refusal := p.use(v.Var, cur)
		if refusal == nil {
			refusal = p.capture(v, use, cur, declared)
		}
		if refusal != nil {
			return refusal
		}
		v.Uses = append(v.Uses, use)
	}
	p.fold(v)
	if refusal := p.headers(v); refusal != nil {
		return refusal
	}
	if refusal := p.delayed(v); refusal != nil {
		return refusal
	}
	return p.order(v)
}

// declStmt returns the statement that declares: decl itself, or the statement
// around its var declaration.
func declStmt(decl inspector.Cursor) inspector.Cursor {
	if _, ok := decl.Node().(*ast.ValueSpec); ok {
		decl = decl.Parent().Parent() // GenDecl, DeclStmt
	}
	for decl.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		decl = decl.Parent()
	}
	return decl
}

// firstSpec reports whether nothing is declared before decl in its declaration,
// which would be evaluated before it.
func firstSpec(decl inspector.Cursor) bool {
	if _, ok := decl.Node().(*ast.ValueSpec); !ok {
		return true
	}
	return decl.Parent().Node().(*ast.GenDecl).Specs[0] == decl.Node()
}

// single reports whether decl declares one variable.
func single(decl ast.Node) bool {
	switch d := decl.(type) {
	case *ast.AssignStmt:
		return len(d.Lhs) == 1
	case *ast.ValueSpec:
		return len(d.Names) == 1
	}
	return false
}

// use classifies one mention of v. Whatever is not the receiver of a called
// method, a published argument or assigned to the blank identifier is refused.
func (p *Package) use(v *types.Var, cur inspector.Cursor) (*Use, *Refusal) {
	use := &Use{Ident: cur.Node().(*ast.Ident), Cur: cur}
	outer := outOfParens(cur)
	kind, index := outer.ParentEdge()
	parent := outer.Parent()
	refuse := func(category, format string, args ...any) (*Use, *Refusal) {
		return nil, &Refusal{
			Category: category,
			Why:      v.Name() + " " + fmt.Sprintf(format, args...),
			At:       parent.Node(),
			Note:     "here",
		}
	}

	switch kind {
	case edge.SelectorExpr_X:
		sel := parent.Node().(*ast.SelectorExpr)
		call, ok := called(parent)
		if !ok {
			return refuse(plan.MethodValue, "has its method %s used as a value", sel.Sel.Name)
		}
		method, ok := oldapi.Methods[sel.Sel.Name]
		if !ok {
			return refuse(plan.Escapes, "has a method %s that the new struct lacks", sel.Sel.Name)
		}
		use.Method, use.Cur, use.Call = method, call, call.Node().(*ast.CallExpr)
		use.Stmt = statement(call)
		if why, hint := p.pointless(v, use); why != "" {
			_, refusal := refuse(plan.Position, "%s", why)
			refusal.Hint = hint
			return nil, refusal
		}
		outerCall := outOfParens(call)
		switch outerCall.ParentEdgeKind() {
		case edge.ExprStmt_X:
			use.Alone = true
			if outerCall != call {
				return refuse(plan.Position, "has %s called in parentheses", sel.Sel.Name)
			}
		case edge.DeferStmt_Call:
			return refuse(plan.DeferThenChange, "has %s deferred", sel.Sel.Name)
		case edge.GoStmt_Call:
			return refuse(plan.GoroutineCapture, "has %s started by go", sel.Sel.Name)
		}
		if method.Role == oldapi.Get && method.Kind == oldapi.Table {
			use.Kind, use.Write = headersUse(p, outerCall)
		}
		if method.Role == oldapi.SetPersistent && !p.isConstant(use.Call.Args[0]) && !isListed(outermostLabel(use.Stmt)) {
			return refuse(plan.Position, "has %s called with a condition where no if statement fits", sel.Sel.Name)
		}
		return use, nil

	case edge.CallExpr_Args:
		call := parent.Node().(*ast.CallExpr)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			if site := p.siteOf(parent, sel); site != nil && index == oldapi.Properties {
				if r := site; r.Category != "" {
					return nil, &Refusal{Category: r.Category, Why: r.Why, At: call, Note: "published here"}
				}
				use.Kind, use.Cur, use.Call, use.Stmt = UsePublish, parent, call, statement(parent)
				return use, nil
			}
		}
		return refuse(p.passed(call, index))

	case edge.AssignStmt_Lhs, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return refuse(plan.Reassigned, "is assigned again")

	case edge.AssignStmt_Rhs:
		assign := parent.Node().(*ast.AssignStmt)
		switch lhs := ast.Unparen(assign.Lhs[index]).(type) {
		case *ast.Ident:
			if lhs.Name == "_" {
				use.Kind, use.Stmt = UseBlank, parent
				return use, nil
			}
			if obj := p.Info.ObjectOf(lhs); obj != nil && obj.Parent() != p.Types.Scope() && isProperties(obj.Type()) {
				return refuse(plan.Aliased, "is copied to %s", lhs.Name)
			}
			return refuse(plan.Stored, "is stored in %s", lhs.Name)
		default:
			return refuse(plan.Stored, "is stored in %s", Short(lhs))
		}

	case edge.ValueSpec_Values:
		spec := parent.Node().(*ast.ValueSpec)
		if name := spec.Names[index]; name.Name == "_" && spec.Type == nil {
			use.Kind, use.Stmt = UseBlank, declStmt(parent)
			return use, nil
		}
		return refuse(plan.Aliased, "is copied to %s", spec.Names[index].Name)

	case edge.UnaryExpr_X:
		if parent.Node().(*ast.UnaryExpr).Op == token.AND {
			return refuse(plan.AddressTaken, "has its address taken")
		}
	case edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.SwitchStmt_Tag, edge.CaseClause_List:
		return refuse(plan.Compared, "is compared")
	case edge.ReturnStmt_Results:
		return refuse(p.flows(function(parent)), "is returned")
	case edge.SendStmt_Value:
		return refuse(plan.Stored, "is sent on a channel")
	case edge.CompositeLit_Elts, edge.KeyValueExpr_Value, edge.KeyValueExpr_Key, edge.IndexExpr_Index:
		return refuse(plan.Stored, "is stored in a composite value")
	case edge.TypeAssertExpr_X:
		return refuse(plan.Reflection, "is asked for its dynamic type")
	}
	return refuse(plan.Escapes, "is used as a value")
}

// siteOf returns the refusal of the publish call that cur is, an empty one when
// the call can be rewritten, nil when it is no publish. It leaves the
// properties argument out, which is what is being proven.
func (p *Package) siteOf(cur inspector.Cursor, sel *ast.SelectorExpr) *Refusal {
	if sel.Sel.Name != oldapi.PublishMethod {
		return nil
	}
	selection := p.Info.Selections[sel]
	if selection == nil {
		return nil
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok || selection.Kind() != types.MethodVal || !isOld(fn) && !types.Identical(fn.Type(), p.publish) {
		return nil
	}
	if r := receiverRefusal(selection, "publish"); r != nil {
		return r
	}
	if r := p.mandatoryMoves(cur.Node().(*ast.CallExpr)); r != nil {
		return r
	}
	return new(Refusal)
}

// passed says where the argument goes that is not published.
func (p *Package) passed(call *ast.CallExpr, index int) (category, format string, name any) {
	if p.Info.Types[call.Fun].IsType() {
		return plan.Escapes, "is converted to %s", Short(call.Fun)
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, ok := p.Info.Uses[id].(*types.Builtin); ok {
			return plan.Stored, "is stored by %s", id.Name
		}
	}
	fn := p.callee(call)
	switch {
	case fn == nil:
		return plan.Escapes, "is passed to %s", Short(call.Fun)
	case fn.Pkg() != nil && fn.Pkg().Path() == "reflect":
		return plan.Reflection, "is passed to reflect.%s", fn.Name()
	}
	params := fn.Signature().Params()
	if !isOld(fn) && visible(fn) && index < params.Len() && isProperties(params.At(index).Type()) {
		return plan.ExportedSignature, "is passed to %s, which other modules may call", Short(call.Fun)
	}
	return plan.Escapes, "is passed to %s", Short(call.Fun)
}

// headersUse classifies a call of Headers.
func headersUse(p *Package, call inspector.Cursor) (UseKind, *ast.AssignStmt) {
	parent := call.Parent()
	switch kind, index := call.ParentEdge(); kind {
	case edge.ExprStmt_X, edge.RangeStmt_X:
		return UseHeadersRead, nil
	case edge.IndexExpr_X:
		indexed := outOfParens(parent)
		switch indexed.ParentEdgeKind() {
		case edge.AssignStmt_Lhs:
			assign := indexed.Parent().Node().(*ast.AssignStmt)
			return UseHeadersWrite, assign
		case edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return UseHeadersKeep, nil
		}
		return UseHeadersRead, nil
	case edge.CallExpr_Args:
		if id, ok := ast.Unparen(parent.Node().(*ast.CallExpr).Fun).(*ast.Ident); ok && index == 0 {
			if b, ok := p.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "delete" || b.Name() == "clear") {
				switch outOfParens(parent).ParentEdgeKind() {
				case edge.DeferStmt_Call, edge.GoStmt_Call:
					return UseHeadersKeep, nil // by then the table may have entries
				}
				return UseHeadersRead, nil
			}
		}
	case edge.AssignStmt_Rhs:
		assign := parent.Node().(*ast.AssignStmt)
		if id, ok := assign.Lhs[index].(*ast.Ident); ok && id.Name == "_" {
			return UseHeadersRead, nil
		}
	}
	return UseHeadersKeep, nil
}

// isConstant reports whether e is a constant that can be left out: its value is the
// same in all builds, and no variable is declared for it alone, as for len(array).
func (p *Package) isConstant(e ast.Expr) bool { return p.Constant(e) != nil }

// Constant returns the value of e, nil if it is not constant, may be another one in
// another build, or mentions a local variable.
func (p *Package) Constant(e ast.Expr) constant.Value {
	value := p.Info.Types[e].Value
	if value == nil || !p.portable(e) {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := p.Info.Uses[id].(*types.Var); ok && isLocal(v) {
				value = nil
			}
		}
		return value != nil
	})
	return value
}

// statement returns the smallest statement around cur.
func statement(cur inspector.Cursor) inspector.Cursor {
	for cur.Valid() && cur.Node() != nil {
		if _, ok := cur.Node().(ast.Stmt); ok {
			return cur
		}
		cur = cur.Parent()
	}
	return inspector.Cursor{}
}

// outermostLabel returns the labelled statement that stmt is labelled by, or
// stmt itself.
func outermostLabel(stmt inspector.Cursor) inspector.Cursor {
	for stmt.Valid() && stmt.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		stmt = stmt.Parent()
	}
	return stmt
}

// Def returns the identifier that declares the variable.
func (v *Value) Def() *ast.Ident { return v.def }
