package driver

import (
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// proposals returns the units to try: allowed by policy, not failed before, and
// the same in every build configuration that sees their files.
func (r *run) proposals(found []proposal) []*unit {
	left := make(map[string]plan.Site) // sites that a configuration leaves
	for _, p := range found {
		for _, s := range p.plan.Sites {
			if s.Tier == plan.Left {
				left[siteKey(s)] = s
			}
		}
	}
	units := make(map[string]*unit)
	disagree := make(map[string]bool)
	for _, p := range found {
		m := p.w.meta[p.id]
		for _, pu := range p.plan.Units {
			u := newUnit(pu)
			if r.failed[u.key] {
				continue
			}
			if why := r.refused(m, u); why.category != "" {
				r.failed[u.key] = true
				r.leave(u, why, nil)
				continue
			}
			if known := units[u.key]; known != nil && !known.sameEdits(u) {
				disagree[u.key] = true
			}
			if slices.ContainsFunc(u.Sites, func(key string) bool { _, ok := left[key]; return ok }) {
				disagree[u.key] = true
			}
			units[u.key] = u
		}
	}
	var out []*unit
	for _, key := range sortedKeys(units) {
		if disagree[key] {
			r.failed[key] = true
			r.leave(units[key], refusal{plan.BuildTags, "build configurations that include the file need different rewrites: rewrite the call by hand"}, nil)
			continue
		}
		out = append(out, units[key])
	}
	return out
}

// refused returns why a unit may not be applied, if so.
func (r *run) refused(m *packages.Package, u *unit) refusal {
	for _, file := range sortedKeys(u.files()) {
		if why := r.refuse(m, file); why.category != "" {
			return why
		}
	}
	return refusal{}
}
