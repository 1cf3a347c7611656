package driver

import (
	"errors"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// list lists what the patterns match. Where go.mod requires what new text needs and
// the go command was not run since, it may load nothing: go.sum, other requirements
// or vendor are still those from before. Then the packages are listed as they will
// be, and the build goes on so.
func (r *run) list(b *build, env goEnv) ([]*packages.Package, error) {
	roots, err := b.load(r.ctx, listMode, r.opts.Patterns...)
	if err == nil || r.ctx.Err() != nil || r.tools.requires == nil {
		return roots, err
	}
	ahead := *b
	if !r.resolve(&ahead, env) {
		return nil, err
	}
	if roots, listErr := ahead.load(r.ctx, listMode, r.opts.Patterns...); listErr == nil {
		*b = ahead
		return roots, nil
	}
	return nil, err
}

// resolve has the build see go.mod and go.sum files that agree with what they
// require of the module that new text needs. It reports false where there are none.
func (r *run) resolve(b *build, env goEnv) bool {
	dirs := []string{filepath.Dir(env.GOMOD)}
	if r.work != nil {
		dirs = r.work.modules()
	}
	need := r.tools.requires(r.opts).module
	for _, dir := range dirs {
		m := &goModule{dir: dir}
		if err := m.read(); err != nil {
			return false
		}
		requires, err := m.requires(need)
		if err != nil {
			return false
		}
		if !requires {
			continue
		}
		if err := m.get(r, *b, need); err != nil {
			return false
		}
		r.modules = append(r.modules, m)
	}
	defer func() { r.modules = nil }() // which of them change shows later
	if len(r.modules) == 0 || r.overlayModules(b) != nil {
		return false
	}
	if r.vendored(dirs) {
		b.mod = "readonly"
	}
	return true
}

// requires reports whether go.mod requires a module.
func (m *goModule) requires(path string) (bool, error) {
	f, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return false, errors.New(oneLine(err.Error()))
	}
	return slices.ContainsFunc(f.Require, func(req *modfile.Require) bool { return req.Mod.Path == path }), nil
}
