package shim

import (
	"strconv"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// Edits are the changes of the file's imports of the modules to another package,
// of which name is that of the package. The file goes on calling it what it did.
func (f File) Edits(path, name string) (edits []plan.Edit) {
	for _, s := range f.Specs {
		m, ok := oldapi.ModuleOf(s.Module)
		if !ok || s.Module == path {
			continue
		}
		text := strconv.Quote(path)
		if !s.Named && m.Name != name {
			text = m.Name + " " + text
		}
		edits = append(edits, plan.Edit{File: f.Name, Start: s.Path[0], End: s.Path[1], New: text})
	}
	return edits
}
