package driver

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestRecheckStopsWhereNothingExportedChanged counts the packages that are
// type-checked again: fewer is what makes a run cheap.
func TestRecheckStopsWhereNothingExportedChanged(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

type T struct{}

func (T) M() int { return 1 }

func F() int { return 1 }
-- a/a_test.go --
package a

var _ = F()
-- b/b.go --
package b

import "example.com/m/a"

// V is an int, whatever a.F returns.
var V int = int(a.F())
-- through/t.go --
package through

import "example.com/m/a"

func T() a.T { return a.T{} }
-- c/c.go --
package c

import "example.com/m/b"

var V = b.V
-- d/d.go --
package d

import "example.com/m/through"

var V = through.T().M()
-- e/e_test.go --
package e_test

import "example.com/m/d"

var _ int = d.V
-- e/e.go --
package e
`)
	for _, tt := range []struct {
		name, old, new string
		checked        []string
		broken         []string
		whole          bool
	}{
		{"a body", "func F() int { return 1 }", "func F() int { return 2 }",
			[]string{"a", "a [example.com/m/a.test]"}, nil, false},
		{"a result that b hides", "func F() int", "func F() int8",
			[]string{"a", "a [example.com/m/a.test]", "b", "through"}, nil, true},
		{"a method that shows through", "M() int", "M() bool",
			nil, []string{"a", "a [example.com/m/a.test]", "e_test [example.com/m/e.test]"}, true}, // its own body does not fit
		{"a method and its body", "M() int { return 1 }", "M() bool { return true }",
			[]string{"a", "a [example.com/m/a.test]", "b", "d", "e_test [example.com/m/e.test]", "through"}, []string{"e_test [example.com/m/e.test]"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := build{dir: dir, env: testEnv(), tests: true}
			w, _, err := newWorld(t.Context(), b, newSources(), []string{"example.com/m/a"})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "a/a.go")
			text := readFile(t, file)
			overlay, err := applyUnits(applyPlain, w.sources, nil, []*unit{replacing(file, text, tt.old, tt.new)})
			if err != nil {
				t.Fatal(err)
			}
			s := newSnapshot(w, overlay)
			broken, err := s.recheck()
			if err != nil {
				t.Fatal(err)
			}
			if w.whole != tt.whole {
				t.Errorf("loaded all of the module: %v, want %v", w.whole, tt.whole)
			}
			var names []string
			for _, b := range broken {
				names = append(names, b.id[len("example.com/m/"):])
			}
			slices.Sort(names)
			if !slices.Equal(names, tt.broken) {
				t.Errorf("broken %q, want %q", names, tt.broken)
			}
			if tt.checked == nil {
				return
			}
			s = newSnapshot(w, overlay)
			if _, err := s.recheck(); err != nil {
				t.Fatal(err)
			}
			var checked []string
			for id := range s.done {
				checked = append(checked, id[len("example.com/m/"):])
			}
			slices.Sort(checked)
			if !slices.Equal(checked, tt.checked) {
				t.Errorf("checked %q, want %q", checked, tt.checked)
			}
		})
	}
}
