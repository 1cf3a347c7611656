package analyzer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// shimModule is a module of users' code on amqp091-go and streadway/amqp, with a
// dependency that is, too.
const shimModule = "testdata/shim"

// clashModule is one whose only set stays, as all files on streadway/amqp are one.
const clashModule = "testdata/shimclash"

// TestShim makes sets of the facts of a module. What becomes of each import must
// be what the comment on it says, and what moves must type-check.
func TestShim(t *testing.T) {
	m := loadModule(t, shimModule)
	sets := m.sets(t, Shim)
	for _, problem := range m.checkImports(sets) {
		t.Error(problem)
	}
	moved := m.with(t, movedFiles(t, sets))
	clash := loadModule(t, clashModule)
	for _, problem := range clash.checkImports(clash.sets(t, Shim)) {
		t.Error(problem)
	}
	again := loadModule(t, moved).sets(t, Shim)
	for _, set := range again {
		if set.Block == nil {
			t.Errorf("a second run moves %s again", set.Files[0].Name)
		}
	}
}

// TestShimRules takes the rules of the shim analyzer out one by one. Each time a
// comment must disagree, or the result not type-check.
func TestShimRules(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the analyzer once a rule")
	}
	m, clash := loadModule(t, shimModule), loadModule(t, clashModule)
	for _, rule := range shim.Rules {
		t.Run(rule.Name, func(t *testing.T) {
			if len(clash.checkImports(clash.sets(t, newShim(rule.Name)))) > 0 {
				return
			}
			facts := m.facts(t, newShim(rule.Name))
			sets := setsOf(facts)
			if len(m.checkImports(sets)) > 0 || len(m.checkContexts(facts)) > 0 {
				return
			}
			for _, text := range movedFiles(t, sets) {
				if strings.Contains(string(text), "\nimport \""+oldapi.Compat091+"\" // moves") {
					return // streadway's package is called amqp
				}
			}
			t.Errorf("nothing shows that %s", rule.Does)
		})
	}
}

// TestShimContexts: what becomes of the context of a publish is what the comment
// on it says, and the edits leave what type-checks and has no context to keep.
func TestShimContexts(t *testing.T) {
	m := loadModule(t, shimModule)
	facts := m.facts(t, Shim)
	for _, problem := range m.checkContexts(facts) {
		t.Error(problem)
	}
	edited := make(map[string][]byte)
	for _, f := range facts {
		for _, c := range f.Contexts {
			src, err := os.ReadFile(c.File)
			if err != nil {
				t.Fatal(err)
			}
			text, err := edit.Apply(c.File, src, c.Edits, c.Imports, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := os.ReadFile(c.File + ".golden"); len(c.Edits) > 0 && (err != nil || !bytes.Equal(text, want)) {
				t.Errorf("%s becomes (%v)\n%s", c.File, err, text)
			}
			edited[c.File] = text
		}
	}
	for _, f := range loadModule(t, m.with(t, edited)).facts(t, Shim) {
		for _, c := range f.Contexts {
			if len(c.Calls)+len(c.Edits) > 0 {
				t.Errorf("a second run edits %s again", c.File)
			}
		}
	}
}

// with returns the directory of a copy of the module, in which files, by their names
// here, have other texts.
func (m *module) with(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := copyModule(t, shimModule)
	for name, text := range files {
		rel, err := filepath.Rel(m.dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, rel), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkContexts compares what becomes of contexts with the comments on them.
func (m *module) checkContexts(facts []*shim.Facts) (problems []string) {
	got, want := make(map[string]string), make(map[string]string)
	for _, f := range facts {
		for _, c := range f.Contexts {
			for mark, list := range map[string][]token.Position{"kept": c.Calls, "open": c.Others} {
				for _, pos := range list {
					got[fmt.Sprintf("%s:%d", pos.Filename, pos.Line)] += mark
				}
			}
		}
	}
	for _, p := range m.pkgs {
		for _, file := range p.Syntax {
			for _, group := range file.Comments {
				if mark := strings.TrimSpace(group.Text()); mark == "kept" || mark == "open" {
					pos := p.Fset.Position(group.Pos())
					want[fmt.Sprintf("%s:%d", pos.Filename, pos.Line)] = mark
				}
			}
		}
	}
	for place := range want {
		if got[place] != want[place] {
			problems = append(problems, fmt.Sprintf("%s: the context is %q, want %s", place, got[place], want[place]))
		}
	}
	for place := range got {
		if want[place] == "" {
			problems = append(problems, fmt.Sprintf("%s: the context is %s, want it to stay", place, got[place]))
		}
	}
	slices.Sort(problems)
	return problems
}

// sets runs the analyzer on all packages.
func (m *module) sets(t *testing.T, a *analysis.Analyzer) []shim.Set {
	t.Helper()
	return setsOf(m.facts(t, a))
}

// facts runs the analyzer on all packages.
func (m *module) facts(t *testing.T, a *analysis.Analyzer) []*shim.Facts {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, m.pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var facts []*shim.Facts
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		facts = append(facts, act.Result.(*shim.Facts))
	}
	return facts
}

func setsOf(facts []*shim.Facts) []shim.Set {
	return shim.Sets(facts, shim.Options{
		Main:     func(path string) bool { return strings.HasPrefix(path, "example.com/shim/") },
		Exported: func(string) bool { return false },
	})
}

// movedFiles returns the new text of the files that move, by name.
func movedFiles(t *testing.T, sets []shim.Set) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, set := range sets {
		if set.Block != nil {
			continue
		}
		for _, f := range set.Files {
			src, err := os.ReadFile(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			if files[f.Name], err = edit.Apply(f.Name, src, f.Edits(oldapi.Compat091, "amqp091"), nil, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// checkImports compares what becomes of imports with the comments on them.
func (m *module) checkImports(sets []shim.Set) (problems []string) {
	got := make(map[string]string)
	streadway := 0
	for _, set := range sets {
		if slices.ContainsFunc(set.Files, func(f shim.File) bool { return f.Specs[0].Module == oldapi.Streadway }) {
			streadway++
		}
		for _, f := range set.Files {
			got[f.Name] = "moves"
			if set.Block != nil {
				got[f.Name] = "left " + set.Block.Category
			}
		}
	}
	want := make(map[string]string)
	for _, p := range m.pkgs {
		for _, file := range p.Syntax {
			if mark := importMark(file); mark != "" {
				want[p.Fset.File(file.FileStart).Name()] = mark
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if g := got[name]; g != want[name] && !(g == "" && want[name] == "stays") {
			problems = append(problems, fmt.Sprintf("%s: the import is %q, want %s", name, g, want[name]))
		}
	}
	if streadway != 1 {
		problems = append(problems, fmt.Sprintf("the files on streadway/amqp are %d sets, want one", streadway))
	}
	return problems
}

// importMark returns the comment on the import of a module.
func importMark(file *ast.File) string {
	for _, spec := range file.Imports {
		if _, ok := oldapi.ModuleOf(strings.Trim(spec.Path.Value, `"`)); ok && spec.Comment != nil {
			return strings.TrimSpace(spec.Comment.Text())
		}
	}
	return ""
}
