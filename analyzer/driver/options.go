package driver

import (
	"fmt"
	"os"
	"path/filepath"
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

	// Force lets ModeFix write files that git says have changes of their own.
	Force bool

	// Tests includes _test.go files. Without it they are not looked at, and
	// not proved to build after a change either.
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
