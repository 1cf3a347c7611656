package flow

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Systems and processors whose names at the end of a file's name restrict it, as
// go help buildconstraint has them. One more does no harm.
var restricting = strings.Fields(`
	aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos
	386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64 ppc64le
	riscv riscv64 s390 s390x sparc sparc64 wasm`)

// portable reports whether a constant expression has its value in whatever
// configuration its file is built for: it is made of literals and of constants that
// are declared in the same file, or in one of the package that all builds have.
// What another package says may be another thing elsewhere.
func (p *Package) portable(e ast.Expr) bool { return p.portableFrom(e, p.fileOf(e.Pos())) }

func (p *Package) portableFrom(e ast.Expr, file *ast.File) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ok = false
		case *ast.Ident:
			switch obj := p.Info.Uses[n].(type) {
			case *types.Const:
				ok = ok && (obj.Parent() == types.Universe || p.portableConst(obj, file))
			case *types.TypeName: // int and uint have the size of a word
				b, basic := obj.Type().Underlying().(*types.Basic)
				ok = ok && basic && b.Kind() != types.Int && b.Kind() != types.Uint && b.Kind() != types.Uintptr
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

func (p *Package) portableConst(c *types.Const, user *ast.File) bool {
	if c.Pkg() != p.Types {
		return false
	}
	file := p.fileOf(c.Pos())
	if file == nil || file != user && p.restricted(file) {
		return false
	}
	value := p.valueOf(c, file)
	return value != nil && p.portableFrom(value, file)
}

// valueOf returns the expression that a constant is declared with, nil if that is
// the one of the constant above.
func (p *Package) valueOf(c *types.Const, file *ast.File) (value ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return value == nil && n != nil && n.Pos() <= c.Pos() && c.Pos() < n.End()
		}
		i := slices.IndexFunc(spec.Names, func(id *ast.Ident) bool { return p.Info.Defs[id] == c })
		if i >= 0 && i < len(spec.Values) {
			value = spec.Values[i]
		}
		return false
	})
	return value
}

// fileOf returns the file of the package that pos is in.
func (p *Package) fileOf(pos token.Pos) *ast.File {
	for cur := range p.Root.Children() {
		if file, ok := cur.Node().(*ast.File); ok && file.FileStart <= pos && pos < file.FileEnd {
			return file
		}
	}
	return nil
}

// restricted reports whether a file may be left out of a build.
func (p *Package) restricted(file *ast.File) bool {
	name := strings.TrimSuffix(filepath.Base(p.Fset.File(file.FileStart).Name()), ".go")
	parts := strings.Split(strings.TrimSuffix(name, "_test"), "_")
	if len(parts) > 1 && slices.Contains(restricting, parts[len(parts)-1]) {
		return true
	}
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		if slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
			return constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text)
		}) {
			return true
		}
	}
	return false
}
