package driver

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// dropBroken takes packages that do not type-check out of the targets, and
// names them. Where only the test files do not, the package goes without them.
func (r *run) dropBroken() error {
	for _, w := range r.worlds {
		var sound []string
		var problems []Problem
		for i, id := range w.targets {
			if r.ctx.Err() != nil {
				return context.Cause(r.ctx)
			}
			r.opts.progress("loading packages", i, len(w.targets))
			if programs, found := w.programs(w.meta[id], r.tools.old); programs != nil {
				sound = append(sound, programs...)
				problems = append(problems, slices.DeleteFunc(found, func(p Problem) bool { return r.opts.excluded(p.Pos.Filename) })...)
				continue
			}
			whole := r.opts.excludedWhole(w.meta[id])
			id, p := w.sound(id)
			if id != "" {
				sound = append(sound, id)
			}
			if p != nil && !whole {
				problems = append(problems, *p)
			}
		}
		w.targets = sound
		if w.only == nil {
			r.problems = append(r.problems, problems...)
			continue
		}
		// What is broken only under other tags than the user's is a finding
		// about the files that need them.
		for _, f := range w.only.files {
			if !w.analyses(f.name) {
				r.notLooked(f, w.whyNot(f, problems))
			}
		}
	}
	return nil
}

// programs takes a folder of independent programs apart, as tutorials have them:
// a package main that declares main more than once is replaced by a package for
// each file that may publish the old way. It returns their IDs and the problems
// of those that do not type-check; nil for a package that is none.
func (w *world) programs(m *packages.Package, old oldAPI) (ids []string, problems []Problem) {
	if m.Name != "main" || len(m.CompiledGoFiles) < 2 {
		return nil, nil
	}
	redeclared := func(e checkError) bool { return strings.HasPrefix(e.msg, "main redeclared in this block") }
	if !slices.ContainsFunc(w.disk.check(m.ID).errs, redeclared) {
		return nil, nil
	}
	for id, other := range w.meta {
		if slices.ContainsFunc(other.CompiledGoFiles, func(f string) bool { return slices.Contains(m.CompiledGoFiles, f) }) {
			delete(w.meta, id) // its errors would hide those of an edit, or look like them
		}
	}
	ids = []string{}
	for _, file := range m.CompiledGoFiles {
		if !old.mayPublish(file, true) {
			continue
		}
		p := *m
		p.ID = file
		p.GoFiles, p.CompiledGoFiles, p.Errors = []string{file}, []string{file}, nil
		w.meta[p.ID] = &p
		if problem := w.problem(&p, filepath.Base(file)+" by itself does not type-check"); problem != nil {
			problems = append(problems, *problem)
			continue
		}
		ids = append(ids, p.ID)
	}
	return ids, problems
}

// analyses reports whether a target has a file.
func (w *world) analyses(file string) bool {
	return slices.ContainsFunc(w.targets, func(id string) bool { return slices.Contains(w.meta[id].GoFiles, file) })
}

// whyNot says why a file that the world is there for is in none of its targets.
func (w *world) whyNot(f excluded, problems []Problem) string {
	if w.only.byName && len(problems) > 0 {
		return "with " + w.only.String() + " it " + problems[0].Message
	}
	for _, p := range problems {
		path := strings.TrimSuffix(p.Package, "_test")
		if path == f.pkgPath || w.meta[path] != nil && w.meta[path].Dir == filepath.Dir(f.name) {
			return "under " + w.only.String() + " its package " + p.Message
		}
	}
	return w.only.String() + " does not include it"
}

// sound returns the variant of a package that can be analysed, "" for none,
// and what is wrong with the package.
func (w *world) sound(id string) (string, *Problem) {
	m := w.meta[id]
	p := w.problem(m, "does not type-check")
	if p == nil {
		return id, nil
	}
	if m.ForTest != "" && m.PkgPath == m.ForTest && w.meta[m.PkgPath] != nil {
		if w.problem(w.meta[m.PkgPath], "") == nil {
			return m.PkgPath, w.problem(m, "has tests that do not type-check")
		}
	}
	return "", p
}

// problem returns why a package cannot be analysed, or nil.
func (w *world) problem(m *packages.Package, what string) *Problem {
	p := &Problem{Package: m.PkgPath, Category: plan.TypeErrors}
	if i := slices.IndexFunc(m.Errors, func(e packages.Error) bool { return !isCompilerOutput(e) }); i >= 0 {
		p.Message = "does not load: " + oneLine(m.Errors[i].Msg)
		return p
	}
	if errs := w.disk.check(m.ID).errs; len(errs) > 0 {
		p.Pos = errs[0].pos
		p.Message = what + ": " + errs[0].msg
		if n := len(errs) - 1; n > 0 {
			p.Message += fmt.Sprintf(" (and %d more)", n)
		}
		return p
	}
	if len(m.Errors) > 0 {
		p.Message = "does not build: " + oneLine(m.Errors[0].Msg)
		return p
	}
	return nil
}

// isCompilerOutput reports whether e is what a tool said that go list ran on a
// package. Type-checking says the same with better positions.
func isCompilerOutput(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") }
