package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer"
)

// Mode says what a run does with the edits it has proved.
type Mode int

const (
	ModeReport Mode = iota // only report
	ModeDiff               // as ModeReport; the caller prints Report.Diff
	ModeFix                // write the files
)

// Options say what Run looks at and what it does.
type Options struct {
	// Dir is the directory the patterns are relative to; empty is the current
	// one. It must be inside a module or workspace. A go.work that does not
	// list the module of Dir is not used.
	Dir string

	// Patterns are package patterns as the go command takes them. None means
	// the package in Dir.
	Patterns []string

	// Mode is what happens to the proved edits.
	Mode Mode

	// Ctx is the context a publish gets that had none: "background" (also the
	// meaning of "") is context.Background(), "scope" the nearest context in
	// scope where there is one.
	Ctx string

	// Steps are what to do: StepShim, StepPublish or both, which is also the
	// meaning of none. StepPublish alone leaves imports as they are.
	Steps []string

	// To is where the imports of old clients go: ToCompat, also the meaning of "",
	// or ToUpstream, which takes streadway/amqp to amqp091-go and does nothing
	// else.
	To string

	// Exported lets declarations change that other modules may use. Those that a
	// main package of the same module or workspace reaches may change anyway.
	Exported bool

	// UpdateMod lets ModeFix write go.mod and go.sum, and vendor, where the
	// rewritten code needs that. Without it such a run ends with a *ModuleError.
	UpdateMod bool

	// AllowGoUpgrade lets ModeFix and ModeDiff, with UpdateMod, raise the go line
	// of a module to 1.22 or beyond where that changes what its loops mean. Without
	// it such a run ends with a *GoUpgradeError.
	AllowGoUpgrade bool

	// Force lets ModeFix write files that git says have changes of their own.
	Force bool

	// Exclude are patterns of files to leave alone, by their slash-separated names
	// relative to Dir. Each element of a pattern is one for path.Match, or ** for
	// any number of elements; a pattern that matches a directory means all below
	// it. Such a file is neither edited nor reported, though still type-checked.
	// What cannot be rewritten without it is left with the category excluded.
	Exclude []string

	// Rules are the names of the analyzers to run: basicproperties, publish and
	// shim, which is also the meaning of none. A rule works in its step, shim in
	// StepShim, the others in StepPublish.
	Rules []string

	// Tests includes _test.go files. Without it they are not looked at; those
	// of packages that change are proved to build as before all the same.
	Tests bool

	// Tags are build tags to set, as go build -tags.
	Tags []string

	// Env is the environment of the go and git commands, as os.Environ has it;
	// nil is the current one.
	Env []string

	// Progress, when not nil, is called from Run's goroutine before each step.
	// It must return quickly: the run waits for it. From the first "writing"
	// that has a Total, ctx cannot end the run any more.
	Progress func(Progress)

	globs []glob // of Exclude
}

// Progress is a step of a run. Its count is one of packages or configurations, of
// edit units when proving, and of twice the files when writing: each is staged
// first, then put in place.
type Progress struct {
	Step  string // "listing packages", "loading packages", "analysing", "proving", "writing"
	Done  int    // of Total; both are zero where a step has no count
	Total int
}

// Check reports what is wrong with the options whatever there is in Dir. Run
// checks that first.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// withDefaults returns o with the defaults filled in that do not depend on the
// file system, or what is wrong with it.
func (o Options) withDefaults() (Options, error) {
	if o.Mode < ModeReport || o.Mode > ModeFix {
		return o, fmt.Errorf("unknown mode %d", o.Mode)
	}
	switch o.Ctx {
	case "":
		o.Ctx = "background"
	case "background", "scope":
	default:
		return o, fmt.Errorf("ctx %q: want background or scope", o.Ctx)
	}
	switch o.To {
	case "":
		o.To = ToCompat
	case ToCompat:
	case ToUpstream:
		if len(o.Steps) > 0 && !slices.Equal(o.Steps, []string{StepShim}) {
			return o, fmt.Errorf("to %s there is only the step %s", o.To, StepShim)
		}
		o.Steps = []string{StepShim}
	default:
		return o, fmt.Errorf("to %q: want %s or %s", o.To, ToCompat, ToUpstream)
	}
	if len(o.Steps) == 0 {
		o.Steps = []string{StepShim, StepPublish}
	}
	for _, step := range o.Steps {
		if step != StepShim && step != StepPublish {
			return o, fmt.Errorf("step %q: want %s or %s", step, StepShim, StepPublish)
		}
	}
	if err := o.checkRules(); err != nil {
		return o, err
	}
	if len(o.Rules) == 0 {
		o.Rules = ruleNames()
	}
	o.globs = nil
	for _, pattern := range o.Exclude {
		g, err := parseGlob(pattern)
		if err != nil {
			return o, err
		}
		o.globs = append(o.globs, g)
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"."}
	}
	return o, nil
}

// normalized returns o with all defaults filled in, or what is wrong with it.
func (o Options) normalized() (Options, error) {
	o, err := o.withDefaults()
	if err != nil {
		return o, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, err
	}
	if fi, err := os.Stat(dir); err != nil {
		return o, err
	} else if !fi.IsDir() {
		return o, fmt.Errorf("%s is not a directory", dir)
	}
	o.Dir = dir
	if o.Env == nil {
		o.Env = os.Environ()
	}
	return o, nil
}

// ruleNames are the names of the analyzers, sorted.
func ruleNames() []string {
	var names []string
	for _, a := range analyzer.Suite {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}

// checkRules reports a rule that there is not, or rules that do nothing in the
// steps.
func (o Options) checkRules() error {
	names := ruleNames()
	for _, rule := range o.Rules {
		if !slices.Contains(names, rule) {
			return fmt.Errorf("rule %q: want %s", rule, strings.Join(names, ", "))
		}
	}
	if len(o.Rules) > 0 && !slices.ContainsFunc(o.Rules, func(rule string) bool { return slices.Contains(o.Steps, stepOf(rule)) }) {
		return fmt.Errorf("the rules %s do nothing in the steps %s", strings.Join(o.Rules, ","), strings.Join(o.Steps, ","))
	}
	return nil
}

// stepOf returns the step that a rule works in.
func stepOf(rule string) string {
	if rule == analyzer.Shim.Name {
		return StepShim
	}
	return StepPublish
}

func (o Options) progress(step string, done, total int) {
	if o.Progress != nil {
		o.Progress(Progress{Step: step, Done: done, Total: total})
	}
}
