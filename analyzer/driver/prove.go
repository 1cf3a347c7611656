package driver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// settle splits units into those that can be applied together and others, by
// all build configurations that the packages of the units have files for. When
// nothing can be tried it accepts all and changes nothing.
func (r *run) settle(units []*unit) (*settler, error) {
	if r.unproved != "" {
		return &settler{accepted: units, overlay: r.overlay}, nil
	}
	r.opts.progress("proving", 0, len(units))
	if err := r.addProofs(units); err != nil {
		return nil, err
	}
	s := &settler{worlds: r.worlds, sources: r.sources, apply: r.tools.apply, base: r.overlay, applied: maps.Clone(r.applied)}
	if err := s.settle(units); err != nil {
		return nil, err
	}
	r.applied = s.applied
	return s, nil
}

// addProofs loads the packages that units edit in configurations with files
// that no world has: these see the edits too, whatever they import.
func (r *run) addProofs(units []*unit) error {
	files := make(map[string][]byte)
	for _, u := range units {
		for file := range u.files() {
			files[file] = nil
		}
	}
	known := make(map[string]bool) // files that some world has
	edited := make(map[string]*packages.Package)
	for _, w := range r.worlds {
		for _, m := range w.meta {
			for _, name := range m.CompiledGoFiles {
				known[name] = true
			}
		}
		for _, id := range w.variants(files) {
			if m := w.meta[id]; !r.proved[m.Dir] && !isCommandLine(m) {
				edited[m.Dir] = m
			}
		}
	}
	var hidden []excluded
	var tests []string // import paths
	for _, dir := range sortedKeys(edited) {
		r.proved[dir] = true
		m := edited[dir]
		for _, name := range m.IgnoredFiles {
			if known[name] || filepath.Ext(name) != ".go" || r.solver.includes(tagSet{}, name) {
				continue
			}
			if src, err := os.ReadFile(name); err == nil {
				hidden = append(hidden, excluded{name: name, pkgPath: basePath(m), pattern: basePath(m), sets: r.solver.solve(name, src)})
			}
		}
		if !r.opts.Tests && hasTests(dir) {
			tests = append(tests, basePath(m))
		}
	}
	if len(tests) > 0 {
		b := r.base
		b.tests = true
		if err := r.addProof(b, tests, &chosen{}); err != nil {
			return err
		}
	}
	sets, _ := r.solver.choose(hidden) // the rest is part of no build
	for _, c := range sets {
		var paths []string
		for _, f := range c.files {
			paths = append(paths, f.pattern)
		}
		slices.Sort(paths)
		b := c.apply(r.base)
		b.tests = true // a test file may be what only this configuration has
		if err := r.addProof(b, slices.Compact(paths), &c); err != nil {
			return err
		}
	}
	return nil
}

// addProof loads packages in a configuration to prove edits. One that does not
// load here, say for want of another system's C compiler, proves nothing.
func (r *run) addProof(b build, paths []string, only *chosen) error {
	w, _, err := newWorld(r.ctx, b, r.sources, paths)
	if err != nil {
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		return nil
	}
	w.only, w.proof = only, true
	r.worlds = append(r.worlds, w)
	return nil
}

// hasTests reports whether a directory has test files.
func hasTests(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), "_test.go") })
}

// A lostWorld is the error of a build configuration, not the default one, that
// has not what the new text imports.
type lostWorld struct{ w *world }

func (e *lostWorld) Error() string {
	return e.w.only.String() + " has not what the rewritten code needs: " + oneLine(e.w.missing[0].Msg)
}

// drop goes on without a configuration. What only it has is not looked at.
func (r *run) drop(lost *world) {
	r.worlds = slices.DeleteFunc(r.worlds, func(w *world) bool { return w == lost })
	if lost.proof {
		return
	}
	why := (&lostWorld{lost}).Error()
	for _, f := range lost.only.files {
		if _, changed := r.overlay[f.name]; changed || slices.ContainsFunc(r.worlds, func(w *world) bool { return !w.proof && w.analyses(f.name) }) {
			continue
		}
		maps.DeleteFunc(r.sites, func(_ string, s *Site) bool { return s.Pos.Filename == f.name })
		r.notLooked(f, why)
	}
}
