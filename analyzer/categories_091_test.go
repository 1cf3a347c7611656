package analyzer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// TestCategoryExamples091 type-checks the examples of code on amqp091-go, and what
// they become. What the publish analyzer leaves before is left for that reason, and
// nothing is left of it after.
func TestCategoryExamples091(t *testing.T) {
	dir := copyModule(t, publishModule)
	n := 0
	for _, c := range Categories {
		if c.Before091 == "" {
			continue
		}
		n++
		for when, example := range map[string]struct{ client, code string }{
			"before": {oldapi.Upstream, c.Before091},
			"after":  {oldapi.Compat091, c.After091},
		} {
			text := "package example\n\nimport (\n\t\"context\"\n\n\t\"" + oldapi.NewAPI + "\"\n\t\"" + example.client + "\"\n)\n\n" +
				"var (\n\t_ context.Context\n\t_ newapi.Table\n\t_ amqp091.Table\n)\n\n" + example.code + "\n"
			if c.Word == plan.UserInterface {
				text += "\nvar _ channel = (*amqp091.Channel)(nil)\n"
			}
			if c.Word == plan.InterfaceImplementation && when == "after" {
				text += "\nvar _ newapi.Publisher = (*mock)(nil)\n"
			}
			name := filepath.Join(dir, "examples", when, c.Word, "example.go")
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n == 0 {
		t.Fatal("no category has an example")
	}
	left := make(map[string][]string) // by directory
	for _, f := range loadModule(t, dir).plan(t, Publish) {
		for _, s := range f.sites {
			_, at, _ := strings.Cut(filepath.ToSlash(filepath.Dir(f.name)), "/examples/")
			left[at] = append(left[at], s.Category)
		}
	}
	for _, c := range Categories {
		if got := left["after/"+c.Word]; got != nil {
			t.Errorf("%s: the example after is left for %q", c.Word, got)
		}
	}
	if got, want := left["before/"+plan.UserInterface], []string{plan.UserInterface}; !slices.Equal(got, want) {
		t.Errorf("the example before is left for %q, want %q", got, want)
	}
}
