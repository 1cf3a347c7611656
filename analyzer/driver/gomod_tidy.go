package driver

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
