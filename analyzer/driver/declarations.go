package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"runtime"

	"golang.org/x/tools/go/packages"
)

// types returns a package as its importers on disk see it.
//
// It comes from source, without the bodies of functions, rather than from export
// data: where the build cache lacks that, compiling all that a client imports
// takes ten times as long as a run does.
func (w *world) types(id string) (*types.Package, error) {
	m := w.meta[id]
	if m == nil {
		return nil, fmt.Errorf("package %s is not loaded", id)
	}
	if m.PkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	if _, ok := w.imported[id]; !ok {
		w.importAll(m)
	}
	return w.exported[id], w.imported[id]
}

// importAll makes the types of m and of all that it imports. While one package is
// type-checked, the next ones are parsed.
func (w *world) importAll(m *packages.Package) {
	var order []*packages.Package // each after what it imports
	var visit func(m *packages.Package)
	visit = func(m *packages.Package) {
		if _, ok := w.imported[m.ID]; ok || m.PkgPath == "unsafe" {
			return
		}
		w.imported[m.ID] = errors.New("import cycle") // until it is made
		for _, path := range sortedKeys(m.Imports) {
			dep := m.Imports[path]
			visit(cmp.Or(w.meta[dep.ID], dep))
		}
		order = append(order, m)
	}
	visit(m)

	ahead := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	parsed := make([]chan []*ast.File, len(order))
	for i := range parsed {
		parsed[i] = make(chan []*ast.File, 1)
	}
	go func() {
		for i, m := range order {
			ahead <- struct{}{}
			go func() { parsed[i] <- w.parseAll(m) }()
		}
	}()
	for i, m := range order {
		files := <-parsed[i]
		<-ahead
		w.exported[m.ID], w.imported[m.ID] = w.declarations(m, files)
	}
}

// parseAll parses the files of a package, as far as they can be read and parsed.
func (w *world) parseAll(m *packages.Package) (files []*ast.File) {
	if w.ctx.Err() != nil {
		return nil
	}
	for _, name := range m.CompiledGoFiles {
		read := os.ReadFile // a text that is not looked at again is not worth its memory
		if inMain(m) {
			read = w.sources.read
		}
		src, err := read(name)
		if err != nil {
			continue
		}
		if file, _ := parser.ParseFile(w.fset, name, src, parser.SkipObjectResolution); file != nil {
			files = append(files, file)
		}
	}
	return files
}

// declarations type-checks all but the bodies of functions. Errors leave gaps, which
// importers that need what is missing complain of.
func (w *world) declarations(m *packages.Package, files []*ast.File) (*types.Package, error) {
	if w.ctx.Err() != nil {
		return nil, context.Cause(w.ctx)
	}
	if len(files) == 0 {
		if len(m.Errors) > 0 {
			return nil, errors.New(oneLine(m.Errors[0].Msg))
		}
		return nil, errors.New("no Go files")
	}
	conf := w.typesConfig(m)
	conf.IgnoreFuncBodies = true
	conf.Error = func(error) {}
	conf.Importer = importerFunc(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		dep := m.Imports[path]
		if dep == nil {
			return nil, fmt.Errorf("package %s is not found", path)
		}
		return w.exported[dep.ID], w.imported[dep.ID]
	})
	p := types.NewPackage(m.PkgPath, m.Name)
	_ = types.NewChecker(conf, w.fset, p, nil).Files(files)
	return p, nil
}

// typesConfig returns how the files of a package are type-checked.
func (w *world) typesConfig(m *packages.Package) *types.Config {
	conf := &types.Config{Sizes: m.TypesSizes}
	if m.Module != nil && m.Module.GoVersion != "" {
		conf.GoVersion = "go" + m.Module.GoVersion
	}
	return conf
}
