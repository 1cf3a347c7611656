package driver

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// sharers returns the names below the main modules under which packages may
// have a file, by symbolic links, sorted; its real name is one of them where
// that is the name of a Go file.
func (p *policy) sharers(real string) []string {
	if p.links == nil {
		p.links = make(map[string][]string)
		for _, root := range p.roots {
			p.findLinks(root)
		}
	}
	names := slices.Clone(p.links[real])
	if filepath.Ext(real) == ".go" {
		names = append(names, real)
	}
	slices.Sort(names)
	return slices.Compact(names) // one root may be in another
}

// findLinks notes the linked Go files below a directory.
func (p *policy) findLinks(root string) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			if base := d.Name(); name != root && (base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
		case d.Type()&fs.ModeSymlink != 0 && filepath.Ext(name) == ".go":
			if real, err := filepath.EvalSymlinks(name); err == nil {
				p.links[real] = append(p.links[real], name)
			}
		}
		return nil
	})
}

// inPlace returns the name of a file with links in the names of directories
// resolved, and itself kept.
func inPlace(file string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return file
	}
	return filepath.Join(dir, filepath.Base(file))
}
