package driver

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// The analyzer of these tests does what comments in the code under test say:
//
//	//plan ID [needs=ID,ID] [import=PATH] "old" => "new"
//	//plan left=CATEGORY "text"
//
// The first stands for a unit that replaces the first "old" on a later line,
// as long as there is one, FILES in the new text being the number of files in
// the package; the second for a site that is left at
// "text", or with CATEGORY orphan, one to fold without an edit. A unit's edit is a site too, of tier fold.
var directive = regexp.MustCompile(`^//plan (?:left=(\S+) ("[^"]*")|(\S+)(?: needs=(\S+))?(?: import=(\S+))? ("(?:[^"\\]|\\.)*") => ("(?:[^"\\]|\\.)*"))$`)

const testOldAPI = "example.com/m/old"

func testTools() tools {
	return tools{
		old:   oldAPI{paths: []string{testOldAPI}, names: []string{"OldPublish"}},
		suite: func(Options) []*analysis.Analyzer { return []*analysis.Analyzer{planner} },
		apply: applyPlain,
		url:   func(category string) string { return "https://example.com/#" + category },
	}
}

var planner = &analysis.Analyzer{
	Name:       "planner",
	Doc:        "does what comments say",
	ResultType: reflect.TypeFor[*plan.Result](),
	Run:        runPlanner,
}

func runPlanner(pass *analysis.Pass) (any, error) {
	result := new(plan.Result)
	units := make(map[string]*plan.Unit)
	var order []string
	for _, file := range pass.Files {
		name := pass.Fset.PositionFor(file.FileStart, false).Filename
		src, err := pass.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, c := range comments(file) {
			m := directive.FindStringSubmatch(strings.TrimSpace(c.Text))
			if m == nil {
				if strings.HasPrefix(c.Text, "//plan") {
					return nil, fmt.Errorf("bad directive %s", c.Text)
				}
				continue
			}
			after := pass.Fset.PositionFor(c.End(), false).Offset
			find := func(quoted string) (string, int) {
				text, err := strconv.Unquote(quoted)
				if err != nil {
					panic(err)
				}
				i := bytes.Index(src[after:], []byte(text))
				return text, after + i
			}
			site := plan.Site{Func: pass.Pkg.Path() + ".f"}
			if m[1] != "" {
				text, at := find(m[2])
				site.Tier, site.Category, site.Message = plan.Left, m[1], "left by plan"
				site.Pos, site.End = positionAt(name, src, at), positionAt(name, src, at+len(text))
				if m[1] == "orphan" {
					site.Tier, site.Category = plan.Fold, ""
				}
				result.Sites = append(result.Sites, site)
				continue
			}
			text, at := find(m[6])
			if at < after {
				continue
			}
			u := units[m[3]]
			if u == nil {
				u = &plan.Unit{ID: m[3], Package: pass.Pkg.Path()}
				units[m[3]] = u
				order = append(order, m[3])
			}
			if m[4] != "" {
				u.Needs = strings.Split(m[4], ",")
			}
			if m[5] != "" {
				u.Imports = append(u.Imports, plan.Import{File: name, Path: m[5]})
			}
			replacement, err := strconv.Unquote(m[7])
			if err != nil {
				return nil, err
			}
			replacement = strings.ReplaceAll(replacement, "FILES", strconv.Itoa(len(pass.Files)))
			u.Edits = append(u.Edits, plan.Edit{File: name, Start: at, End: at + len(text), New: replacement})
			site.Tier, site.Unit, site.Message = plan.Fold, m[3], "write "+replacement
			site.Pos, site.End = positionAt(name, src, at), positionAt(name, src, at+len(text))
			u.Sites = append(u.Sites, siteKey(site))
			result.Sites = append(result.Sites, site)
		}
	}
	for _, id := range order {
		result.Units = append(result.Units, *units[id])
	}
	return result, nil
}

func comments(file *ast.File) []*ast.Comment {
	var all []*ast.Comment
	for _, g := range file.Comments {
		all = append(all, g.List...)
	}
	return all
}

// applyPlain makes edits, and puts imports after the package clause.
func applyPlain(file string, src []byte, edits []plan.Edit, imports []plan.Import, uses []plan.Use) ([]byte, error) {
	var out []byte
	end := 0
	for _, e := range edits {
		out = append(out, src[end:e.Start]...)
		out = append(out, e.New...)
		end = e.End
	}
	out = append(out, src[end:]...)
	for _, i := range imports {
		clause := regexp.MustCompile(`(?m)^package \w+$`).FindIndex(out)
		out = []byte(string(out[:clause[1]]) + "\n\nimport " + strconv.Quote(i.Path) + string(out[clause[1]:]))
	}
	return out, nil
}

// writeTree puts the files of an archive below a new directory. A go.mod for
// example.com/m and its package old are there unless the archive has them.
func writeTree(t testing.TB, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.21\n",
		"old/old.go": "package old\n\ntype Channel struct{}\n\nfunc (*Channel) OldPublish() {}\n",
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// testEnv keeps the go command off the network and out of any workspace.
func testEnv() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local")
}

func testOptions(dir string, mode Mode) Options {
	return Options{Dir: dir, Patterns: []string{"./..."}, Mode: mode, Tests: true, Env: testEnv()}
}

// fix runs the test analyzer over a tree and writes.
func fix(t testing.TB, dir string) Report {
	t.Helper()
	rep, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func readFile(t testing.TB, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// places lists sites as "file:line tier category".
func places(dir string, sites []Site) []string {
	var out []string
	for _, s := range sites {
		rel, err := filepath.Rel(dir, s.Pos.Filename)
		if err != nil {
			rel = s.Pos.Filename
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s:%d %s %s", filepath.ToSlash(rel), s.Pos.Line, s.Tier, s.Category)))
	}
	return out
}

// replacing returns a unit that replaces the first old in a file by new.
func replacing(file, text, old, new string) *unit {
	at := strings.Index(text, old)
	return newUnit(plan.Unit{ID: "u", Edits: []plan.Edit{{File: file, Start: at, End: at + len(old), New: new}}})
}
