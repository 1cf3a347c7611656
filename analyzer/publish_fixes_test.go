package analyzer

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// TestPublishFixes applies the fixes that vet and fix apply. The files must be as
// their golden files say, and type-check, and have no second fix.
func TestPublishFixes(t *testing.T) {
	for _, tt := range []struct {
		dir      string
		analyzer *analysis.Analyzer
	}{
		{"vet", Publish},
		{"scope091", newPublish(Options{Ctx: ctxScope}, "")},
		{"othernames", Publish},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			gopath := gopathWith(t, nil)
			dir := filepath.Join(gopath, "src", tt.dir)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", tt.dir))); err != nil {
				t.Fatal(err)
			}
			analysistest.RunWithSuggestedFixes(t, gopath, tt.analyzer, tt.dir)
			goldens, err := filepath.Glob(filepath.Join(dir, "*.golden"))
			if err != nil || len(goldens) == 0 {
				t.Fatalf("there are no golden files: %v", err)
			}
			for _, golden := range goldens {
				if err := os.Rename(golden, golden[:len(golden)-len(".golden")]); err != nil {
					t.Fatal(err)
				}
			}
			for _, act := range analyse(t, tt.analyzer, gopath, tt.dir) {
				for _, d := range act.Diagnostics {
					if len(d.SuggestedFixes) > 0 {
						t.Errorf("%s: there is a second fix: %s", act.Package.Fset.Position(d.Pos), d.Message)
					}
				}
				for _, s := range act.Result.(*plan.Result).Sites {
					if s.Tier != plan.Left && filepath.Base(s.Pos.Filename) != "neither.go" {
						t.Errorf("%s: a second run rewrites again: %s", s.Pos, s.Message)
					}
				}
			}
		})
	}
}
