package driver

import (
	"bytes"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

// An oldAPI tells code that may publish the old way from code that cannot.
type oldAPI struct {
	paths []string // packages that declare an old API
	names []string // methods of theirs that a publish needs
}

// A selection finds candidates in the result of one go list.
type selection struct {
	old     oldAPI
	reaches map[string]bool // memo by ID
}

// candidates returns the import paths of the packages worth loading, sorted: of
// the main modules, reaching an old API, and naming one in their text. A test
// file can make its package a candidate.
func (s *selection) candidates(roots []*packages.Package) []string {
	found := make(map[string]bool)
	for _, p := range roots {
		if path := basePath(p); !found[path] && s.candidate(p) {
			found[path] = true
		}
	}
	return sortedKeys(found)
}

func (s *selection) candidate(p *packages.Package) bool {
	if !inMain(p) || isTestMain(p) || slices.Contains(s.old.paths, basePath(p)) {
		return false
	}
	if len(p.Errors) > 0 && s.inText(p.GoFiles) { // its imports may not be known
		return true
	}
	return s.imports(p) || s.reachesOld(p) && s.inText(p.GoFiles)
}

func (s *selection) imports(p *packages.Package) bool {
	return slices.ContainsFunc(s.old.paths, func(path string) bool { return p.Imports[path] != nil })
}

// reachesOld reports whether p imports an old API, however indirectly. Without
// that it cannot hold a value with a method of one.
func (s *selection) reachesOld(p *packages.Package) bool {
	reaches, ok := s.reaches[p.ID]
	if ok {
		return reaches
	}
	s.reaches[p.ID] = false // an import cycle ends here
	reaches = s.imports(p)
	if !reaches {
		for _, dep := range p.Imports {
			if s.reachesOld(dep) {
				reaches = true
				break
			}
		}
	}
	s.reaches[p.ID] = reaches
	return reaches
}

// inText reports whether a file names an old API or one of its methods. A file
// that cannot be read does not.
func (s *selection) inText(files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool {
		src, err := os.ReadFile(name)
		return err == nil && s.old.inText(src)
	})
}

// inText reports whether src names an old API or one of its methods.
func (o oldAPI) inText(src []byte) bool {
	has := func(s string) bool { return bytes.Contains(src, []byte(s)) }
	return slices.ContainsFunc(o.names, has) || o.importedIn(src)
}

// importedIn reports whether src has the import path of an old API in quotes.
func (o oldAPI) importedIn(src []byte) bool {
	return slices.ContainsFunc(o.paths, func(path string) bool {
		return bytes.Contains(src, []byte(`"`+path+`"`))
	})
}
