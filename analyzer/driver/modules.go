package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	Commands []string      // what to run before the rewrite, in the directory of Options
	After    []string      // what to run after it
	GoLines  []GoLine      // go lines that go up with that
	Raised   []Requirement // requirements of old clients that go up with that
}

func (e *ModuleError) Error() string {
	return "go.mod has to change, nothing was written (use -update-mod): " + strings.Join(slices.Concat(e.Commands, e.After), "; ")
}

// A goModule is a main module whose go.mod, or vendor, has to change.
type goModule struct {
	dir       string
	vendored  bool
	old, new  map[string][]byte // go.mod and go.sum, by name; new is nil where only vendor changes
	version   string            // of the required module
	raises    bool              // it was required, and raises other requirements
	dependent bool              // its code does not change, but that of a module which replaces one of its requirements
	noGoLine  bool              // the old go.mod has none
	inWork    bool              // it builds in its workspace only: go get and go mod tidy cannot work on it
	raise     string            // the go line that an inWork module gets, if another
}

// require finds out whether the go command finds what new text imports, and
// makes new go.mod and go.sum files where it does not. They are in memory only,
// and seen by all that the build loads from then on.
func (r *run) require(b *build, roots []*packages.Package, candidates []string) error {
	if r.tools.requires == nil || len(candidates) == 0 {
		return nil
	}
	need := r.tools.requires(r.opts)
	users := make(map[string][]string) // candidates by the directory of their module
	imports := make(map[string]bool)
	for _, p := range roots {
		if inMain(p) && p.Module != nil && slices.Contains(candidates, basePath(p)) {
			users[p.Module.Dir] = append(users[p.Module.Dir], basePath(p))
			for path := range p.Imports {
				imports[path] = true
			}
		}
	}
	packages := need.of(imports)
	b.modules = nil
	found, err := r.foundOrUnvendored(b, r.vendored(sortedKeys(users)), packages)
	if err != nil {
		return err
	}
	own := false
	if r.work != nil {
		r.workVendor = b.mod != ""
		r.workVersion, own = r.versionInWork(*b, need.module)
	}
	for _, dir := range sortedKeys(users) {
		m := &goModule{dir: dir, vendored: isVendored(dir)}
		if err := m.read(); err != nil {
			return err
		}
		var lacks bool // beside what vendor lacks
		switch {
		case !found:
			lacks = true
		case own: // that is how the module is built here
			continue
		case r.work != nil:
			has, builds, err := r.buildsAlone(m, *b, packages, users[dir])
			if err != nil {
				return err
			}
			if !builds {
				continue
			}
			if has == inModule {
				r.tidyable = append(r.tidyable, dir)
				continue
			}
			lacks = has == inNeither
		case !m.vendored || b.mod == "":
			r.tidyable = append(r.tidyable, dir)
			continue
		}
		r.modules = append(r.modules, m)
		if !lacks {
			continue
		}
		if err := m.get(r, *b, need.module); err != nil {
			if r.opts.Mode == ModeReport && r.ctx.Err() == nil {
				r.goUnproved(need, err)
				return nil
			}
			return fmt.Errorf("the rewritten code needs %s: %w", need.module, err)
		}
	}
	return r.overlayModules(b)
}

// overlayModules has the build see the new go.mod and go.sum files.
func (r *run) overlayModules(b *build) error {
	b.modules = make(map[string][]byte)
	for _, m := range r.modules {
		maps.Copy(b.modules, m.new)
	}
	err := r.raiseWork()
	maps.Copy(b.modules, r.newWork)
	return err
}

// raiseWork makes a new go.work where the new go.mod files demand it.
func (r *run) raiseWork() (err error) {
	if r.work == nil {
		return nil
	}
	modules := make(map[string][]byte)
	for _, m := range r.modules {
		maps.Copy(modules, m.new)
	}
	r.workRaise, r.newWork, err = r.work.raise(modules)
	return err
}

// goUnproved lets a report go on without the module that new text needs: what it
// says is what the analysis plans, and nothing of that is tried.
func (r *run) goUnproved(need requirements, err error) {
	r.unproved = fmt.Sprintf("%s cannot be added to go.mod: %v", need.module, err)
	for _, m := range r.modules {
		r.commands = append(r.commands, r.in(m.dir)+"go get "+at(need.module, m.version))
	}
	r.modules = nil
}

// found reports whether the go command finds the packages and all they import.
func (r *run) found(b build, paths []string) (bool, error) {
	b.tests = false // those of dependencies need more
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

// foundOrUnvendored is found, where a vendor directory may be what lacks the
// packages: then the build goes on without it.
func (r *run) foundOrUnvendored(b *build, vendored bool, paths []string) (bool, error) {
	ok, err := r.found(*b, paths)
	if ok || err != nil || !vendored {
		return ok, err
	}
	b.mod = "readonly"
	return r.found(*b, paths)
}

// Where a module, built outside its workspace, finds what new text imports.
type having int

const (
	inNeither having = iota
	inModule         // it builds with what it has
	inGoMod          // its vendor directory lacks it
)

// buildsAlone reports whether a module of a workspace builds outside it, as far
// as the packages show that are to change, and what it finds then of others.
func (r *run) buildsAlone(m *goModule, b build, paths, users []string) (has having, builds bool, err error) {
	alone := m.alone(b)
	if builds, err = r.found(alone, users); !builds || err != nil {
		return inNeither, false, err
	}
	ok, err := r.foundOrUnvendored(&alone, m.vendored, paths)
	switch {
	case err != nil || !ok:
		return inNeither, true, err
	case alone.mod != "":
		return inGoMod, true, nil
	default:
		return inModule, true, nil
	}
}

// versionInWork returns the version of a module that the workspace uses, "" for
// none, and whether the module is one of its own.
func (r *run) versionInWork(b build, path string) (version string, main bool) {
	out, err := b.goCommand(r.ctx, "list", "-m", "-f", "{{if .Main}}main{{else if not .Replace}}{{.Version}}{{end}}", path)
	if err != nil {
		return "", false
	}
	version = strings.TrimSpace(string(out))
	if version == "main" {
		return "", true
	}
	return version, false
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

// in returns what goes before a command that is run in a directory.
func (r *run) in(dir string) string {
	if rel, err := filepath.Rel(r.opts.Dir, dir); err == nil && rel != "." {
		return "cd " + filepath.ToSlash(rel) + " && "
	}
	return ""
}

// addCommands notes what changes the modules by hand, and vendor.
func (r *run) addCommands(need requirements) {
	for _, m := range r.modules {
		in := r.in(m.dir)
		switch {
		case m.dependent:
			r.after = append(r.after, in+"go mod tidy")
		case m.new == nil:
		case m.inWork:
			edit := "go mod edit -require=" + need.module + "@" + m.version
			if m.raise != "" {
				edit += " -go=" + m.raise
			}
			r.commands = append(r.commands, in+edit)
		default:
			if m.noGoLine {
				r.commands = append(r.commands, in+"go mod edit -go="+goModWithout)
			}
			for _, command := range m.getCommands(need.module) {
				r.commands = append(r.commands, in+command)
			}
			r.after = append(r.after, in+"go mod tidy")
		}
		if m.vendored {
			env := ""
			if r.work != nil {
				env = "GOWORK=off "
			}
			r.after = append(r.after, in+env+"go mod vendor")
		}
	}
	if r.workRaise != "" && slices.ContainsFunc(r.modules, func(m *goModule) bool { return m.inWork }) {
		r.commands = append(r.commands, r.in(filepath.Dir(r.work.name))+"go work edit -go="+r.workRaise)
	}
	if r.workVendor || len(r.modules) > 0 && r.work != nil && r.work.vendored {
		r.workVendor = true
		r.after = append(r.after, r.in(filepath.Dir(r.work.name))+"go work vendor")
	}
}

// updateModules adds the go.mod and go.sum files that have to change to what the
// run writes, or says which commands change them.
func (r *run) updateModules() error {
	if r.tools.requires == nil || len(r.overlay) == 0 {
		return nil
	}
	if err := r.tidyFound(); err != nil {
		return err
	}
	r.modules = slices.DeleteFunc(r.modules, func(m *goModule) bool { return !r.edits(m.dir) })
	followers, err := r.dependents(r.modules)
	if err != nil {
		return err
	}
	r.modules = append(r.modules, followers...)
	if err := r.raiseWork(); err != nil {
		return err
	}
	if err := errors.Join(r.raised(), r.noteRaised()); err != nil {
		return err
	}
	if err := r.refuseUpgrade(); err != nil {
		return err
	}
	need := r.tools.requires(r.opts)
	if !r.opts.UpdateMod {
		if r.addCommands(need); len(r.commands)+len(r.after) > 0 && r.opts.Mode == ModeFix {
			return &ModuleError{r.commands, r.after, r.goLines, r.raisedRequirements}
		}
	} else if err := r.refuseLoops(); err != nil {
		return err
	}
	if r.opts.Mode == ModeReport {
		return nil
	}
	changed := make(map[string][]byte)
	for _, m := range r.modules {
		if m.new == nil {
			if m.dependent && r.opts.UpdateMod {
				r.after = append(r.after, r.in(m.dir)+"go mod tidy")
			}
			continue
		}
		if !m.inWork && !m.dependent {
			tidied, err := m.tidy(r.ctx, r.worlds[0].build, need, r.overlay)
			if err != nil {
				return err
			}
			if !tidied && r.opts.UpdateMod {
				r.after = append(r.after, r.in(m.dir)+"go mod tidy")
			}
		}
		for name, data := range m.new {
			if !bytes.Equal(data, m.old[name]) {
				changed[name] = data
			}
			for _, w := range r.worlds {
				if w.build.modules == nil {
					w.build.modules = make(map[string][]byte)
				}
				w.build.modules[name] = data
			}
		}
	}
	if r.opts.UpdateMod {
		maps.Copy(r.overlay, changed)
		maps.Copy(r.overlay, r.newWork)
		r.workVendor = r.workVendor || len(r.modules) > 0 && r.work != nil && r.work.vendored
	}
	return nil
}
