package edit

import (
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// replaceAll returns an edit for each occurrence of old.
func replaceAll(src, old, with string) (edits []plan.Edit) {
	for at := 0; ; {
		i := strings.Index(src[at:], old)
		if i < 0 {
			return edits
		}
		edits = append(edits, plan.Edit{Start: at + i, End: at + i + len(old), New: with})
		at += i + len(old)
	}
}

func TestApplyKeepsTheShapeOfAFile(t *testing.T) {
	const clean = "package p\n\nvar (\n\ta  = 1 // one\n\tbb = 2 // two\n)\n"
	const cleanAfter = "package p\n\nvar (\n\ta  = 1    // one\n\tbb = call // two\n)\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, tt := range []struct{ name, src, want string }{
		{"clean stays clean", clean, cleanAfter},
		{"CRLF", crlf(clean), crlf(cleanAfter)},
		{"byte order mark", "\ufeff" + clean, "\ufeff" + cleanAfter},
		{"no newline at the end", strings.TrimSuffix(clean, "\n"), strings.TrimSuffix(cleanAfter, "\n")},
		{"all of them", "\ufeff" + strings.TrimSuffix(crlf(clean), "\r\n"), "\ufeff" + strings.TrimSuffix(crlf(cleanAfter), "\r\n")},
		{"unformatted stays so", "package p\nvar a=2\nfunc f ( ) { }\n", "package p\nvar a=call\nfunc f ( ) { }\n"},
		{"mixed line ends", "package p\r\n\nvar a = 2\r\n", "package p\r\n\nvar a = call\r\n"},
		{"a carriage return in a string", "package p\n\nvar a = `\r`\nvar b = 2\n", "package p\n\nvar a = `\r`\nvar b = call\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply("p.go", []byte(tt.src), replaceAll(tt.src, "2", "call"), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestApplyFormatsWhatGofmtFormatsTwice: go/printer is not done at once with a
// comment behind the last argument, and drops the comma before one of the other
// kind.
func TestApplyFormatsWhatGofmtFormatsTwice(t *testing.T) {
	const head = "package p\n\nfunc f() {\n"
	for _, tt := range []struct{ name, src, old, want string }{
		{"two turns", "\tg(1,\n\t\t2,\n\t// c\n\n\t)\n}\n", "\n\t\t2,", "\tg(1) // c\n\n}\n"},
		{"text that gofmt breaks", "\tg(1,\n\t\t2,\n\t/* c */\n\t)\n}\n", "\n\t\t2,", "\tg(1,\n\t/* c */\n\t)\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := head + tt.src
			got, err := Apply("p.go", []byte(src), replaceAll(src, tt.old, ""), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != head+tt.want {
				t.Errorf("got  %q\nwant %q", got, head+tt.want)
			}
		})
	}
}

func TestApplyInsertsLinesOfTheFilesKind(t *testing.T) {
	src := "package p\r\n\r\nvar a = 2\r\n"
	got, err := Apply("p.go", []byte(src), []plan.Edit{{Start: len(src), End: len(src), New: "\nvar b = `x\ny`\n"}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "package p\r\n\r\nvar a = 2\r\n\r\nvar b = `x\r\ny`\r\n"; string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestApplyMakesInsertionsAtOnePlaceInOrder(t *testing.T) {
	src := "package p\n\nvar a = 2\n"
	at := strings.Index(src, "2")
	got, err := Apply("p.go", []byte(src), []plan.Edit{
		{Start: at, End: at + 1, New: "c"},
		{Start: at, End: at, New: "a+"},
		{Start: at, End: at, New: "b+"},
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "package p\n\nvar a = a + b + c\n"; string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestApplyWithoutChangesReturnsTheFile(t *testing.T) {
	for _, src := range []string{
		"package p\n", "package p", "\ufeffpackage p\r\n", "package p;var a=1",
	} {
		got, err := Apply("p.go", []byte(src), nil, nil, nil)
		if err != nil || string(got) != src {
			t.Errorf("Apply(%q) = %q, %v", src, got, err)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	const src = "package p\n\nvar a = 2\n"
	for _, tt := range []struct {
		name    string
		src     string
		edits   []plan.Edit
		imports []plan.Import
		want    string
	}{
		{"overlapping edits", src, []plan.Edit{{Start: 2, End: 5}, {Start: 4, End: 6}}, nil, "overlaps"},
		{"an edit behind the end", src, []plan.Edit{{Start: 2, End: 500}}, nil, "leaves the file of 21 bytes"},
		{"an edit that ends before it starts", src, []plan.Edit{{Start: 5, End: 2}}, nil, "overlaps"},
		{"a blank import", src, nil, []plan.Import{{Path: "a/b", Name: "_"}}, `"_" cannot be the name`},
		{"a name that is none", src, nil, []plan.Import{{Path: "a/b", Name: "a-b"}}, `"a-b" cannot be the name`},
		{"a path that is none", src, nil, []plan.Import{{Path: "a b", Name: "ab"}}, `"a b" is no import path`},
		{"an empty path", src, nil, []plan.Import{{Name: "ab"}}, `"" is no import path`},
		{"a file that does not parse", "package", nil, []plan.Import{{Path: "a/b", Name: "b"}}, "p.go:1:8"},
		{"text that does not parse", src, []plan.Edit{{Start: 19, End: 20, New: "("}}, nil, "p.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Apply("p.go", []byte(tt.src), tt.edits, tt.imports, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
