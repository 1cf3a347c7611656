package driver

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// moveImports is the shim step: it changes the imports of an old client in whole
// sets of files, as far as that can be proved.
func (r *run) moveImports() error {
	if r.tools.shim == nil || r.keepsImports() != "" {
		return nil
	}
	facts, err := r.facts()
	if err != nil {
		return err
	}
	reached, err := r.reachedByMain(facts)
	if err != nil {
		return err
	}
	sets := shim.Sets(facts, shim.Options{
		Main:     r.inMainModule,
		Exported: func(pkgPath string) bool { return r.opts.Exported || reached[pkgPath] },
	})
	units := make(map[*unit]shim.Set)
	var list []*unit
	for _, set := range sets {
		set.Files = slices.DeleteFunc(set.Files, func(f shim.File) bool { return len(r.importEdits(f)) == 0 })
		if len(set.Files) == 0 {
			continue
		}
		if why := r.setRefusal(set); why != nil {
			r.keep(set, *why)
			continue
		}
		u := plan.Unit{ID: "import " + set.Files[0].Name}
		for _, f := range set.Files {
			u.Edits = append(u.Edits, r.importEdits(f)...)
		}
		list = append(list, newUnit(u))
		units[list[len(list)-1]] = set
	}
	if len(list) == 0 {
		return nil
	}
	contexts, err := r.planContexts(facts)
	if err != nil {
		return err
	}
	s, err := r.settle(append(slices.Clone(list), contexts...))
	if lost := (*lostWorld)(nil); errors.As(err, &lost) {
		r.drop(lost.w)
		return r.moveImports()
	}
	if err != nil {
		return err
	}
	moved := false
	for _, u := range list {
		set := units[u]
		if f := s.failed[u]; f != nil {
			r.keep(set, shim.Block{Category: plan.RecheckFailed, Why: f.message(r.given), Pos: f.err.pos})
			continue
		}
		moved = true
		for _, f := range set.Files {
			for _, spec := range f.Specs {
				r.imports = append(r.imports, Import{
					Pos: spec.Pos, End: spec.End, From: spec.Module, To: r.target().path, Moved: true,
					Message: "import " + r.target().path + " instead of " + spec.Module,
				})
			}
		}
		for _, e := range set.Exports {
			r.exported = append(r.exported, Exported{Package: e.Package, Name: e.Name, Pos: e.Pos})
		}
	}
	if !moved {
		r.contexts = nil
		return nil // without new imports no requirement goes up
	}
	r.settleContexts(s)
	r.overlay = s.overlay
	return nil
}

// keepsImports returns the flag of the command whose value leaves the shim step out,
// "" where the step is made.
func (r *run) keepsImports() string {
	switch {
	case !slices.Contains(r.opts.Steps, StepShim):
		return "-steps"
	case r.tools.shim != nil && !slices.Contains(r.opts.Rules, r.tools.shim.Name):
		return "-rules"
	}
	return ""
}

// A newImport is what the shim step writes.
type newImport struct{ path, name string }

func (r *run) target() newImport {
	to := newImport{oldapi.Compat091, "amqp091"}
	if r.opts.To == ToUpstream {
		m, _ := oldapi.ModuleOf(oldapi.Upstream)
		to = newImport{m.Path, m.Name}
	}
	return to
}

func (r *run) importEdits(f shim.File) []plan.Edit {
	to := r.target()
	return f.Edits(to.path, to.name)
}

// facts runs the shim analyzer on all targets.
func (r *run) facts() ([]*shim.Facts, error) {
	var facts []*shim.Facts
	for _, w := range r.worlds {
		for i, id := range w.targets {
			r.opts.progress("analysing", i, len(w.targets))
			pass := &packagePass{s: w.disk, c: w.disk.check(id), results: make(map[*analysis.Analyzer]any)}
			result, err := pass.run(r.tools.shim)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", id, err)
			}
			f := result.(*shim.Facts)
			r.recordFindings(w.meta[id], &f.Directives)
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// inMainModule reports whether a package belongs to a module that is changed as a
// whole.
func (r *run) inMainModule(pkgPath string) bool {
	for _, w := range r.worlds {
		if w.paths[pkgPath] || w.paths[strings.TrimSuffix(pkgPath, "_test")] {
			return true
		}
	}
	return false
}

// reachedByMain returns the packages that a main package of the main modules, or
// its tests where they are looked at, imports, however indirectly. It looks only
// when a package has an export.
func (r *run) reachedByMain(facts []*shim.Facts) (map[string]bool, error) {
	reached := make(map[string]bool)
	if !slices.ContainsFunc(facts, func(f *shim.Facts) bool { return len(f.Exports) > 0 }) {
		return reached, nil
	}
	for _, w := range r.worlds {
		if w.proof {
			continue
		}
		mods, err := w.build.mainModules(r.ctx)
		if err != nil {
			return nil, err
		}
		var patterns []string
		for _, m := range mods {
			patterns = append(patterns, m+"/...")
		}
		roots, err := w.build.load(r.ctx, listMode, patterns...)
		if err != nil {
			return nil, err
		}
		// By ID: what a test variant imports besides counts as well.
		visited := make(map[string]bool)
		var visit func(p *packages.Package)
		visit = func(p *packages.Package) {
			if visited[p.ID] {
				return
			}
			visited[p.ID], reached[p.PkgPath] = true, true
			for _, dep := range p.Imports {
				if inMain(dep) {
					visit(dep)
				}
			}
		}
		for _, p := range roots {
			if (p.Name == "main" || p.Name == "main_test") && inMain(p) && !isTestMain(p) {
				visit(p)
			}
		}
	}
	return reached, nil
}

// setRefusal returns why a set stays, nil if it may move.
func (r *run) setRefusal(set shim.Set) *shim.Block {
	if set.Block != nil {
		return set.Block
	}
	for _, f := range set.Files {
		if why := r.refuseFile(f.Name); why != nil {
			return &shim.Block{Category: why.category, Why: why.message, Pos: f.Specs[0].Pos}
		}
	}
	return nil
}

// keep notes that a set stays, and why.
func (r *run) keep(set shim.Set, why shim.Block) {
	for _, f := range set.Files {
		if r.opts.excluded(f.Name) {
			continue
		}
		for _, spec := range f.Specs {
			imp := Import{
				Pos: spec.Pos, End: spec.End, From: spec.Module, To: r.target().path,
				Category: why.Category, URL: r.tools.url(why.Category),
				Message: fmt.Sprintf("import of %s is left%s: %s", spec.Module, r.with(f.Name, why), why.Why),
			}
			if why.Pos.IsValid() && why.Pos != spec.Pos {
				imp.Related = []Related{{why.Pos, "the reason"}}
			}
			r.imports = append(r.imports, imp)
		}
	}
	for _, name := range set.Near {
		r.stays[name] = why
	}
}

// stayed returns why the channel of a site is still the old one.
func (r *run) stayed(file string) (refusal, *Related) {
	why, ok := r.stays[file]
	if !ok {
		return refusal{}, nil
	}
	var related *Related
	if why.Pos.IsValid() {
		related = &Related{why.Pos, "the reason"}
	}
	return refusal{why.Category, "the import of the channel's package is left" + r.with(file, why) + ": " + why.Why}, related
}

// aboutFile are the reasons whose words are about the file that has it.
var aboutFile = []string{plan.CgoFile, plan.GeneratedFile, plan.Ignored, plan.OutsideModule}

// with names the file for which another one stays as it is.
func (r *run) with(file string, why shim.Block) string {
	if !why.Pos.IsValid() || why.Pos.Filename == file || !slices.Contains(aboutFile, why.Category) {
		return ""
	}
	return " with " + r.policy.short(why.Pos.Filename)
}

// Import is an import of an old client, and what became of it.
type Import struct {
	Pos, End token.Position // as it was on disk before the run
	From, To string         // import paths
	Moved    bool           // the file imports To; else Category says why not
	Category string
	URL      string
	Message  string // one line: what it becomes, or why it is left
	Related  []Related
}

// Exported is a declaration that other modules may use and whose type changed
// with an import.
type Exported struct {
	Package string
	Name    string // "Func", "Type.Method", "Type.Field"
	Pos     token.Position
}

// sortedImports returns the imports by position, each once.
func (r *run) sortedImports() []Import {
	slices.SortFunc(r.imports, func(a, b Import) int { return comparePositions(a.Pos, b.Pos) })
	return slices.CompactFunc(r.imports, func(a, b Import) bool { return a.Pos == b.Pos })
}

func (r *run) sortedExports() []Exported {
	slices.SortFunc(r.exported, func(a, b Exported) int {
		return cmp.Or(comparePositions(a.Pos, b.Pos), strings.Compare(a.Name, b.Name))
	})
	return slices.Compact(r.exported)
}

// A step is a part of a migration that can be reviewed by itself.
const (
	StepShim    = "shim"    // imports of old clients change
	StepPublish = "publish" // publish calls change
)

// Values of Options.To.
const (
	ToCompat   = "compat"     // what the shim step imports: compat/amqp091
	ToUpstream = "amqp091-go" // streadway/amqp becomes amqp091-go, and that is all
)
