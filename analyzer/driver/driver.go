package driver

import (
	"context"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer"
	"github.com/amqpfix/amqpfix/analyzer/internal/edit"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// Run looks for old-style publishes in the packages that the options name and
// reports them. In ModeFix it also writes the edits that it could prove.
//
// A package or file that cannot be looked at is a Problem of the report; the
// rest goes on. An error means that nothing was reported and nothing written,
// but for the case that writing itself fails half-way: then every file is
// whole, the old or the new one, and the next ModeFix run completes the work.
// Errors to tell apart are *DirtyError, *ReadOnlyError, *PendingError,
// *ModuleError and *GoUpgradeError.
//
// When ctx ends before the first file is written, Run returns its error and
// leaves the tree as it was; later, Run completes the write.
//
// Runs may go on at the same time, in one process or several. Two ModeFix runs
// in one module or workspace exclude each other: the second returns an error.
func Run(ctx context.Context, opts Options) (Report, error) {
	return runWith(ctx, opts, tools{
		old:   oldAPI{oldapi.ImportPaths(), oldapi.MethodNames()},
		suite: publishSuite,
		shim:  analyzer.Shim,

		requires: required,
		apply:    edit.Apply,
		url:      analyzer.CategoryURL,
	})
}

// publishSuite are the analyzers whose result is a plan for publish calls.
func publishSuite(o Options) []*analysis.Analyzer {
	if !slices.Contains(o.Steps, StepPublish) {
		return nil
	}
	return slices.DeleteFunc(analyzer.NewSuite(analyzer.Options{Ctx: o.Ctx}), func(a *analysis.Analyzer) bool {
		return a.ResultType != reflect.TypeFor[*plan.Result]() || !slices.Contains(o.Rules, a.Name)
	})
}

// required is what the new text imports.
func required(o Options) requirements {
	if o.To == ToUpstream {
		return requirements{oldapi.Upstream, map[string][]string{"": {oldapi.Upstream}}}
	}
	packages := map[string][]string{"": {oldapi.NewAPI}}
	for _, m := range oldapi.Modules {
		packages[m.Path] = []string{oldapi.Compat091}
	}
	return requirements{oldapi.NewModule, packages}
}

func runWith(ctx context.Context, opts Options, t tools) (Report, error) {
	opts, err := opts.normalized()
	if err != nil {
		return Report{}, err
	}
	b := build{dir: opts.Dir, env: opts.Env, tags: opts.Tags, tests: opts.Tests}
	env, err := b.goEnv(ctx)
	if err != nil {
		return Report{}, err
	}
	if len(b.tags) == 0 {
		b.tags = env.tags()
	}
	place, err := env.place()
	if err != nil {
		return Report{}, err
	}
	r := &run{
		ctx:      ctx,
		opts:     opts,
		tools:    t,
		suite:    t.suite(opts),
		place:    place,
		sources:  newSources(),
		analysed: make(map[target][32]byte),
		applied:  make(map[string]bool),
		failed:   make(map[string]bool),
		sites:    make(map[string]*Site),
		written:  make(map[string]bool),
		findings: make(map[string]Finding),
		refuted:  make(map[string]bool),
		packages: make(map[string]bool),
		given:    make(map[string]bool),
		stays:    make(map[string]shim.Block),
		proved:   make(map[string]bool),

		brokenUpgrades: make(map[string]bool),
	}
	r.policy = &policy{sources: r.sources, memo: make(map[string]refusal)}

	resumed := 0
	if opts.Mode == ModeFix {
		unlock, err := r.place.lock()
		if err != nil {
			return Report{}, err
		}
		defer unlock()
		if resumed, err = r.place.resume(ctx, b); err != nil {
			return Report{}, err
		}
	} else if err := r.place.pending(); err != nil {
		return Report{}, err
	}
	if err := r.load(b, env); err != nil {
		return Report{}, err
	}
	if err := r.migrate(); err != nil {
		return Report{}, err
	}
	if err := r.updateModules(); err != nil {
		return Report{}, err
	}
	if opts.Mode != ModeReport {
		if err := r.provedImports(); err != nil {
			return Report{}, err
		}
	}
	rep, err := r.report()
	if err != nil {
		return Report{}, err
	}
	rep.Resumed = resumed
	if opts.Mode == ModeFix && len(rep.Files) > 0 {
		opts.progress("writing", 0, 0)
		if err := r.write(rep.Files); err != nil {
			return Report{}, err
		}
		rep.Written = true
	}
	return rep, nil
}
