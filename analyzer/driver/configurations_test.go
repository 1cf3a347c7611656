package driver

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestFilesOfOtherConfigurations(t *testing.T) {
	other := "windows"
	if runtime.GOOS == "windows" {
		other = "linux"
	}
	for _, tt := range []struct {
		name     string
		archive  string
		sites    []string
		findings []string // file: part of the message
	}{
		{"tag", `
-- a/a.go --
package a
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

//plan tagged "= 1" => "= 2"
const C = 1
`, []string{"a/tagged.go:8 fold"}, nil},
		{"a file of both configurations is counted once", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan both "= 1" => "= 2"
const D = 1
-- a/on.go --
//go:build trace

package a

import _ "example.com/m/old"

//plan f "= 1" => "= 2"
const C = 1
-- a/off.go --
//go:build !trace

package a

import _ "example.com/m/old"

//plan f "= 1" => "= 3"
const C = 1
`, []string{"a/a.go:6 fold", "a/off.go:8 fold", "a/on.go:8 fold"}, nil},
		{"old method without an import of its own", `
-- a/a.go --
package a

import "example.com/m/old"

var ch *old.Channel
-- a/tagged.go --
//go:build trace && !notrace

package a

//plan tagged "= 1" => "= 2"
func F() { ch.OldPublish(); const c = 1 }
`, []string{"a/tagged.go:6 fold"}, nil},
		{"file name", strings.ReplaceAll(`
-- a/a.go --
package a
-- a/a_GOOS.go --
package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
`, "GOOS", other), []string{"a/a_" + other + ".go:6 fold"}, nil},
		{"a package of nothing else", strings.ReplaceAll(`
-- a/deep/a.go --
//go:build GOOS

package deep

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
-- a/testdata/x.go --
//go:build GOOS

package x

import _ "example.com/m/old"
-- sub/go.mod --
module example.com/sub
-- sub/x.go --
//go:build GOOS

package x

import _ "example.com/m/old"
`, "GOOS", other), []string{"a/deep/a.go:8 fold"}, nil},
		{"a test file", `
-- a/a.go --
package a
-- a/a_test.go --
//go:build integration

package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
`, []string{"a/a_test.go:8 fold"}, nil},
		{"a configuration that does not type-check", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

var x int = ""
`, []string{"a/a.go:6 fold"}, []string{`a/tagged.go: the file was not looked at: under -tags=trace its package does not type-check: cannot use ""`}},
		{"a configuration whose external tests do not type-check", `
-- a/a.go --
package a
-- a/a_test.go --
//go:build trace

package a_test

import _ "example.com/m/old"

var x int = ""
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
`, []string{"a/tagged.go:8 fold"}, []string{`a/a_test.go: the file was not looked at: under -tags=trace its package does not type-check: cannot use ""`}},
		{"a configuration whose tests do not type-check", `
-- a/a.go --
package a
-- a/a_test.go --
package a

var x int = tagged
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1

const tagged = "tagged"
`, []string{"a/tagged.go:8 fold"}, nil},
		{"a configuration that breaks by the edit", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "Old" => "New"
func Old() {}
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

var _ = Old
`, []string{"a/a.go:6 left recheck-failed"}, nil},
		{"no configuration", `
-- a/a.go --
package a
-- a/never.go --
//go:build linux && windows

package a

import _ "example.com/m/old"
`, nil, []string{"a/never.go: the file was not looked at: no build configuration was found that includes it"}},
		{"nothing old in it", `
-- a/a.go --
package a
-- a/tagged.go --
//go:build trace

package a
`, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tt.archive)
			rep := fix(t, dir)
			if got := places(dir, rep.Sites); !slices.Equal(got, tt.sites) {
				t.Errorf("sites %q, want %q", got, tt.sites)
			}
			if len(rep.Findings) != len(tt.findings) {
				t.Fatalf("findings %+v, want %q", rep.Findings, tt.findings)
			}
			for i, f := range rep.Findings {
				got := strings.TrimPrefix(f.Pos.Filename, dir+"/") + ": " + f.Message
				if !strings.HasPrefix(got, tt.findings[i]) || f.Category != "build-tags" {
					t.Errorf("finding %q (%s), want %q", got, f.Category, tt.findings[i])
				}
			}
			if len(rep.Problems) > 0 {
				t.Errorf("problems %+v", rep.Problems)
			}
		})
	}
}

func TestConfigurationsDisagree(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "= 1" => "= FILES"
const C = 1
-- a/tagged.go --
//go:build trace

package a

import _ "example.com/m/old"

//plan v "= 1" => "= 2"
const D = 1
`)
	rep := fix(t, dir)
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 left build-tags", "a/tagged.go:8 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if len(rep.Files) != 1 {
		t.Errorf("changed:\n%s", rep.Diff())
	}
}

func TestSolve(t *testing.T) {
	solver := tagSolver{env: goEnv{GOOS: "linux", GOARCH: "amd64", CGO_ENABLED: "1"}}
	for _, tt := range []struct{ file, line, want string }{
		{"a.go", "//go:build trace", "-tags=trace"},
		{"a.go", "//go:build a && (b || c) && !d", "-tags=a,b"},
		{"a.go", "//go:build windows", "GOOS=windows"},
		{"a.go", "//go:build !linux", "GOOS=darwin"},
		{"a.go", "//go:build arm64 && trace", "GOARCH=arm64 -tags=trace"},
		{"a.go", "//go:build !unix", "GOOS=windows"},
		{"a.go", "//go:build ignore", ""},
		{"a.go", "//go:build ignore || trace", "-tags=trace"},
		{"a.go", "//go:build go1.99", ""},
		{"a.go", "//go:build windows && linux", ""},
		{"a_windows.go", "", "GOOS=windows"},
		{"a_plan9_arm.go", "", "GOOS=plan9 GOARCH=arm"},
		{"a_windows_test.go", "//go:build trace", "GOOS=windows -tags=trace"},
		{"windows.go", "//go:build x", "-tags=x"},
	} {
		name := filepath.Join(t.TempDir(), tt.file)
		src := []byte(tt.line + "\n\npackage a\n")
		if err := os.WriteFile(name, src, 0o666); err != nil {
			t.Fatal(err)
		}
		got := ""
		if sets := solver.solve(name, src); len(sets) > 0 {
			got = sets[0].String()
		}
		if got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.file, tt.line, got, tt.want)
		}
	}
}

func TestChooseFewSets(t *testing.T) {
	dir := t.TempDir()
	solver := tagSolver{env: goEnv{GOOS: "linux", GOARCH: "amd64"}}
	var files []excluded
	for name, line := range map[string]string{
		"a.go": "//go:build a", "b.go": "//go:build a || b", "c.go": "//go:build c && !a", "d.go": "//go:build c && !b", "e.go": "//go:build windows && a",
	} {
		name = filepath.Join(dir, name)
		src := []byte(line + "\n\npackage p\n")
		if err := os.WriteFile(name, src, 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, excluded{name: name, sets: solver.solve(name, src)})
	}
	slices.SortFunc(files, func(a, b excluded) int { return strings.Compare(a.name, b.name) })
	sets, uncovered := solver.choose(files)
	var got []string
	for _, s := range sets {
		line := s.String() + ":"
		for _, f := range s.files {
			line += " " + filepath.Base(f.name)
		}
		got = append(got, line)
	}
	want := []string{"GOOS=windows -tags=a: a.go b.go e.go", "-tags=c: c.go d.go"}
	if !slices.Equal(got, want) || len(uncovered) > 0 {
		t.Errorf("sets %q, want %q; uncovered %v", got, want, uncovered)
	}
}

func TestBuildConstraint(t *testing.T) {
	for src, want := range map[string]string{
		"\ufeff//go:build a && b\r\n\r\npackage p\r\n":      "a && b",
		"// Text.\n\n//go:build !a\n\npackage p\n":          "!a",
		"package p\n\n//go:build a\n":                       "",
		"/* long\ncomment */\n//go:build a||b\npackage p\n": "a || b",
	} {
		got := ""
		if e := buildConstraint([]byte(src)); e != nil {
			got = e.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestPatternDir(t *testing.T) {
	roots := []*packages.Package{
		{PkgPath: "fmt"},
		{PkgPath: "example.com/m/a", Module: &packages.Module{Path: "example.com/m", Dir: "/src/m", Main: true}},
	}
	for pattern, want := range map[string]string{
		"./...":               "/src/m/sub",
		".":                   "",
		"./a/...":             "/src/m/sub/a",
		"../...":              "/src/m",
		"/abs/...":            "/abs",
		"example.com/m/...":   "/src/m",
		"example.com/m/x/...": "/src/m/x",
		"example.com/mm/...":  "",
		"./a.../b/...":        "",
		"all":                 "",
	} {
		got, ok := patternDir("/src/m/sub", pattern, roots)
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", pattern, got, ok, want)
		}
	}
}
