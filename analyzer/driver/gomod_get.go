package driver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// get adds the requirement to copies of go.mod and go.sum. Versions are tried
// until one can be had: that of a replacement alone where there is one; else the
// one that go.mod requires already, the one of the workspace, the latest, and the
// newest in the module cache, which does without the network.
func (m *goModule) get(r *run, b build, path string) error {
	versions, err := m.versions(r, path)
	if err != nil {
		return err
	}
	before, err := m.without(path)
	if err != nil {
		return err
	}
	var first error
	for _, v := range versions {
		err := m.edit(r.ctx, b, before, func(goCommand func(args ...string) error, file string) error {
			return goCommand("get", "-modfile="+file, at(path, v))
		})
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		if err == nil {
			return errors.Join(m.noteVersion(path), m.noteRaised(path))
		}
		if first == nil {
			first = err
		}
	}
	if r.work != nil && m.getInWork(r, b, path) == nil {
		return nil
	}
	m.version = versions[0] // to try by hand
	return first
}

// withGoLine returns go.mod and go.sum as they were. A go.mod without a go line
// gets the one that it means: else the go command would add its own version.
func (m *goModule) withGoLine() (map[string][]byte, error) {
	f, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	if f.Go != nil {
		return m.old, nil
	}
	m.noGoLine = true
	if err := f.AddGoStmt(goModWithout); err != nil {
		return nil, err
	}
	return map[string][]byte{m.gomod(): modfile.Format(f.Syntax), m.gosum(): m.old[m.gosum()]}, nil
}

// without returns go.mod and go.sum as they were before go.mod required a module. The
// go command has go.sum follow the requirements that it raises, not those that others
// raise and that it finds as they are.
func (m *goModule) without(path string) (map[string][]byte, error) {
	files, err := m.withGoLine()
	if err != nil {
		return nil, err
	}
	requires, err := m.requires(path)
	if err != nil || !requires {
		return files, err
	}
	f, err := modfile.Parse(m.gomod(), files[m.gomod()], nil)
	if err != nil {
		return nil, err
	}
	if err := f.DropRequire(path); err != nil {
		return nil, err
	}
	f.Cleanup()
	return map[string][]byte{m.gomod(): modfile.Format(f.Syntax), m.gosum(): files[m.gosum()]}, nil
}

// noteRaised notes whether a module that go.mod requires raises other requirements,
// which did not follow.
func (m *goModule) noteRaised(path string) error {
	if requires, err := m.requires(path); err != nil || !requires {
		return err
	}
	before, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return err
	}
	after, err := modfile.Parse(m.gomod(), m.new[m.gomod()], nil)
	if err != nil {
		return err
	}
	now := make(map[string]string)
	for _, req := range after.Require {
		now[req.Mod.Path] = req.Mod.Version
	}
	m.raises = slices.ContainsFunc(before.Require, func(req *modfile.Require) bool {
		v, ok := now[req.Mod.Path]
		return ok && req.Mod.Path != path && v != req.Mod.Version
	})
	return nil
}

// getCommands returns what adds the requirement by hand.
func (m *goModule) getCommands(path string) []string {
	get := "go get " + at(path, m.version)
	if m.raises {
		return []string{"go mod edit -droprequire=" + path, get}
	}
	return []string{get}
}

// at returns what go get is asked for: all packages of a module, so that go.mod and
// go.sum get what they import too. Of a package by its name the go command asks the
// proxy about each part of the name, and some proxies refuse to answer instead of
// saying that there is no module for it. About a module that is replaced it asks
// nobody.
func at(module, version string) string { return module + "/...@" + version }

// versions returns the versions of a module to try.
func (m *goModule) versions(r *run, path string) ([]string, error) {
	f, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	if v := replacedVersion(f.Replace, path); v != "" {
		return []string{v}, nil
	}
	var list []string
	add := func(v string) {
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	for _, req := range f.Require {
		if req.Mod.Path == path {
			add(req.Mod.Version)
		}
	}
	add(r.workVersion)
	add("latest")
	add(newestCached(r.modCache, path))
	return list, nil
}

// replacedVersion returns a version of a module that has a replacement, "" for
// none.
func replacedVersion(list []*modfile.Replace, path string) string {
	for _, r := range list {
		if r.Old.Path == path {
			if r.Old.Version != "" {
				return r.Old.Version
			}
			return "v0.0.0" // any does
		}
	}
	return ""
}

// newestCached returns the highest version of a module in the module cache, a
// release if there is one, "" for none.
func newestCached(cache, path string) string {
	escaped, err := module.EscapePath(path)
	if cache == "" || err != nil {
		return ""
	}
	zips, _ := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(escaped), "@v", "*.zip"))
	best := ""
	for _, zip := range zips {
		v, err := module.UnescapeVersion(strings.TrimSuffix(filepath.Base(zip), ".zip"))
		if err != nil || !semver.IsValid(v) {
			continue
		}
		release, bestRelease := semver.Prerelease(v) == "", semver.Prerelease(best) == ""
		if best == "" || release && !bestRelease || release == bestRelease && semver.Compare(v, best) > 0 {
			best = v
		}
	}
	return best
}

// getInWork adds the requirement to a module that builds only in its workspace,
// where the go command resolves nothing for it alone: in a module of nothing
// else, with the replacements of the workspace, whose sums and go line it takes.
func (m *goModule) getInWork(r *run, b build, path string) error {
	own, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return err
	}
	scratch := new(modfile.File)
	if err := scratch.AddModuleStmt("scratch"); err != nil {
		return err
	}
	before, err := goLine(m.gomod(), m.old[m.gomod()])
	if err != nil {
		return err
	}
	if err := scratch.AddGoStmt(before); err != nil {
		return err
	}
	for _, rep := range slices.Concat(own.Replace, r.work.file.Replace) { // the latter win
		to := rep.New.Path
		if rep.New.Version == "" && !filepath.IsAbs(to) {
			from := m.dir
			if slices.Contains(r.work.file.Replace, rep) {
				from = filepath.Dir(r.work.name)
			}
			to = filepath.Join(from, filepath.FromSlash(to))
		}
		if err := scratch.AddReplace(rep.Old.Path, rep.Old.Version, to, rep.New.Version); err != nil {
			return err
		}
	}
	query := cmp.Or(replacedVersion(scratch.Replace, path), "latest")
	alone := &goModule{dir: m.dir}
	files := map[string][]byte{alone.gomod(): modfile.Format(scratch.Syntax), alone.gosum(): m.old[m.gosum()]}
	if err := alone.edit(r.ctx, b, files, func(goCommand func(args ...string) error, file string) error {
		return goCommand("get", "-modfile="+file, at(path, query))
	}); err != nil {
		return err
	}
	if err := alone.noteVersion(path); err != nil {
		return err
	}
	after, err := goLine(m.gomod(), alone.new[m.gomod()])
	if err != nil {
		return err
	}
	if version.Compare("go"+before, "go"+after) < 0 {
		if err := own.AddGoStmt(after); err != nil {
			return err
		}
		m.raise = after
	}
	if err := requireDirectly(own, path, alone.version); err != nil {
		return err
	}
	own.Cleanup()
	m.version, m.inWork = alone.version, true
	m.new = map[string][]byte{m.gomod(): modfile.Format(own.Syntax), m.gosum(): alone.new[m.gosum()]}
	return nil
}

// noteVersion notes which version of a module the new go.mod requires.
func (m *goModule) noteVersion(path string) error {
	f, err := modfile.Parse(m.gomod(), m.new[m.gomod()], nil)
	if err != nil {
		return err
	}
	for _, req := range f.Require {
		if req.Mod.Path == path {
			m.version = req.Mod.Version
			return nil
		}
	}
	return fmt.Errorf("go get %s does not add it to %s", path, m.gomod())
}

// tidy makes the copies what the rewritten text needs, and nothing more. It reports
// false for a module that is not tidied: one that was not tidy before, or cannot be.
// Then what the text needs is all that is added.
func (m *goModule) tidy(ctx context.Context, b build, need requirements, overlay map[string][]byte) (bool, error) {
	before, err := m.required(need)
	if err != nil {
		return false, err
	}
	tidy, err := m.isTidy(ctx, b, need.module)
	if err != nil {
		return false, err
	}
	if tidy {
		if err = m.editFor(ctx, b, before, overlay, "mod", "tidy"); err == nil {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
	}
	if m.version == "" {
		return false, nil // nothing is needed
	}
	packages := make(map[string]bool)
	for _, name := range sortedKeys(overlay) {
		if rel, err := filepath.Rel(m.dir, filepath.Dir(name)); err == nil && filepath.IsLocal(rel) && filepath.Ext(name) == ".go" {
			packages["./"+filepath.ToSlash(rel)] = true
		}
	}
	args := append([]string{"list", "-mod=mod", "-e", "-deps", "-test"}, sortedKeys(packages)...)
	_ = m.editFor(ctx, b, m.new, overlay, args...) // where that fails, what go get made may do
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return false, nil
}

// editFor is edit with a go command that sees the overlay.
func (m *goModule) editFor(ctx context.Context, b build, files, overlay map[string][]byte, args ...string) error {
	return m.edit(ctx, b, files, func(goCommand func(args ...string) error, file string) error {
		dir := filepath.Dir(file)
		replace := make(map[string]string)
		for i, name := range sortedKeys(overlay) {
			replace[name] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
			if err := os.WriteFile(replace[name], overlay[name], 0o600); err != nil {
				return err
			}
		}
		data, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			return err
		}
		list := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(list, data, 0o600); err != nil {
			return err
		}
		n := 1 // words of the command
		if args[0] == "mod" {
			n = 2
		}
		return goCommand(slices.Concat(args[:n], []string{"-modfile=" + file, "-overlay=" + list}, args[n:])...)
	})
}

// required returns go.mod as it was, with the requirement beside what it requires
// directly, and the new go.sum.
func (m *goModule) required(need requirements) (map[string][]byte, error) {
	files, err := m.withGoLine()
	if err != nil {
		return nil, err
	}
	before, err := modfile.Parse(m.gomod(), files[m.gomod()], nil)
	if err != nil {
		return nil, err
	}
	if m.version != "" {
		if err := requireDirectly(before, need.module, m.version); err != nil {
			return nil, err
		}
	}
	before.Cleanup()
	text, err := before.Format()
	return map[string][]byte{m.gomod(): text, m.gosum(): m.new[m.gosum()]}, err
}

// requireDirectly adds a requirement to the block of those that are not indirect, as
// the go command would. AddRequire takes the last block, from where go mod tidy does
// not move it.
func requireDirectly(f *modfile.File, path, version string) error {
	if slices.ContainsFunc(f.Require, func(req *modfile.Require) bool { return req.Mod.Path == path }) {
		return f.AddRequire(path, version)
	}
	added := &modfile.Require{Mod: module.Version{Path: path, Version: version}}
	f.SetRequireSeparateIndirect(append(slices.Clip(f.Require), added))
	return nil
}

// edit puts files into a temporary directory, runs f on the go.mod there and
// makes what it leaves the new files. Their own directory is not written to.
func (m *goModule) edit(ctx context.Context, b build, files map[string][]byte, f func(goCommand func(args ...string) error, file string) error) error {
	dir, err := os.MkdirTemp("", "amqpfix")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			return err
		}
	}
	b = m.alone(b)
	goCommand := func(args ...string) error {
		_, err := b.goCommand(ctx, args...)
		return err
	}
	if err := f(goCommand, filepath.Join(dir, "go.mod")); err != nil {
		return err
	}
	changed := make(map[string][]byte)
	for _, name := range []string{m.gomod(), m.gosum()} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		changed[name] = data
	}
	m.new = changed
	return nil
}

// alone returns a build of the module outside any workspace, as it is on disk.
func (m *goModule) alone(b build) build {
	b.dir = m.dir
	b.env = append(slices.Clip(b.env), "GOWORK=off")
	b.mod, b.modules = "", nil
	return b
}
