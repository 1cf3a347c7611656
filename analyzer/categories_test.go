package analyzer

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// TestCategoriesAreTheWordsOfPlan: each word has one text, and each text a word.
func TestCategoriesAreTheWordsOfPlan(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "internal/plan/category.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			word, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, word)
		}
		return true
	})
	slices.Sort(words)
	var texts []string
	for _, c := range Categories {
		texts = append(texts, c.Word)
	}
	if !slices.Equal(words, texts) {
		t.Errorf("plan has the words\n%q\nCategories, which must be sorted, has\n%q", words, texts)
	}
}

func TestCategoriesAreComplete(t *testing.T) {
	word := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for _, c := range Categories {
		if !word.MatchString(c.Word) {
			t.Errorf("%q is no lower-case word", c.Word)
		}
		for name, text := range map[string]string{"Title": c.Title, "Means": c.Means, "Do": c.Do, "Hint": c.Hint} {
			if text == "" {
				t.Errorf("%s has no %s", c.Word, name)
			}
		}
		if strings.HasSuffix(c.Title, ".") || strings.HasSuffix(c.Hint, ".") || strings.Contains(c.Hint, "\n") {
			t.Errorf("%s: title and hint are clauses on one line, without a full stop", c.Word)
		}
		if !strings.HasSuffix(c.Means, ".") || !strings.HasSuffix(c.Do, ".") {
			t.Errorf("%s: Means and Do are sentences", c.Word)
		}
		if (c.Before == "") != (c.After == "") || (c.Before091 == "") != (c.After091 == "") {
			t.Errorf("%s has one example of two", c.Word)
		}
	}
}

var writeMigration = flag.String("migration", "", "write the category sections for MIGRATION.md to this file")

// section is what MIGRATION.md has on the category.
func section(c Category) string {
	s := fmt.Sprintf("### %s\n\n**%s.** %s\n\n%s\n", c.Word, c.Title, c.Means, c.Do)
	if c.Before != "" {
		s += fmt.Sprintf("\n```go\n// before\n%s\n```\n\n```go\n// after\n%s\n```\n", c.Before, c.After)
	}
	if c.Before091 != "" {
		s += fmt.Sprintf("\nOn amqp091-go:\n\n```go\n// before\n%s\n```\n\n```go\n// after, with amqp091 from compat/amqp091\n%s\n```\n", c.Before091, c.After091)
	}
	return s
}

// TestMigrationGuide: each category has its section in MIGRATION.md, which is
// where CategoryURL points.
func TestMigrationGuide(t *testing.T) {
	if *writeMigration != "" {
		var b strings.Builder
		for i, c := range Categories {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString(section(c))
		}
		if err := os.WriteFile(*writeMigration, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	guide, err := os.ReadFile(filepath.Join("..", "MIGRATION.md"))
	if err != nil {
		t.Fatal(err)
	}
	headings := make(map[string]int)
	for line := range strings.Lines(string(guide)) {
		if word, ok := strings.CutPrefix(line, "### "); ok {
			headings[strings.TrimSpace(word)]++
		}
	}
	for _, c := range Categories {
		switch {
		case headings[c.Word] != 1:
			t.Errorf("MIGRATION.md has %d headings \"### %s\", want one", headings[c.Word], c.Word)
		case !strings.Contains(string(guide), section(c)):
			t.Errorf("the section on %s is not the text of categories.go; it should be\n%s", c.Word, section(c))
		}
		if url := CategoryURL(c.Word); !strings.HasSuffix(url, "MIGRATION.md#"+c.Word) {
			t.Errorf("the URL of %s is %s", c.Word, url)
		}
	}
}

// TestCategoryExamples runs the analyzer over the examples: what is before is
// left for the very reason, what is after has no old publish any more.
func TestCategoryExamples(t *testing.T) {
	const header = "package example\n\nimport (\n\t\"context\"\n\n\t\"github.com/amqpfix/amqpfix/compat\"\n\t\"github.com/amqpfix/amqpfix/newapi\"\n)\n\n" +
		"var (\n\t_ context.Context\n\t_ newapi.Table\n\t_ compat.Table\n)\n\n"
	examples := make(map[string]string)
	for _, c := range Categories {
		if c.Before != "" {
			examples["examples/before/"+c.Word+"/example.go"] = header + c.Before + "\n"
			examples["examples/after/"+c.Word+"/example.go"] = header + c.After + "\n"
		}
	}
	for _, act := range analyse(t, BasicProperties, gopathWith(t, examples), "examples/...") {
		_, rest, _ := strings.Cut(act.Package.PkgPath, "/")
		when, word, _ := strings.Cut(rest, "/")
		result := act.Result.(*plan.Result)
		if when == "after" {
			// Where the old signature is kept on purpose, its call is gone too.
			for _, s := range result.Sites {
				if word != plan.IgnoreReason {
					t.Errorf("%s: the example after still has a site: %s", word, s.Message)
				}
			}
			if len(result.Findings) > 0 {
				t.Errorf("%s: the example after has a finding: %s", word, result.Findings[0].Message)
			}
			continue
		}
		var got []string
		for _, s := range result.Sites {
			got = append(got, s.Category)
		}
		for _, f := range result.Findings {
			got = append(got, f.Category)
		}
		if !slices.Contains(got, word) {
			t.Errorf("%s: the example before is left for %q", word, got)
		}
	}
}
