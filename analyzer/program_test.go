package analyzer

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes random programs that set, read and publish old-style
// properties, and note everything they do: their calls and what they publish.
//
// What a generated statement does never depends on an order that the language
// leaves open, so before and after must note the same.
type generator struct {
	rand   *rand.Rand
	b      strings.Builder
	indent int
	effect int      // number of the next noted call
	name   int      // number of the next variable
	props  []string // properties variables in scope
	writes []string // closures in scope that change properties, returning a string
	depth  int
	budget int // statements that may still be written
}

// program returns a function of the given name.
func program(seed uint64, name string) string {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 1)), budget: 12 + int(seed%12)}
	g.line("func %s(ch *compat.Channel, s string, n uint8, yes, no bool, given compat.Table) (err error) {", name)
	g.indent++
	g.block(g.budget)
	g.line("return err")
	g.indent--
	g.line("}")
	return g.b.String()
}

func (g *generator) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *generator) pick(choices ...string) string { return choices[g.rand.IntN(len(choices))] }
func (g *generator) chance(percent int) bool       { return g.rand.IntN(100) < percent }
func (g *generator) fresh(prefix string) string    { g.name++; return fmt.Sprintf("%s%d", prefix, g.name) }
func (g *generator) number() int                   { g.effect++; return g.effect }

// block writes up to n statements, with names of their own.
func (g *generator) block(n int) {
	props, writes := len(g.props), len(g.writes)
	for i := 0; i < n && g.budget > 0; i++ {
		g.budget--
		g.statement()
	}
	for _, p := range g.props[props:] {
		g.line("_ = %s", p)
		if g.chance(50) {
			g.publish(p)
		}
	}
	g.props, g.writes = g.props[:props], g.writes[:writes]
}

func (g *generator) nested(head, tail string) {
	g.line("%s", head)
	g.indent++
	g.depth++
	g.block(1 + g.rand.IntN(4))
	g.depth--
	g.indent--
	g.line("%s", tail)
}

func (g *generator) statement() {
	if len(g.props) == 0 || g.chance(15) {
		g.create()
		return
	}
	p := g.props[g.rand.IntN(len(g.props))]
	switch k := g.rand.IntN(100); {
	case k < 38:
		g.set(p)
	case k < 48:
		g.headers(p)
	case k < 54:
		g.read(p)
	case k < 66:
		g.publish(p)
	case k < 70:
		g.line("%s = %s", g.pick("s", "global"), g.str(p))
	case k < 73 && len(g.writes) > 0:
		g.line("note(%s())", g.pick(g.writes...))
	case k < 77 && g.depth < 3:
		w := g.fresh("w")
		g.line("%s := func() string {", w)
		g.indent++
		if g.chance(70) {
			g.line("%s.SetType(%s.Type() + \"w\")", p, p)
			g.line("%s.SetPersistent(!%s.Persistent())", p, p)
		}
		g.indent--
		g.nested("// and then", "\treturn \"w\"")
		g.line("}")
		g.line("_ = %s", w)
		g.writes = append(g.writes, w)
		if g.chance(50) {
			g.line("note(%s.Type() + %s())", p, w)
		}
	case k < 79 && g.depth < 3:
		g.nested("defer func() {", "}()")
	case k < 81 && g.depth < 3:
		g.nested("func() {", "}()")
	case k < 87 && g.depth < 3:
		g.nested("if "+g.condition(p)+" {", "}")
	case k < 91 && g.depth < 2:
		i := g.fresh("i")
		g.nested(fmt.Sprintf("for %s := uint8(0); %s < 3; %s++ {", i, i, i), "}")
	case k < 93 && g.depth < 2:
		q, i := g.fresh("p"), g.fresh("i")
		g.line("for %s, %s := ch.CreateBasicProperties(), uint8(0); %s < 2; %s++ {", q, i, i, i)
		g.indent++
		g.props = append(g.props, q)
		if g.chance(50) {
			g.line("defer func() { note(fmt.Sprint(%s.Priority())) }()", q)
		}
		g.line("%s.SetPriority(%s.Priority() + %s)", q, q, i)
		g.indent--
		g.nested("// so far", "}")
		g.props = g.props[:len(g.props)-1]
	case k < 95 && g.depth < 3:
		q := g.fresh("p")
		g.props = append(g.props, q)
		g.nested(fmt.Sprintf("if %s := ch.CreateBasicProperties(); %s {\n_ = %s", q, g.condition(q), q), "}")
		g.props = g.props[:len(g.props)-1]
	case k < 97 && g.depth < 3:
		g.line("switch %s {", g.pick("n", p+".Priority()", "num("+fmt.Sprint(g.number())+", 1)"))
		g.nested("case 1, 2:", "default:")
		g.indent++
		g.set(p)
		g.indent--
		g.line("}")
	case k < 98:
		q := g.fresh("p")
		g.line("%s := %s", q, p)
		g.line("_ = %s", q)
		g.props = append(g.props, q)
	case k < 99:
		g.line("keep(%s)", p)
	default:
		g.line("note(fmt.Sprint(%s != nil))", p)
	}
}

// create makes a properties variable, most often with setters behind it.
func (g *generator) create() {
	p := g.fresh("p")
	ch := "ch"
	if g.chance(15) {
		ch = fmt.Sprintf("channel(%d, ch)", g.number())
	}
	switch g.rand.IntN(6) {
	case 0:
		g.line("var %s compat.BasicProperties = %s.CreateBasicProperties()", p, ch)
	case 1:
		q := g.fresh("q")
		g.line("%s, %s := ch.CreateBasicProperties(), %s", p, q, g.str(""))
		g.line("_ = %s", q)
	default:
		g.line("%s := %s.CreateBasicProperties()%s", p, ch, g.pick("", "", "", " // made"))
	}
	for g.chance(80) && g.budget > 0 {
		g.budget--
		if g.chance(15) {
			g.line("// why")
		}
		if g.chance(20) {
			g.line("%s.Headers()[%s] = %s", p, g.pick(`"a"`, `"b"`, `"c"`, "s"), g.value(p))
			continue
		}
		g.set(p)
	}
	g.props = append(g.props, p)
}

var (
	stringFields = []string{"ContentType", "ContentEncoding", "CorrelationId", "ReplyTo", "Expiration", "MessageId", "Type", "UserId", "AppId", "ClusterId"}
	octetFields  = []string{"DeliveryMode", "Priority"}
)

func (g *generator) set(p string) {
	comment := g.pick("", "", "", "", " // set")
	switch k := g.rand.IntN(20); {
	case k < 10:
		g.line("%s.Set%s(%s)%s", p, g.pick(stringFields...), g.str(p), comment)
	case k < 13:
		g.line("%s.Set%s(%s)%s", p, g.pick(octetFields...), g.num(p), comment)
	case k < 15:
		g.line("%s.SetPersistent(%s)%s", p, g.pick("true", "false", "yes", "no", g.flag(), p+".Persistent()"), comment)
	case k < 16:
		g.line("%s.SetReplyToAddress(compat.PublicationAddress{ExchangeType: \"direct\", RoutingKey: %s})%s", p, g.str(p), comment)
	case k < 17:
		g.line("%s.SetTimestamp(time.Unix(int64(%s), 0))%s", p, g.num(p), comment)
	case k < 18:
		g.line("%s.Clear%s()%s", p, g.pick(append(append([]string{"Timestamp"}, stringFields...), octetFields...)...), comment)
	case k < 19:
		g.line("%s.SetHeaders(%s)%s", p, g.table(), comment)
	default:
		g.line("%s.ClearHeaders()%s", p, comment)
	}
}

func (g *generator) headers(p string) {
	switch g.rand.IntN(8) {
	case 0, 1, 2:
		g.line("%s.Headers()[%s] = %s", p, g.pick(`"a"`, `"b"`, g.str(p)), g.value(p))
	case 3:
		h := g.fresh("h")
		g.line("%s := %s.Headers()", h, p)
		g.line("%s[\"h\"] = %s", h, g.value(p))
	case 4:
		g.line("put(%d, %s.Headers())", g.number(), p)
	case 5:
		g.line("note(fmt.Sprint(len(%s.Headers()), %s.Headers()[\"a\"]))", p, p)
	case 6:
		g.line("delete(%s.Headers(), \"a\")", p)
	default:
		g.line("if put(%d, %s.Headers()) {", g.number(), p)
		g.indent++
		g.set(p)
		g.indent--
		g.line("}")
	}
}

// read notes what getters say.
func (g *generator) read(p string) {
	switch g.rand.IntN(4) {
	case 0:
		g.line("note(%s.%s())", p, g.pick(stringFields...))
	case 1:
		beside := g.str(p)
		if len(g.writes) > 0 {
			beside = g.pick(g.writes...) + "()"
		}
		g.line("note(%s.Type() + %s + fmt.Sprint(%s.Priority(), %s.Persistent(), !%s.IsTypePresent()))", p, beside, p, p, p)
	case 2:
		g.line("note(fmt.Sprint(%s.Is%sPresent() == %s.IsHeadersPresent()))", p, g.pick("Type", "Priority", "Timestamp"), p)
	default:
		a := g.fresh("a")
		g.line("%s, ok := %s.ReplyToAddress()", a, p)
		g.line("note(fmt.Sprint(%s, ok))", a)
	}
}

// publish publishes p, or now and then something else.
func (g *generator) publish(p string) {
	ch := "ch"
	if g.chance(15) {
		ch = fmt.Sprintf("channel(%d, ch)", g.number())
	}
	properties := p
	switch g.rand.IntN(14) {
	case 0:
		properties = "nil"
	case 1:
		properties = "ch.CreateBasicProperties()"
	case 2:
		properties = "compat.FromStruct(newapi.BasicProperties{Type: " + g.str("") + "})"
	}
	body := g.pick("nil", `[]byte("b")`, fmt.Sprintf("[]byte(str(%d, s))", g.number()), "[]byte("+p+".Type())")
	if len(g.writes) > 0 && g.chance(30) {
		body = "[]byte(" + g.pick(g.writes...) + "())"
	}
	call := fmt.Sprintf("%s.BasicPublish(%s, %s, %s, %s, %s)", ch,
		g.pick(`"x"`, fmt.Sprintf("str(%d, s)", g.number())), g.pick(`"k"`, "s", p+".Type()"),
		g.pick("false", "false", "true", "yes", g.flag(), g.pick(g.props...)+".Persistent()"), properties, body)
	if g.chance(10) {
		call = strings.Replace(call, ".BasicPublish(", ".BasicPublish(\n", 1)
		call = strings.TrimSuffix(call, ")") + ", // body\n)"
	}
	switch g.rand.IntN(8) {
	case 0:
		g.line("if err := %s; err != nil {\nnote(err.Error())\n}", call)
	case 1:
		g.line("defer %s", call)
	case 2:
		g.line("func() { _ = %s }()", call)
	default:
		g.line("err = %s", call)
	}
}

func (g *generator) str(p string) string {
	choices := []string{`"c"`, "s", "global", fmt.Sprintf("str(%d, s)", g.number()), fmt.Sprintf("bump(%d)", g.number()), "string(rune('a' + n))"}
	if p != "" {
		choices = append(choices, p+"."+g.pick(stringFields...)+"()")
	}
	if len(g.props) > 0 && g.chance(10) {
		choices = append(choices, g.pick(g.props...)+".MessageId()")
	}
	return g.pick(choices...)
}

func (g *generator) num(p string) string {
	return g.pick("1", "2", "n", "n+1", "uint8(len(s))", "uint8(len(global))", fmt.Sprintf("num(%d, n)", g.number()), p+".Priority()")
}

func (g *generator) flag() string {
	return g.pick("yes", "no", fmt.Sprintf("flag(%d, yes)", g.number()), fmt.Sprintf("flag(%d, no)", g.number()))
}

func (g *generator) table() string {
	return g.pick("nil", "given", `compat.Table{"t": n}`, "compat.Table{\"t\": "+g.str("")+"}", fmt.Sprintf("table(%d, given)", g.number()))
}

func (g *generator) value(p string) string {
	return g.pick("1", "s", g.str(p), "int64(n)", "[]any{n, s}")
}

func (g *generator) condition(p string) string {
	return g.pick("yes", "no", "n > 1", p+".IsPriorityPresent()", "!"+p+".IsTypePresent()", p+".Persistent()", g.flag())
}

// world is what generated programs are called by and call.
const world = `package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

var (
	out    *bufio.Writer
	global string
	kept   compat.BasicProperties
)

func note(s string) { fmt.Fprintf(out, "\t%s\n", s) }

func str(id int, s string) string { note(fmt.Sprint("str ", id)); return s }
func num(id int, n uint8) uint8   { note(fmt.Sprint("num ", id)); return n }
func flag(id int, b bool) bool    { note(fmt.Sprint("flag ", id)); return b }
func bump(id int) string          { note(fmt.Sprint("bump ", id)); global += "+"; return global }
func keep(p compat.BasicProperties) { kept = p }

func channel(id int, ch *compat.Channel) *compat.Channel { note(fmt.Sprint("channel ", id)); return ch }

func table(id int, t compat.Table) compat.Table { note(fmt.Sprint("table ", id)); return t }

func put(id int, t compat.Table) bool {
	note(fmt.Sprint("put ", id, len(t)))
	t["put"] = id
	return id%2 == 0
}

type program func(ch *compat.Channel, s string, n uint8, yes, no bool, given compat.Table) error

func run(name string, p program, given compat.Table) {
	fmt.Fprintln(out, name)
	global = "g"
	ch := &compat.Channel{Channel: new(newapi.Channel)}
	ch.Record = func(m newapi.EncodedMessage) {
		note(fmt.Sprintf("publish %q %q %d [%s] %q", m.Exchange, m.RoutingKey, m.Flags, m.Header, m.Body))
	}
	defer func() {
		if e := recover(); e != nil {
			note(fmt.Sprint("panic: ", e))
		}
	}()
	if err := p(ch, "s", 3, true, false, given); err != nil {
		note(err.Error())
	}
}

func main() {
	out = bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var names []string
	for name := range programs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		run(name+" nil", programs[name], nil)
		run(name+" map", programs[name], compat.Table{"given": true})
	}
}
`
