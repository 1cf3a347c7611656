package driver

import (
	"errors"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// A Requirement is one of an old client whose version goes up with what the
// rewritten code requires. Code that stays on the client gets that version too.
type Requirement struct {
	File     string   // absolute name of the go.mod
	Module   string   // path of the old client's module
	From, To string   // versions, as in "v1.10.0"
	Notes    []string // what the client does differently from a version between on, each one line

	// Of the publishes that a version below v1.11.0 of amqp091-go sent even if
	// their context was done: those that the rewrite keeps like that, and those,
	// method values among them, that no edit changes.
	Kept, Honoured []token.Position
}

// A behaviour is something that an old client does differently from a version on.
type behaviour struct{ module, version, note string }

var behaviours = []behaviour{
	{oldapi.Upstream, oldapi.ContextHonoured, "from " + oldapi.ContextHonoured + " on a publish whose context is done is an error instead of being sent"},
}

// raisedIn returns the requirements of old clients that are higher in one text of
// a go.mod than in another.
func raisedIn(name string, before, after []byte) ([]Requirement, error) {
	from, err := oldClients(name, before)
	if err != nil {
		return nil, err
	}
	to, err := oldClients(name, after)
	if err != nil {
		return nil, err
	}
	var list []Requirement
	for _, path := range sortedKeys(from) {
		if semver.Compare(from[path], to[path]) >= 0 {
			continue // one that is not required any more is lower than any
		}
		list = append(list, requirement(name, path, from[path], to[path]))
	}
	return list, nil
}

// requirement returns a requirement that goes up.
func requirement(name, path, from, to string) Requirement {
	req := Requirement{File: name, Module: path, From: from, To: to}
	for _, b := range behaviours {
		if b.module == path && crosses(from, b.version, to) {
			req.Notes = append(req.Notes, b.note)
		}
	}
	return req
}

// crosses reports whether a version lies between two others, which may be the second
// itself.
func crosses(from, version, to string) bool {
	return semver.Compare(from, version) < 0 && semver.Compare(version, to) <= 0
}

// oldClients returns the versions of old clients that a go.mod requires, by path.
func oldClients(name string, text []byte) (map[string]string, error) {
	f, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	versions := make(map[string]string)
	for _, req := range f.Require {
		if _, old := oldapi.ModuleOf(req.Mod.Path); old {
			versions[req.Mod.Path] = req.Mod.Version
		}
	}
	return versions, nil
}

// raisedByModules returns the requirements of old clients that the new go.mod files
// raise.
func (r *run) raisedByModules() (list []Requirement, err error) {
	for _, m := range r.modules {
		if m.new == nil {
			continue
		}
		raised, err := raisedIn(m.gomod(), m.old[m.gomod()], m.new[m.gomod()])
		if err != nil {
			return nil, err
		}
		list = append(list, raised...)
	}
	return list, nil
}

// noteRaised notes the requirements of old clients that go up.
func (r *run) noteRaised() error {
	raised, err := r.raisedByModules()
	if err != nil {
		return err
	}
	r.raisedRequirements = append(r.raisedRequirements, raised...)
	r.noteContexts()
	slices.SortFunc(r.raisedRequirements, func(a, b Requirement) int {
		return strings.Compare(a.File+"\n"+a.Module, b.File+"\n"+b.Module)
	})
	return nil
}
