package analyzer

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// BasicProperties finds publishes of the old API and rewrites those whose
// properties it can prove to be a plain value. Its result is a *plan.Result;
// its suggested fixes hold the same edits for drivers that know no plans.
var BasicProperties = newBasicProperties(Options{})

const ruleBasicProperties = "basicproperties"

func newBasicProperties(o Options) *analysis.Analyzer {
	flags := newFlags(o)
	a := &analysis.Analyzer{
		Name:       ruleBasicProperties,
		Doc:        docOf(ruleBasicProperties),
		URL:        "https://pkg.go.dev/github.com/amqpfix/amqpfix/analyzer#hdr-Analyzer_basicproperties",
		Requires:   []*analysis.Analyzer{inspect.Analyzer},
		ResultType: reflect.TypeFor[*plan.Result](),
		Run:        func(pass *analysis.Pass) (any, error) { return basicProperties(pass, flags) },
	}
	flags.register(a)
	return a
}

// The basicproperties pass rewrites, from best to last resort:
//
//	props := ch.CreateBasicProperties()                  props := newapi.BasicProperties{Priority: 5}
//	props.SetPriority(5)                            =>
//	err := ch.BasicPublish(ex, key, false, props, b)     err := newapi.BasicPublish(ctx, ch, ex, key, props, b)
//
//	if urgent { props.SetPriority(9) }              =>   if urgent { props.Priority = 9 }
//	props.SetPersistent(true)                       =>   props.DeliveryMode = newapi.Persistent
//	props.SetReplyToAddress(a)                      =>   props.ReplyTo = a.String()
//	props.ClearExpiration()                         =>   props.Expiration = ""
//	props.IsPriorityPresent()                       =>   props.Priority != 0
//	props.Headers()["k"] = v                        =>   props.Headers["k"] = v
//
//	ch.BasicPublish(ex, key, true, nil, b)          =>   newapi.BasicPublish(ctx, ch, ex, key, newapi.BasicProperties{}, b, newapi.Mandatory)
//	ch.BasicPublish(ex, key, m, FromStruct(s), b)   =>   newapi.BasicPublish(ctx, ch, ex, key, s, b, newapi.FlagsIf(m, false))
//
// It is safe because it only touches a local variable that is made by
// CreateBasicProperties, assigned once, and used as nothing but the receiver of
// its methods and the argument of a publish: such a variable is the only name
// of its object, so the object can live in the variable. Package flow argues
// that in full, and what it takes for evaluation order, closures, deferred
// publishes and nil headers.
//
// All publishes of one variable are rewritten together or not at all. Sites
// that are left carry a category of the closed list, with the place that is the
// reason.
//
// Deliberately not done: publishes through interfaces, whose implementations
// are elsewhere, and properties that flow between functions; both need the
// whole module in view.
func basicProperties(pass *analysis.Pass, flags *flags) (any, error) {
	result := new(plan.Result)
	if slices.Contains(oldapi.ImportPaths(), strings.TrimSuffix(pass.Pkg.Path(), "_test")) {
		return result, nil // an old API itself
	}
	inspect := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	pkg := flow.New(pass.Fset, pass.Pkg, pass.TypesInfo, inspect.Root())
	if pkg == nil {
		reportIgnores(pass, ruleBasicProperties, result)
		return result, nil
	}
	ids := newIDs(pass, func(name string) bool { return name == oldapi.PublishMethod })
	others := &otherFiles{pass: pass}
	for file := range inspect.Root().Preorder((*ast.File)(nil)) {
		f, err := newFile(pass, flags, pkg, ids, others, file)
		if err != nil {
			return nil, err
		}
		f.analyse()
		f.report(result)
	}
	return result, nil
}

// A site is a publish with what became of it.
type site struct {
	*flow.Site
	plan    plan.Site
	refusal *flow.Refusal
	unit    *unit
}

// A fileAnalysis is the analysis of one file.
type fileAnalysis struct {
	pass    *analysis.Pass
	flags   *flags
	flow    *flow.Package
	ids     *ids
	others  *otherFiles
	file    *ast.File
	sites   []*site
	ignores *ignores
	src     []byte
	r       *rewriter
	units   []*unit
}

func newFile(pass *analysis.Pass, flags *flags, pkg *flow.Package, ids *ids, others *otherFiles, cur inspector.Cursor) (*fileAnalysis, error) {
	f := &fileAnalysis{pass: pass, flags: flags, flow: pkg, ids: ids, others: others, file: cur.Node().(*ast.File)}
	for s := range pkg.Sites(cur) {
		f.sites = append(f.sites, &site{Site: s})
	}
	f.ignores = directives(pass.Fset, f.file, ruleBasicProperties)
	if len(f.sites) == 0 {
		return f, nil
	}
	slices.SortStableFunc(f.sites, func(a, b *site) int { return cmp.Compare(a.Cur.Node().Pos(), b.Cur.Node().Pos()) })

	name := pass.Fset.File(f.file.FileStart).Name()
	src, err := pass.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if want := pass.Fset.File(f.file.FileStart).Size(); len(src) != want {
		return nil, fmt.Errorf("%s has %d bytes but had %d when it was parsed", name, len(src), want)
	}
	f.src = src
	return f, nil
}

// analyse decides every site and makes the edits.
func (f *fileAnalysis) analyse() {
	if len(f.sites) == 0 {
		return
	}
	whole := untouchable(f.pass, f.file)
	for _, s := range f.sites {
		switch {
		case whole != nil:
			s.refusal = whole
		case f.ignored(s):
			s.refusal = &flow.Refusal{Category: plan.Ignored, Why: "an //amqpfix:ignore directive says so"}
		case s.Refusal != nil:
			s.refusal = s.Refusal
		case s.Arg.Value != nil && s.Arg.Value.Refusal != nil:
			s.refusal = s.Arg.Value.Refusal
		}
	}
	for {
		f.spread()
		if !f.edit() {
			return
		}
	}
}

// untouchable says why nothing in the file can be rewritten, or returns nil.
func untouchable(pass *analysis.Pass, file *ast.File) *flow.Refusal {
	name := pass.Fset.File(file.FileStart).Name()
	if isCgo(file, name) {
		return &flow.Refusal{Category: plan.CgoFile, Why: "the file uses cgo"}
	}
	if ast.IsGenerated(file) {
		return &flow.Refusal{Category: plan.GeneratedFile, Why: "the file is generated"}
	}
	return nil
}

// isCgo reports whether the file imports "C", or is what cgo made of one that
// does.
func isCgo(file *ast.File, name string) bool {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return strings.HasSuffix(name, ".cgo1.go") || strings.HasSuffix(name, "_cgo_gotypes.go") ||
		ast.IsGenerated(file) && len(file.Comments) > 0 && strings.Contains(file.Comments[0].Text(), "by cmd/cgo;")
}

// ignored reports whether directives are at the site or at statements of its
// variable.
func (f *fileAnalysis) ignored(s *site) bool {
	ignored := f.ignores.covers(s.Cur.Node())
	v := s.Arg.Value
	if v == nil {
		return ignored
	}
	if v.Refusal == nil {
		ignored = f.ignores.covers(v.Decl.Node()) || ignored
		for _, u := range v.Uses {
			ignored = f.ignores.covers(u.Cur.Node()) || ignored
		}
		return ignored
	}
	for _, cur := range f.flow.Mentions(v.Var) {
		if id := cur.Node(); f.file.FileStart <= id.Pos() && id.Pos() < f.file.FileEnd {
			ignored = f.ignores.covers(id) || ignored
		}
	}
	return ignored
}

// spread leaves every publish of a variable that has one which is left.
func (f *fileAnalysis) spread() {
	left := make(map[*flow.Value]*site)
	for _, s := range f.sites {
		if v := s.Arg.Value; v != nil && s.refusal != nil && left[v] == nil {
			left[v] = s
		}
	}
	for _, s := range f.sites {
		if other := left[s.Arg.Value]; s.Arg.Value != nil && other != nil && s.refusal == nil {
			s.refusal = &flow.Refusal{
				Category: other.refusal.Category,
				Why:      fmt.Sprintf("another publish of %s is left, because %s", s.Arg.Value.Var.Name(), other.refusal.Why),
				At:       other.Cur.Node(),
				Note:     "the other publish",
			}
		}
	}
}

// edit makes the edits of all sites that are not left. It reports whether one
// more has to be left, so that it must be called again.
func (f *fileAnalysis) edit() (again bool) {
	f.r = &rewriter{
		pass:  f.pass,
		flow:  f.flow,
		names: newNames(f.pass, f.file, f.others),
		file:  f.file,
		tok:   f.pass.Fset.File(f.file.FileStart),
		name:  f.pass.Fset.File(f.file.FileStart).Name(),
		src:   f.src,
		ctx:   f.flags.ctx.value,
	}
	f.units = nil
	lists := make(map[*flow.Value]*editList)
	for _, s := range f.sites {
		if s.refusal != nil {
			continue
		}
		list := lists[s.Arg.Value]
		if s.Arg.Value == nil || list == nil {
			list = f.newList(s)
			if v := s.Arg.Value; v != nil {
				lists[v] = list
				if s.refusal = list.variable(v); s.refusal != nil {
					return true
				}
			}
		}
		s.unit = list.unit
		list.unit.sites = append(list.unit.sites, s)
		if s.refusal = list.publish(s.Site); s.refusal != nil {
			return true
		}
		f.r.edits = append(f.r.edits, list.list...)
		list.list = nil
	}
	if a, b := f.r.render(); a != nil {
		sites := append(slices.Clone(a.sites), b.sites...)
		for _, s := range sites {
			s.refusal = &flow.Refusal{
				Category: plan.Position,
				Why:      fmt.Sprintf("%s take the same place in the new text", subjects(sites)),
				Hint:     "put what one takes from another into a variable first",
			}
		}
		return true
	}
	return false
}

// subjects lists the variables that are published, or says that there is none.
func subjects(sites []*site) string {
	var names []string
	for _, s := range sites {
		if v := s.Arg.Value; v != nil && !slices.Contains(names, v.Var.Name()) {
			names = append(names, v.Var.Name())
		}
	}
	if len(names) < 2 {
		return "two publishes"
	}
	return strings.Join(names, " and ")
}

func (f *fileAnalysis) newList(s *site) *editList {
	u := &unit{id: f.ids.of(s), needs: make(map[reference]bool), dropped: make(map[*types.PkgName]int)}
	f.units = append(f.units, u)
	return &editList{r: f.r, at: s.Cur.Node().Pos(), unit: u}
}
