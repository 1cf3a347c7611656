package analyzer

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// Shim finds the imports of amqp091-go and streadway/amqp that have to become
// compat/amqp091 for publishes to be rewritten. Its result is a *shim.Facts, of
// which the driver of amqpfix makes sets of files that move together.
var Shim = newShim("")

const ruleShim = "shim"

// newShim makes the analyzer, in a test without one of shim.Rules.
func newShim(without string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       ruleShim,
		Doc:        docOf(ruleShim),
		URL:        "https://pkg.go.dev/github.com/amqpfix/amqpfix/analyzer#hdr-Analyzer_shim",
		Requires:   []*analysis.Analyzer{inspect.Analyzer},
		ResultType: reflect.TypeFor[*shim.Facts](),
		Run:        func(pass *analysis.Pass) (any, error) { return moveImports(pass, without) },
	}
}

// The shim pass proposes
//
//	import amqp "github.com/rabbitmq/amqp091-go"  =>  import amqp "github.com/amqpfix/amqpfix/compat/amqp091"
//	import "github.com/streadway/amqp"            =>  import amqp "github.com/amqpfix/amqpfix/compat/amqp091"
//
// in files that use a connection, a channel or another type that is not the same
// in both packages. It is safe because compat/amqp091 has the same names, and
// because the files whose values of such types may meet change together, which is
// for the whole program to see: package internal/shim says how. So there is no fix
// for one package.
func moveImports(pass *analysis.Pass, without string) (any, error) {
	if ownCode(pass) {
		return new(shim.Facts), nil
	}
	if !reaches(pass.Pkg, make(map[*types.Package]bool)) {
		facts := new(shim.Facts)
		reportIgnores(pass, ruleShim, &facts.Directives)
		return facts, nil
	}
	facts := shim.Collect(pass.Fset, pass.Files, pass.Pkg, pass.TypesInfo, without)
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	pkg, others := flow.Open(pass.Fset, pass.Pkg, pass.TypesInfo, root), &otherFiles{pass: pass}
	ignored := make(map[*ast.File]*ignores)
	for _, file := range pass.Files {
		ignored[file] = directives(pass.Fset, file, ruleShim)
	}
	for file := range root.Preorder((*ast.File)(nil)) {
		if list := contexts(pass, pkg, file, others, ignored[file.Node().(*ast.File)]); len(list.Calls)+len(list.Others) > 0 && without != "contexts" {
			facts.Contexts = append(facts.Contexts, list)
		}
	}
	moves := make(map[string]shim.File)
	for _, f := range facts.Files {
		moves[f.Name] = f
	}
	for _, file := range pass.Files {
		f, ok := moves[pass.Fset.File(file.FileStart).Name()]
		if !ok || !f.Moves {
			continue
		}
		block := func(category, why string) {
			facts.Blocks = append(facts.Blocks, shim.Block{Node: f.Node, Category: category, Why: why, Pos: f.Specs[0].Pos})
		}
		if r := untouchable(pass, file); r != nil && without != "untouchable" {
			block(r.Category, r.Why)
			continue
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, "`\"")
			if _, old := oldapi.ModuleOf(path); !old {
				continue
			}
			if ignored[file].covers(spec) && without != "ignored" {
				block(plan.Ignored, "an //amqpfix:ignore directive says so")
				continue
			}
			reportWith(pass, plan.OldChannel, analysis.Diagnostic{
				Pos:     spec.Pos(),
				End:     spec.End(),
				Message: fmt.Sprintf("import %s instead of %s; amqpfix -fix ./... does it, or says why not", oldapi.Compat091, path),
			})
		}
	}
	for _, file := range pass.Files {
		for _, spec := range file.Imports {
			if _, old := oldapi.ModuleOf(strings.Trim(spec.Path.Value, "`\"")); old {
				ignored[file].covers(spec) // also where the import would stay without
			}
		}
		ignored[file].report(pass, file, &facts.Directives)
	}
	return facts, nil
}
