package driver

import (
	"strings"
	"testing"
)

func TestWhatIsNeededBuilds(t *testing.T) {
	const modules = `
-- _mods/like/go.mod --
module github.com/rabbitmq/amqp091-go
-- _mods/like/a.go --
package amqp091

const Name = "like"
-- _mods/unlike/go.mod --
module github.com/rabbitmq/amqp091-go
-- _mods/unlike/a.go --
package amqp091
-- _mods/need/go.mod --
module example.com/need

go 1.21

require github.com/rabbitmq/amqp091-go v1.5.0
-- _mods/need/n.go --
package need

import "example.com/need/internal/n"

const C = n.C
-- _mods/need/internal/n/n.go --
package n

import "github.com/rabbitmq/amqp091-go"

const C = len(amqp091.Name)
`
	for _, tt := range []struct {
		name, replacement, message string
	}{
		{"with a replacement that is like it", "like", ""},
		{"with one that is not", "unlike",
			"the rewritten code needs example.com/need, and nothing was written: example.com/need/internal/n: does not type-check: undefined: amqp091.Name; github.com/rabbitmq/amqp091-go is replaced by ./_mods/unlike, and would have to be like v1.5.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, required := range []string{"", "require example.com/need v0.0.0\n"} {
				dir := writeTree(t, `
-- go.mod --
module example.com/m

go 1.21

require github.com/rabbitmq/amqp091-go v1.5.0

`+required+`
replace (
	example.com/need => ./_mods/need
	github.com/rabbitmq/amqp091-go => ./_mods/`+tt.replacement+`
)
-- a/a.go --
package a

import _ "github.com/rabbitmq/amqp091-go"

//plan u import=example.com/need "= 1" => "= need.C"
const C = 1
`+modules)
				for _, mode := range []Mode{ModeReport, ModeDiff, ModeFix} {
					opts := testOptions(dir, mode)
					opts.UpdateMod = true
					tools := testTools()
					tools.old.paths = []string{"github.com/rabbitmq/amqp091-go"}
					tools.requires = func(Options) requirements {
						return requirements{"example.com/need", map[string][]string{"": {"example.com/need"}}}
					}
					_, err := runWith(t.Context(), opts, tools)
					if got := errorText(err); got != tt.message {
						t.Errorf("required %q, mode %v: error %q, want %q", required, mode, got, tt.message)
					}
				}
				written := strings.Contains(readFile(t, dir, "a/a.go"), "\nconst C = need.C")
				if want := tt.message == ""; written != want {
					t.Errorf("required %q: written %t, want %t", required, written, want)
				}
			}
		})
	}
}

// TestCodeThatHasWhatIsNeeded: a module that imports it already, and does not build
// with it, is one that does not build.
func TestCodeThatHasWhatIsNeeded(t *testing.T) {
	dir := writeTree(t, `
-- go.mod --
module example.com/m

go 1.21

require example.com/need v0.0.0

replace example.com/need => ./_mods/need
-- _mods/need/go.mod --
module example.com/need
-- _mods/need/n.go --
package need

const C = 1

var _ int = ""
-- old/old.go --
package old

type Channel struct{}

func (*Channel) OldPublish() {}
-- a/a.go --
package a

import (
	"example.com/m/old"
	"example.com/need"
)

var _ old.Channel

//plan u "= need.C" => "= 2"
const C = need.C

var D = need.C
`)
	opts := testOptions(dir, ModeReport)
	tools := testTools()
	tools.requires = func(Options) requirements {
		return requirements{"example.com/need", map[string][]string{"": {"example.com/need"}}}
	}
	if _, err := runWith(t.Context(), opts, tools); err != nil {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
