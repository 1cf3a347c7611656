package driver

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// tidyFound has go.mod files tidied that need no new requirement, where files gain
// or lose an import of what a requirement is for: that is perhaps the first, or the
// last.
func (r *run) tidyFound() error {
	if !r.opts.UpdateMod {
		return nil
	}
	for _, dir := range r.tidyable {
		changes, err := r.changesRequired(dir)
		if err != nil {
			return err
		}
		if !changes {
			continue
		}
		m := &goModule{dir: dir, vendored: isVendored(dir)}
		if err := m.read(); err != nil {
			return err
		}
		m.new = m.old
		r.modules = append(r.modules, m)
	}
	return nil
}

// changesRequired reports whether a file in or below a directory gains or loses an
// import of an old client or of what new text needs.
func (r *run) changesRequired(dir string) (bool, error) {
	module := r.tools.requires(r.opts).module
	for _, name := range sortedKeys(r.overlay) {
		if !within(dir, name) || filepath.Ext(name) != ".go" {
			continue
		}
		old, err := r.sources.read(name)
		if err != nil {
			return false, err
		}
		before, after := importsOf(old), importsOf(r.overlay[name])
		for path := range before {
			if after[path] {
				delete(before, path)
				delete(after, path)
			}
		}
		for _, path := range append(sortedKeys(before), sortedKeys(after)...) {
			if path == module || strings.HasPrefix(path, module+"/") || slices.Contains(r.tools.old.paths, path) {
				return true, nil
			}
		}
	}
	return false, nil
}

// isTidy reports whether go mod tidy leaves what go.mod on disk requires as it is, but
// for a module that new text needs, old clients and amqpfix. Where it does not, it would
// take out requirements that have nothing to do with the rewrite, or change them. One
// that it fails for may still be tidied with what it needs.
func (m *goModule) isTidy(ctx context.Context, b build, needed string) (bool, error) {
	before, err := m.without(needed)
	if err != nil {
		return false, err
	}
	scratch := &goModule{dir: m.dir}
	if err := scratch.editFor(ctx, b, before, nil, "mod", "tidy"); err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		return true, nil
	}
	old, err := m.others(before, needed)
	if err != nil {
		return false, err
	}
	tidied, err := m.others(scratch.new, needed)
	if err != nil {
		return false, err
	}
	for path, version := range old {
		if tidied[path] != version {
			return false, nil
		}
	}
	return true, nil
}

// others returns the versions that a go.mod requires of other modules than those, by
// path.
func (m *goModule) others(files map[string][]byte, needed string) (map[string]string, error) {
	f, err := modfile.Parse(m.gomod(), files[m.gomod()], nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	versions := make(map[string]string)
	for _, req := range f.Require {
		if _, old := oldapi.ModuleOf(req.Mod.Path); !old && req.Mod.Path != needed && req.Mod.Path != oldapi.NewModule {
			versions[req.Mod.Path] = req.Mod.Version
		}
	}
	return versions, nil
}

// importsOf returns the import paths of a file, as far as it can be parsed.
func importsOf(src []byte) map[string]bool {
	paths := make(map[string]bool)
	f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if f == nil {
		return paths
	}
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths[path] = true
		}
	}
	return paths
}
