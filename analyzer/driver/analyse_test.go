package driver

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// TestAnalyzersThatFail: a package that an analyzer fails on is named, and the
// rest goes on.
func TestAnalyzersThatFail(t *testing.T) {
	bad := func(run func(*analysis.Pass) (any, error), requires ...*analysis.Analyzer) *analysis.Analyzer {
		return &analysis.Analyzer{Name: "bad", Doc: "fails", Requires: requires, ResultType: reflect.TypeFor[*plan.Result](), Run: run}
	}
	for _, tt := range []struct {
		name     string
		analyzer *analysis.Analyzer
		want     string
	}{
		{"panic", bad(func(*analysis.Pass) (any, error) { panic("oh") }), "example.com/m/a: internal error: analyzer bad: oh"},
		{"error", bad(func(*analysis.Pass) (any, error) { return nil, errors.New("oh\nno") }), "example.com/m/a: analyzer bad: oh; no"},
		{"result", bad(func(*analysis.Pass) (any, error) { return 1, nil }), "example.com/m/a: internal error: analyzer bad: result is a int, not the declared *plan.Result"},
		{"facts", bad(nil, ctrlflow.Analyzer), "example.com/m/a: internal error: analyzer ctrlflow uses facts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, twoFiles)
			failing := *tt.analyzer
			if run := failing.Run; run != nil {
				failing.Run = func(pass *analysis.Pass) (any, error) {
					if strings.HasSuffix(pass.Pkg.Path(), "/b") {
						return new(plan.Result), nil
					}
					return run(pass)
				}
			}
			tools := testTools()
			tools.suite = func(Options) []*analysis.Analyzer { return []*analysis.Analyzer{planner, &failing} }
			rep, err := runWith(t.Context(), testOptions(dir, ModeDiff), tools)
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Problems) == 0 || rep.Problems[0].String() != tt.want {
				t.Errorf("problems %+v, want %s", rep.Problems, tt.want)
			}
		})
	}
}

func TestRequirementsOfAnalyzersAreRun(t *testing.T) {
	dir := writeTree(t, twoFiles)
	counted := 0
	counter := &analysis.Analyzer{
		Name: "counter", Doc: "counts files", Requires: []*analysis.Analyzer{inspect.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			for range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Children() {
				counted++
			}
			return nil, nil
		},
	}
	tools := testTools()
	tools.suite = func(Options) []*analysis.Analyzer { return []*analysis.Analyzer{counter} }
	if _, err := runWith(t.Context(), testOptions(dir, ModeReport), tools); err != nil {
		t.Fatal(err)
	}
	if counted != 2 {
		t.Errorf("%d files seen, want 2", counted)
	}
}
