package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer"
)

func TestHelpOnEveryName(t *testing.T) {
	var overview bytes.Buffer
	if code := help(nil, &overview, &overview); code != exitClean {
		t.Fatalf("exit code %d", code)
	}
	var names []string
	for _, a := range analyzer.Suite {
		names = append(names, a.Name)
	}
	for _, f := range forms {
		names = append(names, string(f.tier))
	}
	for _, c := range analyzer.Categories {
		names = append(names, c.Word)
	}
	for _, name := range names {
		if !strings.Contains(overview.String(), "\t"+name+" ") {
			t.Errorf("the overview has no %s", name)
		}
		var stdout, stderr bytes.Buffer
		if code := help([]string{name}, &stdout, &stderr); code != exitClean || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", name, code, &stderr)
		}
		if got := stdout.String(); !strings.HasPrefix(got, name+": ") || strings.Count(got, "\n") < 3 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"one":                     "one",
		"one two  three\nfour":    "one two\nthree four",
		"a-word-that-is-too-long": "a-word-that-is-too-long",
		"x a-word-that-is-long y": "x\na-word-that-is-long\ny",
		"exactly ten":             "exactly\nten",
		"exact ten!":              "exact ten!",
	} {
		if got := wrap(in, 10); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestHelpHasNoForeignFlag looks for flags that the command would refuse.
func TestHelpHasNoForeignFlag(t *testing.T) {
	for _, a := range analyzer.Suite {
		if got := docOf(a); strings.Contains(got, "-fixes") {
			t.Errorf("%s: %s", a.Name, got)
		}
	}
	if got := docOf(analyzer.BasicProperties); !strings.Contains(got, "The flag -ctx chooses") {
		t.Errorf("basicproperties: %s", got)
	}
}
