package analyzer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/analysis"
)

// otherFiles knows what a package declares in the files of its directory that are
// not part of the pass: those of other build configurations, and tests.
type otherFiles struct {
	pass     *analysis.Pass
	declared map[string]bool // made on first use
}

// declare reports whether one of the files declares the name for its package.
func (o *otherFiles) declare(name string) bool {
	if o.declared == nil {
		o.declared = make(map[string]bool)
		o.read()
	}
	return o.declared[name]
}

func (o *otherFiles) read() {
	in := make(map[string]bool)   // files of the pass
	dirs := make(map[string]bool) // theirs
	for _, file := range o.pass.Files {
		name := o.pass.Fset.File(file.FileStart).Name()
		in[name] = true
		if !isCgo(file, name) { // else it may be in the build cache
			dirs[filepath.Dir(name)] = true
		}
	}
	others := make(map[string]bool)
	for _, name := range o.pass.IgnoredFiles {
		others[name] = true
	}
	for dir := range dirs {
		entries, _ := os.ReadDir(dir) // a driver may have files that are not on disk
		for _, entry := range entries {
			others[filepath.Join(dir, entry.Name())] = true
		}
	}
	for name := range others {
		if !in[name] && filepath.Ext(name) == ".go" {
			o.file(name)
		}
	}
}

// file adds what a file declares. One that cannot be read or parsed declares what
// can be made out.
func (o *otherFiles) file(name string) {
	src, err := o.pass.ReadFile(name)
	if err != nil { // drivers may give out the files of the pass alone
		if src, err = os.ReadFile(name); err != nil {
			return
		}
	}
	file, _ := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if file == nil || file.Name.Name != o.pass.Pkg.Name() {
		return
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				o.declared[decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					o.declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						o.declared[id.Name] = true
					}
				}
			}
		}
	}
}
