package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// ArgumentKind says what is published.
type ArgumentKind int

const (
	ArgNil    ArgumentKind = iota // nil: no properties
	ArgCreate                     // ch.CreateBasicProperties() in place: no properties
	ArgStruct                     // compat.FromStruct(s): the struct s
	ArgValue                      // a variable
)

// Argument is the properties argument of a publish.
type Argument struct {
	Kind    ArgumentKind
	Expr    ast.Expr
	Call    *ast.CallExpr // ArgCreate, ArgStruct
	Value   *Value        // ArgValue; its own Refusal is not repeated in Argument
	Refusal *Refusal
}

func (p *Package) argument(cur inspector.Cursor) Argument {
	expr := cur.Node().(ast.Expr)
	arg := Argument{Expr: expr}
	if p.isNil(expr) {
		arg.Kind = ArgNil
		return arg
	}
	if call, refusal := p.create(expr); call != nil {
		arg.Kind, arg.Call, arg.Refusal = ArgCreate, call, refusal
		if recv := receiverOf(call); refusal == nil && !p.droppable(recv) {
			arg.Refusal = &Refusal{
				Category: plan.OrderOfEffects,
				Why:      fmt.Sprintf("%s is evaluated within the arguments", Short(recv)),
			}
		}
		return arg
	}
	if call := p.fromStruct(expr); call != nil {
		arg.Kind, arg.Call = ArgStruct, call
		return arg
	}
	if id, ok := ast.Unparen(expr).(*ast.Ident); ok {
		if v, ok := p.Info.Uses[id].(*types.Var); ok {
			if !isProperties(v.Type()) {
				arg.Refusal = &Refusal{
					Category: plan.CreatedElsewhere,
					Why:      fmt.Sprintf("%s is a %s of your own", v.Name(), p.typeString(v.Type())),
					At:       objectNode{v},
					Note:     "declared",
				}
				return arg
			}
			arg.Kind, arg.Value = ArgValue, p.Value(v)
			return arg
		}
	}
	arg.Refusal = p.foreign(expr)
	return arg
}

func (p *Package) isNil(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && p.Info.Types[call.Fun].IsType() {
		return isProperties(p.Info.TypeOf(call.Fun)) && p.isNil(call.Args[0])
	}
	return p.Info.Types[e].IsNil()
}

// receiverOf returns x of the call x.Method(…).
func receiverOf(call *ast.CallExpr) ast.Expr {
	return ast.Unparen(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
}

// foreign says where a published expression comes from that is no variable.
func (p *Package) foreign(expr ast.Expr) *Refusal {
	what := Short(expr)
	switch e := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		v, ok := p.Info.Uses[e.Sel].(*types.Var)
		if !ok {
			break
		}
		if isOld(v) {
			return &Refusal{
				Category: plan.CreatedElsewhere,
				Why:      fmt.Sprintf("%s was received", what),
			}
		}
		return &Refusal{
			Category: plan.Stored,
			Why:      fmt.Sprintf("%s is stored in %s", what, storage(v)),
			At:       objectNode{v},
			Note:     "stored here",
		}
	case *ast.CallExpr:
		r := &Refusal{Category: plan.CreatedElsewhere, Why: fmt.Sprintf("the properties are made by %s", Short(e.Fun))}
		if fn := p.callee(e); fn != nil && !isOld(fn) {
			r.At, r.Note = objectNode{fn}, "made by this function"
		}
		return r
	case *ast.IndexExpr:
		return &Refusal{Category: plan.Stored, Why: fmt.Sprintf("the properties are kept in %s", Short(e.X))}
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return &Refusal{Category: plan.Stored, Why: fmt.Sprintf("the properties are received from %s", Short(e.X))}
		}
	case *ast.StarExpr:
		return &Refusal{Category: plan.AddressTaken, Why: fmt.Sprintf("the properties are reached through the pointer %s", Short(e.X))}
	}
	return &Refusal{Category: plan.CreatedElsewhere, Why: fmt.Sprintf("the properties are %s", what)}
}

func storage(v *types.Var) string {
	if v.IsField() {
		return "a field"
	}
	return "a package variable"
}

// callee returns the function or method that is called by name, if any.
func (p *Package) callee(call *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ := p.Info.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := p.Info.Uses[fun.Sel].(*types.Func)
		return fn
	case *ast.IndexExpr:
		if id, ok := fun.X.(*ast.Ident); ok {
			fn, _ := p.Info.Uses[id].(*types.Func)
			return fn
		}
	}
	return nil
}

// origin says why v is no variable that CreateBasicProperties makes, and
// returns the creating call and the declaration otherwise.
func (p *Package) origin(v *types.Var, m *mention) (decl inspector.Cursor, create *ast.CallExpr, refusal *Refusal) {
	name := v.Name()
	refuse := func(category, format string, args ...any) (inspector.Cursor, *ast.CallExpr, *Refusal) {
		return inspector.Cursor{}, nil, &Refusal{
			Category: category,
			Why:      name + " " + fmt.Sprintf(format, args...),
			At:       objectNode{v},
			Note:     "declared here",
		}
	}
	if v.Pkg() != p.Types || v.Parent() == p.Types.Scope() {
		return refuse(plan.Stored, "is a package variable")
	}
	if !m.def.Valid() {
		return refuse(plan.CreatedElsewhere, "is made by a type switch")
	}
	switch m.def.ParentEdgeKind() {
	case edge.Field_Names:
		return refuse(p.signature(m.def))
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		return refuse(plan.Stored, "comes out of %s", Short(m.def.Parent().Node().(*ast.RangeStmt).X))
	}

	var values []ast.Expr
	names := 1
	decl = m.def.Parent()
	switch n := decl.Node().(type) {
	case *ast.AssignStmt:
		values, names = n.Rhs, len(n.Lhs)
	case *ast.ValueSpec:
		values, names = n.Values, len(n.Names)
	}
	_, index := m.def.ParentEdge()
	switch {
	case len(values) == 0:
		return refuse(plan.Reassigned, "is declared without a value and assigned later")
	case len(values) != names:
		return refuse(plan.CreatedElsewhere, "comes out of %s", Short(values[0]))
	}
	value := values[index]
	create, refusal = p.create(value)
	if refusal != nil {
		return decl, nil, refusal
	}
	if create == nil {
		if id, ok := ast.Unparen(value).(*ast.Ident); ok && !p.isNil(id) {
			return refuse(plan.Aliased, "is a copy of %s", id.Name)
		}
		if p.isNil(value) {
			return refuse(plan.Reassigned, "is declared nil and assigned later")
		}
		r := p.foreign(value)
		r.Why = fmt.Sprintf("%s does not come from CreateBasicProperties: %s", name, r.Why)
		return decl, nil, r
	}
	return decl, create, nil
}

// signature says what parameter or result the identifier declares.
func (p *Package) signature(def inspector.Cursor) (category, format string, name any) {
	fn := function(def)
	list := def.Parent().Parent() // Ident, Field, FieldList
	if list.ParentEdgeKind() == edge.FuncType_Results {
		return p.flows(fn), "is a result of %s", funcName(fn)
	}
	if decl, ok := fn.Node().(*ast.FuncDecl); ok && decl.Recv != nil {
		if obj, ok := p.Info.Defs[decl.Name].(*types.Func); ok &&
			decl.Name.Name == oldapi.PublishMethod && types.Identical(obj.Type(), p.publish) {
			return plan.InterfaceImplementation, "is a parameter of %s, which has the old method's signature", funcName(fn)
		}
	}
	category = plan.Parameter
	if p.flows(fn) == plan.ExportedSignature {
		category = plan.ExportedSignature
	}
	return category, "is a parameter of %s", funcName(fn)
}

// flows returns the category of a value that goes through fn's signature.
func (p *Package) flows(fn inspector.Cursor) string {
	if decl, ok := fn.Node().(*ast.FuncDecl); ok {
		if obj, ok := p.Info.Defs[decl.Name].(*types.Func); ok && visible(obj) {
			return plan.ExportedSignature
		}
	}
	return plan.Escapes
}

// visible reports whether code outside fn's module may call it.
func visible(fn *types.Func) bool {
	pkg := fn.Pkg()
	if pkg == nil || pkg.Name() == "main" || strings.HasSuffix(pkg.Name(), "_test") || !fn.Exported() {
		return false
	}
	for elem := range strings.SplitSeq(pkg.Path(), "/") {
		if elem == "internal" {
			return false
		}
	}
	if recv := fn.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			return named.Obj().Exported()
		}
	}
	return true
}

func funcName(fn inspector.Cursor) string {
	if decl, ok := fn.Node().(*ast.FuncDecl); ok {
		return decl.Name.Name
	}
	return "a function literal"
}

func (p *Package) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(p.Types))
}
