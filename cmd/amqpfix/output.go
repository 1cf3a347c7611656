package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// print writes a report as the flags ask for.
func (c config) print(rep driver.Report, stdout, stderr io.Writer) error {
	if c.json {
		return c.printJSON(rep, stdout)
	}
	if rep.Resumed > 0 {
		fmt.Fprintf(stderr, "amqpfix: completed an interrupted run: %d of its files\n", rep.Resumed)
	}
	for _, pattern := range rep.Unmatched {
		fmt.Fprintf(stderr, "amqpfix: exclude %q matches no Go file\n", pattern)
	}
	for _, p := range rep.Problems {
		at := ""
		if p.Pos.IsValid() {
			at = c.place(p.Pos) + ": "
		}
		category := ""
		if p.Category != "" {
			category = " (" + p.Category + ")"
		}
		fmt.Fprintf(stderr, "%s%s%s\n", at, p, category)
	}
	for _, l := range c.lines(rep) {
		fmt.Fprintf(stderr, "%s: %s (%s)\n", c.place(l.pos), l.message, l.category)
		for _, rel := range l.related {
			fmt.Fprintf(stderr, "\t%s: %s\n", c.place(rel.Pos), rel.Message)
		}
	}
	printExported(rep.Exported, stderr)
	fmt.Fprint(stderr, goLines(rep.GoLines, c.options.Dir), raised(rep.Raised, c.options.Dir))
	if rep.Unproved != "" {
		fmt.Fprintf(stderr, "amqpfix: the rewrites were not tried, since %s\nrun this first:\n%s%s", rep.Unproved, commands(rep.Commands, rep.After), fromCheckout(rep.Commands))
	} else if c.options.UpdateMod && len(rep.After) > 0 {
		fmt.Fprintf(stderr, "amqpfix: go.mod has what the code needs, and the rest of it was not tidy before:\n%s", commands(rep.After, nil))
	} else if len(rep.Commands)+len(rep.After) > 0 {
		fmt.Fprintf(stderr, "amqpfix: the rewritten code needs a changed go.mod or vendor (see -update-mod):\n%s", commands(rep.Commands, rep.After))
	}
	if c.options.Mode == driver.ModeDiff {
		if _, err := stdout.Write(rep.Diff()); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "amqpfix: %s\n", rep.Summary)
	if line := written(rep); line != "" {
		fmt.Fprintf(stderr, "amqpfix: %s\n", line)
	}
	if rep.Summary.Left+rep.Summary.ImportsLeft > 0 {
		fmt.Fprintln(stderr, "amqpfix help REASON says what to do by hand")
	}
	return nil
}

// written says what became of the files, or would with -fix: the summary counts
// calls alike in all modes.
func written(rep driver.Report) string {
	n := len(rep.Files)
	files := fmt.Sprintf("%d files", n)
	if n == 1 {
		files = "1 file"
	}
	switch {
	case rep.Written:
		return "wrote " + files
	case n > 0:
		return "nothing was written; -fix would write " + files
	case rep.Unproved != "":
		return "nothing was written"
	}
	return ""
}

// printExported prints a line for each package whose exported declarations change.
func printExported(exported []driver.Exported, w io.Writer) {
	names := make(map[string][]string)
	for _, e := range exported {
		names[e.Package] = append(names[e.Package], e.Name)
	}
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(w, "amqpfix: exported by %s, and of another type with the new import: %s\n", pkg, strings.Join(names[pkg], ", "))
	}
}

// A line is a finding to print.
type line struct {
	pos      token.Position
	message  string
	category string
	related  []driver.Related
}

// lines returns what the mode has to say, by position.
func (c config) lines(rep driver.Report) []line {
	var lines []line
	for _, s := range rep.Sites {
		if stays(s, c.options.Mode) {
			lines = append(lines, line{s.Pos, s.Message, cmp.Or(s.Category, string(s.Tier)), s.Related})
		}
	}
	for _, f := range rep.Findings {
		lines = append(lines, line{f.Pos, f.Message, f.Category, nil})
	}
	for _, i := range rep.Imports {
		if importStays(i, c.options.Mode) {
			lines = append(lines, line{i.Pos, i.Message, cmp.Or(i.Category, driver.StepShim), i.Related})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.pos.Filename, b.pos.Filename), cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Column, b.pos.Column))
	})
	return lines
}

// place formats a position with a path relative to -C.
func (c config) place(pos token.Position) string {
	return place(pos, c.options.Dir)
}

// place formats a position with a path relative to dir.
func place(pos token.Position, dir string) string {
	return fmt.Sprintf("%s:%d:%d", relative(dir, pos.Filename), pos.Line, pos.Column)
}

// relative returns a file name as seen from dir, and the name itself when it
// is not below.
func relative(dir, name string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return rel
}

// describe turns an error of a run into one line for a user in dir.
func describe(ctx context.Context, err error, dir string) string {
	if ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) {
		return "interrupted, nothing was written"
	}
	names := func(files []string) string {
		var short []string
		for _, f := range files {
			short = append(short, relative(dir, f))
		}
		return strings.Join(short, ", ")
	}
	var dirty *driver.DirtyError
	if errors.As(err, &dirty) {
		return fmt.Sprintf("uncommitted changes in %s: commit them, or use -force; nothing was written", names(dirty.Files))
	}
	var mod *driver.ModuleError
	if errors.As(err, &mod) {
		return "the rewritten code needs a changed go.mod or vendor, and nothing was written: use -update-mod, which does\n" +
			strings.TrimSuffix(commands(mod.Commands, mod.After)+goLines(mod.GoLines, dir)+raised(mod.Raised, dir), "\n")
	}
	var upgrade *driver.GoUpgradeError
	if errors.As(err, &upgrade) {
		return "a higher go line changes what loops mean, and nothing was written: check them, then use -allow-go-upgrade\n" +
			strings.TrimSuffix(goLines(upgrade.GoLines, dir), "\n")
	}
	var broken *driver.UpgradeError
	if errors.As(err, &broken) {
		text := "code does not build with what the rewritten code requires, and nothing was written: " + broken.WayOut()
		for _, p := range broken.Broken {
			text += "\n\t"
			if p.Pos.IsValid() {
				text += place(p.Pos, dir) + ": "
			}
			text += p.String()
		}
		return text
	}
	var readOnly *driver.ReadOnlyError
	if errors.As(err, &readOnly) {
		return fmt.Sprintf("cannot write %s: read-only; nothing was written", names(readOnly.Files))
	}
	return err.Error()
}

// The JSON form of a report. Paths are relative to -C where they are below it,
// lines and columns count from 1, columns in bytes.
type (
	jsonReport struct {
		Packages  []string      `json:"packages"`
		Sites     []jsonSite    `json:"sites"`
		Findings  []jsonFinding `json:"findings"`
		Problems  []jsonFinding `json:"problems"`
		Imports   []jsonImport  `json:"imports,omitempty"`
		Exported  []jsonExport  `json:"exported,omitempty"`
		GoLines   []jsonGoLine  `json:"goLines,omitempty"`
		Raised    []jsonRaised  `json:"raised,omitempty"`
		Commands  []string      `json:"commands,omitempty"`
		After     []string      `json:"after,omitempty"`
		Unproved  string        `json:"unproved,omitempty"`
		Files     []jsonFile    `json:"files"`
		Written   bool          `json:"written"`
		Resumed   int           `json:"resumed,omitempty"`
		Unmatched []string      `json:"unmatched,omitempty"`
		Summary   jsonSummary   `json:"summary"`
	}
	jsonPlace struct {
		File   string `json:"file,omitempty"`
		Line   int    `json:"line,omitempty"`
		Column int    `json:"column,omitempty"`
	}
	jsonSite struct {
		jsonFinding
		EndLine   int           `json:"endLine"`
		EndColumn int           `json:"endColumn"`
		Func      string        `json:"func"`
		Tier      driver.Tier   `json:"tier"`
		Related   []jsonRelated `json:"related,omitempty"`
	}
	jsonFinding struct {
		jsonPlace
		Package  string `json:"package,omitempty"`
		Category string `json:"category,omitempty"`
		URL      string `json:"url,omitempty"`
		Message  string `json:"message"`
	}
	jsonRelated struct {
		jsonPlace
		Message string `json:"message"`
	}
	jsonImport struct {
		jsonFinding
		From    string        `json:"from"`
		To      string        `json:"to"`
		Moved   bool          `json:"moved"`
		Related []jsonRelated `json:"related,omitempty"`
	}
	jsonExport struct {
		jsonPlace
		Package string `json:"package"`
		Name    string `json:"name"`
	}
	jsonFile struct {
		File string `json:"file"`
		Diff string `json:"diff"`
	}
	jsonSummary struct {
		Sites        int            `json:"sites"`
		Folded       int            `json:"folded"`
		ByValue      int            `json:"byValue"`
		Others       map[string]int `json:"others,omitempty"` // by tier
		Left         int            `json:"left"`
		LeftBy       map[string]int `json:"leftBy"`
		Ignored      int            `json:"ignored"`
		ImportsMoved int            `json:"importsMoved,omitempty"`
		ImportsLeft  int            `json:"importsLeft,omitempty"`
	}
)

func jsonPlaceOf(pos token.Position, dir string) jsonPlace {
	if pos.Filename == "" {
		return jsonPlace{}
	}
	return jsonPlace{relative(dir, pos.Filename), pos.Line, pos.Column}
}

func (c config) printJSON(rep driver.Report, w io.Writer) error {
	at := func(pos token.Position) jsonPlace { return jsonPlaceOf(pos, c.options.Dir) }
	out := jsonReport{
		Packages:  append([]string{}, rep.Packages...), // [] rather than null
		Sites:     []jsonSite{},
		Findings:  []jsonFinding{},
		Problems:  []jsonFinding{},
		GoLines:   jsonGoLines(rep.GoLines, c.options.Dir),
		Raised:    jsonRequirements(rep.Raised, c.options.Dir),
		Commands:  rep.Commands,
		After:     rep.After,
		Unproved:  rep.Unproved,
		Files:     []jsonFile{},
		Written:   rep.Written,
		Resumed:   rep.Resumed,
		Unmatched: rep.Unmatched,
		Summary: jsonSummary{
			Sites: rep.Summary.Sites, Folded: rep.Summary.Folded, ByValue: rep.Summary.ByValue,
			Left: rep.Summary.Left, LeftBy: make(map[string]int), Ignored: rep.Summary.Ignored,
			ImportsMoved: rep.Summary.ImportsMoved, ImportsLeft: rep.Summary.ImportsLeft,
		},
	}
	for _, s := range rep.Sites {
		site := jsonSite{
			jsonFinding: jsonFinding{at(s.Pos), s.Package, s.Category, s.URL, s.Message},
			EndLine:     s.End.Line, EndColumn: s.End.Column, Func: s.Func, Tier: s.Tier,
		}
		for _, rel := range s.Related {
			site.Related = append(site.Related, jsonRelated{at(rel.Pos), rel.Message})
		}
		out.Sites = append(out.Sites, site)
	}
	for _, i := range rep.Imports {
		imp := jsonImport{jsonFinding: jsonFinding{at(i.Pos), "", i.Category, i.URL, i.Message}, From: i.From, To: i.To, Moved: i.Moved}
		for _, rel := range i.Related {
			imp.Related = append(imp.Related, jsonRelated{at(rel.Pos), rel.Message})
		}
		out.Imports = append(out.Imports, imp)
	}
	for _, e := range rep.Exported {
		out.Exported = append(out.Exported, jsonExport{at(e.Pos), e.Package, e.Name})
	}
	for _, f := range rep.Findings {
		out.Findings = append(out.Findings, jsonFinding{at(f.Pos), f.Package, f.Category, f.URL, f.Message})
	}
	for _, p := range rep.Problems {
		out.Problems = append(out.Problems, jsonFinding{at(p.Pos), p.Package, p.Category, "", p.Message})
	}
	for _, f := range rep.Files {
		out.Files = append(out.Files, jsonFile{relative(c.options.Dir, f.Path), string(f.Diff())})
	}
	for _, count := range rep.Summary.Others {
		if out.Summary.Others == nil {
			out.Summary.Others = make(map[string]int)
		}
		out.Summary.Others[count.Name] = count.N
	}
	for _, count := range rep.Summary.LeftBy {
		out.Summary.LeftBy[count.Name] = count.N
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}
