package driver

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// edits reports whether the run changes a file of the module in a directory, and
// not only of one in it.
func (r *run) edits(dir string) bool {
	inner := func(name string) bool {
		return r.work != nil && slices.ContainsFunc(r.work.file.Use, func(use *modfile.Use) bool {
			other := r.work.absolute(use.Path)
			return other != dir && within(dir, other) && within(other, name)
		})
	}
	return slices.ContainsFunc(sortedKeys(r.overlay), func(name string) bool { return within(dir, name) && !inner(name) })
}

// dependents returns the modules of the workspace that replace a dependency by
// one that changes, that build outside the workspace, and that would not do so
// any more: their go.mod has to follow. changed are the modules with a new go.mod.
func (r *run) dependents(changed []*goModule) ([]*goModule, error) {
	if r.work == nil {
		return nil, nil
	}
	overlay := maps.Clone(r.overlay)
	for _, m := range changed {
		maps.Copy(overlay, m.new)
	}
	edited := make(map[string]bool)
	for _, use := range r.work.file.Use {
		dir := r.work.absolute(use.Path)
		if real, err := filepath.EvalSymlinks(dir); err == nil && r.edits(dir) {
			edited[real] = true
		}
	}
	var list []*goModule
	for _, use := range r.work.file.Use {
		m := &goModule{dir: r.work.absolute(use.Path), dependent: true}
		m.vendored = isVendored(m.dir)
		if real, err := filepath.EvalSymlinks(m.dir); err != nil || edited[real] {
			continue
		}
		follows, err := r.follows(m, edited, overlay)
		if err != nil {
			return nil, err
		}
		if follows {
			list = append(list, m)
		}
	}
	return list, nil
}

// follows reports whether a module has to follow those in edited, and makes its
// new files. A module that cannot be tidied has none: it gets a command to try by
// hand.
func (r *run) follows(m *goModule, edited map[string]bool, overlay map[string][]byte) (bool, error) {
	if err := m.read(); err != nil {
		return false, err
	}
	if replaces, err := m.replacesBy(edited); !replaces || err != nil {
		return false, err
	}
	alone := m.alone(r.base)
	if builds, err := r.found(alone, []string{"./..."}); !builds || err != nil {
		return false, err
	}
	alone.modules = overlay
	if builds, err := r.found(alone, []string{"./..."}); builds || err != nil {
		return false, err
	}
	_ = m.editFor(r.ctx, r.base, m.old, overlay, "mod", "tidy")
	if r.ctx.Err() != nil {
		return false, context.Cause(r.ctx)
	}
	return true, nil
}

// replacesBy reports whether go.mod replaces a module by one in the directories.
func (m *goModule) replacesBy(dirs map[string]bool) (bool, error) {
	f, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return false, errors.New(oneLine(err.Error()))
	}
	return slices.ContainsFunc(f.Replace, func(r *modfile.Replace) bool {
		dir := filepath.FromSlash(r.New.Path)
		if r.New.Version != "" {
			return false
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(m.dir, dir)
		}
		real, err := filepath.EvalSymlinks(dir)
		return err == nil && dirs[real]
	}), nil
}
