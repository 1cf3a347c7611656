package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// An UpgradeError says that code type-checks with the old clients that go.mod
// requires, and not with the versions that the rewritten code requires. Nothing was
// written.
type UpgradeError struct {
	Raised []Requirement // all that go up, by file and module
	Broken []Problem     // at least one
}

func (e *UpgradeError) Error() string {
	places := make([]string, len(e.Broken))
	for i, p := range e.Broken {
		places[i] = p.String()
		if p.Pos.IsValid() {
			places[i] = p.Pos.String() + ": " + places[i]
		}
	}
	return "code does not build with what the rewritten code requires, and nothing was written (" + e.WayOut() + "): " + strings.Join(places, "; ")
}

// WayOut says in a few words what to do about it.
func (e *UpgradeError) WayOut() string {
	var gets []string
	for _, req := range e.Raised {
		gets = append(gets, "go get "+req.Module+"@"+req.To)
	}
	slices.Sort(gets)
	return strings.Join(slices.Compact(gets), "; ") + ", make it build, then run amqpfix again"
}

// findBrokenByUpgrade looks for code that the old clients break which the new go.mod
// files require: in packages of main modules, whatever the patterns are, and in
// dependencies. For these the problems say what is the matter.
func (r *run) findBrokenByUpgrade() error {
	list, err := r.raisedByModules()
	if err != nil {
		return err
	}
	raised := make(map[string]Requirement) // by module
	for _, req := range list {
		raised[req.Module] = req
	}
	if len(raised) == 0 {
		return nil
	}
	for _, w := range r.worlds {
		if w.only == nil {
			if err := r.addImporters(w, raised); err != nil {
				return err
			}
		}
		broken, err := r.brokenByUpgrade(w, raised)
		if err != nil {
			return err
		}
		for _, p := range broken {
			if r.brokenUpgrades[p.Package] {
				continue
			}
			r.brokenUpgrades[p.Package] = true
			r.problems = slices.DeleteFunc(r.problems, func(old Problem) bool { return old.Package == p.Package && old.Category == plan.TypeErrors })
			r.problems = append(r.problems, p)
		}
	}
	return nil
}

// addImporters loads what the main modules have, and depend on, that imports a raised
// module.
func (r *run) addImporters(w *world, raised map[string]Requirement) error {
	mods, err := w.build.mainModules(r.ctx)
	if err != nil {
		return err
	}
	var patterns []string
	for _, m := range mods {
		patterns = append(patterns, m+"/...")
	}
	roots, err := w.build.load(r.ctx, listMode, patterns...)
	if err != nil {
		return err
	}
	own, others := make(map[string]bool), make(map[string]bool)
	packages.Visit(roots, nil, func(p *packages.Package) {
		switch {
		case w.meta[p.ID] != nil || !importsRaised(p, raised):
		case inMain(p):
			own[basePath(p)] = true
		default:
			others[p.PkgPath] = true
		}
	})
	if len(own) > 0 {
		if _, err := w.add(sortedKeys(own)...); err != nil {
			return err
		}
	}
	if len(others) > 0 {
		b := w.build
		b.tests = false // nobody here runs those
		if _, err := w.addFrom(b, sortedKeys(others)...); err != nil {
			return err
		}
	}
	return nil
}

// importsRaised reports whether a package that is not the raised module's own imports
// it.
func importsRaised(p *packages.Package, raised map[string]Requirement) bool {
	of := func(p *packages.Package) (Requirement, bool) {
		if p.Module == nil {
			return Requirement{}, false
		}
		req, ok := raised[p.Module.Path]
		return req, ok
	}
	if _, own := of(p); own || isTestMain(p) {
		return false
	}
	for _, dep := range p.Imports {
		if _, ok := of(dep); ok {
			return true
		}
	}
	return false
}

// brokenByUpgrade returns what is wrong with packages of a world in which nothing is
// with go.mod as it is on disk, by package.
func (r *run) brokenByUpgrade(w *world, raised map[string]Requirement) ([]Problem, error) {
	wrong := make(map[string]*Problem) // by ID
	own, others := make(map[string]bool), make(map[string]bool)
	for _, id := range sortedKeys(w.meta) {
		if r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
		m := w.meta[id]
		if !importsRaised(m, raised) {
			continue
		}
		if p := w.problem(m, "does not type-check"); p != nil {
			wrong[id] = p
			if inMain(m) {
				own[basePath(m)] = true
			} else {
				others[m.PkgPath] = true
			}
		}
	}
	b := w.build
	b.mod, b.modules = "", nil
	sound := make(map[string]bool) // IDs
	for _, paths := range []map[string]bool{own, others} {
		if len(paths) > 0 {
			before, _, err := newWorld(r.ctx, b, r.sources, sortedKeys(paths))
			if r.ctx.Err() != nil {
				return nil, context.Cause(r.ctx)
			}
			if err != nil {
				continue // so it does not build as it is either
			}
			for id := range wrong {
				m := before.meta[id]
				sound[id] = sound[id] || m != nil && before.problem(m, "") == nil
			}
		}
		b.tests = false
	}
	var broken []Problem
	for _, id := range sortedKeys(wrong) {
		if sound[id] {
			p := wrong[id]
			p.Message += upgradeNote(w.meta[id], raised)
			broken = append(broken, *p)
		}
	}
	return broken, nil
}

// upgradeNote says which version it is that breaks a package.
func upgradeNote(m *packages.Package, raised map[string]Requirement) string {
	var notes []string
	for _, path := range sortedKeys(raised) {
		for _, dep := range m.Imports {
			if dep.Module != nil && dep.Module.Path == path {
				req := raised[path]
				notes = append(notes, fmt.Sprintf("%s %s (go.mod has %s)", path, req.To, req.From))
				break
			}
		}
	}
	return "; the rewritten code requires " + strings.Join(notes, " and ") + ", and nothing is written until this builds with that"
}

// refuseUpgrade returns an *UpgradeError where what go.mod has to require breaks code.
func (r *run) refuseUpgrade() error {
	if r.opts.Mode == ModeReport || r.opts.Mode == ModeDiff && !r.opts.UpdateMod || len(r.raisedRequirements) == 0 || len(r.brokenUpgrades) == 0 {
		return nil
	}
	broken := slices.DeleteFunc(slices.Clone(r.problems), func(p Problem) bool { return !r.brokenUpgrades[p.Package] })
	return &UpgradeError{r.raisedRequirements, broken}
}
