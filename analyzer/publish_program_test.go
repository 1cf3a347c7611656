package analyzer

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A publishGenerator writes random programs that publish through channels of
// amqp091-go in every shape that the analyzer publish tells apart. All that their
// operands do is noted: calls, receives, and the panics of those that cannot be
// evaluated in the world that a program runs in.
type publishGenerator struct {
	generator
	msgs     []string // variables of type amqp.Publishing in scope
	closures []string // functions in scope that change variables and return a string
}

// publishProgram returns a function of the given name.
func publishProgram(seed uint64, name string) string {
	g := &publishGenerator{generator: generator{rand: rand.New(rand.NewPCG(seed, 2)), budget: 6 + int(seed%10)}}
	g.line("func %s(w *world, ch *amqp.Channel, ctx context.Context, s string, n int, yes, no bool, b []byte) (err error) {", name)
	g.indent++
	for g.budget > 0 {
		g.statement()
	}
	g.line("return err")
	g.indent--
	g.line("}")
	return g.b.String()
}

// scope writes statements whose names end with it.
func (g *publishGenerator) scope(head, tail string) {
	msgs, closures := len(g.msgs), len(g.closures)
	g.line("%s", head)
	g.indent++
	g.depth++
	for range 1 + g.rand.IntN(3) {
		g.statement()
	}
	g.depth--
	g.indent--
	g.line("%s", tail)
	g.msgs, g.closures = g.msgs[:msgs], g.closures[:closures]
}

func (g *publishGenerator) statement() {
	g.budget--
	switch k := g.rand.IntN(100); {
	case k < 50 || g.depth > 2:
		g.publish(g.message())
	case k < 70:
		g.local()
	case k < 76:
		g.change()
	case k < 82:
		f := g.fresh("f")
		g.line("%s := func() string {", f)
		g.indent++
		g.line("note(%q)", f)
		g.change()
		g.line("return %q", f)
		g.indent--
		g.line("}")
		g.line("_ = %s", f)
		g.closures = append(g.closures, f)
	case k < 86:
		g.scope("if "+g.flag()+" {", "}")
	case k < 90:
		i := g.fresh("i")
		g.scope(fmt.Sprintf("for %s := range 2 {\n_ = %s", i, i), "}")
	case k < 92:
		e := g.fresh("e")
		g.scope(fmt.Sprintf("for _, %s := range w.bodies {\n_ = %s", e, e), "}")
	case k < 94:
		g.scope("func() {", "}()")
	case k < 96:
		g.scope("defer func() {", "}()")
	case k < 98:
		g.scope("switch {\ncase "+g.flag()+":", "}")
	default:
		g.scope("select {\ncase <-w.strings:", "}")
	}
}

// change assigns something that operands read.
func (g *publishGenerator) change() {
	change := g.pick(
		`s += "+"`, `global += "+"`, `b = append(b, '+')`, `b = nil`, `yes, no = no, yes`, `n++`,
		`w.e.id += "+"`, `w.e.must = !w.e.must`, `w.m["k"] += "+"`, `delete(w.m, "k")`, `w.template.Type += "+"`,
		`w.list[0] += "+"`, `given["new"] = n`, `ctx = context.WithValue(ctx, label, s)`,
	)
	if len(g.msgs) > 0 && g.chance(30) {
		change = g.pick(g.msgs...) + g.pick(`.Type += "+"`, `.Body = nil`, `.Headers = given`)
	}
	g.line("%s", change)
}

// local declares a message with a literal, and publishes it now or later.
func (g *publishGenerator) local() {
	m := g.fresh("m")
	g.line("%s", fmt.Sprintf(g.pick("%s := %s", "%s := %s", "%s := %s", "var %s = %s", "var %s amqp.Publishing = %s"), m, g.literal("amqp.Publishing")))
	switch g.rand.IntN(8) {
	case 0:
		g.change()
	case 1:
		g.line("if %s {\n%s.Type = %s\n}", g.flag(), m, g.str())
	case 2:
		g.line("note(%s)", g.str())
	case 3:
		g.line("w.keep(&%s)", m)
	case 4:
		g.line("_ = %s", m)
		g.msgs = append(g.msgs, m)
		return
	case 5:
		g.line("func() {")
		defer g.line("}()")
	case 6:
		g.line("if s, b, n := \"inner\", []byte(\"inner\"), 1; len(s) > n {\n_ = b")
		defer g.line("}")
	}
	g.publish(m)
}

// message returns an expression of type amqp.Publishing.
func (g *publishGenerator) message() string {
	id := g.number()
	switch k := g.rand.IntN(20); {
	case k < 11:
		return g.literal("amqp.Publishing")
	case k < 13 && len(g.msgs) > 0:
		return g.pick(g.msgs...)
	case k < 17:
		return g.pick("w.template", "template", "w.e.msg", "*w.e.ptr", "(*w).template", "*w.ptr", "*(w.ptr)", "amqp.Publishing(w.own)")
	}
	return g.pick(
		fmt.Sprintf("message(%d, s)", id), fmt.Sprintf("*pointer(%d, s)", id), "<-w.msgs", "w.several[n]", `w.named["x"]`,
		fmt.Sprintf("stamped(%d, w.template)", id), "amqp.Publishing("+g.literal("own")+")", fmt.Sprintf("stamped(%d, %s)", id, g.literal("amqp.Publishing")))
}

// literal returns a literal of the type with some of its fields, in any order.
func (g *publishGenerator) literal(typ string) string {
	fields := []string{"Headers: " + g.table(), "Body: " + g.bytes(), "Timestamp: " + g.time(), "Priority: " + g.octet()}
	for _, name := range []string{"Type", "MessageId", "AppId"} {
		fields = append(fields, name+": "+g.str())
	}
	g.rand.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	fields = fields[:g.rand.IntN(min(6, len(fields)))]
	if g.chance(70) || len(fields) == 0 {
		return typ + "{" + strings.Join(fields, ", ") + "}"
	}
	var b strings.Builder
	b.WriteString(typ + "{\n")
	for _, f := range fields {
		b.WriteString(g.pick("", "", "", "// above\n") + f + "," + g.pick("", "", "", " // behind") + g.pick("\n", "\n", "\n", "\n\n"))
	}
	return strings.TrimRight(b.String(), "\n") + "\n}"
}

// publish writes a statement that publishes the message.
func (g *publishGenerator) publish(message string) {
	method := g.pick("Publish", "PublishWithContext", "PublishWithContext", "PublishWithContext", "PublishWithDeferredConfirm", "PublishWithDeferredConfirmWithContext")
	args := []string{g.str(), g.str(), g.flag(), g.pick("false", "false", "false", g.flag()), message}
	if g.chance(70) {
		args[0] = `"x"`
	}
	if g.chance(60) {
		args[1] = `"k"`
	}
	if g.chance(45) {
		args[2] = g.pick("false", "false", "true", "mandatory")
	}
	if strings.HasSuffix(method, "WithContext") {
		args = append([]string{g.context()}, args...)
	}
	call := g.channel() + "." + method + "(" + g.arguments(args) + ")"
	if strings.Contains(method, "Deferred") {
		g.line("%s", fmt.Sprintf(g.pick("confirmed(%s)", "if dc, err := %[1]s; err == nil && dc != nil {\nnote(fmt.Sprint(dc.DeliveryTag))\n}", "_, err = %s", "_, _ = %s"), call))
		return
	}
	switch g.rand.IntN(14) {
	case 12:
		g.line("both(%s, %s)", g.flag(), call)
	case 13:
		g.line("if both(%s, %s); %s {\nnote(\"then\")\n}", g.str(), call, g.flag())
	case 0:
		g.line("if err := %s; err != nil {\nnote(err.Error())\n}", call)
	case 1:
		g.line("defer %s", call)
	case 2:
		g.line("func() { _ = %s }()", call)
	case 3:
		g.line("_, err = %s, %s", g.str(), call)
	case 4:
		g.line("err, _ = %s, %s", call, g.str())
	case 5:
		g.line("if %s && %s == nil {\nnote(\"sent\")\n}", g.flag(), call)
	case 6:
		g.line("if %s != nil {\nnote(\"failed\")\n}", call)
	case 7:
		g.line("errs = append(errs, %s)", call)
	default:
		g.line("err = %s", call)
	}
}

// arguments lays out a list of arguments, now and then on lines of their own.
func (g *publishGenerator) arguments(args []string) string {
	if g.chance(75) {
		return strings.Join(args, ", ")
	}
	names := []string{"// exchange", "// key", "// mandatory", "// immediate: no", "// message"}
	if len(args) == 6 {
		names = append([]string{"// context"}, names...)
	}
	var b strings.Builder
	for i, arg := range args {
		b.WriteString("\n" + arg + ",")
		if g.chance(30) {
			b.WriteString(" " + names[i])
		}
	}
	return b.String() + "\n"
}

func (g *publishGenerator) channel() string {
	if g.chance(60) {
		return "ch"
	}
	return g.pick("(ch)", fmt.Sprintf("channel(%d, ch)", g.number()), fmt.Sprintf("channel(%d, ch)", g.number()), "w.ch", "w.session", "w.tap",
		"w.tap.Channel", "(*w.pch)", `w.chans["a"]`, "w.chanList[n]", "w.any.(*amqp.Channel)", "(<-w.channels)", "w.session.Channel")
}

func (g *publishGenerator) context() string {
	if g.chance(50) {
		return "ctx"
	}
	return g.pick("context.Background()", "w.ctx", "w.e.ctx", fmt.Sprintf("contextOf(%d, s)", g.number()), fmt.Sprintf("contextOf(%d, s)", g.number()),
		"context.WithValue(ctx, label, s)", `w.ctxs["a"]`, "context.Context(ctx)")
}

func (g *publishGenerator) call() string {
	if len(g.closures) > 0 && g.chance(50) {
		return g.pick(g.closures...) + "()"
	}
	return fmt.Sprintf(g.pick("str(%d, s)", "str(%d, global)", "bump(%d)", "w.bump(%d)"), g.number())
}

func (g *publishGenerator) str() string {
	if g.chance(30) {
		return g.call()
	}
	return g.pick(`"c"`, `"c"`, "s", "s", "global", "w.e.id", "w.e.id", "w.list[n]", "w.list[0]", `w.m["k"]`, "w.any2.(string)", "s + global", "string(b)",
		"strconv.Itoa(n)", "strings.Repeat(s, n-1)", "<-w.strings", "w.st.id", "string(w.st.payload)")
}

func (g *publishGenerator) bytes() string {
	return g.pick("nil", "b", "b", "b", `[]byte("b")`, "[]byte(s)", "[]byte("+g.str()+")", "[]byte("+g.str()+")", "[]byte("+g.call()+")",
		fmt.Sprintf("body(%d, b)", g.number()), fmt.Sprintf("body(%d, b)", g.number()), "w.e.payload", "w.e.payload", "w.st.payload", "b[:n]", "w.bodies[n]", "<-w.chunks",
		"append([]byte(nil), b...)", "[]byte(strconv.Itoa(n))")
}

func (g *publishGenerator) octet() string {
	return g.pick("1", "amqp.Persistent", "uint8(n)", fmt.Sprintf("uint8(num(%d, n))", g.number()), "uint8(len(b))", "uint8(6 / n)", "uint8(len(s))")
}

func (g *publishGenerator) time() string {
	return g.pick("time.Now()", "time.Now()", "time.Now()", "time.Time{}", "time.Unix(int64(n), 0)", "w.start", "time.Now().UTC()", fmt.Sprintf("stamp(%d)", g.number()))
}

func (g *publishGenerator) table() string {
	return g.pick("nil", "given", "w.e.headers", `amqp.Table{"a": `+g.str()+`}`, `amqp.Table{"a": `+g.str()+`, "b": n}`, `amqp.Table{"at": time.Now()}`,
		"amqp.Table(plain)", fmt.Sprintf("table(%d, given)", g.number()), "make(amqp.Table)")
}

func (g *publishGenerator) flag() string {
	return g.pick("yes", "no", "!yes", "yes && no", "n > 1", "w.e.must", "w.fixed", "len(b) > 1", `global == "g"`, "w.any3.(bool)", "mandatory", "!mandatory",
		fmt.Sprintf("flag(%d, yes)", g.number()), fmt.Sprintf("flag(%d, no)", g.number()), fmt.Sprintf("yes || flag(%d, no)", g.number()), "time.Since(w.start) < 0",
		"!w.e.must", "w.st.must", "w.e.must && yes", "w.musts[0]", `w.e.id == "id"`, "len(w.e.payload) > 7", "!(<-w.flags)", "w.e.must == yes",
		fmt.Sprintf("flag(%d, w.e.must)", g.number()), fmt.Sprintf("!w.toggle(%d)", g.number()), fmt.Sprintf("w.toggle(%d)", g.number()),
		fmt.Sprintf("w.toggle(%d) == w.st.must", g.number()), g.call()+` == "s"`)
}

// publishWorld is what generated programs are called by and call. It is on
// amqp091-go before, and on compat/amqp091 afterwards.
const publishWorld = `package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

const mandatory = true

type key string

const label key = "label"

var (
	out      *bufio.Writer
	global   string
	template amqp.Publishing
	given    amqp.Table
	plain    map[string]any
	errs     []error
	times    []int64     // of each note
)

// note takes the time, and some, so that the clock tells what was before and
// what after it.
func note(s string) {
	fmt.Fprintf(out, "\t%s\n", s)
	times = append(times, tick())
}

func tick() int64 {
	start := time.Now().UnixNano()
	for {
		if now := time.Now().UnixNano(); now > start {
			for time.Now().UnixNano() <= now {
			}
			return now
		}
	}
}

var at = regexp.MustCompile("@[0-9]+")

// show says of each time in a header before which note it was, if it was taken
// while the program ran.
func show(header []byte) string {
	return at.ReplaceAllStringFunc(string(header), func(s string) string {
		t, _ := strconv.ParseInt(s[1:], 10, 64)
		if t < times[0] {
			return s
		}
		return fmt.Sprint("note ", sort.Search(len(times), func(i int) bool { return times[i] > t }))
	})
}

func str(id int, s string) string            { note(fmt.Sprint("str ", id)); return s }
func num(id int, n int) int                  { note(fmt.Sprint("num ", id)); return n }
func flag(id int, b bool) bool               { note(fmt.Sprint("flag ", id)); return b }
func body(id int, b []byte) []byte           { note(fmt.Sprint("body ", id)); return b }
func stamp(id int) time.Time                 { note(fmt.Sprint("stamp ", id)); return time.Unix(int64(id), 0) }
func bump(id int) string                     { note(fmt.Sprint("bump ", id)); global += "+"; return global }
func table(id int, t amqp.Table) amqp.Table  { note(fmt.Sprint("table ", id)); t["n"] = id; return t }
func message(id int, s string) amqp.Publishing {
	note(fmt.Sprint("message ", id))
	return amqp.Publishing{Type: s, Body: []byte(s)}
}
func pointer(id int, s string) *amqp.Publishing { m := message(id, s); return &m }
func stamped(id int, m amqp.Publishing) amqp.Publishing {
	note(fmt.Sprint("stamped ", id))
	m.AppId += "!"
	return m
}
func channel(id int, ch *amqp.Channel) *amqp.Channel { note(fmt.Sprint("channel ", id)); return ch }
func contextOf(id int, s string) context.Context {
	note(fmt.Sprint("context ", id))
	return context.WithValue(context.Background(), label, fmt.Sprint(s, id))
}
func both[T any](v T, err error) { note(fmt.Sprint("both ", v, err)) }
func confirmed(dc *amqp.DeferredConfirmation, err error) { note(fmt.Sprint("confirmed ", dc != nil, err)) }

type own amqp.Publishing

type event struct {
	id      string
	payload []byte
	must    bool
	headers amqp.Table
	msg     amqp.Publishing
	ptr     *amqp.Publishing
	ctx     context.Context
}

type session struct{ *amqp.Channel }

type tap struct {
	amqp.Channel
	n int
}

type world struct {
	e        *event
	st       event
	ch       *amqp.Channel
	other    *amqp.Channel
	pch      **amqp.Channel
	session  session
	tap      *tap
	chans    map[string]*amqp.Channel
	chanList []*amqp.Channel
	channels chan *amqp.Channel
	template amqp.Publishing
	ptr      *amqp.Publishing
	own      own
	msgs     chan amqp.Publishing
	several  []amqp.Publishing
	named    map[string]amqp.Publishing
	strings  chan string
	flags    chan bool
	musts    []bool
	chunks   chan []byte
	bodies   [][]byte
	list     []string
	m        map[string]string
	any      any
	any2     any
	any3     any
	ctx      context.Context
	ctxs     map[string]context.Context
	start    time.Time
	fixed    bool
}

func (w *world) keep(m *amqp.Publishing) { m.AppId += "kept" }

// bump changes what operands read.
func (w *world) bump(id int) string {
	note(fmt.Sprint("w.bump ", id))
	if w.e != nil {
		w.e.id += "*"
		w.e.must = !w.e.must
		w.e.payload = append(w.e.payload, '*')
	}
	if len(w.musts) > 0 {
		w.musts[0] = !w.musts[0]
	}
	w.m["k"] += "*"
	w.template.Type += "*"
	w.st.id += "*"
	w.st.must = !w.st.must
	global += "*"
	return global
}

// toggle is a flag that does so, too.
func (w *world) toggle(id int) bool {
	w.bump(id)
	return w.e == nil || w.e.must
}

type program func(w *world, ch *amqp.Channel, ctx context.Context, s string, n int, yes, no bool, b []byte) error

// variants are worlds in which some operands panic. What leads to a channel does
// not, nor does a call change it: when that is looked at is open.
var variants = []struct {
	name  string
	spoil func(w *world)
}{
	{"sound", func(w *world) {}},
	{"nil event", func(w *world) { w.e = nil }},
	{"short lists", func(w *world) { w.list, w.bodies, w.several, w.chanList, w.musts = nil, nil, nil, nil, nil }},
	{"other types", func(w *world) { w.any2, w.any3, w.ptr = 2, 3, nil }},
	{"nil channels", func(w *world) { w.ch, w.chans["a"], w.session.Channel = nil, nil, nil }},
}

func run(name string, variant int, p program) {
	times = nil
	fmt.Fprintf(out, "%s %s\n", name, variants[variant].name)
	note("starts")
	global, errs = "g", nil
	template = amqp.Publishing{Type: "template", Body: []byte("template")}
	given, plain = amqp.Table{"given": true}, map[string]any{"plain": 1}
	ch := func(name string) *amqp.Channel {
		ch := new(amqp.Channel)
		ch.Confirm = variant%2 == 0
		ch.Record = func(m newapi.EncodedMessage) {
			note(fmt.Sprintf("publish on %s %v %q %q %d [%s] %q", name, m.Context.Value(label), m.Exchange, m.RoutingKey, m.Flags, show(m.Header), m.Body))
			if len(m.Body) == 3 {
				errs = append(errs, errors.New(name))
			}
		}
		return ch
	}
	w := &world{
		e: &event{id: "id", payload: []byte("payload"), headers: amqp.Table{"e": 1}, msg: template, ptr: &template, ctx: context.WithValue(context.Background(), label, "event")},
		st: event{id: "st", payload: []byte("structure")},
		ch: ch("w.ch"), other: ch("other"), session: session{ch("session")}, tap: new(tap),
		chans: map[string]*amqp.Channel{"a": ch("a")}, chanList: []*amqp.Channel{ch("0"), ch("1"), ch("2"), ch("3"), ch("4"), ch("5")},
		template: amqp.Publishing{Type: "w.template", Body: []byte("w.template")}, own: own{Type: "own", Body: []byte("own")},
		several: make([]amqp.Publishing, 9), named: map[string]amqp.Publishing{"x": {Type: "x"}},
		bodies: [][]byte{[]byte("0"), []byte("1"), []byte("2"), []byte("3"), []byte("4")}, list: []string{"l0", "l1", "l2", "l3", "l4", "l5"},
		m: map[string]string{"k": "v"}, any2: "any", any3: true, ctx: context.WithValue(context.Background(), label, "w"),
		ctxs: map[string]context.Context{"a": context.WithValue(context.Background(), label, "ctxs")}, start: time.Unix(1, 0), fixed: true,
		strings: make(chan string, 64), flags: make(chan bool, 64), musts: make([]bool, 2), chunks: make(chan []byte, 64), msgs: make(chan amqp.Publishing, 64), channels: make(chan *amqp.Channel, 64),
	}
	w.pch, w.ptr, w.any = &w.ch, &w.template, w.ch
	w.tap.Channel.Record = w.ch.Record
	for i := range cap(w.strings) {
		w.strings <- fmt.Sprint("string ", i)
		w.chunks <- []byte(fmt.Sprint("chunk ", i))
		w.flags <- i%2 == 0
		w.msgs <- amqp.Publishing{Type: fmt.Sprint("message ", i), Body: []byte{byte(i)}}
		w.channels <- ch(fmt.Sprint("received ", i))
	}
	variants[variant].spoil(w)
	defer func() {
		if e := recover(); e != nil {
			note(fmt.Sprint("panic: ", e))
		}
	}()
	err := p(w, ch("ch"), context.WithValue(context.Background(), label, "ctx"), "s", 3, true, false, []byte("bytes"))
	note(fmt.Sprint("returns ", err, errs))
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
		for variant := range variants {
			run(name, variant, programs[name])
		}
	}
}
`
