package driver

import (
	"context"
	"go/token"
	"slices"

	"golang.org/x/tools/go/packages"
)

// apiChanged reports whether importers of a package see something else under
// the overlay than on disk.
func (s *snapshot) apiChanged(id string) bool {
	if len(s.overlay) == 0 {
		return false
	}
	changed, ok := s.changed[id]
	if ok {
		return changed
	}
	s.changed[id] = false // an import cycle ends here
	m := s.w.meta[id]
	if m == nil || !inMain(m) {
		return false
	}
	if touches(m, s.overlay) || s.importsChange(m) {
		s.changed[id] = s.check(id).fingerprint() != s.w.disk.check(id).fingerprint()
	}
	return s.changed[id]
}

// importsChange reports whether a direct import of m has changed for m.
func (s *snapshot) importsChange(m *packages.Package) bool {
	for _, dep := range m.Imports {
		if s.apiChanged(dep.ID) {
			return true
		}
	}
	return false
}

// aboveChange reports whether a package, or one that it imports however
// indirectly, has changed for its importers. Export data of such a package
// describes types that are not those of the snapshot.
func (s *snapshot) aboveChange(id string) bool {
	if len(s.overlay) == 0 {
		return false
	}
	over, ok := s.over[id]
	if ok {
		return over
	}
	s.over[id] = false
	m := s.w.meta[id]
	if m == nil || !inMain(m) { // what is outside the main modules imports nothing of them
		return false
	}
	for _, dep := range m.Imports {
		if s.aboveChange(dep.ID) {
			over = true
			break
		}
	}
	over = over || s.apiChanged(id)
	s.over[id] = over
	return over
}

// A breakage is a package that an overlay breaks.
type breakage struct {
	w   *world
	id  string
	err checkError // the first new error
}

// recheck type-checks the packages that the overlay changes, and those that
// import them as far as something exported changed. It returns those with
// errors that are not there on disk.
func (s *snapshot) recheck() ([]breakage, error) {
	var broken []breakage
	checked := make(map[string]bool)
	check := func(id string) {
		checked[id] = true
		if err, ok := newError(s.w.disk.check(id).errs, s.check(id).errs, s.edits); ok {
			broken = append(broken, breakage{s.w, id, err})
		}
	}
	spread := false
	for _, id := range s.w.variants(s.overlay) {
		check(id)
		spread = spread || s.apiChanged(id)
	}
	if spread {
		if !s.w.whole {
			if err := s.w.addMainModules(); err != nil {
				return nil, err
			}
			return newSnapshot(s.w, s.overlay).recheck() // there may be more variants now
		}
		for _, id := range s.w.importers() {
			if !checked[id] && s.importsChange(s.w.meta[id]) {
				check(id)
			}
		}
	}
	if s.w.ctx.Err() != nil {
		return nil, context.Cause(s.w.ctx)
	}
	return broken, nil
}

// edits reports whether a file is not as on disk.
func (s *snapshot) edits(file string) bool {
	_, ok := s.overlay[file]
	return ok
}

// importers returns the IDs of the packages of main modules, each after those
// it imports.
func (w *world) importers() []string {
	var ids []string
	for id, m := range w.meta {
		if inMain(m) && !isTestMain(m) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	var order []string
	seen := make(map[string]bool)
	var visit func(id string)
	visit = func(id string) {
		m := w.meta[id]
		if seen[id] || m == nil || !inMain(m) || isTestMain(m) {
			return
		}
		seen[id] = true
		for _, path := range sortedKeys(m.Imports) {
			visit(m.Imports[path].ID)
		}
		order = append(order, id)
	}
	for _, id := range ids {
		visit(id)
	}
	return order
}

// newError returns the first error of after that before has not. Positions
// move with edits, so errors count as the same when file and message are. In a file
// that is not edited they do when they are at one position: its message may name a
// type that changed.
func newError(before, after []checkError, edited func(file string) bool) (checkError, bool) {
	type kind struct{ file, msg string }
	known := make(map[kind]int)
	at := make(map[token.Position]bool)
	for _, e := range before {
		known[kind{e.pos.Filename, e.msg}]++
		at[e.pos] = e.pos.IsValid() && !edited(e.pos.Filename)
	}
	for _, e := range after {
		k := kind{e.pos.Filename, e.msg}
		if known[k] == 0 && !at[e.pos] {
			return e, true
		}
		known[k]--
	}
	return checkError{}, false
}
