package driver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A unit is a plan.Unit with a name that is unique in a run: one function can
// be declared in several files, each for its own build configuration.
type unit struct {
	plan.Unit
	key string
}

func newUnit(u plan.Unit) *unit {
	files := make(map[string]bool)
	for _, e := range u.Edits {
		files[e.File] = true
	}
	return &unit{u, strings.Join(append([]string{u.ID}, sortedKeys(files)...), "\x00")}
}

// files returns the names of the files that u edits.
func (u *unit) files() map[string]bool {
	files := make(map[string]bool)
	for _, e := range u.Edits {
		files[e.File] = true
	}
	return files
}

// sameEdits reports whether two analyses of one file agree.
func (u *unit) sameEdits(v *unit) bool {
	return slices.Equal(u.Edits, v.Edits) && slices.Equal(u.Imports, v.Imports) &&
		slices.Equal(u.Uses, v.Uses) && slices.Equal(u.Needs, v.Needs)
}

// siteKey names a site by its place, as plan.Unit.Sites does.
func siteKey(s plan.Site) string {
	return s.Pos.Filename + ":" + strconv.Itoa(s.Pos.Offset)
}

// A group is a set of units that need each other: none can go without the rest.
type group []*unit

// needs reports whether a unit of g needs one of those with the IDs.
func (g group) needs(ids map[string]bool) bool {
	return slices.ContainsFunc(g, func(u *unit) bool {
		return slices.ContainsFunc(u.Needs, func(id string) bool { return ids[id] })
	})
}

func flatten(groups []group) []*unit { return slices.Concat(groups...) }

// grouped splits units into groups, each after those that it needs.
func grouped(units []*unit) []group {
	byID := make(map[string][]*unit)
	for _, u := range units {
		byID[u.ID] = append(byID[u.ID], u)
	}
	// Strongly connected components come out with what they need first.
	t := &components{byID: byID, index: make(map[*unit]int), low: make(map[*unit]int), onStack: make(map[*unit]bool)}
	for _, u := range units {
		if t.index[u] == 0 {
			t.visit(u)
		}
	}
	return t.groups
}

type components struct {
	byID       map[string][]*unit
	index, low map[*unit]int // from 1
	onStack    map[*unit]bool
	stack      []*unit
	groups     []group
}

func (t *components) visit(u *unit) {
	n := len(t.index) + 1
	t.index[u], t.low[u] = n, n
	t.stack = append(t.stack, u)
	t.onStack[u] = true
	for _, id := range u.Needs {
		for _, v := range t.byID[id] {
			if t.index[v] == 0 {
				t.visit(v)
				t.low[u] = min(t.low[u], t.low[v])
			} else if t.onStack[v] {
				t.low[u] = min(t.low[u], t.index[v])
			}
		}
	}
	if t.low[u] != n {
		return
	}
	i := slices.Index(t.stack, u)
	g := group(slices.Clone(t.stack[i:]))
	t.stack = t.stack[:i]
	for _, v := range g {
		t.onStack[v] = false
	}
	t.groups = append(t.groups, g)
}

// An applyFunc is edit.Apply.
type applyFunc func(file string, src []byte, edits []plan.Edit, imports []plan.Import, uses []plan.Use) ([]byte, error)

// applyUnits returns base with the edits of units made. The text of a file that
// base has not comes from sources.
func applyUnits(apply applyFunc, src *sources, base map[string][]byte, units []*unit) (map[string][]byte, error) {
	type change struct {
		edits   []plan.Edit
		imports []plan.Import
		uses    []plan.Use
	}
	changes := make(map[string]*change)
	in := func(file string) *change {
		c := changes[file]
		if c == nil {
			c = new(change)
			changes[file] = c
		}
		return c
	}
	for _, u := range units {
		for _, e := range u.Edits {
			c := in(e.File)
			c.edits = append(c.edits, e)
		}
		for _, i := range u.Imports {
			c := in(i.File)
			c.imports = append(c.imports, i)
		}
		for _, use := range u.Uses {
			c := in(use.File)
			c.uses = append(c.uses, use)
		}
	}
	out := maps.Clone(base)
	if out == nil {
		out = make(map[string][]byte)
	}
	for _, file := range sortedKeys(changes) {
		text, ok := base[file]
		if !ok {
			var err error
			if text, err = src.read(file); err != nil {
				return nil, err
			}
		}
		c := changes[file]
		slices.SortStableFunc(c.edits, func(a, b plan.Edit) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		if err := checkEdits(text, c.edits); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		changed, err := apply(file, text, c.edits, c.imports, c.uses)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out[file] = changed
	}
	return out, nil
}

// checkEdits reports sorted edits that overlap or do not lie in text.
func checkEdits(text []byte, edits []plan.Edit) error {
	end := 0
	for i, e := range edits {
		if e.Start < 0 || e.Start > e.End || e.End > len(text) {
			return fmt.Errorf("edit of [%d,%d) in %d bytes", e.Start, e.End, len(text))
		}
		if i > 0 && e.Start < end {
			return fmt.Errorf("edit of [%d,%d) overlaps the one before it, which ends at %d", e.Start, e.End, end)
		}
		end = e.End
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
