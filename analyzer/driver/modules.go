package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// requirements are what new text imports that code without it may not have.
type requirements struct {
	module   string              // to require
	packages map[string][]string // of it, by an import of the code before; "" for any code
}

// of returns the packages that code with the imports needs.
func (n requirements) of(imports map[string]bool) []string {
	list := slices.Clone(n.packages[""])
	for _, path := range sortedKeys(n.packages) {
		if imports[path] {
			list = append(list, n.packages[path]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A ModuleError says that go.mod, go.sum or vendor has to change before the
// rewritten code builds, and that the options do not allow it. Nothing was
// written.
type ModuleError struct {
	Commands []string // make the changes, each run in the directory of Options
}

func (e *ModuleError) Error() string {
	return "go.mod has to change, nothing was written (use -update-mod): " + strings.Join(e.Commands, "; ")
}

// A goModule is a main module whose go.mod has to change.
type goModule struct {
	dir      string
	replaced bool // the required module is: no version of it is looked up
	vendored bool
	old, new map[string][]byte // go.mod and go.sum, by name
}

// require finds out whether the go command finds what new text imports, and
// makes new go.mod and go.sum files where it does not. They are in memory only,
// and seen by all that the build loads from then on.
func (r *run) require(b *build, env goEnv, roots []*packages.Package, candidates []string) error {
	if r.tools.requires == nil || len(candidates) == 0 {
		return nil
	}
	need := r.tools.requires(r.opts)
	dirs := make(map[string]bool)
	imports := make(map[string]bool)
	for _, p := range roots {
		if inMain(p) && p.Module != nil && slices.Contains(candidates, basePath(p)) {
			dirs[p.Module.Dir] = true
			for path := range p.Imports {
				imports[path] = true
			}
		}
	}
	packages := need.of(imports)
	if ok, err := r.found(*b, packages); ok || err != nil {
		r.tidyable = sortedKeys(dirs)
		return err
	}
	for _, dir := range sortedKeys(dirs) {
		m := &goModule{dir: dir, vendored: isVendored(dir)}
		if err := m.read(); err != nil {
			return err
		}
		r.modules = append(r.modules, m)
	}
	for _, m := range r.modules {
		if m.vendored {
			b.mod = "readonly"
		}
	}
	if ok, err := r.found(*b, packages); ok || err != nil {
		return err // only vendor lacks them
	}
	for _, m := range r.modules {
		if err := m.get(r.ctx, *b, need.module, packages); err != nil {
			if r.opts.Mode == ModeReport && r.ctx.Err() == nil {
				r.goUnproved(need, err)
				return nil
			}
			return fmt.Errorf("the rewritten code needs %s: %w", need.module, err)
		}
	}
	b.modules = make(map[string][]byte)
	for _, m := range r.modules {
		maps.Copy(b.modules, m.new)
	}
	if env.GOWORK != "" {
		work, err := raiseWork(env.GOWORK, b.modules)
		if err != nil {
			return err
		}
		maps.Copy(b.modules, work)
		r.work = work
	}
	return nil
}

// goUnproved lets a report go on without the module that new text needs: what it
// says is what the analysis plans, and nothing of that is tried.
func (r *run) goUnproved(need requirements, err error) {
	r.unproved = fmt.Sprintf("%s cannot be added to go.mod: %v", need.module, err)
	for _, m := range r.modules {
		r.commands = append(r.commands, m.in(r.opts.Dir)+"go get "+need.module+"@"+m.version())
	}
	r.modules = nil
}

// raiseWork returns go.work with the go line that the highest of the go.mod files
// demands, if its own is lower.
func raiseWork(name string, modules map[string][]byte) (map[string][]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	highest := "1.18" // what a go.work without a line has
	if work.Go != nil {
		highest = work.Go.Version
	}
	lowest := highest
	for _, file := range sortedKeys(modules) {
		if filepath.Base(file) != "go.mod" {
			continue
		}
		f, err := modfile.ParseLax(file, modules[file], nil)
		if err != nil {
			return nil, errors.New(oneLine(err.Error()))
		}
		if f.Go != nil && version.Compare("go"+f.Go.Version, "go"+highest) > 0 {
			highest = f.Go.Version
		}
	}
	if highest == lowest {
		return nil, nil
	}
	if err := work.AddGoStmt(highest); err != nil {
		return nil, err
	}
	work.Cleanup()
	return map[string][]byte{name: modfile.Format(work.Syntax)}, nil
}

// found reports whether the go command finds the packages.
func (r *run) found(b build, paths []string) (bool, error) {
	pkgs, err := b.load(r.ctx, listMode, paths...)
	if r.ctx.Err() != nil {
		return false, context.Cause(r.ctx)
	}
	if err != nil {
		return false, nil
	}
	ok := true
	packages.Visit(pkgs, nil, func(p *packages.Package) { ok = ok && len(p.Errors) == 0 })
	return ok, nil
}

// isVendored reports whether the go command takes dependencies of the module from
// its vendor directory.
func isVendored(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt"))
	return err == nil
}

func (m *goModule) gomod() string { return filepath.Join(m.dir, "go.mod") }
func (m *goModule) gosum() string { return filepath.Join(m.dir, "go.sum") }

func (m *goModule) read() error {
	m.old = make(map[string][]byte)
	for _, name := range []string{m.gomod(), m.gosum()} {
		data, err := os.ReadFile(name)
		if err != nil && !(name == m.gosum() && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
		m.old[name] = data
	}
	return nil
}

// get adds the requirement to copies of go.mod and go.sum.
func (m *goModule) get(ctx context.Context, b build, module string, packages []string) error {
	f, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return errors.New(oneLine(err.Error()))
	}
	m.replaced = slices.ContainsFunc(f.Replace, func(r *modfile.Replace) bool { return r.Old.Path == module })
	return m.edit(m.old, func(goCommand func(args ...string) error, file string) error {
		if err := goCommand("get", "-modfile="+file, module+"@"+m.version()); err != nil {
			return err
		}
		// What its packages import gets into go.sum when they are loaded.
		args := append([]string{"list", "-mod=mod", "-modfile=" + file, "-deps"}, packages...)
		return goCommand(args...)
	}, b)
}

func (m *goModule) version() string {
	if m.replaced {
		return "v0.0.0"
	}
	return "latest"
}

// tidy removes from the copies what the rewritten text needs no longer. A module
// that was not tidy before may be one that cannot be; then it is left as it is.
func (m *goModule) tidy(b build, need requirements, overlay map[string][]byte) error {
	before, err := m.required(need)
	if err != nil {
		return err
	}
	return m.edit(before, func(goCommand func(args ...string) error, file string) error {
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
		return goCommand("mod", "tidy", "-modfile="+file, "-overlay="+list)
	}, b)
}

// required returns go.mod as it was, with the requirement beside what it requires
// directly, and the new go.sum.
func (m *goModule) required(need requirements) (map[string][]byte, error) {
	now, err := modfile.Parse(m.gomod(), m.new[m.gomod()], nil)
	if err != nil {
		return nil, err
	}
	before, err := modfile.Parse(m.gomod(), m.old[m.gomod()], nil)
	if err != nil {
		return nil, err
	}
	for _, r := range now.Require {
		if r.Mod.Path == need.module {
			if err := before.AddRequire(r.Mod.Path, r.Mod.Version); err != nil {
				return nil, err
			}
		}
	}
	text, err := before.Format()
	return map[string][]byte{m.gomod(): text, m.gosum(): m.new[m.gosum()]}, err
}

// edit puts files into a temporary directory, runs f on the go.mod there and
// makes what it leaves the new files.
func (m *goModule) edit(files map[string][]byte, f func(goCommand func(args ...string) error, file string) error, b build) error {
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
	b.dir = m.dir
	b.env = append(slices.Clip(b.env), "GOWORK=off")
	goCommand := func(args ...string) error {
		_, err := b.goCommand(context.Background(), args...)
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

// in returns what goes before a command that is run in dir.
func (m *goModule) in(dir string) string {
	if rel, err := filepath.Rel(dir, m.dir); err == nil && rel != "." {
		return "cd " + rel + " && "
	}
	return ""
}

// commands are what changes go.mod and vendor by hand, in dir.
func (m *goModule) commands(dir string, need requirements) []string {
	in := m.in(dir)
	var list []string
	if m.new != nil {
		list = append(list, in+"go get "+need.module+"@"+m.version(), in+"go mod tidy")
	}
	if m.vendored {
		list = append(list, in+"go mod vendor")
	}
	return list
}

// dropOldModules has go.mod files tidied that need no new requirement, where an
// import of an old client changed: that was perhaps its last.
func (r *run) dropOldModules() error {
	if !r.opts.UpdateMod || !slices.ContainsFunc(r.imports, func(i Import) bool { return i.Moved }) {
		return nil
	}
	for _, dir := range r.tidyable {
		m := &goModule{dir: dir, vendored: isVendored(dir)}
		if err := m.read(); err != nil {
			return err
		}
		m.new = m.old
		r.modules = append(r.modules, m)
	}
	return nil
}

// updateModules adds the go.mod and go.sum files that have to change to what the
// run writes, or says which commands change them.
func (r *run) updateModules() error {
	if err := r.dropOldModules(); err != nil {
		return err
	}
	used := slices.DeleteFunc(slices.Clone(r.modules), func(m *goModule) bool {
		return !slices.ContainsFunc(sortedKeys(r.overlay), func(name string) bool { return within(m.dir, name) })
	})
	if len(used) > 0 && !r.opts.UpdateMod {
		for _, m := range used {
			r.commands = append(r.commands, m.commands(r.opts.Dir, r.tools.requires(r.opts))...)
		}
		if r.opts.Mode == ModeFix {
			return &ModuleError{r.commands}
		}
		return nil
	}
	for _, m := range used {
		if m.new == nil {
			continue
		}
		if err := m.tidy(r.worlds[0].build, r.tools.requires(r.opts), r.overlay); err != nil {
			r.commands = append(r.commands, m.in(r.opts.Dir)+"go mod tidy")
		}
		for name, data := range m.new {
			if !bytes.Equal(data, m.old[name]) {
				r.overlay[name] = data
			}
			for _, w := range r.worlds {
				if w.build.modules == nil {
					w.build.modules = make(map[string][]byte)
				}
				w.build.modules[name] = data
			}
		}
	}
	if len(used) > 0 {
		maps.Copy(r.overlay, r.work)
	}
	return nil
}

// vendor brings the vendor directories up to date, after the files are written.
func (r *run) vendor() error {
	for _, m := range r.modules {
		if !m.vendored || !r.opts.UpdateMod {
			continue
		}
		b := r.worlds[0].build
		b.dir = m.dir
		if _, err := b.goCommand(r.ctx, "mod", "vendor"); err != nil {
			return fmt.Errorf("all files are written, but vendor is not up to date; run go mod vendor in %s: %w", m.dir, err)
		}
	}
	return nil
}
