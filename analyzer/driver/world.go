package driver

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A world is the packages of one build configuration, as they are on disk.
// Packages are named by their go list ID, which tells test variants apart.
type world struct {
	ctx     context.Context
	build   build
	sources *sources
	fset    *token.FileSet
	meta    map[string]*packages.Package
	targets []string        // IDs to analyse, one variant for each set of files, sorted
	only    *chosen         // why the world is there; nil for the default configuration
	proof   bool            // it only proves edits: nothing of it is analysed
	whole   bool            // all packages of the main modules are in meta
	paths   map[string]bool // import paths of the packages of main modules in meta

	missing []packages.Error // new imports that the go command does not find

	exported map[string]*types.Package // what importers see
	imported map[string]error          // why that is not there; nil for those that are
	latest   map[string]*checked       // last result for a package under an overlay
	disk     *snapshot
}

// newWorld loads what patterns match, and all of it that type-checking needs.
func newWorld(ctx context.Context, b build, src *sources, patterns []string) (*world, []*packages.Package, error) {
	w := &world{
		ctx:      ctx,
		build:    b,
		sources:  src,
		fset:     token.NewFileSet(),
		meta:     make(map[string]*packages.Package),
		paths:    make(map[string]bool),
		exported: make(map[string]*types.Package),
		imported: make(map[string]error),
		latest:   make(map[string]*checked),
	}
	w.disk = newSnapshot(w, nil)
	roots, err := w.add(patterns...)
	return w, roots, err
}

// add loads more packages; known ones stay as they are.
func (w *world) add(patterns ...string) ([]*packages.Package, error) {
	return w.addFrom(w.build, patterns...)
}

// addFrom is add in another build, of the same configuration.
func (w *world) addFrom(b build, patterns ...string) ([]*packages.Package, error) {
	roots, err := b.load(w.ctx, sourceMode, patterns...)
	if err != nil {
		return nil, err
	}
	for p := range packages.Postorder(roots) {
		if w.meta[p.ID] == nil {
			w.meta[p.ID] = p
			if inMain(p) {
				w.paths[p.PkgPath] = true
			}
		}
	}
	return roots, nil
}

// addMainModules loads every package of the main modules, for a change that
// their importers can see.
func (w *world) addMainModules() error {
	if w.whole {
		return nil
	}
	w.whole = true
	mods, err := w.build.mainModules(w.ctx)
	if err != nil {
		return err
	}
	var patterns []string
	for _, m := range mods {
		patterns = append(patterns, m+"/...")
	}
	_, err = w.add(patterns...)
	return err
}

// resolve returns the ID of the package that an import path means in m. When
// the text imports something that it did not import on disk, known is false.
func (w *world) resolve(m *packages.Package, path string) (id string, known bool, err error) {
	if dep := m.Imports[path]; dep != nil {
		return dep.ID, true, nil
	}
	if m.ForTest != "" {
		if id := path + " [" + m.ForTest + ".test]"; w.meta[id] != nil {
			return id, false, nil
		}
	}
	if w.meta[path] == nil {
		roots, err := w.add(path)
		if err != nil {
			return "", false, err
		}
		for _, p := range roots {
			if p.PkgPath == path && len(p.Errors) > 0 {
				w.missing = append(w.missing, p.Errors[0])
			}
		}
		if w.meta[path] == nil {
			return "", false, fmt.Errorf("package %s is not found", path)
		}
	}
	return path, false, nil
}

// variants returns the IDs of all packages of main modules that have one of
// the files, sorted.
func (w *world) variants(files map[string][]byte) []string {
	var ids []string
	for id, m := range w.meta {
		if inMain(m) && touches(m, files) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// touches reports whether one of files belongs to m.
func touches(m *packages.Package, files map[string][]byte) bool {
	if len(files) == 0 {
		return false
	}
	return slices.ContainsFunc(m.CompiledGoFiles, func(f string) bool {
		_, ok := files[f]
		return ok
	})
}

// A snapshot is a world with an overlay: the text of changed files by name.
type snapshot struct {
	w       *world
	overlay map[string][]byte
	done    map[string]*checked
	changed map[string]bool // memo of apiChanged
	over    map[string]bool // memo of aboveChange
}

func newSnapshot(w *world, overlay map[string][]byte) *snapshot {
	return &snapshot{
		w:       w,
		overlay: overlay,
		done:    make(map[string]*checked),
		changed: make(map[string]bool),
		over:    make(map[string]bool),
	}
}

// checked is a package type-checked from source.
type checked struct {
	meta      *packages.Package
	mainPaths map[string]bool   // as in world
	key       [sha256.Size]byte // of all that differs from the disk; zero without overlay
	files     []*ast.File
	types     *types.Package
	info      *types.Info
	errs      []checkError
	added     []string // IDs of imports that are not those on disk; key has them not
	api       string   // memo of fingerprint
}

// A checkError is a syntax or type error.
type checkError struct {
	pos token.Position
	msg string
}

func (e checkError) String() string {
	if !e.pos.IsValid() {
		return e.msg
	}
	return e.pos.String() + ": " + e.msg
}

// read returns the text of a file under the overlay.
func (s *snapshot) read(name string) ([]byte, error) {
	if src, ok := s.overlay[name]; ok {
		return src, nil
	}
	return s.w.sources.read(name)
}

// check type-checks a package from source. Of what it imports there are only
// declarations, as they are on disk, but for packages that the overlay changed for
// their importers.
func (s *snapshot) check(id string) *checked {
	if c := s.done[id]; c != nil {
		return c
	}
	m := s.w.meta[id]
	key := s.key(m)
	c := s.w.latest[id]
	if s == s.w.disk || c == nil || c.key != key || slices.ContainsFunc(c.added, s.aboveChange) {
		c = s.typecheck(m)
		c.key = key
		if s != s.w.disk {
			s.w.latest[id] = c
		}
	}
	s.done[id] = c
	return c
}

// key identifies what check(m) depends on beyond the files on disk.
func (s *snapshot) key(m *packages.Package) (key [sha256.Size]byte) {
	if len(s.overlay) == 0 {
		return key
	}
	h := sha256.New()
	size := make([]byte, 8)
	add := func(b []byte) {
		binary.BigEndian.PutUint64(size, uint64(len(b)))
		h.Write(size)
		h.Write(b)
	}
	for _, name := range m.CompiledGoFiles {
		if src, ok := s.overlay[name]; ok {
			add([]byte(name))
			add(src)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(m.Imports)) {
		if dep := m.Imports[path]; s.aboveChange(dep.ID) {
			k := s.check(dep.ID).key
			add([]byte(path))
			add(k[:])
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (s *snapshot) typecheck(m *packages.Package) *checked {
	c := &checked{meta: m, mainPaths: s.w.paths}
	for _, name := range m.CompiledGoFiles {
		src, err := s.read(name)
		if err != nil {
			c.errs = append(c.errs, checkError{msg: err.Error()})
			continue
		}
		file, err := parser.ParseFile(s.w.fset, name, src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
		if file != nil {
			c.files = append(c.files, file)
		}
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, e := range list {
				c.errs = append(c.errs, checkError{e.Pos, e.Msg})
			}
		} else if err != nil {
			c.errs = append(c.errs, checkError{msg: err.Error()})
		}
	}
	c.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
	conf := s.w.typesConfig(m)
	conf.Importer = importerFunc(func(path string) (*types.Package, error) { return s.importFor(c, path) })
	conf.Error = func(err error) {
		var e types.Error
		if errors.As(err, &e) {
			if strings.HasPrefix(e.Msg, "\t") {
				return // a note to the error before
			}
			c.errs = append(c.errs, checkError{e.Fset.Position(e.Pos), oneLine(e.Msg)})
		} else {
			c.errs = append(c.errs, checkError{msg: err.Error()})
		}
	}
	c.types = types.NewPackage(m.PkgPath, m.Name)
	_ = types.NewChecker(conf, s.w.fset, c.types, c.info).Files(c.files) // errors went to conf.Error
	slices.SortStableFunc(c.errs, func(a, b checkError) int { return comparePositions(a.pos, b.pos) })
	return c
}

// importFor returns the package that an import in c means.
func (s *snapshot) importFor(c *checked, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	id, known, err := s.w.resolve(c.meta, path)
	if err != nil {
		return nil, err
	}
	if !known {
		c.added = append(c.added, id)
	}
	if s.aboveChange(id) {
		return s.check(id).types, nil
	}
	p, err := s.w.types(id)
	if err == nil && p == nil {
		err = fmt.Errorf("package %s has no types", path)
	}
	return p, err
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
