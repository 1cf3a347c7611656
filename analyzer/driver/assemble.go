package driver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// held returns the findings that no configuration refutes. Where one was not
// loaded that includes a file of the package, an ignore directive may be for what
// only that one has.
func (r *run) held() (list []Finding) {
	unseen := make(map[string]bool) // directories
	for _, f := range r.findings {
		if f.Category == plan.BuildTags {
			unseen[filepath.Dir(f.Pos.Filename)] = true
		}
	}
	for key, f := range r.findings {
		if !r.refuted[key] && !(f.Category == plan.IgnoreUnused && unseen[filepath.Dir(f.Pos.Filename)]) {
			list = append(list, f)
		}
	}
	return list
}

// report puts together what the run found.
func (r *run) report() (Report, error) {
	rep := Report{Packages: sortedKeys(r.packages)}
	for key, s := range r.sites {
		if s.Tier != Left && !r.written[key] {
			s.leave(refusal{plan.RecheckFailed, "internal error: no edit rewrites the call"}, r.tools.url)
		}
		rep.Sites = append(rep.Sites, *s)
	}
	slices.SortFunc(rep.Sites, func(a, b Site) int { return comparePositions(a.Pos, b.Pos) })
	rep.Findings = r.held()
	slices.SortFunc(rep.Findings, func(a, b Finding) int {
		return cmp.Or(comparePositions(a.Pos, b.Pos), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message))
	})
	rep.Problems = r.problems
	slices.SortFunc(rep.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), comparePositions(a.Pos, b.Pos), cmp.Compare(a.Message, b.Message))
	})
	rep.Problems = slices.Compact(rep.Problems) // one configuration may repeat another's
	rep.GoLines, rep.Commands, rep.After, rep.Unproved = r.goLines, r.commands, r.after, r.unproved
	rep.Imports, rep.Exported = r.sortedImports(), r.sortedExports()
	rep.Raised = r.raisedRequirements
	rep.Unmatched = r.opts.unmatched()
	rep.Summary = summarize(rep.Sites)
	rep.Summary.ImportsOnly = len(r.suite) == 0
	for _, i := range rep.Imports {
		switch {
		case i.Moved:
			rep.Summary.ImportsMoved++
		case !i.Ignored():
			rep.Summary.ImportsLeft++
		}
	}
	var err error
	rep.Files, err = r.files()
	return rep, err
}

// files returns the files that the overlay changes, by their real names.
func (r *run) files() ([]File, error) {
	byPath := make(map[string]File)
	for _, name := range sortedKeys(r.overlay) {
		old, err := r.sources.read(name)
		created := errors.Is(err, fs.ErrNotExist)
		if err != nil && !created {
			return nil, err
		}
		if bytes.Equal(old, r.overlay[name]) {
			continue
		}
		real := inPlace(name)
		if !created {
			if old == nil {
				old = []byte{}
			}
			if real, err = filepath.EvalSymlinks(name); err != nil {
				return nil, err
			}
		}
		f := File{Path: real, Name: patchName(real, r.opts.Dir), Old: old, New: r.overlay[name]}
		if known, ok := byPath[real]; ok && !bytes.Equal(known.New, f.New) {
			return nil, fmt.Errorf("%s is part of several packages, by links, and they need different rewrites; nothing was written", real)
		}
		byPath[real] = f
	}
	var files []File
	for _, path := range sortedKeys(byPath) {
		files = append(files, byPath[path])
	}
	return files, nil
}

// Ignored reports whether an amqpfix:ignore directive keeps s as it is.
func (s Site) Ignored() bool { return s.Tier == Left && s.Category == plan.Ignored }

// Ignored reports whether an amqpfix:ignore directive keeps i as it is.
func (i Import) Ignored() bool { return !i.Moved && i.Category == plan.Ignored }

// adjusted maps a position in a file that cgo made to where the user wrote it.
func (w *world) adjusted(pos token.Position) token.Position {
	adjusted := pos
	w.fset.Iterate(func(f *token.File) bool {
		if f.Name() != pos.Filename || pos.Offset > f.Size() {
			return true
		}
		adjusted = w.fset.Position(f.Pos(pos.Offset))
		return false
	})
	return adjusted
}
