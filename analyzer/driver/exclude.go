package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	slashpath "path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A glob is a pattern of Options.Exclude, by element.
type glob []string

// anyElements stands for any number of elements, none included.
const anyElements = "**"

// parseGlob returns the glob that a pattern means.
func parseGlob(pattern string) (glob, error) {
	bad := func(why string) (glob, error) {
		return nil, fmt.Errorf("exclude %q: %s", pattern, why)
	}
	switch {
	case pattern == "":
		return bad("want a pattern of file names such as internal/gen or **/*_mock.go")
	case slashpath.IsAbs(pattern) || filepath.IsAbs(pattern):
		return bad("want a pattern relative to the directory that amqpfix works in")
	}
	g := glob(strings.Split(slashpath.Clean(pattern), "/"))
	for _, element := range g {
		if element == anyElements {
			continue
		}
		if strings.Contains(element, anyElements) {
			return bad("** must stand between slashes, alone")
		}
		if _, err := slashpath.Match(element, ""); errors.Is(err, slashpath.ErrBadPattern) {
			return bad(element + " is malformed")
		}
	}
	if slices.Equal(g, glob{"."}) {
		return glob{anyElements}, nil
	}
	return g, nil
}

// matches reports whether the elements of a file name, or of a directory that it
// is in, match.
func (g glob) matches(name []string) bool {
	switch {
	case len(g) == 0:
		return true
	case g[0] == anyElements:
		return g[1:].matches(name) || len(name) > 0 && g.matches(name[1:])
	case len(name) == 0:
		return false
	}
	ok, _ := slashpath.Match(g[0], name[0]) // parseGlob has seen errors
	return ok && g[1:].matches(name[1:])
}

// excluded reports whether the options name a file to leave alone.
func (o Options) excluded(file string) bool {
	if len(o.globs) == 0 {
		return false
	}
	rel, err := filepath.Rel(o.Dir, file)
	if err != nil {
		return false // on another volume
	}
	elements := strings.Split(filepath.ToSlash(rel), "/")
	return slices.ContainsFunc(o.globs, func(g glob) bool { return g.matches(elements) })
}

// unmatched returns the patterns that match no Go file below the directory. One
// that begins with .. is about files elsewhere, and is not looked into.
func (o Options) unmatched() []string {
	open := make(map[int]glob)
	for i, g := range o.globs {
		if g[0] != ".." {
			open[i] = g
		}
	}
	_ = filepath.WalkDir(o.Dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case len(open) == 0:
			return filepath.SkipAll
		case err != nil:
			return nil // such files are none that the go command sees
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		if rel, err := filepath.Rel(o.Dir, name); err == nil {
			elements := strings.Split(filepath.ToSlash(rel), "/")
			maps.DeleteFunc(open, func(_ int, g glob) bool { return g.matches(elements) })
		}
		return nil
	})
	var patterns []string
	for i, pattern := range o.Exclude {
		if open[i] != nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// excludedWhole reports whether the options name all files of a package.
func (o Options) excludedWhole(m *packages.Package) bool {
	return len(m.GoFiles) > 0 && !slices.ContainsFunc(m.GoFiles, func(file string) bool { return !o.excluded(file) })
}

// refuse returns why a file of m may not be edited.
func (r *run) refuse(m *packages.Package, file string) refusal {
	if r.opts.excluded(file) {
		return refusal{plan.Excluded, r.policy.short(file) + ", which has to change with it, is excluded"}
	}
	return r.policy.refuse(m, file)
}
