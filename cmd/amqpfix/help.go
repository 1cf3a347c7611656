package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer"
)

const usageLine = "usage: amqpfix [-fix | -diff] [-C dir] [-ctx background|scope] [-steps list] [-rules list] [-to compat|amqp091-go] [-exported] [-update-mod] [-allow-go-upgrade] [-force] [-tests=false] [-exclude globs] [-tags list] [-json] [-version] [packages]"

const helpText = usageLine + `

amqpfix finds old-style AMQP publish calls in Go packages. It reports each with
what to write instead, rewrites those it can prove to mean the same, and says
why it leaves the others. Without packages it looks at the one in the current
directory; ./... are all.

	-fix          rewrite the files
	-diff         print the rewrite as a patch that git apply takes
	-C dir        work as if started in dir
	-ctx mode     context of a publish that had none: background (the default)
	              or scope, the nearest context in scope
	-steps list   what to do: shim, which changes imports of amqp091-go and
	              streadway/amqp to compat/amqp091, or shim,publish (the default)
	-rules list   the rules to apply: some of basicproperties, publish and shim,
	              which are all of them (the default)
	-to module    where imports go: compat (the default), or amqp091-go for those
	              of streadway/amqp, which is all that happens then
	-exported     let exported declarations change that no main package reaches
	-update-mod   with -fix and -diff: also change go.mod, go.sum and vendor
	-allow-go-upgrade  with -update-mod: raise the go line of go.mod even
	              where that changes what loops mean
	-force        with -fix: also write files with uncommitted changes
	-tests=false  leave out _test.go files
	-exclude globs
	              files and directories to leave alone, as path.Match patterns of
	              names relative to the directory of -C, ** for any number of
	              directories; comma-separated, or given more than once
	-tags list    build tags, as for go build
	-json         print one JSON object on standard output instead
	-version      print the version and end

Exit codes: 0 nothing to say; 1 failure; 2 usage; 3 findings (with -fix: those
left), or a patch that is not empty.

Under the go command, a package at a time:

	tool=$(command -v amqpfix) && go vet -vettool="$tool" ./...
	tool=$(command -v amqpfix) && go fix -fixtool="$tool" -diff ./...
`

// help prints the overview, or what is known of an analyzer, a form or a reason.
func help(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stdout, helpText)
		fmt.Fprint(stdout, "\n\"amqpfix help NAME\" tells more about an analyzer:\n\n")
		for _, a := range analyzer.Suite {
			title, _, _ := strings.Cut(a.Doc, "\n")
			fmt.Fprintf(stdout, "\t%-16s %s\n", a.Name, title)
		}
		fmt.Fprint(stdout, "\nor about what a call becomes:\n\n")
		for _, f := range forms {
			fmt.Fprintf(stdout, "\t%-16s %s\n", f.tier, f.title)
		}
		fmt.Fprint(stdout, "\nor about why a call is left:\n\n")
		for _, c := range analyzer.Categories {
			fmt.Fprintf(stdout, "\t%-24s %s\n", c.Word, c.Title)
		}
		return exitClean
	}
	if len(args) > 1 {
		fmt.Fprintln(stderr, "usage: amqpfix help [name]")
		return exitUsage
	}
	for _, a := range analyzer.Suite {
		if a.Name == args[0] {
			fmt.Fprintf(stdout, "%s: %s\n", a.Name, docOf(a))
			return exitClean
		}
	}
	for _, f := range forms {
		if string(f.tier) == args[0] {
			fmt.Fprintf(stdout, "%s: %s\n\n\t%s\n\nbecomes\n\n\t%s\n", f.tier, f.title, f.old, strings.Join(f.new, "\n\t"))
			return exitClean
		}
	}
	for _, c := range analyzer.Categories {
		if c.Word == args[0] {
			printCategory(stdout, c)
			return exitClean
		}
	}
	fmt.Fprintf(stderr, "amqpfix: no analyzer, form or reason is called %s; \"amqpfix help\" lists them\n", args[0])
	return exitUsage
}

// docOf returns what an analyzer says of itself, without the paragraphs about
// flags that only other drivers have.
func docOf(a *analysis.Analyzer) string {
	flags := new(config).flagSet()
	var kept []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(a.Doc), "\n\n") {
		foreign := false
		a.Flags.VisitAll(func(f *flag.Flag) {
			foreign = foreign || flags.Lookup(f.Name) == nil && strings.Contains(paragraph, "-"+f.Name+" ")
		})
		if !foreign {
			kept = append(kept, paragraph)
		}
	}
	return strings.Join(kept, "\n\n")
}

func printCategory(w io.Writer, c analyzer.Category) {
	fmt.Fprintf(w, "%s: %s\n", c.Word, c.Title)
	for _, text := range []string{c.Means, c.Do} {
		if text != "" {
			fmt.Fprintf(w, "\n%s\n", wrap(text, 80))
		}
	}
	for _, example := range []struct{ title, code string }{
		{"Before", c.Before}, {"After", c.After},
		{"Before, on amqp091-go", c.Before091}, {"After, on compat/amqp091", c.After091},
	} {
		if example.code != "" {
			fmt.Fprintf(w, "\n%s:\n\n%s\n", example.title, indent(example.code))
		}
	}
	fmt.Fprintf(w, "\n%s\n", analyzer.CategoryURL(c.Word))
}

// indent puts a tab before each line that is not empty.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		if strings.TrimSpace(line) != "" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}

// wrap breaks a paragraph into lines of at most width bytes, words permitting.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
