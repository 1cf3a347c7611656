package analyzer

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

func TestSuiteIsValid(t *testing.T) {
	if err := analysis.Validate(Suite); err != nil {
		t.Fatal(err)
	}
	for _, a := range Suite {
		first, _, _ := strings.Cut(a.Doc, "\n")
		if first == "" || strings.HasSuffix(first, ".") {
			t.Errorf("%s: the first line of its documentation is %q, want a title", a.Name, first)
		}
		if !strings.HasSuffix(a.URL, "#hdr-Analyzer_"+a.Name) {
			t.Errorf("%s: its URL %s is not that of its section in doc.go", a.Name, a.URL)
		}
		if a.ResultType == nil {
			t.Errorf("%s has no result, so a driver would learn nothing from it", a.Name)
		}
	}
}

func TestFlagsRefuseOtherValues(t *testing.T) {
	for _, name := range []string{"ctx", "fixes"} {
		f := BasicProperties.Flags.Lookup(name)
		if err := f.Value.Set("else"); err == nil || !strings.Contains(err.Error(), f.DefValue) {
			t.Errorf("-%s=else: the error is %v, want one that lists %s", name, err, f.DefValue)
		}
		if f.Value.String() != f.DefValue {
			t.Errorf("-%s is %s after a value was refused", name, f.Value)
		}
	}
}

// TestScopeContext: with Ctx "scope" the nearest context.Context is passed.
func TestScopeContext(t *testing.T) {
	suite := NewSuite(Options{Ctx: "scope"})
	i := slices.IndexFunc(suite, func(a *analysis.Analyzer) bool { return a.Name == ruleBasicProperties })
	gopath := gopathWith(t, nil)
	if err := os.CopyFS(filepath.Join(gopath, "src", "scope"), os.DirFS(filepath.Join("testdata", "scope"))); err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(t, gopath, suite[i], "scope")
}

// TestSuitesShareNothing: an option of one suite is none of another.
func TestSuitesShareNothing(t *testing.T) {
	scope, other := NewSuite(Options{Ctx: "scope", Fixes: "unit"}), NewSuite(Options{})
	names := func(suite []*analysis.Analyzer) (names []string) {
		for _, a := range suite {
			names = append(names, a.Name)
		}
		return names
	}
	if got, want := names(other), names(Suite); !slices.Equal(got, want) {
		t.Errorf("NewSuite has analyzers %q, Suite %q", got, want)
	}
	for i, a := range scope {
		if a == other[i] || a == Suite[i] {
			t.Errorf("%s is the same analyzer in two suites", a.Name)
		}
	}
	for _, a := range []*analysis.Analyzer{other[0], BasicProperties} {
		if got := a.Flags.Lookup("ctx").Value.String(); got != "background" {
			t.Errorf("-ctx is %s in a suite without options", got)
		}
	}
	if got := scope[0].Flags.Lookup("fixes").Value.String(); got != "unit" {
		t.Errorf("-fixes is %s in a suite with unit", got)
	}
}

func TestNewSuiteNamesABadOption(t *testing.T) {
	defer func() {
		if e := recover(); e == nil || !strings.Contains(e.(string), `Options.Ctx is "none": it must be one of background, scope`) {
			t.Errorf("it panics with %v", e)
		}
	}()
	NewSuite(Options{Ctx: "none"})
}

func analyse(t *testing.T, a *analysis.Analyzer, gopath string, patterns ...string) []*checker.Action {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, loadGopath(t, gopath, patterns...), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
	}
	return graph.Roots
}

// TestFixes: one fix per file on its first diagnostic, or one per unit, or none.
func TestFixes(t *testing.T) {
	const src = `package p

import "github.com/amqpfix/amqpfix/compat"

func left(ch *compat.Channel, props compat.BasicProperties) error {
	return ch.BasicPublish("", "a", false, props, nil)
}

func one(ch *compat.Channel) error {
	props := ch.CreateBasicProperties()
	if err := ch.BasicPublish("", "b", false, props, nil); err != nil {
		return err
	}
	return ch.BasicPublish("", "c", false, props, nil)
}

func two(ch *compat.Channel) error {
	return ch.BasicPublish("", "d", false, nil, nil)
}
`
	gopath := gopathWith(t, map[string]string{"p/p.go": src})
	for _, tt := range []struct {
		fixes string
		with  []int // which diagnostics have a fix
	}{
		{"file", []int{1}},
		{"unit", []int{1, 3}},
		{"none", nil},
	} {
		t.Run(tt.fixes, func(t *testing.T) {
			act := analyse(t, newBasicProperties(Options{Fixes: tt.fixes}), gopath, "p")[0]
			if len(act.Diagnostics) != 4 {
				t.Fatalf("%d diagnostics, want 4", len(act.Diagnostics))
			}
			var with []int
			for i, d := range act.Diagnostics {
				if len(d.SuggestedFixes) > 0 {
					with = append(with, i)
				}
				if (d.Category == plan.Parameter) != (i == 0) || (d.URL == CategoryURL(plan.Parameter)) != (i == 0) {
					t.Errorf("diagnostic %d has category %q and URL %q", i, d.Category, d.URL)
				}
			}
			if !slices.Equal(with, tt.with) {
				t.Errorf("diagnostics %v have a fix, want %v", with, tt.with)
			}
			if tt.fixes != "unit" {
				return
			}
			// A fix of its own is complete: it type-checks alone.
			for _, i := range with {
				after := applyFix(t, act, src, act.Diagnostics[i].SuggestedFixes[0])
				loadGopath(t, gopathWith(t, map[string]string{"p/p.go": after}), "p")
			}
		})
	}
}

func applyFix(t *testing.T, act *checker.Action, src string, fix analysis.SuggestedFix) string {
	t.Helper()
	var edits []udiff.Edit
	for _, e := range fix.TextEdits {
		file := act.Package.Fset.File(e.Pos)
		edits = append(edits, udiff.Edit{Start: file.Offset(e.Pos), End: file.Offset(e.End), New: string(e.NewText)})
	}
	after, err := udiff.Apply(src, edits)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// gopathWith makes a GOPATH tree of the stand-ins and the given files.
func gopathWith(t *testing.T, files map[string]string) string {
	t.Helper()
	gopath := t.TempDir()
	if err := os.CopyFS(filepath.Join(gopath, "src", stubs), os.DirFS(filepath.Join("testdata", "src", stubs))); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(gopath, "src", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return gopath
}

// TestUnitIDsOutliveAPass: what one pass rewrites does not change the name of
// what it leaves for the next.
func TestUnitIDsOutliveAPass(t *testing.T) {
	const src = `package p

import "github.com/amqpfix/amqpfix/compat"

type T[K any] struct{ ch *compat.Channel }

func (t *T[K]) send(body []byte) error {
	if len(body) == 0 {
		props := t.ch.CreateBasicProperties()
		props.SetType("empty")
		return t.ch.BasicPublish("", "a", false, props, body)
	}
	if len(body) == 1 {
		return t.ch.BasicPublish("", "b", false, nil, body)
	}
	props := t.ch.CreateBasicProperties()
	if err := t.ch.BasicPublish("", "c", false, props, body); err != nil {
		return err
	}
	return t.ch.BasicPublish("", "d", false, nil, body)
}

func init() { _ = new(T[int]).ch.BasicPublish("", "e", false, nil, nil) }
func init() { _ = new(T[int]).ch.BasicPublish("", "f", false, nil, nil) }

var _ = new(T[int]).ch.BasicPublish("", "g", false, nil, nil)
`
	files := runPlans(t, gopathWith(t, map[string]string{"p/p.go": src}), "p")
	want := []string{
		"p.(*T).send/props", "p.(*T).send/publish#2", "p.(*T).send/props#2", "p.(*T).send/publish#4",
		"p.init/publish", "p.init/publish#2", "p.init/publish#3",
	}
	var got []string
	for _, u := range files[0].units {
		got = append(got, u.ID)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the units are\n%q\nwant\n%q", got, want)
	}
	again := make(map[string]string)
	for skip := range files[0].units {
		f := *files[0]
		f.edits, f.imports, f.uses = nil, nil, nil
		for i, u := range f.units {
			if i != skip {
				f.edits = append(f.edits, u.Edits...)
				f.imports = append(f.imports, u.Imports...)
				f.uses = append(f.uses, u.Uses...)
			}
		}
		again[fmt.Sprintf("again/%d/p/p.go", skip)] = string(f.apply(t))
	}
	for i, second := range runPlans(t, gopathWith(t, again), "again/...") {
		id := fmt.Sprintf("again/%d/%s", i, want[i])
		if len(second.units) != 1 || second.units[0].ID != id {
			t.Fatalf("what is left is %v, want %s", second.units, id)
		}
		if key := second.units[0].Sites; len(key) != 1 || !strings.HasPrefix(key[0], second.name+":") {
			t.Errorf("the sites of %s are %q", id, key)
		}
	}
}
