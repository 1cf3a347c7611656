package driver

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestEditsAreProvedInConfigurationsOfOtherFiles has a name in a file that the
// default configuration leaves out, and that imports nothing, in the way.
func TestEditsAreProvedInConfigurationsOfOtherFiles(t *testing.T) {
	other := "windows"
	if runtime.GOOS == "windows" {
		other = "linux"
	}
	const publisher = `
-- newapi/n.go --
package newapi

const Two = 2
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u import=example.com/m/newapi "= 1" => "= newapi.Two"
const C = 1
`
	for _, tt := range []struct {
		name, archive string
		noTests       bool
		want, message string
	}{
		{"file name", "-- a/a_GOOS.go --\npackage a\n\nfunc newapi() {}\n", false,
			"a/a.go:6 left recheck-failed", "breaks example.com/m/a under GOOS=GOOS: "},
		{"tag", "-- a/tagged.go --\n//go:build special\n\npackage a\n\nfunc newapi() {}\n", false,
			"a/a.go:6 left recheck-failed", "breaks example.com/m/a under -tags=special: "},
		{"another name", "-- a/a_GOOS.go --\npackage a\n\nfunc newapis() {}\n", false, "a/a.go:6 fold", ""},
		{"broken before", "-- a/a_GOOS.go --\npackage a\n\nvar x int = \"\"\n", false, "a/a.go:6 fold", ""},
		{"a file of no build", "-- a/a_GOOS.go --\n//go:build !GOOS\n\npackage a\n\nfunc newapi() {}\n", false, "a/a.go:6 fold", ""},
		{"a test under a tag", "-- a/a_test.go --\n//go:build special\n\npackage a\n\nfunc newapi() {}\n", false,
			"a/a.go:6 left recheck-failed", "under -tags=special: "},
		{"a test that is not looked at", "-- a/a_test.go --\npackage a\n\nfunc newapi() {}\n", true,
			"a/a.go:6 left recheck-failed", "breaks example.com/m/a: "},
		{"a broken test that is not looked at", "-- a/a_test.go --\npackage a\n\nvar x int = \"\"\n", true, "a/a.go:6 fold", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, strings.ReplaceAll(publisher+tt.archive, "GOOS", other))
			opts := testOptions(dir, ModeFix)
			opts.Tests = !tt.noTests
			rep, err := runWith(t.Context(), opts, testTools())
			if err != nil {
				t.Fatal(err)
			}
			if got := places(dir, rep.Sites); !slices.Equal(got, []string{tt.want}) {
				t.Errorf("sites %q, want %s: %+v", got, tt.want, rep.Sites)
			}
			if want := strings.ReplaceAll(tt.message, "=GOOS", "="+other); len(rep.Sites) == 1 && !strings.Contains(rep.Sites[0].Message, want) {
				t.Errorf("message %q, want %q", rep.Sites[0].Message, want)
			}
			if len(rep.Findings)+len(rep.Problems) > 0 {
				t.Errorf("findings %+v, problems %+v", rep.Findings, rep.Problems)
			}
		})
	}
}

// TestTypesOfOtherConfigurations has a type that is another one elsewhere.
func TestTypesOfOtherConfigurations(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "+ 1" => "+ 1.5"
const C = n + 1

var _ T = C
-- a/here.go --
//go:build !special

package a

type T = float64

const n = 1
-- a/there.go --
//go:build special

package a

type T = int

const n = 1
`)
	rep := fix(t, dir)
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 left recheck-failed"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
}

// TestIgnoredProgramsAreLoadedByName has programs behind the ignore tag, which
// the standard library has too: it must not be set.
func TestIgnoredProgramsAreLoadedByName(t *testing.T) {
	dir := writeTree(t, `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
-- a/gen.go --
//go:build ignore

package main

import (
	"crypto/tls"
	_ "example.com/m/old"
	"net"
	"os/user"
)

//plan g "= 1" => "= 2"
const C = 1

func main() { _, _, _ = tls.Dial, net.Dial, user.Current }
-- a/half.go --
//go:build ignore

package main

import _ "example.com/m/old"

func main() { elsewhere() }
`)
	rep := fix(t, dir)
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 fold", "a/gen.go:13 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if len(rep.Problems) > 0 {
		t.Errorf("problems %+v", rep.Problems)
	}
	if len(rep.Findings) != 1 || filepath.Base(rep.Findings[0].Pos.Filename) != "half.go" ||
		!strings.Contains(rep.Findings[0].Message, "with go run half.go it does not type-check: undefined: elsewhere") {
		t.Errorf("findings %+v", rep.Findings)
	}
	if got := readFile(t, dir, "a/gen.go"); !strings.Contains(got, "const C = 2") {
		t.Errorf("gen.go:\n%s", got)
	}
}

// TestConfigurationThatLacksAPackage has a rewrite that needs what a
// configuration beside the default one has not.
func TestConfigurationThatLacksAPackage(t *testing.T) {
	dir := writeTree(t, `
-- here/h.go --
//go:build !special

package here

const Two = 2
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u "= 1" => "= 2"
const C = 1
-- a/tagged.go --
//go:build special

package a

import _ "example.com/m/old"

//plan v import=example.com/m/here "= 1" => "= here.Two"
const D = 1
`)
	rep := fix(t, dir)
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if len(rep.Findings) != 1 || rep.Findings[0].Category != "build-tags" || !strings.Contains(rep.Findings[0].Message, "-tags=special has not what the rewritten code needs: ") {
		t.Errorf("findings %+v", rep.Findings)
	}
	if got := readFile(t, dir, "a/tagged.go"); !strings.Contains(got, "const D = 1") {
		t.Errorf("tagged.go:\n%s", got)
	}
}
