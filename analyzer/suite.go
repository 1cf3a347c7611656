package analyzer

import (
	_ "embed"
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Suite is every analyzer of amqpfix, one per rule.
var Suite = []*analysis.Analyzer{
	BasicProperties,
	Publish,
	Shim,
}

//go:embed doc.go
var doc string

// docOf returns the documentation of an analyzer: the section of the package
// comment under its heading, which begins with "name: ".
func docOf(name string) string {
	_, section, ok := strings.Cut(doc, "\n# Analyzer "+name+"\n\n")
	if !ok {
		panic(fmt.Sprintf("doc.go has no section on analyzer %s", name))
	}
	section, _, _ = strings.Cut(section, "\n# ")
	section, _, _ = strings.Cut(section, "\n*/")
	section, ok = strings.CutPrefix(section, name+": ")
	if !ok {
		panic(fmt.Sprintf("the section on analyzer %s does not begin with its name", name))
	}
	return strings.TrimSpace(section)
}
