package analyzer

import (
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// TestPublishBehaviour moves the imports of random programs, then rewrites their
// publishes, runs what was and what is and compares what they publish, which
// functions they call in which order, and how they panic.
func TestPublishBehaviour(t *testing.T) {
	const perFile = 100
	programs := *programs / 4 // each runs in several worlds
	before, moved, after := gopathWith(t, nil), gopathWith(t, nil), gopathWith(t, nil)
	files := map[string]string{"world.go": mustFormat(t, publishWorld)}
	source := make(map[string]string)
	var list strings.Builder
	for first := 0; first < programs; first += perFile {
		var file strings.Builder
		file.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"strconv\"\n\t\"strings\"\n\t\"time\"\n\n\tamqp \"github.com/rabbitmq/amqp091-go\"\n)\n\n" +
			"var (\n\t_ = fmt.Sprint\n\t_ = strconv.Itoa\n\t_ = strings.Repeat\n\t_ = time.Now\n\t_ amqp.Table\n)\n\n")
		for i := first; i < min(first+perFile, programs); i++ {
			name := fmt.Sprintf("program%06d", *seed+uint64(i))
			source[name] = publishProgram(*seed+uint64(i), name)
			file.WriteString(source[name] + "\n")
			fmt.Fprintf(&list, "\t%q: %s,\n", name, name)
		}
		files[fmt.Sprintf("programs%06d.go", first)] = mustFormat(t, file.String())
	}
	files["list.go"] = mustFormat(t, "package main\n\nvar programs = map[string]program{\n"+list.String()+"}\n")
	write := func(gopath string) {
		for name, text := range files {
			writeFile(t, filepath.Join(gopath, "src", "programs", name), text)
		}
	}

	write(before)
	for name, text := range movedFiles(t, gopathModule(t, before).sets(t, Shim)) {
		files[filepath.Base(name)] = string(text)
	}
	write(moved)
	tiers, reasons, hoisted := make(map[plan.Tier]int), make(map[string]int), 0
	for _, f := range gopathModule(t, moved).plan(t, Publish) {
		for _, s := range f.sites {
			tiers[s.Tier]++
			if s.Tier == plan.Left {
				reasons[s.Category]++
			}
			if strings.Contains(s.Message, "being the flags, evaluated before") {
				hoisted++
			}
		}
		text, err := f.after()
		if err != nil {
			t.Fatal(err)
		}
		if mustFormat(t, string(text)) != string(text) {
			t.Errorf("%s is not formatted afterwards", f.name)
		}
		files[filepath.Base(f.name)] = string(text)
	}
	write(after)
	t.Logf("%d programs: %v, left: %v, flags before: %d", programs, tiers, reasons, hoisted)
	if hoisted < programs/4 {
		t.Errorf("only %d sites of %d programs have a statement before for the flags: the programs say too little", hoisted, programs)
	}
	for _, tier := range []plan.Tier{plan.Native, plan.Header, plan.Whole, plan.Left} {
		if tiers[tier] < programs/4 {
			t.Errorf("only %d sites of %d programs are of tier %s: the programs say too little", tiers[tier], programs, tier)
		}
	}
	for _, f := range gopathModule(t, after).plan(t, Publish) {
		if len(f.edits) > 0 {
			t.Errorf("%s: a second run has edits: %v", f.name, f.edits)
		}
	}

	// When a variable or a pointer is read beside calls is open in the language, and
	// in fact depends on what the compiler inlines.
	const noInlining = "-gcflags=-l"
	was, is := runGopath(t, before, noInlining), runGopath(t, after, noInlining)
	differ := 0
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if log := was[name]; is[name] != log {
			if differ++; differ <= 3 {
				key, _, _ := strings.Cut(name, " ")
				t.Errorf("%s\n--- was\n%s--- is\n%s--- program\n%s", name, log, is[name], source[key])
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d runs differ", differ, len(was))
	}
	const variants = 5
	if len(was) != variants*programs || len(is) != len(was) {
		t.Errorf("%d and %d runs were recorded, want %d", len(was), len(is), variants*programs)
	}
}

// gopathModule loads the programs of a GOPATH tree as a module.
func gopathModule(t *testing.T, gopath string) *module {
	t.Helper()
	return &module{dir: gopath, pkgs: loadGopath(t, gopath, "programs")}
}

func mustFormat(t *testing.T, text string) string {
	t.Helper()
	formatted, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return string(formatted)
}
