package analyzer

import (
	"bytes"
	"flag"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

var update = flag.Bool("update", false, "write the .golden files of testdata/src anew")

const (
	stubs     = "github.com" // the stand-ins
	plansOnly = "plansonly"  // what want comments cannot describe
)

// themes are the packages of testdata/src, but for the stand-ins.
func themes(t *testing.T, without ...string) []string {
	t.Helper()
	entries, err := os.ReadDir("testdata/src")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != stubs && !slices.Contains(without, e.Name()) {
			dirs = append(dirs, e.Name()+"/...")
		}
	}
	return dirs
}

// TestDiagnostics runs the analyzer as vet and fix do: the messages are those of
// the want comments, the suggested fixes make the golden files.
func TestDiagnostics(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), BasicProperties, themes(t, plansOnly)...)
}

// TestPlans applies the plans as the driver of amqpfix does. Each site must be
// of the tier that its line says, each changed file equal to its golden file;
// the changed packages must type-check, and a second run must find nothing more
// to change.
func TestPlans(t *testing.T) {
	files := runPlans(t, "testdata", themes(t)...)
	gopath := t.TempDir()
	if err := os.CopyFS(filepath.Join(gopath, "src"), os.DirFS(filepath.Join("testdata", "src"))); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		checkTiers(t, f)
		after := f.apply(t)
		golden := f.name + ".golden"
		if *update {
			os.Remove(golden)
			if len(f.edits) > 0 {
				if err := os.WriteFile(golden, after, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, err := os.ReadFile(golden)
		if os.IsNotExist(err) {
			want = f.src
		} else if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(after, want) {
			t.Errorf("%s", udiff.Unified(golden, "got", string(want), string(after)))
		}
		rel, err := filepath.Rel(analysistest.TestData(), f.name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(gopath, rel), after, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range runPlans(t, gopath, themes(t)...) {
		if len(f.edits) > 0 {
			t.Errorf("%s: a second run has edits: %v", f.name, f.edits)
		}
		for _, s := range f.sites {
			if s.Tier != plan.Left {
				t.Errorf("%s: a second run rewrites again: %s", s.Pos, s.Message)
			}
		}
	}
}

// plannedFile is one file with what the plans say about it.
type plannedFile struct {
	name    string
	src     []byte
	ast     *ast.File
	fset    *token.FileSet
	sites   []plan.Site
	units   []plan.Unit // as long as a unit edits one file
	edits   []plan.Edit
	imports []plan.Import
	uses    []plan.Use
}

func (f *plannedFile) apply(t *testing.T) []byte {
	t.Helper()
	after, err := edit.Apply(f.name, f.src, f.edits, f.imports, f.uses)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// loadGopath loads packages of a GOPATH tree.
func loadGopath(t *testing.T, gopath string, patterns ...string) []*packages.Package {
	t.Helper()
	gopath, err := filepath.Abs(gopath)
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
			packages.NeedDeps | packages.NeedModule,
		Dir:   gopath,
		Tests: true,
		Env:   append(os.Environ(), "GOPATH="+gopath, "GO111MODULE=off", "GOWORK=off", "GOFLAGS="),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Errorf("%v", err)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	return pkgs
}

// runPlans analyses packages of a GOPATH tree and returns their files in order
// of name. A file of several variants of a package is taken from the largest.
func runPlans(t *testing.T, gopath string, patterns ...string) []*plannedFile {
	t.Helper()
	root, err := filepath.Abs(gopath)
	if err != nil {
		t.Fatal(err)
	}
	roots := analyse(t, BasicProperties, gopath, patterns...)
	slices.SortFunc(roots, func(a, b *checker.Action) int {
		return len(b.Package.Syntax) - len(a.Package.Syntax)
	})
	files := make(map[string]*plannedFile)
	for _, act := range roots {
		result := act.Result.(*plan.Result)
		for _, syntax := range act.Package.Syntax {
			name := act.Package.Fset.File(syntax.FileStart).Name()
			if files[name] != nil || !strings.HasPrefix(name, root) {
				continue // seen in a larger variant, or made by cgo
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := &plannedFile{name: name, src: src, ast: syntax, fset: act.Package.Fset}
			files[name] = f
			for _, s := range result.Sites {
				if s.Pos.Filename == name {
					f.sites = append(f.sites, s)
				}
			}
			for _, u := range result.Units {
				if u.Edits[0].File == name {
					f.units = append(f.units, u)
				}
				for _, e := range u.Edits {
					if e.File == name {
						f.edits = append(f.edits, e)
					}
				}
				for _, imp := range u.Imports {
					if imp.File == name {
						f.imports = append(f.imports, imp)
					}
				}
				for _, use := range u.Uses {
					if use.File == name {
						f.uses = append(f.uses, use)
					}
				}
			}
		}
	}
	var list []*plannedFile
	for _, f := range files {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *plannedFile) int { return strings.Compare(a.name, b.name) })
	return list
}

// checkTiers compares the sites with the comments on their lines: a comment
// begins with fold, value or left and a category for each.
func checkTiers(t *testing.T, f *plannedFile) {
	t.Helper()
	want := make(map[int][]string)
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			marks, _, _ := strings.Cut(c.Text[len("//"):], "// want")
			line := f.fset.PositionFor(c.Pos(), false).Line
			words := strings.Fields(marks)
			for i := 0; i < len(words); i++ {
				switch words[i] {
				case "fold", "value":
					want[line] = append(want[line], words[i])
				case "left":
					if i+1 < len(words) {
						want[line] = append(want[line], words[i]+" "+words[i+1])
						i++
					}
				default:
					i = len(words)
				}
			}
		}
	}
	got := make(map[int][]string)
	for _, s := range f.sites {
		got[s.Pos.Line] = append(got[s.Pos.Line], strings.TrimSpace(string(s.Tier)+" "+s.Category))
		if (s.Tier == plan.Left) != (s.Unit == "") {
			t.Errorf("%s: tier %s and unit %q", s.Pos, s.Tier, s.Unit)
		}
	}
	for line := range lines(want, got) {
		if !slices.Equal(got[line], want[line]) {
			t.Errorf("%s:%d: sites are %q, want %q", f.name, line, got[line], want[line])
		}
	}
}

func lines(maps ...map[int][]string) map[int]bool {
	all := make(map[int]bool)
	for _, m := range maps {
		for line := range m {
			all[line] = true
		}
	}
	return all
}

// TestCgo: a site in a file that imports "C" is reported where it is on disk,
// although what is type-checked is another file.
func TestCgo(t *testing.T) {
	sites := analyse(t, BasicProperties, "testdata", plansOnly+"/cgo")[0].Result.(*plan.Result).Sites
	i := slices.IndexFunc(sites, func(s plan.Site) bool { return s.Category == plan.CgoFile })
	if i < 0 {
		t.Fatalf("no site is of category %s: %v", plan.CgoFile, sites)
	}
	want := filepath.Join(analysistest.TestData(), "src", plansOnly, "cgo", "cgo.go")
	if pos := sites[i].Pos; pos.Filename != want || pos.Line != 10 || sites[i].Tier != plan.Left {
		t.Errorf("the site is at %v and of tier %s, want line 10 of %s, left", pos, sites[i].Tier, want)
	}
}
