package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

	// Force lets ModeFix write files that git says have changes of their own.
	Force bool

	// Tests includes _test.go files. Without it they are not looked at; those
	// of packages that change are proved to build as before all the same.
	Tests bool

	// Tags are build tags to set, as go build -tags.
	Tags []string

	// Env is the environment of the go and git commands, as os.Environ has it;
	// nil is the current one.
	Env []string

	// Progress, when not nil, is called from Run's goroutine as the run moves
	// on. It must return quickly.
	Progress func(Progress)
}

// Progress is a step of a run.
type Progress struct {
	Step  string // "listing packages", "loading packages", "analysing", "proving", "writing"
	Done  int    // of Total; both are zero where a step has no count
	Total int
}

// normalized returns o with its defaults filled in, or what is wrong with it.
func (o Options) normalized() (Options, error) {
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
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"."}
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

func (o Options) progress(step string, done, total int) {
	if o.Progress != nil {
		o.Progress(Progress{Step: step, Done: done, Total: total})
	}
}
