package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRun takes the analyzers of amqpfix over a module on the old API, with
// some of everything: folded, by value, left, ignored.
func TestRun(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := writeTree(t, fmt.Sprintf(`
-- go.mod --
module example.com/m

go 1.22

require (
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
)

replace github.com/amqpfix/amqpfix => %q
-- go.sum --
%s
-- p.go --
package m

import "github.com/amqpfix/amqpfix/compat"

func Fold(ch *compat.Channel) error {
	props := ch.CreateBasicProperties()
	props.SetPriority(1)
	return ch.BasicPublish("", "q", false, props, nil)
}

func Value(ch *compat.Channel, urgent bool) error {
	props := ch.CreateBasicProperties()
	if urgent {
		props.SetPriority(1)
	}
	return ch.BasicPublish("", "q", false, props, nil)
}

func Left(m compat.Model) error {
	return m.BasicPublish("", "q", false, nil, nil)
}

func Ignored(ch *compat.Channel) error {
	//amqpfix:ignore basicproperties shown as it was
	return ch.BasicPublish("", "q", false, nil, nil)
}
`, root, sum))
	env := append(testEnv(), "GOSUMDB=off")
	rep, err := Run(t.Context(), Options{Dir: dir, Mode: ModeFix, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"p.go:8 fold", "p.go:16 value", "p.go:20 left user-interface", "p.go:25 left ignored"}
	if got := places(dir, rep.Sites); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q; problems %+v", got, want, rep.Problems)
	}
	if got, want := rep.Summary.String(), "4 call sites: 1 folded, 1 by value, 1 left (1 user-interface), 1 ignored"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	left := rep.Sites[2]
	if left.Package != "example.com/m" || left.Func != "example.com/m.Left" || left.End.Column <= left.Pos.Column ||
		!strings.HasSuffix(left.URL, "/MIGRATION.md#user-interface") {
		t.Errorf("site %+v", left)
	}
	if !rep.Written || len(rep.Files) != 1 || string(rep.Files[0].New) != readFile(t, dir, "p.go") {
		t.Errorf("written %v, files %+v", rep.Written, rep.Files)
	}
}

func TestSummary(t *testing.T) {
	site := func(tier Tier, category string) Site { return Site{Tier: tier, Category: category} }
	for _, tt := range []struct {
		sites []Site
		want  string
	}{
		{nil, "0 call sites: 0 folded, 0 by value, 0 left"},
		{[]Site{site(Fold, "")}, "1 call site: 1 folded, 0 left"},
		{[]Site{site(Value, ""), site(Left, "b"), site(Left, "a"), site(Left, "c"), site(Left, "c")},
			"5 call sites: 1 by value, 4 left (2 c, 1 a, 1 b)"},
		{[]Site{site("native", ""), site(Fold, ""), site("header", ""), site("native", "")},
			"4 call sites: 1 folded, 2 native, 1 header, 0 left"},
		{[]Site{site(Left, "ignored"), site(Left, "a")}, "2 call sites: 1 left (1 a), 1 ignored"},
	} {
		if got := summarize(tt.sites).String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, tt := range []struct {
		summary Summary
		want    string
	}{
		{Summary{ImportsMoved: 1}, "0 call sites: 0 folded, 0 by value, 0 left; 1 import moved, 0 left"},
		{Summary{ImportsOnly: true}, "0 imports moved, 0 left"},
		{Summary{ImportsOnly: true, ImportsMoved: 9, ImportsLeft: 1}, "9 imports moved, 1 left"},
	} {
		if got := tt.summary.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"one":                    "one",
		" one\n\n\ttwo\n":        "one; two",
		"to add it:\n\tgo get x": "to add it: go get x",
		"first;\nsecond":         "first; second",
		"":                       "",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestReadOnlyFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"-mod=mod":                      "",
		"-tags=a --mod=mod -race":       "-tags=a -race",
		`'-ldflags=-X a' '-mod=mod' -v`: `'-ldflags=-X a' -v`,
	} {
		if got, ok := (goEnv{GOFLAGS: flags}).readOnlyFlags(); got != want || !ok {
			t.Errorf("%s: %q, %v, want %q", flags, got, ok, want)
		}
	}
	if got, ok := (goEnv{GOFLAGS: "-mod=vendor -tags=mod=mod"}).readOnlyFlags(); ok {
		t.Errorf("%q", got)
	}
}

func TestTagsOfGOFLAGS(t *testing.T) {
	for flags, want := range map[string][]string{
		"":                        nil,
		"-mod=mod":                nil,
		"-tags=a":                 {"a"},
		"--tags=a,b -mod=mod":     {"a", "b"},
		"'-tags=a' -race":         {"a"},
		"-tags=a -tags=b":         {"b"},
		`-ldflags=-X=main.tags=x`: nil,
	} {
		if got := (goEnv{GOFLAGS: flags}).tags(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", flags, got, want)
		}
	}
}

func TestOnDisk(t *testing.T) {
	const disk = "a\nb\nc\nd\n"
	const now = "new\na\nB1\nB2\nd\nlast\n"
	for text, want := range map[string]string{"a\n": "a\n", "B1": "b\nc", "B2": "c\n", "d\n": "d\n"} {
		offset := onDisk([]byte(disk), []byte(now), strings.Index(now, text))
		if !strings.HasPrefix(disk[offset:], want) {
			t.Errorf("%q is at %q, want %q", text, disk[offset:], want)
		}
	}
	calls := []string{"a.f(ctx, 1)", "a.g(nil, 2)", "a.f(ctx, 3)"}
	for name, change := range map[string]func(calls string) string{
		"each line": func(calls string) string {
			return strings.NewReplacer("ctx", "without(ctx)", "nil", "background()").Replace(calls)
		},
		"a line more": func(calls string) string {
			return "x := y()\n" + strings.NewReplacer("ctx", "without(ctx)", "nil", "background()").Replace(calls)
		},
	} {
		disk := "{\n" + strings.Join(calls, "\n") + "\n}\n"
		now := "{\n" + change(strings.Join(calls, "\n")) + "\n}\n"
		from := 0
		for i, call := range calls {
			at := strings.Index(now[from:], call[:3]) + from
			from = at + 1
			if got, want := onDisk([]byte(disk), []byte(now), at), strings.Index(disk, call); got != want {
				t.Errorf("%s: call %d is at %d, want %d", name, i, got, want)
			}
		}
	}
	if got := onDisk([]byte(disk), []byte(disk), 3); got != 3 {
		t.Errorf("unchanged: %d", got)
	}
}

func TestPositionAt(t *testing.T) {
	src := []byte("ab\ncd\n")
	for offset, want := range map[int]string{0: "f:1:1", 1: "f:1:2", 3: "f:2:1", 5: "f:2:3", 99: "f:3:1", -1: "f:1:1"} {
		if got := positionAt("f", src, offset).String(); got != want {
			t.Errorf("%d: %s, want %s", offset, got, want)
		}
	}
}
