package driver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestPassesRepeatUntilNothingIsLeft(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan once "one" => "two"
const C = "one"

//plan grow "x" => "xx"
const D = "x"
`)
	_, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
	if err == nil || !strings.Contains(err.Error(), "internal error: still editing after 8 passes") {
		t.Fatalf("error %v", err)
	}
	if got := readFile(t, dir, "a/a.go"); !strings.Contains(got, `C = "one"`) {
		t.Errorf("a file was written:\n%s", got)
	}
}

func TestLaterPassReportsPlacesOnDisk(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan first "C = 1" => "C = 2\n\n// Two lines more.\nconst D = 2"
const C = 1

//plan third "E = 3" => "E = 5 // four"
//plan second "four" => "five"
const E = 3

//plan left=why "E"
const F = E
`)
	rep := fix(t, dir)
	want := []string{"a/a.go:6 fold", "a/a.go:10 fold", "a/a.go:10 fold", "a/a.go:13 left why"}
	if got := places(dir, rep.Sites); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if got := readFile(t, dir, "a/a.go"); !strings.Contains(got, "E = 5 // five") {
		t.Errorf("the second pass did nothing:\n%s", got)
	}
}

func TestCancelledRunWritesNothing(t *testing.T) {
	const file = `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "old text" => "new text"
const C = "old text"
`
	for _, step := range []string{"listing packages", "loading packages", "analysing", "proving", "writing"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, file)
			ctx, cancel := context.WithCancel(t.Context())
			opts := testOptions(dir, ModeFix)
			opts.Progress = func(p Progress) {
				if p.Step == step {
					cancel()
				}
			}
			rep, err := runWith(ctx, opts, testTools())
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v, report %+v", err, rep)
			}
			if got := readFile(t, dir, "a/a.go"); strings.Contains(got, "= \"new") {
				t.Errorf("written:\n%s", got)
			}
			noStrays(t, dir)
		})
	}
}

func TestRunsAtTheSameTime(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "old text" => "new text"
const C = "old text"
`)
	var wg sync.WaitGroup
	reports := make([]Report, 4)
	for i := range reports {
		wg.Go(func() {
			rep, err := runWith(t.Context(), testOptions(dir, ModeDiff), testTools())
			if err != nil {
				t.Error(err)
			}
			reports[i] = rep
		})
	}
	wg.Wait()
	for _, rep := range reports[1:] {
		if got, want := string(rep.Diff()), string(reports[0].Diff()); got != want || got == "" {
			t.Errorf("diff %q, want %q", got, want)
		}
	}
}

func TestSecondFixInOneModuleIsRefused(t *testing.T) {
	dir := writeTree(t, "")
	unlock, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = runWith(t.Context(), testOptions(dir, ModeFix), testTools())
	if err == nil || !strings.Contains(err.Error(), "another amqpfix -fix runs in "+dir) {
		t.Errorf("error %v", err)
	}
	unlock()
	fix(t, dir)
}

func TestImportThatGoModLacks(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u import=example.com/nosuch/pkg "= 1" => "= pkg.C"
const C = 1
`)
	_, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
	want := "the rewritten code needs a package that is not there, and nothing was written: no required module provides package example.com/nosuch/pkg; to add it: go get example.com/nosuch/pkg"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestNewImports(t *testing.T) {
	for _, tt := range []struct{ name, archive, want string }{
		{"from the standard library", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u import=errors "V = 1" => "V = errors.New(\"x\")"
var V = 1
`, `import "errors"`},
		{"of a package of the module that changes in the same pass", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan use needs=decl import=example.com/m/b "V = 1" => "V = b.New()"
var V = 1
-- b/b.go --
package b

import _ "example.com/m/old"

//plan decl "Old" => "New"
func Old() int { return 1 }
`, `import "example.com/m/b"`},
		{"in a test of the package that it imports", `
-- a/a.go --
package a

func F() int { return 1 }
-- a/a_test.go --
package a_test

import _ "example.com/m/old"

//plan use import=example.com/m/a "V = 1" => "V = a.F() + a.G()"
var V = 1
-- a/export_test.go --
package a

func G() int { return 1 }
`, `import "example.com/m/a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tt.archive)
			rep := fix(t, dir)
			if rep.Summary.Folded != rep.Summary.Sites {
				t.Errorf("%s: %+v", rep.Summary, rep.Sites)
			}
			if got := string(rep.Diff()); !strings.Contains(got, "+"+tt.want) {
				t.Errorf("no %s:\n%s", tt.want, got)
			}
		})
	}
}
