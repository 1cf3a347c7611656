package main

import (
	"errors"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `package p

import (
	"testing"
	"testing/quick"
)

type Publishing struct{}

func (c Publishing) Generate(n int) int { return n }

func TestOne(t *testing.T) {
	quick.Check(func(p Publishing) bool { return true }, nil)
}

func Testify() {}
func TestMain(m *testing.M) {}
func helper(t *testing.T) {}
`

func TestEditsTouchDeclarationsOnly(t *testing.T) {
	got, err := applyEdits([]byte(sample), edits)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(sample, "\t\"testing/quick\"\n", "\t\n", 1)
	want = strings.Replace(want, "func (c Publishing) Generate(", "func generatePublishing(", 1)
	if string(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestEditThatFindsNothingIsAnError(t *testing.T) {
	_, err := applyEdits([]byte("package p\n"), edits)
	if err == nil || !strings.Contains(err.Error(), "found nothing to edit") {
		t.Errorf("error %v", err)
	}
}

func TestEditInATestIsAnError(t *testing.T) {
	inBody := edit{what: "too far", find: func(f *ast.File) (from, to token.Pos) {
		body := tests(f)[0].Body
		return body.List[0].Pos(), body.List[0].End()
	}}
	_, err := applyEdits([]byte(sample), []edit{inBody})
	if err == nil || !strings.Contains(err.Error(), "edit in the body of TestOne") {
		t.Errorf("error %v", err)
	}
}

func TestNamesAreThoseThatGoTestRuns(t *testing.T) {
	names, err := testNames([]byte(sample))
	if err != nil || !slices.Equal(names, []string{"TestOne"}) {
		t.Errorf("names %q, error %v", names, err)
	}
}

func TestOverlayReplacesThePackagesOwnTests(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	for _, name := range []string{"code.go", "own_test.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	name, err := writeOverlay(temp, dir, []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"` + filepath.Join(dir, "own_test.go") + `":""`,
		`"` + filepath.Join(dir, testFile) + `":"` + filepath.Join(temp, testFile) + `"`,
		`"` + filepath.Join(dir, "support_test.go") + `":"` + filepath.Join(temp, "support_test.go") + `"`,
	} {
		if !strings.Contains(string(overlay), part) {
			t.Errorf("overlay %s lacks %s", overlay, part)
		}
	}
	if strings.Contains(string(overlay), "code.go") {
		t.Errorf("overlay %s replaces code", overlay)
	}
}

func TestReport(t *testing.T) {
	const passed = `{"Action":"run","Test":"TestA"}
{"Action":"output","Test":"TestA/sub","Output":"said by the subtest\n"}
{"Action":"fail","Test":"TestA/sub"}
{"Action":"pass","Test":"TestA"}
`
	for _, c := range []struct {
		name, events string
		want         []string
		failed       bool
		conform      bool
		last         string
		mentions     string
	}{
		{"all pass", passed, []string{"TestA"}, false, true, "conformance: 1/1", ""},
		{"one fails", passed + `{"Action":"output","Test":"TestB/x","Output":"broken\n"}{"Action":"fail","Test":"TestB"}`,
			[]string{"TestA", "TestB"}, true, false, "conformance: 1/2", "fail: TestB\nbroken\n"},
		{"one is skipped", passed + `{"Action":"skip","Test":"TestB"}`,
			[]string{"TestA", "TestB"}, false, false, "conformance: 1/2", "skip: TestB"},
		{"one is missing", passed, []string{"TestA", "TestB"}, false, false, "conformance: 1/2", "not run: TestB"},
		{"one too many", passed + `{"Action":"pass","Test":"TestX"}`,
			[]string{"TestA"}, false, false, "conformance: 1/1", "run, but not in integration_test.go: TestX"},
		{"a goroutine leaks", passed + `{"Action":"output","Output":"found unexpected goroutines\n"}`,
			[]string{"TestA"}, true, false, "conformance: 1/1", "found unexpected goroutines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := readEvents(strings.NewReader(c.events))
			if err != nil {
				t.Fatal(err)
			}
			r.failed = c.failed
			var out strings.Builder
			err = r.report(&out, c.want)
			if conform := !errors.Is(err, errNotConform); conform != c.conform {
				t.Errorf("conform is %v, want %v", conform, c.conform)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if last := lines[len(lines)-1]; last != c.last {
				t.Errorf("last line %q, want %q", last, c.last)
			}
			if !strings.Contains(out.String(), c.mentions) {
				t.Errorf("output %q does not mention %q", out.String(), c.mentions)
			}
		})
	}
}

func TestSecondRunCounts(t *testing.T) {
	r := &results{action: map[string]string{"TestA": "pass", "TestB": "fail"}, output: map[string][]string{}, failed: true}
	want := []string{"TestA", "TestB"}
	if failing := r.failing(want); !slices.Equal(failing, []string{"TestB"}) {
		t.Fatalf("failing: %q", failing)
	}
	r.repeated(&results{action: map[string]string{"TestB": "pass"}})
	var out strings.Builder
	if err := r.report(&out, want); err != nil {
		t.Errorf("%v: %s", err, &out)
	}
}
