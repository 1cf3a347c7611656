package newapi

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// left names what amqp091-go exports and this package does not, with the
// reason.
var left = map[string]string{
	"Publishing": "BasicProperties, and the body as an argument",

	"Logger": logging, "Logging": logging, "NullLogger": logging, "SetLogger": logging,

	"LifeCycleState": recovery, "StateChanged": recovery,
	"StateOpen": recovery, "StateReconnecting": recovery, "StateClosed": recovery, "StateClosing": recovery,
	"Recovery": recovery, "ReconnectionConfig": recovery, "DefaultReconnectionConfig": recovery,
	"DefaultMaxRetryCount": recovery, "DefaultRetryInterval": recovery,
	"ConnectionRecovery": recovery, "DefaultConnectionRecovery": recovery,
	"TopologyRecovery": recovery, "DefaultTopologyRecovery": recovery, "TopologyConfiguration": recovery,
	"TopologyRecoveryMode": recovery, "TopologyRecoveryDisabled": recovery,
	"TopologyRecoveryAllEnabled": recovery, "TopologyRecoveryOnlyTransient": recovery,
	"TopologyRecoveryEntity": recovery, "TopologyRecoveryEntityType": recovery,
	"TopologyEntityQueue": recovery, "TopologyEntityExchange": recovery, "TopologyEntityConsumer": recovery,
	"TopologyEntityQueueBinding": recovery, "TopologyEntityExchangeBinding": recovery,
	"QueueConfig": recovery, "ExchangeConfig": recovery, "BindingConfig": recovery,
	"ExchangeBindingConfig": recovery, "QosConfig": recovery,
}

const (
	recovery = "recovery is not part of this package"
	logging  = "this package does not log: errors go to callers and Notify listeners"
)

func TestVocabularyIsComplete(t *testing.T) {
	upstream, err := build.Import("github.com/rabbitmq/amqp091-go", ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := exported(t, upstream.Dir), exported(t, ".")
	if len(theirs) < 100 {
		t.Fatalf("found only %d exported names in %s", len(theirs), upstream.Dir)
	}
	for name := range theirs {
		_, isLeft := left[name]
		if isLeft == ours[name] {
			t.Errorf("%s: exported here %v, listed as left out %v", name, ours[name], isLeft)
		}
	}
	for name := range left {
		if !theirs[name] {
			t.Errorf("%s is listed as left out, but amqp091-go has no such name", name)
		}
	}
}

// exported returns the exported names that the package in dir declares at top
// level.
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	eachDeclaration(t, dir, func(name *ast.Ident, _ ast.Expr) {
		if name.IsExported() {
			names[name.Name] = true
		}
	})
	return names
}

// eachDeclaration calls do for each top-level name, with its value or, for a
// type, its definition, where it has one.
func eachDeclaration(t *testing.T, dir string, do func(name *ast.Ident, is ast.Expr)) {
	t.Helper()
	isSource := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), dir, isSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range packages {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if decl.Recv == nil {
						do(decl.Name, nil)
					}
				case *ast.GenDecl:
					for _, spec := range decl.Specs {
						switch spec := spec.(type) {
						case *ast.TypeSpec:
							do(spec.Name, spec.Type)
						case *ast.ValueSpec:
							for i, name := range spec.Names {
								var value ast.Expr
								if i < len(spec.Values) {
									value = spec.Values[i]
								}
								do(name, value)
							}
						}
					}
				}
			}
		}
	}
}

func TestVocabularyMeansTheSame(t *testing.T) {
	same := 0
	eachDeclaration(t, ".", func(name *ast.Ident, is ast.Expr) {
		selector, ok := is.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if pkg, ok := selector.X.(*ast.Ident); !ok || pkg.Name != "amqp091" {
			return
		}
		if selector.Sel.Name != name.Name {
			t.Errorf("%s is amqp091-go's %s", name.Name, selector.Sel.Name)
		}
		same++
	})
	if same < 70 {
		t.Errorf("only %d names are amqp091-go's", same)
	}
}
