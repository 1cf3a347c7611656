package driver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A policy knows which files a run may write.
type policy struct {
	sources *sources
	roots   []string // real directories of the main modules
	memo    map[string]refusal
	links   map[string][]string // names of links to a file by its real name; nil until asked for
}

// addRoot notes the directory of a main module.
func (p *policy) addRoot(dir string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(p.roots, real) {
		p.roots = append(p.roots, real)
	}
}

// A refusal is why a file is not edited; the zero value is no refusal.
type refusal struct {
	category string
	message  string
}

// refuse returns why a file of m may not be edited.
func (p *policy) refuse(m *packages.Package, file string) refusal {
	if r, ok := p.memo[file]; ok {
		return r
	}
	r := p.decide(m, file)
	p.memo[file] = r
	return r
}

func (p *policy) decide(m *packages.Package, file string) refusal {
	if !slices.Contains(m.GoFiles, file) {
		return refusal{plan.CgoFile, "cgo translates the file before it is compiled: rewrite the call by hand"}
	}
	src, err := p.sources.read(file)
	if err != nil {
		return refusal{plan.TypeErrors, oneLine(err.Error())}
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
	if err == nil && ast.IsGenerated(f) {
		return refusal{plan.GeneratedFile, "the file is generated: change its generator"}
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil || !slices.ContainsFunc(p.roots, func(root string) bool { return within(root, real) }) {
		return refusal{plan.OutsideModule, "the file is a link to one outside the main module: rewrite the call there"}
	}
	if names := p.sharers(real); len(names) > 1 {
		other := names[0]
		if other == inPlace(file) {
			other = names[1]
		}
		return refusal{plan.OutsideModule, "the file is also " + p.short(other) + ", by a link, in a package of its own: rewrite the call by hand"}
	}
	return refusal{}
}

// short names a file from the directory of its module.
func (p *policy) short(name string) string {
	for _, root := range p.roots {
		if within(root, name) {
			if rel, err := filepath.Rel(root, name); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return name
}

// within reports whether file lies in dir or a directory below it.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}
