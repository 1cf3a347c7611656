package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// maxPasses is how many passes a run may take to have nothing left to edit.
const maxPasses = 8

// The tools of a run are the parts that know old APIs.
type tools struct {
	old   oldAPI
	suite func(Options) []*analysis.Analyzer
	shim  *analysis.Analyzer // its result is a *shim.Facts; nil for no shim step

	requires func(Options) requirements // of the new text
	apply    applyFunc
	url      func(category string) string
}

// A run is the state of one call of Run.
type run struct {
	ctx     context.Context
	opts    Options
	tools   tools
	suite   []*analysis.Analyzer
	place   place
	sources *sources
	policy  *policy
	worlds  []*world
	base    build           // the default configuration
	solver  tagSolver       // for it
	proved  map[string]bool // packages whose other configurations are among the worlds

	passes   int
	overlay  map[string][]byte // proved text of the changed files
	analysed map[target][32]byte
	applied  map[string]bool // IDs of applied units
	failed   map[string]bool // keys of units not to propose again
	sites    map[string]*Site
	written  map[string]bool // keys of the sites that applied units rewrite
	findings map[string]Finding
	refuted  map[string]bool // findings that some configuration shows to be none
	packages map[string]bool
	given    map[string]bool // import paths of what the patterns match
	problems []Problem

	brokenUpgrades map[string]bool // import paths of packages in problems that a raised requirement breaks

	imports  []Import
	exported []Exported
	stays    map[string]shim.Block    // files near an import that is left
	contexts map[string]*keptContexts // by directory of the module

	modCache           string // directory of the module cache
	modules            []*goModule
	tidyable           []string          // directories of main modules that have all that new text needs
	work               *workspace        // nil for a module by itself
	workVersion        string            // of the module that new text needs, in the workspace
	newWork            map[string][]byte // go.work by name, where it has to change
	workRaise          string            // its go line then
	workVendor         bool              // its vendor directory has to change
	goLines            []GoLine
	raisedRequirements []Requirement
	commands           []string // that go.mod needs
	after              []string // that go.mod and vendor need once the files are written
	unproved           string   // why no edit is tried; else empty
}

// A target is a package to analyse in one build configuration.
type target struct {
	w  *world
	id string
}

// migrate plans and proves edits until a pass has none.
func (r *run) migrate() error {
	if err := r.dropBroken(); err != nil {
		return err
	}
	if err := r.neededBuilds(); err != nil {
		return err
	}
	if err := r.findBrokenByUpgrade(); err != nil {
		return err
	}
	if err := r.moveImports(); err != nil {
		return err
	}
	for edited := true; edited; {
		if r.passes == maxPasses {
			return fmt.Errorf("internal error: still editing after %d passes; nothing was written", maxPasses)
		}
		r.passes++
		var err error
		if edited, err = r.pass(); err != nil {
			return err
		}
	}
	return nil
}

// pass analyses what changed since the last pass and applies what it may. It
// reports whether it applied anything.
func (r *run) pass() (bool, error) {
	found, err := r.analyse()
	if err != nil {
		return false, err
	}
	return r.apply(found)
}

// apply applies what it may of the proposals, and reports whether that is
// anything.
func (r *run) apply(found []proposal) (bool, error) {
	units := r.proposals(found)
	if len(units) == 0 {
		return false, nil
	}
	s, err := r.settle(units)
	if lost := (*lostWorld)(nil); errors.As(err, &lost) {
		r.drop(lost.w)
		found = slices.DeleteFunc(found, func(p proposal) bool { return p.w == lost.w })
		return r.apply(found)
	}
	if err != nil {
		return false, err
	}
	for u, f := range s.failed {
		r.failed[u.key] = true
		r.leave(u, refusal{plan.RecheckFailed, f.message(r.given)}, f)
	}
	r.recordRewritten(found, s.accepted)
	changed := len(s.accepted) > 0 && !maps.EqualFunc(r.overlay, s.overlay, bytes.Equal)
	r.overlay = s.overlay
	return changed, nil
}

// A proposal is what the analysis of one target found.
type proposal struct {
	target
	plan *plan.Result
}

// analyse runs the suite on the targets whose text, or whose imports, are not
// as when it last ran on them.
func (r *run) analyse() ([]proposal, error) {
	var found []proposal
	for _, w := range r.worlds {
		snap := w.disk
		if len(r.overlay) > 0 {
			snap = newSnapshot(w, r.overlay)
		}
		for i, id := range w.targets {
			if err := r.ctx.Err(); err != nil {
				return nil, context.Cause(r.ctx)
			}
			r.opts.progress("analysing", i, len(w.targets))
			t := target{w, id}
			key := snap.key(w.meta[id])
			if last, ok := r.analysed[t]; ok && last == key {
				continue
			}
			r.analysed[t] = key
			plans, err := snap.analyse(snap.check(id), r.suite)
			if err != nil {
				r.problems = append(r.problems, Problem{Package: w.meta[id].PkgPath, Message: oneLine(err.Error())})
				continue
			}
			r.packages[w.meta[id].PkgPath] = true
			for _, p := range plans {
				found = append(found, proposal{t, p})
			}
		}
	}
	if r.passes == 1 {
		for _, p := range found {
			r.record(p)
		}
	}
	return found, nil
}
