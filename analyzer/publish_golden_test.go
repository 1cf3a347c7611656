package analyzer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// publishModule is a module of users' code, on the real packages.
const publishModule = "testdata/publish"

// TestPublish applies what the analyzer publish plans to a module. The sites must
// be of the tiers that the comments in their lines say, the changed files equal to
// their golden files; the result must type-check, and a second run must find
// nothing more to change, and as many flags that may be immediate.
func TestPublish(t *testing.T) {
	m := loadModule(t, publishModule)
	files := m.plan(t, Publish)
	moved := copyModule(t, publishModule)
	immediates := 0
	for _, f := range files {
		immediates += f.count(plan.Immediate)
		for _, problem := range f.checkMarks() {
			t.Error(problem)
		}
		after, err := f.after()
		if err != nil {
			t.Error(err)
			continue
		}
		if *update {
			writeGolden(t, f, after)
		}
		if diff := f.checkGolden(t, after); diff != "" {
			t.Error(diff)
		}
		rel, err := filepath.Rel(m.dir, f.name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(moved, rel), after, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range loadModule(t, moved).plan(t, Publish) {
		immediates -= f.count(plan.Immediate)
		if len(f.edits) > 0 {
			t.Errorf("%s: a second run has edits: %v", f.name, f.edits)
		}
	}
	if immediates != 0 {
		t.Errorf("%d publishes that may be immediate are not reported once they are rewritten", immediates)
	}
}

// TestPublishRules takes the rules of the publish analyzer out one by one. Each
// time a golden file or a comment must disagree, or the result not type-check.
func TestPublishRules(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the analyzer once a rule")
	}
	m := loadModule(t, publishModule)
	for _, rule := range publishRules {
		t.Run(rule.name, func(t *testing.T) {
			if !m.notices(t, newPublish(Options{}, rule.name)) {
				t.Errorf("no golden file shows that %s", rule.does)
			}
		})
	}
}

// A module is a loaded module of users' code.
type module struct {
	dir  string
	pkgs []*packages.Package
}

// copyModule returns a copy of a module whose go.mod names directories relative
// to it.
func copyModule(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	goMod := filepath.Join(to, "go.mod")
	text, err := os.ReadFile(goMod)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("=> ../../.."), []byte("=> "+root))
	if err := os.WriteFile(goMod, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return to
}

// loadModule loads a module that has to build.
func loadModule(t *testing.T, dir string) *module {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
			packages.NeedExportFile | packages.NeedModule,
		Dir:   dir,
		Tests: true,
		Env:   append(os.Environ(), "GOWORK=off"),
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Error(err)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	return &module{dir, pkgs}
}

// notices reports whether the golden files tell the analyzer's plans from the
// right ones.
func (m *module) notices(t *testing.T, a *analysis.Analyzer) (noticed bool) {
	defer func() {
		if recover() != nil {
			noticed = true
		}
	}()
	for _, f := range m.plan(t, a) {
		after, err := f.after()
		if err != nil || len(f.checkMarks()) > 0 || f.checkGolden(t, after) != "" {
			return true
		}
	}
	return false
}

// plan runs the analyzer and returns the files in order of name.
func (m *module) plan(t *testing.T, a *analysis.Analyzer) []*moduleFile {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, m.pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(graph.Roots, func(a, b *checker.Action) int {
		return len(b.Package.Syntax) - len(a.Package.Syntax)
	})
	files := make(map[string]*moduleFile)
	for _, act := range graph.Roots {
		if act.Err != nil {
			panic(act.Err)
		}
		for _, syntax := range act.Package.Syntax {
			name := act.Package.Fset.File(syntax.FileStart).Name()
			if files[name] != nil || !strings.HasPrefix(name, m.dir) {
				continue // seen in a larger variant, or made by the go command
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := &moduleFile{name: name, src: src, syntax: syntax, fset: act.Package.Fset}
			f.take(act.Result.(*plan.Result))
			files[name] = f
		}
	}
	var list []*moduleFile
	for _, f := range files {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *moduleFile) int { return strings.Compare(a.name, b.name) })
	return list
}

// A moduleFile is a file with what is planned for it.
type moduleFile struct {
	name     string
	src      []byte
	syntax   *ast.File
	fset     *token.FileSet
	sites    []plan.Site
	findings []plan.Finding
	edits    []plan.Edit
	imports  []plan.Import
	uses     []plan.Use
}

func (f *moduleFile) take(r *plan.Result) {
	for _, s := range r.Sites {
		if s.Pos.Filename == f.name {
			f.sites = append(f.sites, s)
		}
	}
	for _, finding := range r.Findings {
		if finding.Pos.Filename == f.name {
			f.findings = append(f.findings, finding)
		}
	}
	for _, u := range r.Units {
		for _, e := range u.Edits {
			if e.File == f.name {
				f.edits = append(f.edits, e)
			}
		}
		for _, imp := range u.Imports {
			if imp.File == f.name {
				f.imports = append(f.imports, imp)
			}
		}
		for _, use := range u.Uses {
			if use.File == f.name {
				f.uses = append(f.uses, use)
			}
		}
	}
}

// count returns how many findings have the category.
func (f *moduleFile) count(category string) (n int) {
	for _, finding := range f.findings {
		if finding.Category == category {
			n++
		}
	}
	return n
}

func (f *moduleFile) after() ([]byte, error) {
	return edit.Apply(f.name, f.src, f.edits, f.imports, f.uses)
}

// checkMarks compares the sites with the comments in their lines. A comment that
// begins with a tier, and for left a category, stands for a site that its line is
// part of; finding and a category may follow.
func (f *moduleFile) checkMarks() (problems []string) {
	type mark struct {
		line int
		text string
	}
	var marks []mark
	findings := make(map[int][]string)
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			line := f.fset.PositionFor(c.Pos(), false).Line
			words := strings.Fields(strings.Trim(c.Text, "/*"))
			for i := 0; i < len(words); i++ {
				switch words[i] {
				case "native", "header", "whole", "ignored":
					marks = append(marks, mark{line, words[i]})
				case "left":
					i++
					marks = append(marks, mark{line, "left " + words[i]})
				case "finding":
					i++
					findings[line] = append(findings[line], words[i])
				default:
					i = len(words)
				}
			}
		}
	}
	var sites []plan.Site
	for _, s := range f.sites {
		if s.Category != plan.Ignored {
			sites = append(sites, s)
		}
	}
	for i := range max(len(sites), len(marks)) {
		switch {
		case i >= len(marks):
			problems = append(problems, fmt.Sprintf("%s: %s %s is not marked", sites[i].Pos, sites[i].Tier, sites[i].Category))
			continue
		case i >= len(sites):
			problems = append(problems, fmt.Sprintf("%s:%d: there is no site that is %s", f.name, marks[i].line, marks[i].text))
			continue
		}
		s, m := sites[i], marks[i]
		if got := strings.TrimSpace(string(s.Tier) + " " + s.Category); got != m.text || m.line < s.Pos.Line || s.End.Line < m.line {
			problems = append(problems, fmt.Sprintf("%s: the site is %s; line %d has %s", s.Pos, got, m.line, m.text))
		}
		if (s.Tier == plan.Left) != (s.Unit == "") {
			problems = append(problems, fmt.Sprintf("%s: tier %s and unit %q", s.Pos, s.Tier, s.Unit))
		}
	}
	for _, finding := range f.findings {
		i := slices.Index(findings[finding.Pos.Line], finding.Category)
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s: finding %s is not marked", finding.Pos, finding.Category))
			continue
		}
		findings[finding.Pos.Line] = slices.Delete(findings[finding.Pos.Line], i, i+1)
	}
	for line, words := range findings {
		for _, word := range words {
			problems = append(problems, fmt.Sprintf("%s:%d: there is no finding %s", f.name, line, word))
		}
	}
	return problems
}

// checkGolden returns the difference to the golden file, or to the file itself if
// it has none.
func (f *moduleFile) checkGolden(t *testing.T, after []byte) string {
	t.Helper()
	golden := f.name + ".golden"
	want, err := os.ReadFile(golden)
	if os.IsNotExist(err) {
		golden, want = f.name, f.src
	} else if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(after, want) {
		return ""
	}
	return udiff.Unified(golden, "got", string(want), string(after))
}

func writeGolden(t *testing.T, f *moduleFile, after []byte) {
	t.Helper()
	golden := f.name + ".golden"
	if err := os.Remove(golden); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if bytes.Equal(after, f.src) {
		return
	}
	if err := os.WriteFile(golden, after, 0o666); err != nil {
		t.Fatal(err)
	}
}
