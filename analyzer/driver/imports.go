package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// provedImports makes sure that the go command finds what the new text
// imports: a module that go.mod does not require, or a package missing from
// vendor, shows only here.
func (r *run) provedImports() error {
	for _, w := range r.worlds {
		if w.proof {
			continue // missing imports end it where they are met
		}
		var paths []string
		for _, id := range w.variants(r.overlay) {
			if m := w.meta[id]; m.ForTest == "" || m.PkgPath != m.ForTest {
				paths = append(paths, basePath(m))
			}
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		if len(paths) == 0 || slices.Contains(paths, "command-line-arguments") {
			continue
		}
		cfg := w.build.config(r.ctx, listMode)
		cfg.Overlay = maps.Clone(r.overlay)
		maps.Copy(cfg.Overlay, w.build.modules)
		roots, err := packages.Load(cfg, paths...)
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		if err != nil {
			return errors.New(oneLine(err.Error()))
		}
		for _, p := range roots {
			if err := r.missing(w, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing reports an import of p that the go command cannot find now but could
// do without before.
func (r *run) missing(w *world, p *packages.Package) error {
	before := w.meta[p.ID]
	if before == nil {
		return nil
	}
	for _, path := range sortedKeys(p.Imports) {
		dep := p.Imports[path]
		if len(dep.Errors) > 0 && before.Imports[path] == nil {
			return fmt.Errorf("the rewritten %s imports %s, and %s; nothing was written", p.PkgPath, path, oneLine(dep.Errors[0].Msg))
		}
	}
	if len(p.Errors) > len(before.Errors) {
		return fmt.Errorf("the rewritten %s does not load: %s; nothing was written", p.PkgPath, oneLine(p.Errors[0].Msg))
	}
	return nil
}
