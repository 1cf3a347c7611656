package driver

import (
	"cmp"
	gobuild "go/build"
	"go/build/constraint"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A tagSet is a build configuration beside the default one.
type tagSet struct {
	goos, goarch string
	tags         []string // sorted, beyond those of the default
}

// String names the set as a user would ask the go command for it.
func (t tagSet) String() string {
	var parts []string
	if t.goos != "" {
		parts = append(parts, "GOOS="+t.goos)
	}
	if t.goarch != "" {
		parts = append(parts, "GOARCH="+t.goarch)
	}
	if len(t.tags) > 0 {
		parts = append(parts, "-tags="+strings.Join(t.tags, ","))
	}
	return strings.Join(parts, " ")
}

// cost orders sets by how far they are from the default.
func (t tagSet) cost() int {
	n := len(t.tags)
	if t.goos != "" {
		n += 2
	}
	if t.goarch != "" {
		n += 2
	}
	return n
}

// apply returns the build configuration of the set.
func (t tagSet) apply(b build) build {
	b.tags = append(slices.Clip(b.tags), t.tags...)
	b.env = slices.Clip(b.env)
	if t.goos != "" {
		b.env = append(b.env, "GOOS="+t.goos)
	}
	if t.goarch != "" {
		b.env = append(b.env, "GOARCH="+t.goarch)
	}
	if t.goos != "" || t.goarch != "" {
		b.env = append(b.env, "CGO_ENABLED=0")
	}
	return b
}

// An excluded file is one that the default configuration leaves out.
type excluded struct {
	name    string
	pkgPath string   // import path of its package, or the directory where that is not known
	pattern string   // loads the package
	sets    []tagSet // include it, nearest to the default first
}

// A tagSolver finds configurations that include files.
type tagSolver struct {
	env  goEnv
	tags []string // of the default configuration
}

// context returns how go/build sees a configuration.
func (s tagSolver) context(t tagSet) *gobuild.Context {
	c := gobuild.Default
	c.GOOS, c.GOARCH = cmp.Or(t.goos, s.env.GOOS), cmp.Or(t.goarch, s.env.GOARCH)
	c.CgoEnabled = t.goos == "" && t.goarch == "" && s.env.CGO_ENABLED == "1"
	c.BuildTags = slices.Concat(s.tags, t.tags)
	return &c
}

// includes reports whether a configuration includes a file.
func (s tagSolver) includes(t tagSet, file string) bool {
	ok, err := s.context(t).MatchFile(filepath.Split(file))
	return err == nil && ok
}

// maxFreeTags bounds the search: sets of n tags are 2^n.
const maxFreeTags = 8

// solve returns the configurations made of what the file's own constraints
// mention that include it, nearest to the default first.
func (s tagSolver) solve(file string, src []byte) []tagSet {
	oses, arches, free := map[string]bool{"": true}, map[string]bool{"": true}, map[string]bool{}
	note := func(tag string) {
		switch {
		case knownOS[tag]:
			oses[tag] = true
			oses["linux"], oses["windows"], oses["darwin"] = true, true, true // for !tag
		case tag == "unix":
			oses["linux"], oses["windows"] = true, true
		case knownArch[tag]:
			arches[tag] = true
			arches["amd64"], arches["arm64"] = true, true
		case tag == ignoreTag: // of files that are programs of their own, in the standard library too
		case tag == "cgo" || tag == "gc" || tag == "gccgo" || strings.HasPrefix(tag, "go1."):
		default:
			free[tag] = true
		}
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".go"), "_test")
	if parts := strings.Split(stem, "_"); len(parts) > 1 {
		for _, part := range parts[max(1, len(parts)-2):] {
			if knownOS[part] || knownArch[part] {
				note(part)
			}
		}
	}
	if expr := buildConstraint(src); expr != nil {
		for tag := range mentioned(expr) {
			note(tag)
		}
	}
	tags := sortedKeys(free)
	if len(tags) > maxFreeTags {
		tags = tags[:maxFreeTags]
	}
	var found []tagSet
	for _, goos := range sortedKeys(oses) {
		for _, goarch := range sortedKeys(arches) {
			for bits := range 1 << len(tags) {
				t := tagSet{goos: goos, goarch: goarch}
				for i, tag := range tags {
					if bits&(1<<i) != 0 {
						t.tags = append(t.tags, tag)
					}
				}
				if s.includes(t, file) {
					found = append(found, t)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b tagSet) int { return cmp.Compare(a.cost(), b.cost()) })
	return found
}

// buildConstraint returns the expression of the //go:build line in src, or nil.
func buildConstraint(src []byte) constraint.Expr {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if strings.HasPrefix(line, "package ") {
			return nil
		}
		if constraint.IsGoBuild(line) {
			expr, _ := constraint.Parse(line) // the go command reports a bad one
			return expr
		}
	}
	return nil
}

// mentioned returns the tags of an expression.
func mentioned(expr constraint.Expr) map[string]bool {
	tags := make(map[string]bool)
	var visit func(constraint.Expr)
	visit = func(e constraint.Expr) {
		switch e := e.(type) {
		case *constraint.TagExpr:
			tags[e.Tag] = true
		case *constraint.NotExpr:
			visit(e.X)
		case *constraint.AndExpr:
			visit(e.X)
			visit(e.Y)
		case *constraint.OrExpr:
			visit(e.X)
			visit(e.Y)
		}
	}
	visit(expr)
	return tags
}

// ignoreTag is the tag that, by convention, no build sets: files behind it are
// run by name.
const ignoreTag = "ignore"

// byName reports whether a file is left out for nothing but the ignore tag.
func (s tagSolver) byName(file string) bool {
	return s.includes(tagSet{tags: []string{ignoreTag}}, file) && !s.includes(tagSet{}, file)
}

// A chosen set is one to load, for some of the excluded files.
type chosen struct {
	tagSet
	files  []excluded
	byName bool // load the only file by its name, as go run does
}

// String names the configuration as a user would ask the go command for it.
func (c chosen) String() string {
	if c.byName {
		return "go run " + filepath.Base(c.files[0].name)
	}
	return c.tagSet.String()
}

// choose covers files with few sets: again and again the set that includes
// most of what is left. It returns the files that no set includes apart.
func (s tagSolver) choose(files []excluded) (sets []chosen, uncovered []excluded) {
	all := make(map[string]tagSet)
	var left []excluded
	for _, f := range files {
		if len(f.sets) == 0 {
			uncovered = append(uncovered, f)
			continue
		}
		left = append(left, f)
		for _, t := range f.sets {
			all[t.String()] = t
		}
	}
	for len(left) > 0 {
		var best chosen
		for _, t := range slices.SortedFunc(maps.Values(all), func(a, b tagSet) int {
			return cmp.Or(cmp.Compare(a.cost(), b.cost()), cmp.Compare(a.String(), b.String()))
		}) {
			c := chosen{tagSet: t}
			for _, f := range left {
				if s.includes(t, f.name) {
					c.files = append(c.files, f)
				}
			}
			if len(c.files) > len(best.files) {
				best = c
			}
		}
		sets = append(sets, best)
		left = slices.DeleteFunc(left, func(f excluded) bool { return s.includes(best.tagSet, f.name) })
	}
	return sets, uncovered
}

// mayPublish reports whether an excluded file may publish the old way; reaches
// says whether its package reaches an old API even without it.
func (o oldAPI) mayPublish(name string, reaches bool) bool {
	if filepath.Ext(name) != ".go" {
		return false
	}
	src, err := os.ReadFile(name)
	return err == nil && (o.importedIn(src) || reaches && o.inText(src))
}

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// The names that a file name or constraint can mean as GOOS and GOARCH.
var (
	knownOS = set("aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows")

	knownArch = set("386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm")
)
