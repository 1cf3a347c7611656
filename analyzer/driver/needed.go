package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// neededBuilds returns an error where what new text imports does not build in the main
// modules, such as with an old client that they replace by another one. Code that
// imports it already shows that it does.
func (r *run) neededBuilds() error {
	if r.tools.requires == nil || r.unproved != "" || len(r.worlds) == 0 {
		return nil
	}
	need := r.tools.requires(r.opts)
	ofIt := func(p *packages.Package) bool { return p.Module != nil && p.Module.Path == need.module }
	w := r.worlds[0]
	imports := make(map[string]bool)
	for _, m := range w.meta {
		if !inMain(m) {
			continue
		}
		if ofIt(m) {
			return nil
		}
		for path, dep := range m.Imports {
			if ofIt(dep) {
				return nil
			}
			imports[path] = true
		}
	}
	b := w.build
	b.tests = false
	if _, err := w.addFrom(b, need.of(imports)...); err != nil {
		return err
	}
	for _, id := range sortedKeys(w.meta) {
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		m := w.meta[id]
		if !ofIt(m) || slices.ContainsFunc(m.Errors, func(e packages.Error) bool { return !isCompilerOutput(e) }) {
			continue // what is not found is met where it is imported
		}
		if p := w.problem(m, "does not type-check"); p != nil {
			return fmt.Errorf("the rewritten code needs %s, and nothing was written: %s%s", need.module, p, replacedBelow(m))
		}
	}
	return nil
}

// replacedBelow says which other modules that a package imports are replaced.
func replacedBelow(m *packages.Package) string {
	replaced := make(map[string]bool)
	for _, dep := range m.Imports {
		if mod := dep.Module; mod != nil && mod.Replace != nil && mod.Path != m.Module.Path {
			to := strings.TrimSpace(mod.Replace.Path + " " + mod.Replace.Version)
			replaced[fmt.Sprintf("; %s is replaced by %s, and would have to be like %s", mod.Path, to, mod.Version)] = true
		}
	}
	return strings.Join(sortedKeys(replaced), "")
}
