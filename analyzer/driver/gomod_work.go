package driver

import (
	"context"
	"errors"
	"go/version"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// A workspace is a go.work file.
type workspace struct {
	name     string // absolute
	file     *modfile.WorkFile
	vendored bool // dependencies come from its vendor directory
}

// readWorkspace returns the workspace of a go.work file; nil for no name.
func readWorkspace(name string) (*workspace, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(name), "vendor", "modules.txt"))
	return &workspace{name: name, file: file, vendored: err == nil}, nil
}

// modules returns the directories that go.work lists, by their real names and
// as far as they are those of modules.
func (w *workspace) modules() []string {
	var dirs []string
	for _, use := range w.file.Use {
		real, err := filepath.EvalSymlinks(w.absolute(use.Path))
		if err != nil {
			continue
		}
		if fi, err := os.Lstat(filepath.Join(real, "go.mod")); err == nil && fi.Mode().IsRegular() {
			dirs = append(dirs, real)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// absolute returns a directory as go.work names it.
func (w *workspace) absolute(name string) string {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(w.name), name)
	}
	return name
}

// version returns the go line of go.work.
func (w *workspace) version() string {
	if w.file.Go == nil {
		return goWorkWithout
	}
	return w.file.Go.Version
}

// raise returns the go line that the highest of the go.mod files demands, and
// go.work with it; none if its own is as high.
func (w *workspace) raise(modules map[string][]byte) (string, map[string][]byte, error) {
	highest := w.version()
	for _, file := range sortedKeys(modules) {
		if filepath.Base(file) != "go.mod" {
			continue
		}
		v, err := goLine(file, modules[file])
		if err != nil {
			return "", nil, err
		}
		if version.Compare("go"+v, "go"+highest) > 0 {
			highest = v
		}
	}
	if highest == w.version() {
		return "", nil, nil
	}
	text, err := os.ReadFile(w.name)
	if err != nil {
		return "", nil, err
	}
	raised, err := modfile.ParseWork(w.name, text, nil)
	if err != nil {
		return "", nil, errors.New(oneLine(err.Error()))
	}
	if err := raised.AddGoStmt(highest); err != nil {
		return "", nil, err
	}
	raised.Cleanup()
	return highest, map[string][]byte{w.name: modfile.Format(raised.Syntax)}, nil
}

// A place is where a run keeps its journal, and what it may write.
type place struct {
	root    string   // real directory of the module or workspace, with the journal
	modules []string // real directories of the workspace's modules; none for a module
}

// place returns the place of a run.
func (e goEnv) place() (place, error) {
	root, err := filepath.EvalSymlinks(e.root())
	if err != nil {
		return place{}, err
	}
	w, err := readWorkspace(e.GOWORK)
	if w == nil || err != nil {
		return place{root: root}, err
	}
	return place{root, w.modules()}, nil
}

// lock takes the locks of a ModeFix run: of its root and of all modules in the
// workspace, which a run in one of them would take.
func (p place) lock() (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for _, f := range slices.Backward(held) {
			f()
		}
	}
	dirs := append([]string{p.root}, p.modules...)
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		f, err := lockDir(dir)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, f)
	}
	return unlock, nil
}

// journals returns the directories where an interrupted run may have left a
// journal: also a run in one module of the workspace.
func (p place) journals() []string {
	dirs := []string{p.root}
	for _, dir := range p.modules {
		if dir != p.root {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// pending returns a *PendingError when a run in the place was cut off.
func (p place) pending() error {
	for _, dir := range p.journals() {
		if err := pending(dir); err != nil {
			return err
		}
	}
	return nil
}

// resume completes runs that were cut off and returns how many files were left
// to write.
func (p place) resume(ctx context.Context, b build) (int, error) {
	total := 0
	for _, dir := range p.journals() {
		var outside []string
		if dir == p.root {
			outside = p.modules
		}
		n, err := resume(ctx, b, dir, outside...)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
