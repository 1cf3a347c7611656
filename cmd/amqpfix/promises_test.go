package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promises are what the command says it does on any tree, each with the script that
// holds it to that.
var promises = []struct{ promise, script string }{
	{"several modules and go.work", "trees"},
	{"vendor directories", "trees"},
	{"replaced dependencies are never edited", "trees"},
	{"a directory without a module", "failures"},
	{"no go.mod at all", "mod_none"},
	{"several modules without go.work", "mod_several"},
	{"modules of a go.work that do not require amqpfix", "mod_work"},
	{"modules outside the directory of go.work", "mod_outside"},
	{"go.mod is proved before it is written, with -update-mod only", "mod_update"},
	{"releases, from the network and from the module cache", "mod_release"},
	{"vendor directories that have to change", "mod_vendor"},
	{"go lines from 1.13 on", "go_lines"},
	{"go lines that are newer than the go command", "go_newer"},
	{"go lines that change what loops mean, and -allow-go-upgrade", "go_loops"},
	{"files behind build tags, under the fewest configurations", "tags"},
	{"files of other systems", "tags"},
	{"programs behind the ignore tag", "vettedbuilds"},
	{"files with cgo", "files"},
	{"generated files", "files"},
	{"files with //line", "files"},
	{"CR LF line ends", "bytes"},
	{"byte order marks", "bytes"},
	{"a missing newline at the end", "bytes"},
	{"file modes", "bytes"},
	{"symbolic links", "bytes"},
	{"read-only files", "failures"},
	{"packages with type errors are named, the rest goes on", "typeerrors"},
	{"tests with type errors", "typeerrors"},
	{"folders of independent programs", "programs"},
	{"edit units that break something are rolled back whole", "rollback"},
	{"builds of other configurations are proved", "vettedbuilds"},
	{"what was rolled back is not proposed again", "rollback"},
	{"the re-check spreads as far as something exported changed", "recheck"},
	{"callers are found that do not import an old API", "candidates"},
	{"only what may publish is loaded, and nothing compiled", "candidates"},
	{"passes go on until nothing is left to edit", "fixpoint"},
	{"the journal is rolled forward", "killed"},
	{"edits after a crash are kept", "killed"},
	{"Ctrl-C leaves the tree whole", "interrupted"},
	{"files with uncommitted changes are refused", "dirty"},
	{"-force", "dirty"},
	{"-exclude", "exclude"},
	{"-rules", "rules"},
	{"-steps and -to", "imports"},
	{"-exported", "imports"},
	{"-ctx", "context"},
	{"contexts that amqp091-go did not look at", "contexts"},
	{"code that a raised requirement would break", "mod_breaks"},
	{"-diff is a patch that git apply takes", "diff"},
	{"-fix", "fix"},
	{"-json", "json"},
	{"progress on a terminal, and nowhere else", "progress"},
}

// TestPromisesHaveScripts: each promise has a script, which looks at the bytes on
// disk, at what the command says, and at its exit code.
func TestPromisesHaveScripts(t *testing.T) {
	for _, p := range promises {
		text, err := os.ReadFile(filepath.Join("testdata", "script", p.script+".txtar"))
		if err != nil {
			t.Errorf("%s: %v", p.promise, err)
			continue
		}
		script, _, _ := strings.Cut(string(text), "\n-- ")
		lines := strings.Split(script, "\n")
		for what, pattern := range map[string]string{
			"the bytes on disk": `^cmp (\S+/)?[^/.\s]+\.(go|want) `,
			"standard error":    `^(!? ?stderr|cmp stderr) `,
			"the exit code":     `^(code \d|at .* (go|interrupt):\d|at .* kill) `,
		} {
			re := regexp.MustCompile(pattern)
			if !slices.ContainsFunc(lines, re.MatchString) {
				t.Errorf("%s: %s.txtar does not look at %s", p.promise, p.script, what)
			}
		}
	}
}
