package analyzer

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// report adds the file to the result and reports its diagnostics.
func (f *publishFile) report(result *plan.Result) {
	units := make(map[*unit]*plan.Unit)
	var all []plan.Unit
	for _, u := range f.units {
		if u.into == nil {
			p := f.r.planned(u)
			units[u] = &p
		}
	}
	for _, c := range f.calls {
		f.describe(c)
		if c.refusal == nil {
			unit := units[c.unit.find()]
			unit.Sites = append(unit.Sites, fmt.Sprintf("%s:%d", c.plan.Pos.Filename, c.plan.Pos.Offset))
		}
		result.Sites = append(result.Sites, c.plan)
		f.findImmediate(c, result)
	}
	f.findNewImmediate(result)
	for _, u := range f.units {
		if p := units[u]; p != nil {
			all = append(all, *p)
		}
	}
	result.Units = append(result.Units, all...)
	f.diagnose(all)
	f.ignores.report(f.pass, f.file, result)
}

// describe fills in the plan's site.
func (f *publishFile) describe(c *publishCall) {
	node := c.cur.Node()
	adjusted := c.refusal != nil && c.refusal.Category == plan.CgoFile
	c.plan = plan.Site{
		Pos:  f.pass.Fset.PositionFor(node.Pos(), adjusted),
		End:  f.pass.Fset.PositionFor(node.End(), adjusted),
		Func: f.ids.enclosing(c.cur),
	}
	if r := c.refusal; r != nil {
		c.plan.Tier = plan.Left
		c.plan.Category = r.Category
		c.plan.Message = fmt.Sprintf("%s is left: %s; %s", c.sel.Sel.Name, r.Why, hintOf(r))
		if r.At != nil {
			if pos := f.pass.Fset.PositionFor(r.At.Pos(), false); pos.IsValid() {
				c.plan.Related = []plan.Related{{Pos: pos, Message: r.Note}}
			}
		}
		return
	}
	c.plan.Tier = c.form.tier
	c.plan.Unit = c.unit.find().id
	c.plan.Message = "use " + f.newCall(c)
	if c.hoisted != "" {
		c.plan.Message += ", " + c.hoisted + " being the channel, evaluated before"
	}
	if c.hoistedFlags != "" {
		c.plan.Message += ", " + c.hoistedFlags + " being the flags, evaluated before"
	}
}

// newCall returns the new call in short.
func (f *publishFile) newCall(c *publishCall) string {
	qualified := func(path, name string) string { return f.r.names.qualified(path, name, c.call.Pos()) }
	ctx := f.r.ctxVar(c.cur)
	switch {
	case c.ctx != nil:
		ctx = flow.Short(c.ctx)
	case ctx == "":
		ctx = qualified("context", "Background") + "()"
	}
	channel := flow.Short(c.sel.X)
	for _, name := range c.path {
		channel += "." + name
	}
	if c.star {
		channel = "&" + channel
	}
	if c.hoisted != "" {
		channel = c.hoisted
	}
	args := []string{ctx, channel, flow.Short(c.exchange), flow.Short(c.key)}
	pkg := oldapi.NewAPI
	switch c.form.tier {
	case plan.Native:
		properties := flow.Short(c.form.core)
		if c.form.core == c.form.lit {
			properties = qualified(oldapi.NewAPI, oldapi.NewProperties) + "{…}"
			if n := len(c.form.lit.Elts); n == 0 || n == 1 && c.form.body != nil {
				properties = qualified(oldapi.NewAPI, oldapi.NewProperties) + "{}"
			}
		}
		body := "nil"
		if c.form.body != nil {
			body = flow.Short(c.form.body.Value)
		}
		args = append(args, properties, body)
	case plan.Header:
		core := flow.Short(c.form.core)
		args = append(args, qualified(oldapi.Compat091, oldapi.Header)+"("+core+")",
			strings.TrimPrefix(core, "*")+"."+oldapi.PublishingBody)
	case plan.Whole:
		pkg = oldapi.Compat091
		args = append(args, flow.Short(c.msg))
	}
	switch c.flags {
	case mandatory:
		args = append(args, qualified(oldapi.NewAPI, oldapi.NewMandatory))
	case flagsIf:
		flags := qualified(oldapi.NewAPI, oldapi.NewFlagsIf) + "(…)"
		if c.hoistedFlags != "" {
			flags = c.hoistedFlags
		}
		args = append(args, flags)
	}
	return qualified(pkg, c.method.Function()) + "(" + strings.Join(args, ", ") + ")"
}

// diagnose reports every call, with fixes as the -fixes flag says.
func (f *publishFile) diagnose(units []plan.Unit) {
	fixed := make(map[string]bool)
	for _, c := range f.calls {
		if c.plan.Category == plan.Ignored {
			continue
		}
		d := analysis.Diagnostic{
			Pos:     c.cur.Node().Pos(),
			End:     c.cur.Node().End(),
			Message: c.plan.Message,
		}
		if r := c.refusal; r != nil {
			if r.At != nil && r.At.Pos().IsValid() {
				d.Related = []analysis.RelatedInformation{{Pos: r.At.Pos(), Message: r.Note}}
			}
			reportWith(f.pass, c.plan.Category, d)
			continue
		}
		key, included := "", units
		if f.fixes.value == fixesUnit {
			key, included = c.plan.Unit, nil
			for _, u := range units {
				if u.ID == key {
					included = append(included, u)
				}
			}
		}
		switch {
		case f.fixes.value == fixesNone:
		case !f.r.imports(oldapi.Compat091, oldapi.NewAPI):
			d.Message += "; amqpfix -fix does it"
		case !fixed[key]:
			fixed[key] = true
			if fix, ok := f.r.fix("Publish properties and body", included); ok {
				d.SuggestedFixes = []analysis.SuggestedFix{fix}
			}
		}
		f.pass.Report(d)
	}
}
