package driver

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"path/filepath"
	"slices"
)

// A LoopVar is a variable that a for or range clause declares and that may
// outlive its iteration. Up to Go 1.21 all iterations of the loop share it, from
// Go 1.22 on each has its own: what holds on to it then sees another value.
type LoopVar struct {
	Name string
	Pos  token.Position // of its declaration, as on disk before the run
	Use  token.Position // the first place that may hold on to it
	Why  string         // what that does: Captured, AddressTaken or MethodCalled
}

// Values of LoopVar.Why.
const (
	Captured     = "captured by a closure"
	AddressTaken = "its address is taken"
	MethodCalled = "its address goes to a method"
)

// perIteration is the language version from which on each iteration has
// variables of its own.
const perIteration = "go1.22"

// changedLoops returns the variables of loops below the directory of a main
// module that change meaning when its language version goes from one to the
// other, by position. All files count that some build of the module may have,
// so not those in testdata and vendor.
func (r *run) changedLoops(dir, from, to string) ([]LoopVar, error) {
	if version.Compare(from, perIteration) >= 0 || version.Compare(to, perIteration) < 0 {
		return nil, nil
	}
	found := make(map[string][]loopVar) // by file
	unsure := make(map[string]bool)     // directories
	for _, name := range goFilesBelow(dir, nil) {
		if r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
		src, err := r.sources.read(name)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.AllErrors)
		if file == nil {
			return nil, err
		}
		if version.Compare(fileVersion(fset, file, from), perIteration) >= 0 || version.Compare(fileVersion(fset, file, to), perIteration) < 0 {
			continue
		}
		if vars := loopVars(fset, file, typesOfFile(fset, file)); len(vars) > 0 {
			found[name] = vars
			if slices.ContainsFunc(vars, func(v loopVar) bool { return v.doubt > sure }) {
				unsure[filepath.Dir(name)] = true
			}
		}
	}
	if len(unsure) > 0 {
		if err := r.lookCloser(found, sortedKeys(unsure)); err != nil {
			return nil, err
		}
	}
	var all []LoopVar
	for _, name := range sortedKeys(found) {
		for _, v := range found[name] {
			if v.doubt < hardly {
				all = append(all, v.LoopVar)
			}
		}
	}
	slices.SortFunc(all, func(a, b LoopVar) int { return comparePositions(a.Pos, b.Pos) })
	return all, nil
}

// lookCloser replaces what is known of the files in directories by what
// type-checking their packages tells. A file that no package has in the default
// configuration, or whose package does not load, keeps its doubtful variables.
func (r *run) lookCloser(found map[string][]loopVar, dirs []string) error {
	b := r.base
	b.tests = true
	w, _, err := newWorld(r.ctx, b, r.sources, dirs)
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	if err != nil {
		return nil
	}
	done := make(map[string]bool)
	for _, id := range sortedKeys(w.meta) {
		m := w.meta[id]
		if !inMain(m) || isTestMain(m) || !slices.Contains(dirs, m.Dir) {
			continue
		}
		c := w.disk.check(id)
		for _, file := range c.files {
			name := w.fset.PositionFor(file.FileStart, false).Filename
			if _, ok := found[name]; ok && !done[name] {
				done[name] = true
				found[name] = loopVars(w.fset, file, c.info)
			}
		}
	}
	return nil
}

// fileVersion returns the language version of a file in a module of version
// module: a build constraint of the file may set another.
func fileVersion(fset *token.FileSet, file *ast.File, module string) string {
	clause := &ast.File{Package: file.Package, Name: file.Name, FileStart: file.FileStart, FileEnd: file.FileEnd, GoVersion: file.GoVersion}
	info := &types.Info{FileVersions: make(map[*ast.File]string)}
	conf := types.Config{GoVersion: module, Error: func(error) {}}
	_, _ = conf.Check("p", fset, []*ast.File{clause}, info) // a version too new is an error, and recorded
	return cmp.Or(info.FileVersions[clause], module)
}

// typesOfFile returns what a file by itself tells of its types. Which variable a
// name in a function means is right; what comes from elsewhere has no type.
func typesOfFile(fset *token.FileSet, file *ast.File) *types.Info {
	info := &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue),
		Defs:       make(map[*ast.Ident]types.Object),
		Uses:       make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	conf := types.Config{
		FakeImportC: true,
		Importer:    importerFunc(func(path string) (*types.Package, error) { return nil, errors.New("not loaded") }),
		Error:       func(error) {},
	}
	_, _ = conf.Check(file.Name.Name, fset, []*ast.File{file}, info)
	return info
}

// A doubt is how sure it is that something holds on to a variable.
type doubt int

const (
	sure   doubt = iota
	likely       // a method is called, and its receiver is not known
	hardly       // something is selected, most probably a field
)

type loopVar struct {
	LoopVar
	doubt doubt
}

// loopVars returns the loop variables of a file that may outlive an iteration.
func loopVars(fset *token.FileSet, file *ast.File, info *types.Info) []loopVar {
	s := &loopScan{fset: fset, info: info, declared: make(map[types.Object]int), found: make(map[types.Object]loopVar)}
	ast.Walk(visitor{s, 0}, file)
	return slices.SortedFunc(maps.Values(s.found), func(a, b loopVar) int { return comparePositions(a.Pos, b.Pos) })
}

type loopScan struct {
	fset     *token.FileSet
	info     *types.Info
	declared map[types.Object]int // depth of the function that has the loop
	found    map[types.Object]loopVar
}

// A visitor walks a function. Its depth counts the functions around it that may
// run later than where they stand.
type visitor struct {
	s     *loopScan
	depth int
}

func (v visitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
			v.declare(init.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			v.declare(n.Key, n.Value)
		}
	case *ast.GoStmt:
		return v.call(n.Call, visitor{v.s, v.depth + 1})
	case *ast.DeferStmt:
		return v.call(n.Call, visitor{v.s, v.depth + 1})
	case *ast.CallExpr:
		return v.call(n, v)
	case *ast.FuncLit:
		return visitor{v.s, v.depth + 1}
	case *ast.Ident:
		if depth, ok := v.s.declared[v.s.info.Uses[n]]; ok && v.depth > depth {
			v.s.note(n, n, Captured, sure)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			v.s.inside(n, n.X, AddressTaken, sure)
		}
	case *ast.SliceExpr:
		v.s.element(n, n.X, AddressTaken, sure)
	case *ast.SelectorExpr:
		v.s.method(n, hardly)
	}
	return v
}

// call walks a call. The body of a function literal that is called where it
// stands is walked by body: it runs at once, but for those of go and defer.
func (v visitor) call(call *ast.CallExpr, body visitor) ast.Visitor {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		ast.Walk(body, fun.Body)
	case *ast.SelectorExpr:
		v.s.method(fun, likely)
		ast.Walk(v, fun)
	default:
		ast.Walk(v, fun)
	}
	for _, arg := range call.Args {
		ast.Walk(v, arg)
	}
	return nil
}

func (v visitor) declare(vars ...ast.Expr) {
	for _, e := range vars {
		if id, ok := e.(*ast.Ident); ok && v.s.info.Defs[id] != nil {
			v.s.declared[v.s.info.Defs[id]] = v.depth
		}
	}
}

// note notes what is done with a loop variable: of several uses the surest.
func (s *loopScan) note(use ast.Node, id *ast.Ident, why string, d doubt) {
	obj := s.info.Uses[id]
	if _, ok := s.declared[obj]; !ok {
		return
	}
	if known, ok := s.found[obj]; ok && known.doubt <= d {
		return
	}
	// Lines are those of the file itself, whatever its //line comments say.
	s.found[obj] = loopVar{LoopVar{
		Name: id.Name, Why: why,
		Pos: s.fset.PositionFor(obj.Pos(), false), Use: s.fset.PositionFor(use.Pos(), false),
	}, d}
}

// inside notes that the address of x is taken, if x is a variable or a part of
// one that lies in it.
func (s *loopScan) inside(use ast.Node, x ast.Expr, why string, d doubt) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		s.note(use, x, why, d)
	case *ast.SelectorExpr:
		sel := s.info.Selections[x]
		switch {
		case sel == nil:
			s.inside(use, x.X, why, max(d, likely))
		case sel.Kind() == types.FieldVal && !sel.Indirect():
			s.inside(use, x.X, why, d)
		}
	case *ast.IndexExpr:
		s.element(use, x.X, why, d)
	}
}

// element notes that the address of an element of x is taken, which lies in x
// where that is an array.
func (s *loopScan) element(use ast.Node, x ast.Expr, why string, d doubt) {
	t := s.info.TypeOf(x)
	if t == nil || t == types.Typ[types.Invalid] {
		s.inside(use, x, why, max(d, likely))
		return
	}
	if _, ok := t.Underlying().(*types.Array); ok {
		s.inside(use, x, why, d)
	}
}

// method notes that a method gets the address of what it is called on. ifUnknown
// is the doubt where it is not known what is selected.
func (s *loopScan) method(x *ast.SelectorExpr, ifUnknown doubt) {
	sel := s.info.Selections[x]
	if sel == nil {
		s.inside(x, x.X, MethodCalled, ifUnknown)
		return
	}
	fn, ok := sel.Obj().(*types.Func)
	if !ok || sel.Kind() != types.MethodVal || sel.Indirect() {
		return
	}
	if _, ok := fn.Signature().Recv().Type().Underlying().(*types.Pointer); ok {
		s.inside(x, x.X, MethodCalled, sure)
	}
}
