package driver

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// keptContexts are the contexts of publishes in a module that comes from a version
// of amqp091-go which does not look at them, and goes to one which does.
type keptContexts struct {
	from, to string // versions
	files    []shim.Contexts
	units    map[*unit]shim.Contexts
}

// planContexts finds the contexts that matter once the modules require what new
// imports need. It returns the edits that keep that from happening, one unit for
// each file. All modules of a workspace are built with one version, so those in which
// nothing moves count as well.
func (r *run) planContexts(facts []*shim.Facts) (units []*unit, err error) {
	r.contexts = make(map[string]*keptContexts)
	to := r.versionAfter()
	modules := make(map[string]*keptContexts) // nil where contexts mattered before, or do not yet
	seen := make(map[string]bool)
	for _, f := range facts {
		for _, c := range f.Contexts {
			if seen[c.File] {
				continue // another variant of the package has the same
			}
			seen[c.File] = true
			dir := above(filepath.Dir(c.File), "go.mod")
			kept, known := modules[dir]
			if !known && dir != "" {
				from, err := r.versionBefore(dir)
				if err != nil {
					return nil, err
				}
				if from != "" && to != "" && crosses(from, oldapi.ContextHonoured, to) {
					kept = &keptContexts{from: from, to: to, units: make(map[*unit]shim.Contexts)}
					r.contexts[dir] = kept
				}
				modules[dir] = kept
			}
			if kept == nil {
				continue
			}
			if r.refuseFile(c.File) != nil {
				c.Others, c.Calls, c.Edits = slices.Concat(c.Others, c.Calls), nil, nil
			}
			if len(c.Edits) == 0 {
				kept.files = append(kept.files, c)
				continue
			}
			u := newUnit(plan.Unit{ID: "contexts " + c.File, Edits: c.Edits, Imports: c.Imports})
			kept.units[u] = c
			units = append(units, u)
		}
	}
	return units, nil
}

// settleContexts notes which of the edits are made.
func (r *run) settleContexts(s *settler) {
	for _, kept := range r.contexts {
		for u, c := range kept.units {
			if s.failed[u] != nil {
				c.Others, c.Calls = slices.Concat(c.Others, c.Calls), nil
			}
			kept.files = append(kept.files, c)
		}
	}
}

// versionBefore returns the version of amqp091-go that a module requires, "" for
// none: the lower one of what its go.mod says and of what git has of that, since
// what is not committed may be the first step of this migration.
func (r *run) versionBefore(dir string) (string, error) {
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	now, err := oldClients(name, text)
	if err != nil {
		return "", err
	}
	from := now[oldapi.Upstream]
	if gitTop(dir) == "" {
		return from, nil
	}
	cmd := exec.CommandContext(r.ctx, "git", "show", "HEAD:./go.mod")
	cmd.Dir, cmd.Env = dir, r.opts.Env
	if text, err := cmd.Output(); err == nil { // else it is new, or git cannot tell
		committed, err := oldClients(name, text)
		if err != nil {
			return from, nil
		}
		if v := committed[oldapi.Upstream]; v != "" && (from == "" || semver.Compare(v, from) < 0) {
			from = v
		}
	}
	return from, nil
}

// versionAfter returns the version of amqp091-go that the rewritten code is built
// with, "" where that cannot be told: a module that replaces it has none.
func (r *run) versionAfter() string {
	for _, w := range r.worlds {
		if p := w.meta[oldapi.Upstream]; p != nil && p.Module != nil && p.Module.Replace == nil {
			return p.Module.Version
		}
	}
	return ""
}

// noteContexts notes what became of contexts with the requirements of amqp091-go
// that go up.
func (r *run) noteContexts() {
	for _, dir := range sortedKeys(r.contexts) {
		kept, name := r.contexts[dir], filepath.Join(dir, "go.mod")
		i := slices.IndexFunc(r.raisedRequirements, func(req Requirement) bool {
			return req.File == name && req.Module == oldapi.Upstream
		})
		if i < 0 {
			i = len(r.raisedRequirements)
			r.raisedRequirements = append(r.raisedRequirements, requirement(name, oldapi.Upstream, kept.from, kept.to))
		}
		req := &r.raisedRequirements[i]
		for _, c := range kept.files {
			req.Kept = append(req.Kept, c.Calls...)
			req.Honoured = append(req.Honoured, c.Others...)
		}
		slices.SortFunc(req.Kept, comparePositions)
		slices.SortFunc(req.Honoured, comparePositions)
	}
}

// refuseFile returns why a file must not be edited, nil if it may.
func (r *run) refuseFile(name string) *refusal {
	for _, w := range r.worlds {
		for _, id := range w.variants(map[string][]byte{name: nil}) {
			if why := r.refuse(w.meta[id], name); why.category != "" {
				return &why
			}
		}
	}
	return nil
}
