package driver

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// load finds the candidates and the build configurations they need, and loads
// them. Nothing is type-checked yet.
func (r *run) load(b build, env goEnv) error {
	if filepath.Base(env.GOMOD) == "go.mod" {
		r.policy.addRoot(filepath.Dir(env.GOMOD)) // for files named as patterns, which go list gives no module
	}
	r.opts.progress("listing packages", 0, 0)
	var err error
	if r.work, err = readWorkspace(env.GOWORK); err != nil {
		return err
	}
	r.modCache = env.GOMODCACHE
	roots, err := r.list(&b, env)
	if err != nil {
		return err
	}
	for _, p := range roots {
		if err := patternError(p); err != nil {
			return err
		}
		r.given[basePath(p)] = true
	}
	if !slices.ContainsFunc(roots, inMain) {
		return fmt.Errorf("no package of the main module matches %s", strings.Join(r.opts.Patterns, " "))
	}
	sel := &selection{old: r.tools.old, reaches: make(map[string]bool)}
	paths := sel.candidates(roots)
	files := r.excludedFiles(roots, sel)
	found := slices.Clone(paths)
	for _, f := range files {
		found = append(found, f.pkgPath)
	}
	if err := r.require(&b, roots, found); err != nil {
		return err
	}
	solver := tagSolver{env, b.tags}
	for i, f := range files {
		if src, err := os.ReadFile(f.name); err == nil {
			files[i].sets = solver.solve(f.name, src)
		}
	}
	sets, uncovered := solver.choose(files)
	for _, f := range uncovered {
		if solver.byName(f.name) {
			f.pattern = f.name
			sets = append(sets, chosen{files: []excluded{f}, byName: true})
			continue
		}
		r.notLooked(f, "no build configuration was found that includes it")
	}
	r.base, r.solver = b, solver
	total := len(sets) + 1
	r.opts.progress("loading packages", 0, total)
	if slices.Contains(paths, "command-line-arguments") {
		paths = r.opts.Patterns
	}
	if err := r.addWorld(b, paths, nil); err != nil {
		return err
	}
	for i, c := range sets {
		r.opts.progress("loading packages", i+1, total)
		var patterns []string
		for _, f := range c.files {
			patterns = append(patterns, f.pattern)
		}
		slices.Sort(patterns)
		if err := r.addWorld(c.apply(b), slices.Compact(patterns), &c); err != nil {
			return err
		}
	}
	return nil
}

// addWorld loads packages in one configuration. only is nil for the default
// one; else a configuration that does not load leaves its files unlooked at.
func (r *run) addWorld(b build, patterns []string, only *chosen) error {
	if len(patterns) == 0 {
		return nil
	}
	w, roots, err := newWorld(r.ctx, b, r.sources, patterns)
	if err != nil {
		if only == nil || r.ctx.Err() != nil {
			return err
		}
		for _, f := range only.files {
			r.notLooked(f, only.String()+" does not load: "+err.Error())
		}
		return nil
	}
	w.only = only
	w.targets = pickTargets(roots, r.tools.old)
	r.worlds = append(r.worlds, w)
	for _, m := range w.meta {
		if m.Module != nil && m.Module.Main {
			r.policy.addRoot(m.Module.Dir)
		}
	}
	return nil
}

// pickTargets returns the IDs of the packages to analyse: of p and p [p.test],
// which has p's files and more, only the latter.
func pickTargets(roots []*packages.Package, old oldAPI) []string {
	best := make(map[string]*packages.Package) // by PkgPath, which is p_test for external tests
	for _, p := range roots {
		if !inMain(p) || isTestMain(p) || slices.Contains(old.paths, basePath(p)) {
			continue
		}
		if known := best[p.PkgPath]; known == nil || len(p.CompiledGoFiles) > len(known.CompiledGoFiles) {
			best[p.PkgPath] = p
		}
	}
	var ids []string
	for _, path := range sortedKeys(best) {
		ids = append(ids, best[path].ID)
	}
	return ids
}

// notLooked reports a file that publishes the old way, as far as its text
// shows, and that could not be loaded.
func (r *run) notLooked(f excluded, why string) {
	if r.opts.excluded(f.name) {
		return
	}
	pos := token.Position{Filename: f.name, Line: 1, Column: 1}
	r.findings[f.name] = Finding{
		Package: f.pkgPath, Pos: pos, End: pos,
		Category: plan.BuildTags, URL: r.tools.url(plan.BuildTags),
		Message: "the file was not looked at: " + why,
	}
}

// excludedFiles returns the files that the default configuration leaves out of
// the packages that the patterns match and that may publish the old way,
// sorted by name.
func (r *run) excludedFiles(roots []*packages.Package, sel *selection) []excluded {
	found := make(map[string]excluded)
	dirs := make(map[string]bool)
	for _, p := range roots {
		dirs[p.Dir] = true
		if !inMain(p) || isTestMain(p) || isCommandLine(p) || slices.Contains(r.tools.old.paths, basePath(p)) {
			continue
		}
		for _, name := range p.IgnoredFiles {
			if strings.HasSuffix(name, "_test.go") && !r.opts.Tests {
				continue
			}
			if r.tools.old.mayPublish(name, sel.reachesOld(p)) {
				found[name] = excluded{name: name, pkgPath: basePath(p), pattern: basePath(p)}
			}
		}
	}
	// A pattern with dots passes over directories with nothing but excluded
	// files, in silence.
	for _, pattern := range r.opts.Patterns {
		top, ok := patternDir(r.opts.Dir, pattern, roots)
		if !ok {
			continue
		}
		for _, name := range goFilesBelow(top, dirs) {
			if r.tools.old.mayPublish(name, false) {
				found[name] = excluded{name: name, pkgPath: filepath.Dir(name), pattern: filepath.Dir(name)}
			}
		}
	}
	var files []excluded
	for _, name := range sortedKeys(found) {
		files = append(files, found[name])
	}
	return files
}

// patternDir returns the directory where the matches of a pattern that ends in
// dots begin.
func patternDir(dir, pattern string, roots []*packages.Package) (string, bool) {
	prefix, ok := strings.CutSuffix(pattern, "/...")
	if !ok || strings.Contains(prefix, "...") {
		return "", false
	}
	if filepath.IsAbs(prefix) {
		return prefix, true
	}
	if prefix == "." || prefix == ".." || strings.HasPrefix(prefix, "./") || strings.HasPrefix(prefix, "../") {
		return filepath.Join(dir, prefix), true
	}
	for _, p := range roots {
		if !inMain(p) || p.Module == nil {
			continue
		}
		if prefix == p.Module.Path {
			return p.Module.Dir, true
		}
		if rest, ok := strings.CutPrefix(prefix, p.Module.Path+"/"); ok {
			return filepath.Join(p.Module.Dir, filepath.FromSlash(rest)), true
		}
	}
	return "", false
}

// goFilesBelow returns the Go files in and below top that a pattern with dots
// could match, but for those in directories already known.
func goFilesBelow(top string, known map[string]bool) []string {
	var files []string
	_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		base := d.Name()
		if !d.IsDir() {
			if strings.HasSuffix(base, ".go") && !strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_") && !known[filepath.Dir(name)] {
				files = append(files, name)
			}
			return nil
		}
		if name == top {
			return nil
		}
		if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); !errors.Is(err, fs.ErrNotExist) {
			return fs.SkipDir // another module
		}
		return nil
	})
	return files
}
