package driver

import (
	"slices"
	"strings"
	"testing"
)

func TestGlobs(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		excluded []string
		kept     []string
	}{
		{"a/b.go", []string{"a/b.go"}, []string{"a/b.go.go", "x/a/b.go", "b.go", "a/bxgo"}},
		{"./a/", []string{"a/b.go", "a/b/c.go"}, []string{"ab/c.go", "x/a/b.go", "a.go"}},
		{"a/b", []string{"a/b/c.go"}, []string{"a/c.go", "a/b.go"}},
		{"*_mock.go", []string{"x_mock.go"}, []string{"a/x_mock.go"}},
		{"**/*_mock.go", []string{"x_mock.go", "a/x_mock.go", "a/b/x_mock.go"}, []string{"x.go"}},
		{"a/**/gen", []string{"a/gen/x.go", "a/b/c/gen/d/x.go"}, []string{"gen/x.go", "a/gen.go"}},
		{"a/**/x.go", []string{"a/x.go", "a/b/c/x.go"}, []string{"x.go", "a/b/y.go"}},
		{"**/a/**/b/*.go", []string{"a/b/x.go", "z/a/y/b/x.go", "a/a/b/b/x.go"}, []string{"b/a/x.go", "a/b/c/x.go"}},
		{"[ab]/?.go", []string{"a/x.go", "b/y.go"}, []string{"c/x.go", "a/xy.go"}},
		{`\*/x.go`, []string{"*/x.go"}, []string{"a/x.go"}},
		{"../b", []string{"../b/x.go"}, []string{"b/x.go", "../c/x.go"}},
		{".", []string{"x.go", "a/x.go"}, nil},
		{"**", []string{"x.go", "a/x.go"}, nil},
	} {
		opts, err := Options{Dir: t.TempDir(), Exclude: []string{"nosuch", tt.pattern}}.normalized()
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		for _, name := range tt.excluded {
			if !opts.excluded(opts.Dir + "/" + name) {
				t.Errorf("%s does not exclude %s", tt.pattern, name)
			}
		}
		for _, name := range tt.kept {
			if opts.excluded(opts.Dir + "/" + name) {
				t.Errorf("%s excludes %s", tt.pattern, name)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		opts Options
		want string // empty for no error
	}{
		{Options{}, ""},
		{Options{Exclude: []string{"a/**/b", "c?[d-f]"}, Rules: []string{"shim", "publish"}}, ""},
		{Options{Exclude: []string{""}}, `exclude "": want a pattern of file names such as internal/gen or **/*_mock.go`},
		{Options{Exclude: []string{"a", "/b"}}, `exclude "/b": want a pattern relative to the directory that amqpfix works in`},
		{Options{Exclude: []string{"a/b**/c"}}, `exclude "a/b**/c": ** must stand between slashes, alone`},
		{Options{Exclude: []string{"a/[b"}}, `exclude "a/[b": [b is malformed`},
		{Options{Rules: []string{"shim", "shame"}}, `rule "shame": want basicproperties, publish, shim`},
		{Options{Rules: []string{""}}, `rule "": want basicproperties, publish, shim`},
		{Options{Rules: []string{"publish", "basicproperties"}, Steps: []string{StepShim}}, "the rules publish,basicproperties do nothing in the steps shim"},
		{Options{Rules: []string{"shim"}, Steps: []string{StepPublish}}, "the rules shim do nothing in the steps publish"},
		{Options{Rules: []string{"publish"}, To: ToUpstream}, "the rules publish do nothing in the steps shim"},
		{Options{Steps: []string{"all"}}, `step "all": want shim or publish`},
		{Options{To: "elsewhere"}, `to "elsewhere": want compat or amqp091-go`},
		{Options{Mode: -1}, "unknown mode -1"},
	} {
		got := ""
		if err := tt.opts.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.opts, got, tt.want)
		}
		opts := tt.opts
		opts.Dir = t.TempDir()
		if _, err := opts.normalized(); (err == nil) != (tt.want == "") {
			t.Errorf("%+v: Run says %v", tt.opts, err)
		}
	}
}

// TestExcludedFiles: no file that is excluded is edited or reported, whatever is in
// it; what needs it is left, and the rest is rewritten.
func TestExcludedFiles(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "C = 1" => "C = 2"
const C = 1

//plan both "D = 1" => "D = 2"
const D = 1
-- a/kept.go --
package a

//plan kept "E = 1" => "E = 2"
const E = 1

//plan both "F = 1" => "F = 2"
const F = 1

//plan left=why "F"
const G = F
-- broken/kept.go --
package broken

import _ "example.com/m/old"

var x int = ""
-- half/half.go --
package half

import _ "example.com/m/old"
-- half/kept.go --
package half

var x int = ""
-- tags/tags.go --
package tags
-- tags/kept.go --
//go:build linux && windows

package tags

import _ "example.com/m/old"
-- programs/kept.go --
package main

import _ "example.com/m/old"

func main() { nosuch() }
-- programs/other.go --
package main

import _ "example.com/m/old"

//plan other "int" => "int8"
func main() { var _ int }
-- user/user.go --
package user

import (
	"example.com/m/a"
	_ "example.com/m/old"
)

//plan user "F" => "E"
const C = a.F
-- user/kept.go --
package user

// Checked all the same, in its old text.
//plan breaks "string" => "int"
var _ [C]string
`)
	opts := testOptions(dir, ModeFix)
	opts.Exclude = []string{"nosuch", "**/kept.go"}
	rep, err := runWith(t.Context(), opts, testTools())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a/a.go:6 fold", "a/a.go:9 left excluded", "programs/other.go:6 fold", "user/user.go:9 fold"}
	if got := places(dir, rep.Sites); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if want := "a/kept.go, which has to change with it, is excluded"; len(rep.Sites) == 4 && rep.Sites[1].Message != want {
		t.Errorf("message %q, want %q", rep.Sites[1].Message, want)
	}
	if len(rep.Findings) > 0 {
		t.Errorf("findings %+v", rep.Findings)
	}
	if len(rep.Problems) != 1 || !strings.HasPrefix(rep.Problems[0].String(), "example.com/m/half: does not type-check: ") {
		t.Errorf("problems %+v", rep.Problems)
	}
	for _, f := range rep.Files {
		if strings.HasSuffix(f.Path, "kept.go") {
			t.Errorf("changed:\n%s", f.Diff())
		}
	}
	if len(rep.Files) != 3 {
		t.Errorf("changed:\n%s", rep.Diff())
	}
}
