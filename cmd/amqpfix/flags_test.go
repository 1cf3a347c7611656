package main

import (
	"flag"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

func TestFlagsAreDocumented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	new(config).flagSet().VisitAll(func(f *flag.Flag) {
		for place, text := range map[string]string{"help.go": helpText, "doc.go": file.Doc.Text()} {
			if !strings.Contains(text, "\t-"+f.Name+" ") && !strings.Contains(text, "\t-"+f.Name+"=") {
				t.Errorf("%s does not describe -%s", place, f.Name)
			}
		}
		if !strings.Contains(usageLine, "-"+f.Name) {
			t.Errorf("the usage line has no -%s", f.Name)
		}
	})
}

func TestExitCode(t *testing.T) {
	left := driver.Site{Tier: driver.Left, Category: "stored"}
	ignored := driver.Site{Tier: driver.Left, Category: "ignored"}
	folded := driver.Site{Tier: driver.Fold}
	value := driver.Site{Tier: driver.Value}
	for _, tt := range []struct {
		name              string
		rep               driver.Report
		report, diff, fix int
	}{
		{"nothing", driver.Report{}, 0, 0, 0},
		{"ignored", driver.Report{Sites: []driver.Site{ignored}}, 0, 0, 0},
		{"rewritten", driver.Report{Sites: []driver.Site{folded, value}, Files: []driver.File{{}}}, 3, 3, 0},
		{"left", driver.Report{Sites: []driver.Site{folded, left}, Files: []driver.File{{}}}, 3, 3, 3},
		{"only left", driver.Report{Sites: []driver.Site{left}}, 3, 3, 3},
		{"a finding", driver.Report{Findings: []driver.Finding{{}}}, 3, 3, 3},
		{"a problem", driver.Report{Sites: []driver.Site{left}, Problems: []driver.Problem{{}}}, 1, 1, 1},
	} {
		for mode, want := range map[driver.Mode]int{driver.ModeReport: tt.report, driver.ModeDiff: tt.diff, driver.ModeFix: tt.fix} {
			if got := exitCode(tt.rep, mode); got != want {
				t.Errorf("%s, mode %d: %d, want %d", tt.name, mode, got, want)
			}
		}
	}
}

func TestIsGoCommand(t *testing.T) {
	for args, want := range map[string]bool{
		"":                                   false,
		"-V=full":                            true,
		"-flags":                             true,
		"/tmp/b001/vet.cfg":                  true,
		"-basicproperties.ctx=scope vet.cfg": true,
		"-fix ./...":                         false,
		"-json ./...":                        false,
		"help":                               false,
	} {
		if got := isGoCommand(strings.Fields(args)); got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}
