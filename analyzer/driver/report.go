package driver

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Report is what a run found and did. All file names are absolute.
type Report struct {
	Packages []string      // import paths of the packages analysed, sorted
	Sites    []Site        // old-style publish calls, by position
	Findings []Finding     // things to say that are no publish call, by position
	Imports  []Import      // imports of old clients that had to change, by position
	Exported []Exported    // declarations that other modules may use and that changed, by position
	Files    []File        // files that change, or would in ModeFix, by name
	GoLines  []GoLine      // go lines that go up
	Raised   []Requirement // requirements of old clients that go up, by file and module
	Commands []string      // what go.mod needs before the rewrite, each run in Options.Dir
	After    []string      // what go.mod and vendor need after it
	Problems []Problem     // what could not be looked at, and why
	Unproved string        // why the rewrites were not tried, with ModeReport only; else empty
	Written  bool          // Files are on disk: ModeFix only
	Resumed  int           // files completed from an interrupted earlier run

	Unmatched []string // patterns of Options.Exclude that match no Go file below Options.Dir, in their order
	Summary   Summary
}

// Tier says what becomes of a call site.
type Tier string

const (
	Fold  Tier = "fold"  // creation, setters and publish become one literal and a generic publish
	Value Tier = "value" // setters become assignments to fields in place
	Left  Tier = "left"  // not touched; Site.Category says why
)

// Site is one old-style publish call.
type Site struct {
	Package  string         // import path
	Pos, End token.Position // as it was on disk before the run
	Func     string         // enclosing function: "path/pkg.(*T).Method"
	Tier     Tier
	Category string // why it is left, one of the words of MIGRATION.md; else empty
	URL      string // where the category is explained
	Message  string // one line: what to write instead
	Related  []Related
}

// Related is another place that explains a Site.
type Related struct {
	Pos     token.Position
	Message string
}

// Finding is something to say about a place that is not a publish call.
type Finding struct {
	Package  string
	Pos, End token.Position
	Category string
	URL      string
	Message  string
}

// Problem is something that kept a package or file from being looked at. The
// rest of the run goes on without it.
type Problem struct {
	Package  string         // import path; may be empty
	Pos      token.Position // place of the first error; the file name may be empty
	Category string         // empty for an internal error
	Message  string         // one line
}

// String returns the problem as one line, without its position.
func (p Problem) String() string {
	if p.Package == "" {
		return p.Message
	}
	return p.Package + ": " + p.Message
}

// File is a file that a run changes.
type File struct {
	Path     string // the real file, symbolic links resolved
	Name     string // its slash-separated name in a patch: from the git top, else from Options.Dir
	Old, New []byte // Old is nil for a file to create: a go.sum
}

// Summary counts the sites of a report.
type Summary struct {
	Sites   int
	Folded  int
	ByValue int
	Others  []Count // rewritten in other ways, by tier, most frequent first
	Left    int     // not touched, ignored ones aside
	LeftBy  []Count // Left by category, most frequent first
	Ignored int     // not touched because an amqpfix:ignore directive says so

	ImportsMoved int  // imports of old clients that changed
	ImportsLeft  int  // those that had to and did not, ignored ones aside
	ImportsOnly  bool // publish calls were not looked for
}

// Count is how many sites have a category, or a tier.
type Count struct {
	Name string
	N    int
}

// String returns the summary as one stable line:
//
//	31 call sites: 20 folded, 8 by value, 3 left (2 user-interface, 1 goroutine-capture)
//
// Other tiers than fold and value follow "by value" where there are any, such as
// ", 2 native". What no call site became is not mentioned unless there is none:
//
//	2 call sites: 2 native, 0 left
//	0 call sites: 0 folded, 0 by value, 0 left
//
// The part in parentheses stands only where something is left; ", 2 ignored"
// follows where something is ignored, and "; 9 imports moved, 1 left" where there
// are imports, which is all that ImportsOnly has.
func (s Summary) String() string {
	if s.ImportsOnly {
		return s.imports()
	}
	var b strings.Builder
	noun := "call sites"
	if s.Sites == 1 {
		noun = "call site"
	}
	fmt.Fprintf(&b, "%d %s: ", s.Sites, noun)
	for _, c := range slices.Concat([]Count{{"folded", s.Folded}, {"by value", s.ByValue}}, s.Others) {
		if c.N > 0 || s.Sites == 0 {
			fmt.Fprintf(&b, "%d %s, ", c.N, c.Name)
		}
	}
	fmt.Fprintf(&b, "%d left", s.Left)
	for i, c := range s.LeftBy {
		sep := ", "
		if i == 0 {
			sep = " ("
		}
		fmt.Fprintf(&b, "%s%d %s", sep, c.N, c.Name)
	}
	if len(s.LeftBy) > 0 {
		b.WriteByte(')')
	}
	if s.Ignored > 0 {
		fmt.Fprintf(&b, ", %d ignored", s.Ignored)
	}
	if s.ImportsMoved+s.ImportsLeft > 0 {
		b.WriteString("; " + s.imports())
	}
	return b.String()
}

// imports is the part of the summary that counts imports.
func (s Summary) imports() string {
	noun := "imports"
	if s.ImportsMoved == 1 {
		noun = "import"
	}
	return fmt.Sprintf("%d %s moved, %d left", s.ImportsMoved, noun, s.ImportsLeft)
}

func summarize(sites []Site) Summary {
	var s Summary
	left, others := make(map[string]int), make(map[string]int)
	for _, site := range sites {
		s.Sites++
		switch {
		case site.Tier == Fold:
			s.Folded++
		case site.Tier == Value:
			s.ByValue++
		case site.Tier != Left:
			others[string(site.Tier)]++
		case site.Ignored():
			s.Ignored++
		default:
			s.Left++
			left[site.Category]++
		}
	}
	s.LeftBy, s.Others = counts(left), counts(others)
	return s
}

// counts sorts counts, most frequent first.
func counts(byName map[string]int) []Count {
	var list []Count
	for name, n := range byName {
		list = append(list, Count{name, n})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// comparePositions orders positions by file, line and column.
func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// oneLine joins the lines of a message with semicolons.
func oneLine(s string) string {
	var parts []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	out := ""
	for i, p := range parts {
		switch {
		case i == 0:
		case strings.HasSuffix(out, ":"), strings.HasSuffix(out, ";"):
			out += " "
		default:
			out += "; "
		}
		out += p
	}
	return out
}
