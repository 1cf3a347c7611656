package driver

import (
	"errors"
	"strings"
	"testing"
)

// upgradeTree is a module that requires an old client, and whose new text needs a
// module that requires a newer version of it, in which a field has another type.
const upgradeTree = `
-- go.mod --
module example.com/m

go 1.21

require (
	example.com/dep v1.0.0
	github.com/rabbitmq/amqp091-go v1.5.0
)

replace (
	example.com/dep => ./_mods/dep
	example.com/need => ./_mods/need
	github.com/rabbitmq/amqp091-go v1.5.0 => ./_mods/before
	github.com/rabbitmq/amqp091-go v1.16.0 => ./_mods/after
)
-- _mods/before/go.mod --
module github.com/rabbitmq/amqp091-go

go 1.21
-- _mods/before/a.go --
package amqp091

type Config struct{ ChannelMax int }
-- _mods/after/go.mod --
module github.com/rabbitmq/amqp091-go

go 1.21
-- _mods/after/a.go --
package amqp091

type Config struct{ ChannelMax uint16 }
-- _mods/need/go.mod --
module example.com/need

go 1.21

require github.com/rabbitmq/amqp091-go v1.16.0
-- _mods/need/n.go --
package need

import _ "github.com/rabbitmq/amqp091-go"

const C = 1
-- _mods/dep/go.mod --
module example.com/dep

go 1.21

require github.com/rabbitmq/amqp091-go v1.5.0
-- a/a.go --
package a

import _ "github.com/rabbitmq/amqp091-go"

//plan u import=example.com/need "= 1" => "= need.C"
const C = 1
`

const (
	fine   = "func Config(n uint16) amqp091.Config { return amqp091.Config{} }\n"
	breaks = "func Config(n int) amqp091.Config { return amqp091.Config{ChannelMax: n} }\n"
)

func TestRequirementThatBreaksCode(t *testing.T) {
	const (
		imported = "import amqp091 \"github.com/rabbitmq/amqp091-go\"\n\n"
		dep      = "-- _mods/dep/d.go --\npackage dep\n\n" + imported
		note     = "; the rewritten code requires github.com/rabbitmq/amqp091-go v1.16.0 (go.mod has v1.5.0), and nothing is written until this builds with that"
	)
	for _, tt := range []struct {
		name    string
		archive string
		broken  string // the package of the error; "" for none
		where   string // of the first place
		problem string // in the report
	}{
		{"nothing breaks", dep + fine + "-- b/b.go --\npackage b\n\n" + imported + fine, "", "", ""},
		{"a package", dep + fine + "-- b/b.go --\npackage b\n\n" + imported + breaks, "example.com/m/b", "b.go:5", "does not type-check: cannot use n"},
		{"its tests", dep + fine + "-- b/b.go --\npackage b\n-- b/b_test.go --\npackage b\n\n" + imported + breaks, "example.com/m/b", "b_test.go:5", "does not type-check: cannot use n"},
		{"external tests", dep + fine + "-- b/b.go --\npackage b\n-- b/b_test.go --\npackage b_test\n\n" + imported + breaks, "example.com/m/b_test", "b_test.go:5", "does not type-check: cannot use n"},
		{"a dependency", dep + breaks + "-- b/b.go --\npackage b\n\nimport _ \"example.com/dep\"\n", "example.com/dep", "d.go:5", "does not type-check: cannot use n"},
		{"a dependency that nothing imports", dep + breaks, "", "", ""},
		{"broken before", dep + fine + "-- b/b.go --\npackage b\n\n" + imported + "var C amqp091.Configuration\n", "", "", ""},
		{"broken before in another way", dep + fine + "-- b/b.go --\npackage b\n\n" + imported + breaks + "var N int = \"\"\n", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, patterns := range [][]string{{"./..."}, {"./a"}} {
				dir := writeTree(t, upgradeTree+tt.archive)
				run := func(mode Mode, update bool) (Report, error) {
					opts := testOptions(dir, mode)
					opts.Patterns, opts.UpdateMod = patterns, update
					tools := testTools()
					tools.old.paths = []string{"github.com/rabbitmq/amqp091-go"}
					tools.requires = func(Options) requirements {
						return requirements{"example.com/need", map[string][]string{"": {"example.com/need"}}}
					}
					return runWith(t.Context(), opts, tools)
				}
				rep, err := run(ModeReport, false)
				if err != nil {
					t.Fatal(err)
				}
				var said []string
				for _, p := range rep.Problems {
					if strings.HasSuffix(p.Message, note) {
						said = append(said, p.Package+" "+p.Message)
					}
				}
				if tt.broken == "" && len(said) > 0 {
					t.Errorf("%s: problems %q", patterns, said)
				}
				if tt.broken != "" && (len(said) != 1 || !strings.HasPrefix(said[0], tt.broken+" "+tt.problem)) {
					t.Errorf("%s: problems %q, want %s", patterns, said, tt.broken)
				}
				for _, update := range []bool{false, true} {
					rep, err = run(ModeFix, update)
					text := readFile(t, dir, "a/a.go")
					var upgrade *UpgradeError
					var module *ModuleError
					switch {
					case tt.broken != "":
						if !errors.As(err, &upgrade) || len(upgrade.Broken) != 1 || upgrade.Broken[0].Package != tt.broken || !strings.Contains(upgrade.Broken[0].Pos.String(), tt.where+":") {
							t.Errorf("%s: error %v, want one about %s at %s", patterns, err, tt.broken, tt.where)
						}
						if err != nil && !strings.Contains(err.Error(), "(go get github.com/rabbitmq/amqp091-go@v1.16.0, make it build, then run amqpfix again)") {
							t.Errorf("%s: error %v does not say what to do", patterns, err)
						}
						if strings.Contains(text, "\nconst C = need.C") {
							t.Errorf("%s: it was written", patterns)
						}
					case !update:
						if !errors.As(err, &module) {
							t.Errorf("%s: error %v, want one that says what go.mod needs", patterns, err)
						}
					default:
						if err != nil || !rep.Written || !strings.Contains(text, "\nconst C = need.C") {
							t.Errorf("%s: error %v, written %v", patterns, err, rep.Written)
						}
					}
				}
			}
		})
	}
}
