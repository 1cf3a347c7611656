package driver

import (
	"fmt"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// analyse runs the suite on one package and returns what its analyzers plan.
// Requirements of analyzers are run too. None may use facts: they would cost
// type-checking every dependency from source.
func (s *snapshot) analyse(c *checked, suite []*analysis.Analyzer) ([]*plan.Result, error) {
	p := &packagePass{s: s, c: c, results: make(map[*analysis.Analyzer]any)}
	var plans []*plan.Result
	for _, a := range suite {
		result, err := p.run(a)
		if err != nil {
			return nil, err
		}
		if r, ok := result.(*plan.Result); ok && r != nil {
			plans = append(plans, r)
		}
	}
	return plans, nil
}

// A packagePass applies analyzers to one package, each once.
type packagePass struct {
	s       *snapshot
	c       *checked
	results map[*analysis.Analyzer]any
}

func (p *packagePass) run(a *analysis.Analyzer) (result any, err error) {
	if r, ok := p.results[a]; ok {
		return r, nil
	}
	if len(a.FactTypes) > 0 {
		return nil, fmt.Errorf("internal error: analyzer %s uses facts", a.Name)
	}
	inputs := make(map[*analysis.Analyzer]any)
	for _, need := range a.Requires {
		r, err := p.run(need)
		if err != nil {
			return nil, err
		}
		inputs[need] = r
	}
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("internal error: analyzer %s: %v", a.Name, e)
		}
	}()
	result, err = a.Run(p.pass(a, inputs))
	if err != nil {
		return nil, fmt.Errorf("analyzer %s: %w", a.Name, err)
	}
	if got := reflect.TypeOf(result); a.ResultType != got {
		return nil, fmt.Errorf("internal error: analyzer %s: result is a %v, not the declared %v", a.Name, got, a.ResultType)
	}
	p.results[a] = result
	return result, nil
}

func (p *packagePass) pass(a *analysis.Analyzer, inputs map[*analysis.Analyzer]any) *analysis.Pass {
	m := p.c.meta
	pass := &analysis.Pass{
		Analyzer:     a,
		Fset:         p.s.w.fset,
		Files:        p.c.files,
		OtherFiles:   m.OtherFiles,
		IgnoredFiles: m.IgnoredFiles,
		Pkg:          p.c.types,
		TypesInfo:    p.c.info,
		TypesSizes:   m.TypesSizes,
		Module:       &analysis.Module{},
		ResultOf:     inputs,
		Report:       func(analysis.Diagnostic) {}, // the plan says it all
		ReadFile:     p.s.read,
	}
	if m.Module != nil {
		pass.Module = &analysis.Module{Path: m.Module.Path, Version: m.Module.Version, GoVersion: m.Module.GoVersion}
	}
	return pass
}
