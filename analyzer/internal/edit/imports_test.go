package edit

import (
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

const (
	newapi = "github.com/amqpfix/amqpfix/newapi"
	compat = "github.com/amqpfix/amqpfix/compat"
)

func TestImportsAreAdded(t *testing.T) {
	both := []plan.Import{{Path: newapi, Name: "newapi"}, {Path: "context", Name: "context"}}
	for _, tt := range []struct {
		name    string
		src     string
		imports []plan.Import
		want    string
	}{
		{
			"no imports",
			"// Package p.\npackage p // of p\n\nvar a int\n", both,
			"// Package p.\npackage p // of p\n\nimport (\n\t\"context\"\n\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n\nvar a int\n",
		},
		{
			"nothing behind the package clause",
			"package p", both[1:],
			"package p\n\nimport \"context\"",
		},
		{
			"one of the standard library",
			"package p\n\nimport \"fmt\"\n", both,
			"package p\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n",
		},
		{
			"one of another module",
			"package p\n\nimport mq \"github.com/amqpfix/amqpfix/compat\" // old\n", both,
			"package p\n\nimport (\n\t\"context\"\n\n\tmq \"github.com/amqpfix/amqpfix/compat\" // old\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n",
		},
		{
			"with a comment above",
			"package p\n\n// The old one.\nimport \"github.com/amqpfix/amqpfix/compat\"\n", both[:1],
			"package p\n\n// The old one.\nimport (\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n",
		},
		{
			"groups: each has its own",
			"package p\n\nimport (\n\t\"bytes\"\n\t\"fmt\"\n\n\t\"example.com/a\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/z/z\"\n)\n", both,
			"package p\n\nimport (\n\t\"bytes\"\n\t\"context\"\n\t\"fmt\"\n\n\t\"example.com/a\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n\t\"github.com/z/z\"\n)\n",
		},
		{
			"one group for all",
			"package p\n\nimport (\n\t\"fmt\"\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"os\"\n)\n", both,
			"package p\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n\t\"os\"\n)\n",
		},
		{
			"no group of its kind",
			"package p\n\nimport (\n\t\"example.com/a\"\n)\n", both[1:],
			"package p\n\nimport (\n\t\"context\"\n\n\t\"example.com/a\"\n)\n",
		},
		{
			"comments stay with their specs",
			"package p\n\nimport (\n\t// prints\n\t\"fmt\" // things\n\n\t// speaks\n\t\"github.com/amqpfix/amqpfix/compat\"\n)\n", both,
			"package p\n\nimport (\n\t\"context\"\n\t// prints\n\t\"fmt\" // things\n\n\t// speaks\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n",
		},
		{
			"several declarations",
			"package p\n\nimport \"fmt\"\nimport \"os\"\n", both[1:],
			"package p\n\nimport \"fmt\"\nimport \"os\"\nimport \"context\"\n",
		},
		{
			"cgo has its own",
			"package p\n\n// int x;\nimport \"C\"\n", both[1:],
			"package p\n\nimport \"context\"\n\n// int x;\nimport \"C\"\n",
		},
		{
			"a name of its own",
			"package p\n\nimport (\n\t\"fmt\"\n)\n", []plan.Import{{Path: "context", Name: "stdcontext"}},
			"package p\n\nimport (\n\tstdcontext \"context\"\n\t\"fmt\"\n)\n",
		},
		{
			"a version in the path",
			"package p\n\nimport (\n\t\"fmt\"\n)\n", []plan.Import{{Path: "example.com/a/v2", Name: "a"}},
			"package p\n\nimport (\n\t\"fmt\"\n\n\ta \"example.com/a/v2\"\n)\n",
		},
		{
			"by two names",
			"package p\n\nimport \"context\"\n", []plan.Import{{Path: "context", Name: "stdcontext"}},
			"package p\n\nimport (\n\t\"context\"\n\tstdcontext \"context\"\n)\n",
		},
		{
			"there already",
			"package p\n\nimport \"context\"\n", []plan.Import{both[1], both[1]},
			"package p\n\nimport \"context\"\n",
		},
		{
			"there already, for side effects",
			"package p\n\nimport _ \"context\"\n", both[1:],
			"package p\n\nimport (\n\t\"context\"\n\t_ \"context\"\n)\n",
		},
		{
			"a dot import is there",
			"package p\n\nimport . \"context\"\n", []plan.Import{{Path: "context", Name: "."}},
			"package p\n\nimport . \"context\"\n",
		},
		{
			"everything on one line",
			"package p; import (\"fmt\"; \"os\"); var a int", both[1:],
			"package p; import (\"fmt\"; \"os\")\nimport \"context\"; var a int",
		},
		{
			"a comment over several lines",
			"package p\n\nimport \"fmt\" /* a\nb */\n", both[1:],
			"package p\n\nimport \"fmt\"\nimport \"context\" /* a\nb */\n",
		},
		{
			"not formatted: only a line is added",
			"package p\nimport (\n  \"fmt\"\n  \"os\"\n)\nvar  a  int\n", both[1:],
			"package p\nimport (\n  \"context\"\n  \"fmt\"\n  \"os\"\n)\nvar  a  int\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply("p.go", []byte(tt.src), nil, tt.imports, nil)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			again, err := Apply("p.go", got, nil, tt.imports, nil)
			if err != nil || string(again) != string(got) {
				t.Errorf("the second time it is\n%s\nerror %v", again, err)
			}
		})
	}
}

func TestImportsAreRemoved(t *testing.T) {
	gone := []plan.Use{{Path: compat, Name: "compat", Removed: 2, Total: 2}}
	for _, tt := range []struct {
		name    string
		src     string
		imports []plan.Import
		uses    []plan.Use
		want    string
	}{
		{
			"the only one",
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n\nvar a int\n", nil, gone,
			"package p\n\nvar a int\n",
		},
		{
			"the only one in parentheses",
			"package p\n\n// Old.\nimport (\n\t\"github.com/amqpfix/amqpfix/compat\"\n)\n\nvar a int\n", nil, gone,
			"package p\n\nvar a int\n",
		},
		{
			"one of a group",
			"package p\n\nimport (\n\t\"a.b/c\"\n\t// Old.\n\t\"github.com/amqpfix/amqpfix/compat\" // and gone\n\t\"x.y/z\"\n)\n", nil, gone,
			"package p\n\nimport (\n\t\"a.b/c\"\n\t\"x.y/z\"\n)\n",
		},
		{
			"a whole group",
			"package p\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n\n\t\"x.y/z\"\n)\n", nil, gone,
			"package p\n\nimport (\n\t\"fmt\"\n\n\t\"x.y/z\"\n)\n",
		},
		{
			"the first group",
			"package p\n\nimport (\n\t\"github.com/amqpfix/amqpfix/compat\"\n\n\t\"x.y/z\"\n)\n", nil, gone,
			"package p\n\nimport (\n\t\"x.y/z\"\n)\n",
		},
		{
			"the last group",
			"package p\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n)\n", nil, gone,
			"package p\n\nimport (\n\t\"fmt\"\n)\n",
		},
		{
			"a reference is left",
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n", nil, []plan.Use{{Path: compat, Name: "compat", Removed: 1, Total: 2}},
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n",
		},
		{
			"two units remove the last two",
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n", nil,
			[]plan.Use{{Path: compat, Name: "compat", Removed: 1, Total: 2}, {Path: compat, Name: "compat", Removed: 1, Total: 2}},
			"package p\n",
		},
		{
			"the new text refers to it",
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n", []plan.Import{{Path: compat, Name: "compat"}}, gone,
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n",
		},
		{
			"replaced by another",
			"package p\n\nimport \"github.com/amqpfix/amqpfix/compat\"\n", []plan.Import{{Path: newapi, Name: "newapi"}}, gone,
			"package p\n\nimport (\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n",
		},
		{
			"by its name, another import of the path stays",
			"package p\n\nimport (\n\t\"github.com/amqpfix/amqpfix/compat\"\n\told \"github.com/amqpfix/amqpfix/compat\"\n)\n", nil,
			[]plan.Use{{Path: compat, Name: "old", Removed: 1, Total: 1}},
			"package p\n\nimport (\n\t\"github.com/amqpfix/amqpfix/compat\"\n)\n",
		},
		{
			"a package that is not called as its path ends",
			"package p\n\nimport \"example.com/go-config\"\n", nil, []plan.Use{{Path: "example.com/go-config", Name: "config", Removed: 1, Total: 1}},
			"package p\n",
		},
		{
			"a dot import",
			"package p\n\nimport . \"github.com/amqpfix/amqpfix/compat\"\n", nil, []plan.Use{{Path: compat, Name: ".", Removed: 1, Total: 1}},
			"package p\n",
		},
		{
			"on a line with another",
			"package p\n\nimport (\"fmt\"; \"github.com/amqpfix/amqpfix/compat\")\n", nil, gone,
			"package p\n\nimport (\"fmt\"; _ \"github.com/amqpfix/amqpfix/compat\")\n",
		},
		{
			"on a line with code",
			"package p; import \"github.com/amqpfix/amqpfix/compat\"; var a int\n", nil, gone,
			"package p; import _ \"github.com/amqpfix/amqpfix/compat\"; var a int\n",
		},
		{
			"not there",
			"package p\n", nil, gone,
			"package p\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply("p.go", []byte(tt.src), nil, tt.imports, tt.uses)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
