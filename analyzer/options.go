package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Options are what the analyzers' flags say, for drivers that have flags of
// their own. The zero value has the defaults.
type Options struct {
	Ctx   string // the context of new publish calls: "background" or "scope"
	Fixes string // how fixes are suggested: "file", "unit" or "none"
}

// NewSuite returns the analyzers of [Suite] anew, with the given options. They
// share no variables with any others, so suites may run at the same time with
// different options. It panics if an option has none of its values.
func NewSuite(o Options) []*analysis.Analyzer {
	return []*analysis.Analyzer{newBasicProperties(o), newPublish(o, ""), newShim("")}
}

// Values of the flags.
const (
	ctxBackground = "background"
	ctxScope      = "scope"

	fixesFile = "file"
	fixesUnit = "unit"
	fixesNone = "none"
)

// flags are the options of one analyzer, as its command line sets them.
type flags struct {
	ctx   choice
	fixes choice
}

func newFlags(o Options) *flags {
	f := &flags{
		ctx:   choice{ctxBackground, []string{ctxBackground, ctxScope}},
		fixes: choice{fixesFile, []string{fixesFile, fixesUnit, fixesNone}},
	}
	for _, set := range []struct {
		choice *choice
		name   string
		value  string
	}{{&f.ctx, "Ctx", o.Ctx}, {&f.fixes, "Fixes", o.Fixes}} {
		if set.value == "" {
			continue
		}
		if err := set.choice.Set(set.value); err != nil {
			panic(fmt.Sprintf("analyzer.Options.%s is %q: it %v", set.name, set.value, err))
		}
	}
	return f
}

// register makes the flags those of the analyzer.
func (f *flags) register(a *analysis.Analyzer) {
	a.Flags.Var(&f.ctx, "ctx",
		"context of new publish calls: background, which changes nothing, or scope, the nearest context variable")
	a.Flags.Var(&f.fixes, "fixes",
		"suggested fixes: file, all of a file as one; unit, one per set of edits that belong together; none")
}

// choice is a flag with a closed list of values.
type choice struct {
	value   string
	choices []string
}

func (c *choice) String() string { return c.value }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.choices, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.choices, ", "))
	}
	c.value = s
	return nil
}
