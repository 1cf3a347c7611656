package driver

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A failure is why units cannot be applied.
type failure struct {
	err    checkError // the first error
	broken []breakage // none when the edits themselves do not fit
}

// message says it in one line. A package that is not among the given ones would
// perhaps have changed too if it were.
func (f *failure) message(given map[string]bool) string {
	if len(f.broken) == 0 {
		return "the rewrite was tried and could not be made: " + f.err.String()
	}
	b := f.broken[0]
	under := ""
	if b.w.only != nil && !b.w.only.byName && b.w.only.String() != "" {
		under = " under " + b.w.only.String()
	}
	m := b.w.meta[b.id]
	message := fmt.Sprintf("the rewrite was tried and breaks %s%s: %s", m.PkgPath, under, f.err.msg)
	if path := strings.TrimSuffix(basePath(m), "_test"); !given[path] {
		message += fmt.Sprintf("; %s was not given: run amqpfix ./...", path)
	}
	return message
}

// A settler finds the units of one pass that can be applied together.
type settler struct {
	worlds  []*world
	sources *sources
	apply   applyFunc
	base    map[string][]byte // overlay of the passes before
	applied map[string]bool   // IDs of units applied in this or an earlier pass

	overlay  map[string][]byte // base with the accepted units
	accepted []*unit
	failed   map[*unit]*failure
}

// settle splits units into accepted ones, which build together, and failed
// ones: those that break a package, and those that need one of them.
func (s *settler) settle(units []*unit) error {
	s.failed = make(map[*unit]*failure)
	s.overlay = s.base
	groups := s.satisfied(grouped(units))
	f, overlay, err := s.try(flatten(groups))
	if err != nil {
		return err
	}
	if f == nil {
		s.accept(groups, overlay)
		return nil
	}
	var suspects, others []group
	suspect := make(map[string]bool) // and those that need one
	for _, g := range groups {
		if f.suspect(g) || g.needs(suspect) {
			suspects = append(suspects, g)
			for _, u := range g {
				suspect[u.ID] = true
			}
		} else {
			others = append(others, g)
		}
	}
	if err := s.add(others); err != nil {
		return err
	}
	return s.add(suspects)
}

// add accepts as many of the groups as build with those accepted before. It
// halves a set that does not, so a few bad ones among many cost few tries.
func (s *settler) add(groups []group) error {
	groups = s.satisfied(groups)
	if len(groups) == 0 {
		return nil
	}
	f, overlay, err := s.try(slices.Concat(s.accepted, flatten(groups)))
	if err != nil {
		return err
	}
	if f == nil {
		s.accept(groups, overlay)
		return nil
	}
	if len(groups) == 1 {
		for _, u := range groups[0] {
			s.failed[u] = f
		}
		return nil
	}
	half := len(groups) / 2
	if err := s.add(groups[:half]); err != nil {
		return err
	}
	return s.add(groups[half:])
}

func (s *settler) accept(groups []group, overlay map[string][]byte) {
	for _, u := range flatten(groups) {
		s.accepted = append(s.accepted, u)
		s.applied[u.ID] = true
	}
	s.overlay = overlay
}

// satisfied returns the groups all of whose needs are applied or in a group
// before them, and fails the others.
func (s *settler) satisfied(groups []group) []group {
	here := make(map[string]bool)
	var ok []group
	for _, g := range groups {
		own := make(map[string]bool)
		for _, u := range g {
			own[u.ID] = true
		}
		missing := ""
		for _, u := range g {
			for _, id := range u.Needs {
				if !own[id] && !here[id] && !s.applied[id] {
					missing = id
				}
			}
		}
		for _, u := range g {
			if missing != "" {
				s.failed[u] = &failure{err: checkError{msg: "it needs the rewrite of " + missing + ", which was not made"}}
			} else {
				here[u.ID] = true
			}
		}
		if missing == "" {
			ok = append(ok, g)
		}
	}
	return ok
}

// try applies units to base and proves the result in every configuration.
func (s *settler) try(units []*unit) (*failure, map[string][]byte, error) {
	overlay, err := applyUnits(s.apply, s.sources, s.base, units)
	if err != nil {
		return &failure{err: checkError{msg: err.Error()}}, nil, nil
	}
	var f *failure
	for _, w := range s.worlds {
		broken, err := newSnapshot(w, overlay).recheck()
		if err != nil {
			return nil, nil, err
		}
		if len(w.missing) > 0 {
			if w.only != nil {
				return nil, nil, &lostWorld{w}
			}
			return nil, nil, fmt.Errorf("the rewritten code needs a package that is not there, and nothing was written: %s", oneLine(w.missing[0].Msg))
		}
		for _, b := range broken {
			if f == nil {
				f = &failure{err: b.err}
			}
			f.broken = append(f.broken, b)
		}
	}
	return f, overlay, nil
}

// suspect reports whether g edits a broken package or one that it imports.
func (f *failure) suspect(g group) bool {
	if len(f.broken) == 0 {
		return true
	}
	for _, u := range g {
		files := u.files()
		for _, b := range f.broken {
			seen := make(map[string]bool)
			if b.w.edited(b.w.meta[b.id], files, seen) {
				return true
			}
		}
	}
	return false
}

// edited reports whether m or a package that it imports has one of the files.
func (w *world) edited(m *packages.Package, files map[string]bool, seen map[string]bool) bool {
	if m == nil || seen[m.ID] || !inMain(m) {
		return false
	}
	seen[m.ID] = true
	if slices.ContainsFunc(m.CompiledGoFiles, func(f string) bool { return files[f] }) {
		return true
	}
	for _, dep := range m.Imports {
		if w.edited(w.meta[dep.ID], files, seen) {
			return true
		}
	}
	return false
}
