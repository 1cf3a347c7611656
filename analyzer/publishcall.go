package analyzer

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// Publish finds the publishes on channels of amqp091-go, streadway/amqp and
// compat/amqp091, and rewrites those of the last to the generic publish. Its
// result is a *plan.Result; its suggested fixes hold the same edits.
var Publish = newPublish(Options{}, "")

const rulePublish = "publish"

// newPublish makes the analyzer, in a test without one of publishRules.
func newPublish(o Options, without string) *analysis.Analyzer {
	s := &settings{newFlags(o), without}
	a := &analysis.Analyzer{
		Name:       rulePublish,
		Doc:        docOf(rulePublish),
		URL:        "https://pkg.go.dev/github.com/amqpfix/amqpfix/analyzer#hdr-Analyzer_publish",
		Requires:   []*analysis.Analyzer{inspect.Analyzer},
		ResultType: reflect.TypeFor[*plan.Result](),
		Run:        func(pass *analysis.Pass) (any, error) { return publish(pass, s) },
	}
	s.flags.register(a)
	return a
}

// settings are the flags of an instance of the analyzer, and the rule that it
// has to do without.
type settings struct {
	*flags
	without string
}

// The publish pass rewrites
//
//	ch.Publish(ex, key, false, false, amqp.Publishing{Type: t, Body: b})  =>  newapi.BasicPublish(context.Background(), ch, ex, key, newapi.BasicProperties{Type: t}, b)
//	ch.PublishWithContext(ctx, ex, key, true, false, msg)                 =>  newapi.BasicPublish(ctx, ch, ex, key, amqp.Header(msg), msg.Body, newapi.Mandatory)
//	ch.PublishWithDeferredConfirm(ex, key, m, i, message())               =>  amqp.BasicPublishDeferred(context.Background(), ch, ex, key, message(), newapi.FlagsIf(m, i))
//
// It is safe because the channel's methods do the same: they encode the
// properties, and hand them over with the body and the flags. What could differ is
// the order in which the arguments are evaluated, and how often. Each form keeps
// both: the first takes a literal apart whose parts are evaluated where they were,
// but for the body, which may have moved behind them; the second names a variable
// twice; the third keeps the message in one piece. publishRules lists what decides.
//
// Calls on channels of amqp091-go and streadway/amqp are found too, and left: the
// shim goes first.
func publish(pass *analysis.Pass, s *settings) (any, error) {
	result := new(plan.Result)
	if ownCode(pass) {
		return result, nil
	}
	if !reaches(pass.Pkg, make(map[*types.Package]bool)) {
		reportIgnores(pass, rulePublish, result)
		return result, nil
	}
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	pkg := flow.Open(pass.Fset, pass.Pkg, pass.TypesInfo, root)
	ids := newIDs(pass, func(name string) bool {
		_, old := oldapi.Publishes[name]
		return old || name == oldapi.NewPublish || name == oldapi.NewPublishDeferred
	})
	others := &otherFiles{pass: pass}
	for file := range root.Preorder((*ast.File)(nil)) {
		f := &publishFile{pass: pass, flow: pkg, ids: ids, others: others, settings: s, file: file.Node().(*ast.File)}
		if err := f.analyse(file); err != nil {
			return nil, err
		}
		f.report(result)
	}
	return result, nil
}

// ownCode reports whether a package declares channels, or is of the module that
// has the new one: that does not migrate to itself, and its tests have clients of
// the old modules as peers.
func ownCode(pass *analysis.Pass) bool {
	return slices.Contains(oldapi.ImportPaths(), strings.TrimSuffix(pass.Pkg.Path(), "_test")) ||
		pass.Module != nil && pass.Module.Path == oldapi.NewModule
}

// reaches reports whether a package imports one with a channel, however
// indirectly.
func reaches(pkg *types.Package, seen map[*types.Package]bool) bool {
	for _, imp := range pkg.Imports() {
		if seen[imp] {
			continue
		}
		seen[imp] = true
		if _, old := oldapi.ModuleOf(imp.Path()); old || imp.Path() == oldapi.Compat091 || reaches(imp, seen) {
			return true
		}
	}
	return false
}

// A publishFile is the analysis of one file.
type publishFile struct {
	*settings
	pass    *analysis.Pass
	flow    *flow.Package
	ids     *ids
	others  *otherFiles
	file    *ast.File
	ignores *ignores
	calls   []*publishCall
	src     []byte
	names   *names
	r       *rewriter
	units   []*unit
}

// on reports whether a row of publishRules counts: in a test one may be left out.
func (f *publishFile) on(rule string) bool { return f.without != rule }

// analyse decides every call and makes the edits.
func (f *publishFile) analyse(cur inspector.Cursor) error {
	f.ignores = directives(f.pass.Fset, f.file, rulePublish)
	for c := range f.find(cur) {
		f.calls = append(f.calls, c)
	}
	if len(f.calls) == 0 {
		return nil
	}
	slices.SortStableFunc(f.calls, func(a, b *publishCall) int {
		return cmp.Compare(a.cur.Node().Pos(), b.cur.Node().Pos())
	})
	name := f.pass.Fset.File(f.file.FileStart).Name()
	var err error
	if f.src, err = f.pass.ReadFile(name); err != nil {
		return err
	}
	if want := f.pass.Fset.File(f.file.FileStart).Size(); len(f.src) != want {
		return fmt.Errorf("%s has %d bytes but had %d when it was parsed", name, len(f.src), want)
	}

	f.names = newNames(f.pass, f.file, f.others)
	whole := untouchable(f.pass, f.file)
	for _, c := range f.calls {
		switch {
		case whole != nil:
			c.refusal = whole
		case f.ignores.covers(c.cur.Node()):
			c.refusal = &flow.Refusal{Category: plan.Ignored, Why: "an //amqpfix:ignore directive says so"}
		case c.refusal != nil:
		case c.owner != oldapi.Compat091 && c.owner != "":
			c.refusal = f.oldChannel(c.owner)
		default:
			c.refusal = f.decide(c)
		}
	}
	for !f.edit() {
	}
	return nil
}

// oldChannel refuses a call on a channel of an old client. One that the file
// imports under a directive for the shim is to stay: its publishes are ignored
// with it.
func (f *publishFile) oldChannel(owner string) *flow.Refusal {
	imports := directives(f.pass.Fset, f.file, ruleShim)
	for _, spec := range f.file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path == owner && imports.covers(spec) {
			return &flow.Refusal{Category: plan.Ignored, Why: "an //amqpfix:ignore directive says so of the import of " + owner}
		}
	}
	return &flow.Refusal{Category: plan.OldChannel, Why: "the channel is that of " + owner}
}

// edit makes the edits of all calls that are not left. It reports whether there
// was room for all; else one more is left, and the others need new ones.
func (f *publishFile) edit() bool {
	f.names = newNames(f.pass, f.file, f.others)
	f.r = &rewriter{
		pass:  f.pass,
		flow:  f.flow,
		names: f.names,
		file:  f.file,
		tok:   f.pass.Fset.File(f.file.FileStart),
		name:  f.pass.Fset.File(f.file.FileStart).Name(),
		src:   f.src,
		ctx:   f.settings.ctx.value,
	}
	f.units = nil
	of := make(map[*unit]*publishCall)
	for _, c := range f.calls {
		if c.refusal != nil {
			continue
		}
		c.unit = &unit{id: f.ids.call(c.cur, c.sel), needs: make(map[reference]bool), dropped: make(map[*types.PkgName]int)}
		of[c.unit] = c
		f.units = append(f.units, c.unit)
		list := &editList{r: f.r, at: c.call.Pos(), unit: c.unit}
		if c.refusal = f.edits(list, c); c.refusal != nil {
			return false
		}
		f.r.edits = append(f.r.edits, list.list...)
	}
	if a, b := f.r.render(); a != nil {
		for _, c := range f.calls {
			if c.refusal == nil && (c.unit.find() == a || c.unit.find() == b) {
				c.refusal = &flow.Refusal{
					Category: plan.Position,
					Why:      "one publish is among the arguments of another, where it would move",
					Hint:     "put its result into a variable first",
				}
			}
		}
		return false
	}
	return true
}
