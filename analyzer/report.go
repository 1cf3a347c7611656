package analyzer

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// report adds the file to the result and reports its diagnostics.
func (f *fileAnalysis) report(result *plan.Result) {
	if len(f.sites) > 0 {
		f.reportSites(result)
	}
	f.ignores.report(f.pass, f.file, result)
}

func (f *fileAnalysis) reportSites(result *plan.Result) {
	units := make(map[*unit]*plan.Unit)
	for _, u := range f.units {
		if u.into == nil {
			p := f.r.planned(u)
			units[u] = &p
		}
	}
	for _, s := range f.sites {
		f.describe(s)
		if s.refusal == nil {
			unit := units[s.unit.find()]
			unit.Sites = append(unit.Sites, fmt.Sprintf("%s:%d", s.plan.Pos.Filename, s.plan.Pos.Offset))
		}
		result.Sites = append(result.Sites, s.plan)
	}
	var all []plan.Unit
	for _, u := range f.units {
		if p := units[u]; p != nil {
			all = append(all, *p)
		}
	}
	result.Units = append(result.Units, all...)
	f.diagnose(all)
}

// reportWith reports a diagnostic that has a category. Its message ends in the
// word, since go vet prints nothing else of a diagnostic.
func reportWith(pass *analysis.Pass, category string, d analysis.Diagnostic) {
	d.Category = category
	d.Message += " (" + category + ")"
	d.URL = CategoryURL(category)
	pass.Report(d)
}

// describe fills in the plan's site.
func (f *fileAnalysis) describe(s *site) {
	node := s.Cur.Node()
	// What cgo made of a file says by line comments where it comes from. That
	// is no basis for edits, but for a report.
	adjusted := s.refusal != nil && s.refusal.Category == plan.CgoFile
	s.plan = plan.Site{
		Pos:  f.pass.Fset.PositionFor(node.Pos(), adjusted),
		End:  f.pass.Fset.PositionFor(node.End(), adjusted),
		Func: f.ids.enclosing(s.Cur),
	}
	if s.refusal != nil {
		s.plan.Tier = plan.Left
		s.plan.Category = s.refusal.Category
		s.plan.Message = fmt.Sprintf("%s is left: %s; %s", oldapi.PublishMethod, s.refusal.Why, hintOf(s.refusal))
		if at := s.refusal.At; at != nil {
			if pos := f.pass.Fset.PositionFor(at.Pos(), false); pos.IsValid() {
				s.plan.Related = []plan.Related{{Pos: pos, Message: s.refusal.Note}}
			}
		}
		return
	}
	s.plan.Tier = plan.Fold
	with := ""
	switch s.Arg.Kind {
	case flow.ArgStruct:
		s.plan.Tier = plan.Value
	case flow.ArgValue:
		name := s.Arg.Value.Var.Name()
		with = fmt.Sprintf(", %s being a literal", name)
		if !s.Arg.Value.Folds() {
			s.plan.Tier = plan.Value
			with = fmt.Sprintf(", %s being a struct whose fields are assigned", name)
		}
	}
	s.plan.Unit = s.unit.find().id
	s.plan.Message = "use " + f.newCall(s) + with
}

// hintOf returns what to do about a refusal.
func hintOf(r *flow.Refusal) string {
	if r.Hint != "" {
		return r.Hint
	}
	return categoryOf(r.Category).Hint
}

// newCall returns the new call in short.
func (f *fileAnalysis) newCall(s *site) string {
	qualified := func(path, name string) string { return f.r.names.qualified(path, name, s.Call.Pos()) }
	ctx := f.r.ctxVar(s.Cur)
	if ctx == "" {
		ctx = qualified("context", "Background") + "()"
	}
	args := []string{ctx, flow.Short(s.Receiver())}
	for i, arg := range s.Call.Args {
		switch {
		case i == oldapi.Mandatory:
		case i != oldapi.Properties || s.Arg.Kind == flow.ArgValue:
			args = append(args, flow.Short(arg))
		case s.Arg.Kind == flow.ArgStruct:
			args = append(args, flow.Short(s.Arg.Call.Args[0]))
		default:
			args = append(args, qualified(oldapi.NewAPI, oldapi.NewProperties)+"{}")
		}
	}
	switch value := f.flow.Constant(s.Call.Args[oldapi.Mandatory]); {
	case value == nil:
		args = append(args, qualified(oldapi.NewAPI, oldapi.NewFlagsIf)+"(…)")
	case value.String() == "true":
		args = append(args, qualified(oldapi.NewAPI, oldapi.NewMandatory))
	}
	return qualified(oldapi.NewAPI, oldapi.NewPublish) + "(" + strings.Join(args, ", ") + ")"
}

// diagnose reports every site. Fixes are attached as the -fixes flag says, and
// only in a file that imports the old or the new API: in any other the fix
// would add a dependency that a one-package driver cannot vouch for.
func (f *fileAnalysis) diagnose(units []plan.Unit) {
	fixable := f.r.imports(oldapi.Compat, oldapi.NewAPI)
	fixed := make(map[string]bool)
	for _, s := range f.sites {
		if s.plan.Category == plan.Ignored {
			continue
		}
		d := analysis.Diagnostic{
			Pos:     s.Cur.Node().Pos(),
			End:     s.Cur.Node().End(),
			Message: s.plan.Message,
		}
		if s.refusal != nil {
			if at := s.refusal.At; at != nil && at.Pos().IsValid() {
				d.Related = []analysis.RelatedInformation{{Pos: at.Pos(), Message: s.refusal.Note}}
			}
			reportWith(f.pass, s.plan.Category, d)
			continue
		}
		key, included := "", units
		if f.flags.fixes.value == fixesUnit {
			key = s.plan.Unit
			included = nil
			for _, u := range units {
				if u.ID == key {
					included = append(included, u)
				}
			}
		}
		switch {
		case f.flags.fixes.value == fixesNone:
		case !fixable:
			d.Message += "; amqpfix -fix does it"
		case !fixed[key]:
			fixed[key] = true
			if fix, ok := f.r.fix("Publish struct properties", included); ok {
				d.SuggestedFixes = []analysis.SuggestedFix{fix}
			}
		}
		f.pass.Report(d)
	}
}

// imports reports whether the file imports one of the packages.
func (r *rewriter) imports(paths ...string) bool {
	return slices.ContainsFunc(r.names.imports, func(imp *types.PkgName) bool {
		return slices.Contains(paths, imp.Imported().Path())
	})
}

// fix returns the units as one fix, imports included.
func (r *rewriter) fix(message string, units []plan.Unit) (analysis.SuggestedFix, bool) {
	var (
		edits   []plan.Edit
		imports []plan.Import
		uses    []plan.Use
	)
	for _, u := range units {
		edits = append(edits, u.Edits...)
		imports = append(imports, u.Imports...)
		uses = append(uses, u.Uses...)
	}
	after, err := edit.Apply(r.name, r.src, edits, imports, uses)
	if err != nil {
		return analysis.SuggestedFix{}, false
	}
	fix := analysis.SuggestedFix{Message: message}
	for _, e := range udiff.Bytes(r.src, after) {
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{
			Pos:     r.tok.Pos(e.Start),
			End:     r.tok.Pos(e.End),
			NewText: []byte(e.New),
		})
	}
	return fix, len(fix.TextEdits) > 0
}
