package driver

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// record notes the sites and findings of the first pass. A site left in one
// build configuration is left in all.
func (r *run) record(p proposal) {
	m := p.w.meta[p.id]
	for _, s := range p.plan.Sites {
		if r.opts.excluded(s.Pos.Filename) {
			continue
		}
		s.Pos, s.End = r.diskPosition(s.Pos), r.diskPosition(s.End)
		key := siteKey(s)
		site := r.site(m, s)
		if s.Category == plan.OldChannel {
			if why, related := r.stayed(s.Pos.Filename); why.category != "" {
				site.leave(why, r.tools.url)
				if related != nil {
					site.Related = append(site.Related, *related)
				}
			} else if r.unproved != "" {
				site.Message = "the import moves; to see what becomes of this call, first add amqpfix to go.mod"
			} else if flag := r.keepsImports(); flag != "" {
				// The step that the message asks for is turned off.
				site.Message = site.Message[:strings.LastIndex(site.Message, "; ")] + "; leave out " + flag
			}
		}
		if known := r.sites[key]; known == nil || site.Tier == Left && known.Tier != Left {
			r.sites[key] = &site
		}
		if why := r.policy.refuse(m, s.Pos.Filename); why.category != "" {
			r.sites[key].Pos = p.w.adjusted(s.Pos)
			r.sites[key].End = p.w.adjusted(s.End)
			if r.sites[key].Tier != Left {
				r.sites[key].leave(why, r.tools.url)
			}
		}
	}
	r.recordFindings(m, p.plan)
}

// recordFindings notes the findings about a package as it is on disk.
func (r *run) recordFindings(m *packages.Package, result *plan.Result) {
	for _, f := range result.Findings {
		if r.opts.excluded(f.Pos.Filename) {
			continue
		}
		f.Pos, f.End = r.diskPosition(f.Pos), r.diskPosition(f.End)
		r.findings[findingKey(f)] = Finding{
			Package: m.PkgPath, Pos: f.Pos, End: f.End, Category: f.Category, URL: r.tools.url(f.Category), Message: f.Message,
		}
	}
	for _, f := range result.Refuted {
		f.Pos = r.diskPosition(f.Pos)
		r.refuted[findingKey(f)] = true
	}
}

// findingKey is the same for a finding in all build configurations.
func findingKey(f plan.Finding) string { return fmt.Sprint(f.Pos, f.Category, f.Message) }

func (r *run) site(m *packages.Package, s plan.Site) Site {
	site := Site{
		Package: m.PkgPath, Pos: s.Pos, End: s.End, Func: s.Func,
		Tier: Tier(s.Tier), Category: s.Category, Message: s.Message,
	}
	if s.Category != "" {
		site.URL = r.tools.url(s.Category)
	}
	for _, rel := range s.Related {
		site.Related = append(site.Related, Related{r.diskPosition(rel.Pos), rel.Message})
	}
	return site
}

// leave makes s a site that is not rewritten.
func (s *Site) leave(why refusal, url func(string) string) {
	s.Tier, s.Category, s.Message, s.URL = Left, why.category, why.message, url(why.category)
}

// leave makes the sites of u left ones. Only the first pass has sites to
// decide about: what a later one cannot rewrite is left, or rewritten, already.
func (r *run) leave(u *unit, why refusal, f *failure) {
	if r.passes > 1 {
		return
	}
	for _, key := range u.Sites {
		if s := r.sites[r.diskKey(key)]; s != nil && s.Tier != Left {
			s.leave(why, r.tools.url)
			if f != nil && f.err.pos.IsValid() {
				s.Related = append(s.Related, Related{f.err.pos, f.err.msg})
			}
		}
	}
}

// recordRewritten notes the sites that units rewrite. In a later pass their
// positions are in the text that the pass before left.
func (r *run) recordRewritten(found []proposal, accepted []*unit) {
	rewritten := make(map[string]bool)
	for _, u := range accepted {
		for _, key := range u.Sites {
			rewritten[key] = true
		}
	}
	for _, p := range found {
		for _, s := range p.plan.Sites {
			if !rewritten[siteKey(s)] {
				continue
			}
			s.Pos, s.End = r.diskPosition(s.Pos), r.diskPosition(s.End)
			key := siteKey(s)
			r.written[key] = true
			if r.passes > 1 {
				site := r.site(p.w.meta[p.id], s)
				r.sites[key] = &site
			}
		}
	}
}

// diskKey maps the key of a site in the overlay to that of the file on disk.
func (r *run) diskKey(key string) string {
	i := strings.LastIndexByte(key, ':')
	offset, err := strconv.Atoi(key[i+1:])
	if err != nil {
		return key // not of a site
	}
	pos := r.diskPosition(token.Position{Filename: key[:i], Offset: offset})
	return siteKey(plan.Site{Pos: pos})
}

// diskPosition maps a position in the overlay to the file on disk.
func (r *run) diskPosition(pos token.Position) token.Position {
	now, ok := r.overlay[pos.Filename]
	if !ok {
		return pos
	}
	disk, err := r.sources.read(pos.Filename)
	if err != nil {
		return pos // cannot be: it was read to make the overlay
	}
	return positionAt(pos.Filename, disk, onDisk(disk, now, pos.Offset))
}
