// Package order publishes what has effects.
package order

import (
	"context"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func ctx() context.Context     { return context.Background() }
func channel() *amqp.Channel   { return nil }
func key() string              { return "" }
func yes() bool                { return true }
func body() []byte             { return nil }
func message() amqp.Publishing { return amqp.Publishing{} }

func contexts(ch *amqp.Channel, c context.Context, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx(), "ex", key(), false, false, msg)                  // header
	_ = channel().PublishWithContext(c, "ex", key(), false, false, msg)               // header
	_ = channel().PublishWithContext(ctx(), "ex", key(), false, false, msg)           // header
	_ = channel().Publish("ex", key(), false, false, msg)                             // header
	_ = channel().PublishWithContext(context.Context(c), "ex", "", false, false, msg) // header
}

func contextsBesideChannels(c context.Context, m map[string]*amqp.Channel, list []*amqp.Channel, p any, h *struct{ ch *amqp.Channel }, cs map[string]context.Context, msg amqp.Publishing) {
	_ = channel().PublishWithContext(context.Background(), "ex", key(), false, false, msg) // header
	_ = channel().PublishWithContext(cs["a"], "ex", "key", false, false, msg)              // header
	_ = m["a"].PublishWithContext(ctx(), "ex", "key", false, false, msg)                   // header
	_ = m["a"].PublishWithContext(ctx(), "ex", key(), false, false, msg)                   // header
	_ = m["a"].PublishWithContext(cs["a"], "ex", key(), false, false, msg)                 // header
	_ = list[0].PublishWithContext(ctx(), "ex", key(), false, false, msg)                  // header
	_ = h.ch.PublishWithContext(ctx(), "ex", key(), false, false, msg)                     // header
	_ = p.(*amqp.Channel).PublishWithContext(ctx(), "ex", "key", false, false, msg)        // header
}

func hoisted(c context.Context, msg amqp.Publishing, tests []func() error) error {
	if err := channel().PublishWithContext(ctx(), "ex", "key", false, false, msg); err != nil { // header
		return err
	}
	defer channel().PublishWithContext(ctx(), "ex", "key", false, false, msg)        // header
	for channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) == nil { // left order-of-effects
	}
	if yes() && channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) == nil { // left order-of-effects
		return nil
	}
	_, _ = yes(), channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) // left order-of-effects
	if ch := channel(); ch != nil {
		// The channel may be gone.
		return channel().PublishWithContext( // whole
			ctx(),
			"ex",
			key(),
			false,
			false,
			message(),
		)
	}
	return nil
}

func jumpedOver(ch *amqp.Channel, msg amqp.Publishing) {
	if ch == nil {
		goto end
	}
	_ = channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) // left order-of-effects
end:
	println("end")
}

func oneLine(m amqp.Publishing) { channel().PublishWithContext(ctx(), "", "", false, false, m) } // left order-of-effects

func flags(ch *amqp.Channel, msg amqp.Publishing, b []byte) {
	_ = ch.Publish("ex", key(), yes(), false, msg)                                                        // header
	_ = ch.Publish("ex", key(), yes(), false, amqp.Publishing{Body: b})                                   // native
	_ = ch.Publish("ex", key(), yes(), false, amqp.Publishing{Timestamp: time.Now(), Body: []byte(key2)}) // left order-of-effects
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: body()})                              // native
	_ = ch.Publish("ex", "key", false, yes(), amqp.Publishing{MessageId: key(), Body: b})                 // native finding immediate
	_ = ch.Publish("ex", "key", yes(), false, message())                                                  // whole
	_ = ch.Publish("ex", "key", true, false, message())                                                   // whole
}

const key2 = "k"

var global string

func flagsBesideEffects(ch *amqp.Channel, b []byte, m, n bool, p any, o *struct{ mandatory bool }) {
	_ = ch.Publish("ex", "key", m, n, amqp.Publishing{Body: body()})                   // native finding immediate
	_ = ch.Publish("ex", "key", !m, false, amqp.Publishing{Body: body()})              // native
	_ = ch.Publish("ex", "key", m && n, false, amqp.Publishing{Body: body()})          // native
	_ = ch.Publish("ex", "key", len(global) > 2, false, amqp.Publishing{Body: body()}) // native
	_ = ch.Publish("ex", "key", len(b) > 2, false, amqp.Publishing{Body: body()})      // native
	_ = ch.Publish("ex", "key", p.(bool), false, amqp.Publishing{Body: body()})        // native
	_ = ch.Publish("ex", "key", o.mandatory, false, amqp.Publishing{Body: body()})     // native
	_ = ch.Publish("ex", "key", o.mandatory, false, amqp.Publishing{Body: b})          // native
	_ = ch.Publish("ex", "key", len(b) > 2, false, message())                          // whole
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: []byte(global)})   // native
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: b[:1]})            // native
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: b})                // native
	_ = ch.Publish("ex", "key", list[0], false, amqp.Publishing{Body: body()})         // native
	_ = ch.Publish("ex", "key", table["a"], false, amqp.Publishing{Body: body()})      // left order-of-effects
}

var (
	list  []bool
	table map[string]bool
)

type event struct {
	id      string
	payload []byte
}

type sender struct{ must bool }

func (s *sender) frozen(ch *amqp.Channel) {
	_ = ch.Publish("ex", "key", s.must, false, amqp.Publishing{Body: body()}) // native
}

type frozen struct {
	ch   *amqp.Channel
	must bool
}

func (f *frozen) send() {
	_ = f.ch.Publish("ex", "key", f.must, false, amqp.Publishing{Body: body()}) // native
}

var (
	must    bool
	current []byte
)

func variables(ch *amqp.Channel) {
	_ = ch.Publish("ex", "key", must, false, amqp.Publishing{Body: body()})                      // native
	_ = ch.Publish("ex", "key", !must, false, amqp.Publishing{Body: body()})                     // native
	_ = ch.Publish("ex", "key", must && yes(), false, amqp.Publishing{Body: current})            // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: current, MessageId: key()})  // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body(), MessageId: global})  // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body(), MessageId: global2}) // native
}

const global2 = "constant"

// The clock goes on while something takes long, and not between two looks at it.
func clocks(ch *amqp.Channel, b []byte, c chan []byte, since time.Time) {
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Timestamp: time.Now(), Body: <-c})                                       // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: <-c, Timestamp: time.Now()})                                       // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: b, Timestamp: time.Now()})                                         // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: []byte(time.Now().String()), Timestamp: time.Now()})               // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: []byte(time.Now().String()), MessageId: key()})                    // whole
	_ = ch.Publish("ex", "key", time.Since(since) > 3, false, amqp.Publishing{Timestamp: time.Now(), Body: b})                         // native
	_ = ch.Publish("ex", "key", time.Since(since) > 3, false, amqp.Publishing{Body: <-c})                                              // native
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Timestamp: since, Body: b})                                              // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body(), Headers: amqp.Table{"at": time.Now()}})                    // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body(), Headers: amqp.Table{"at": since}, Timestamp: since.UTC()}) // native
}

// Of two operands that panic, the first one does.
func panics(ch *amqp.Channel, e, f *event, list []event, n int, p any, m map[string]string, a map[any]string, as []string) {
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload, MessageId: f.id})                        // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: list[0].payload, MessageId: f.id})                  // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{MessageId: f.id, Body: list[0].payload})                  // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: list[0].payload, MessageId: m["x"]})                // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: list[0].payload, MessageId: a[p]})                  // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload, MessageId: p.(string)})                  // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload, Priority: uint8(8 / n)})                 // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload, Priority: uint8(n / 8)})                 // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload[:], MessageId: f.id})                     // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: e.payload[n:], MessageId: f.id})                    // whole
	_ = ch.Publish("ex", "key", p.(bool), false, amqp.Publishing{Body: e.payload})                                      // native
	_ = ch.Publish("ex", "key", p == any(m), false, amqp.Publishing{Body: []byte(as[n])})                               // left order-of-effects
	_ = ch.Publish("ex", "key", n/8 > 1, false, amqp.Publishing{Body: []byte(as[n])})                                   // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: list[n].payload, Headers: amqp.Table{"n": as[n]}})  // whole
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: list[n].payload, Headers: amqp.Table{"n": m["n"]}}) // native
}

func literals(ch *amqp.Channel, b []byte) {
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{MessageId: key(), Body: body()})                   // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), MessageId: key()})                   // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b, MessageId: key()})                        // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), Timestamp: time.Now(), Priority: 3}) // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), Priority: uint8(len(b))})            // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b[:1], MessageId: key()})                    // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: []byte(global), MessageId: key()})           // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b[:1], MessageId: global, Type: "t"})        // native
}

type settings struct {
	key       string
	mandatory bool
	payload   []byte
}

func (s *settings) must() bool { return s.mandatory }

func (s *settings) next() string {
	s.mandatory = !s.mandatory
	return "next"
}

// Flags that are found in their place get a statement, if what they move before
// may come behind them. What is read behind all calls stays there.
func flagsBefore(ch *amqp.Channel, c context.Context, s *settings, keys []string, m map[string]string, tests []bool, p any, msg amqp.Publishing) error {
	_ = ch.Publish("ex", "key", s.mandatory, false, amqp.Publishing{Body: s.payload, MessageId: s.next()})               // native
	_ = ch.Publish("ex", "key", s.must(), false, amqp.Publishing{Body: s.payload, MessageId: s.next()})                  // native
	_ = ch.Publish("ex", s.key, !s.must(), false, amqp.Publishing{MessageId: s.next(), Timestamp: time.Now()})           // native
	_ = ch.Publish("ex", keys[0], s.must() == true, false, amqp.Publishing{MessageId: s.next()})                         // native
	_ = ch.Publish("ex", m["key"], s.must(), false, amqp.Publishing{MessageId: s.next()})                                // left order-of-effects
	_ = ch.Publish("ex", s.next(), s.must(), false, amqp.Publishing{MessageId: s.next()})                                // left order-of-effects
	_ = ch.Publish("ex", s.next(), len(keys) > 1, false, amqp.Publishing{MessageId: s.next()})                           // left order-of-effects
	_ = ch.Publish("ex", s.next(), len(s.key) > 1, false, amqp.Publishing{MessageId: s.next()})                          // left order-of-effects
	_ = ch.Publish("ex", "key", s.must(), s.mandatory, amqp.Publishing{MessageId: s.next()})                             // left order-of-effects finding immediate
	_ = ch.Publish("ex", "key", s.must() == s.mandatory, false, amqp.Publishing{MessageId: s.next()})                    // left order-of-effects
	_ = ch.Publish("ex", "key", s.mandatory && s.key != "", p.(bool), amqp.Publishing{MessageId: s.next()})              // native finding immediate
	_ = ch.Publish("ex", keys[1], tests[0], false, amqp.Publishing{})                                                    // left order-of-effects
	_ = ch.Publish("ex", s.key, tests[0], false, amqp.Publishing{})                                                      // left order-of-effects
	_ = ch.Publish("ex", "key", tests[0], false, amqp.Publishing{MessageId: s.next()})                                   // left order-of-effects
	_ = ch.PublishWithContext(c, "ex", "key", s.must(), true, amqp.Publishing{MessageId: s.next()})                      // native finding immediate
	_ = ch.PublishWithContext(ctx(), "ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})                 // left order-of-effects
	_ = channel().PublishWithContext(c, "ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})              // native
	_ = channel().Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})                            // native
	_ = ch.Publish("ex", "key", func() bool { return s.must() }(), false, amqp.Publishing{MessageId: s.next()})          // native
	_, _ = s.next(), ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})                      // left order-of-effects
	_, _ = p.(string), ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})                    // left order-of-effects
	_, _ = s.mandatory && s.key != "", ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()})    // left order-of-effects
	_, tests[0] = ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}), p.(bool)               // native
	flags, err := 1, ch.Publish("ex", "key", s.must(), false, amqp.Publishing{Body: s.payload, Type: s.key, AppId: "a"}) // native
	println(flags, err)
	if flags2 := ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}); flags2 != nil { // native
		return flags2
	} else if err := ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}); err != nil { // left order-of-effects
		return err
	}
	for ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}) == nil { // left order-of-effects
	}
	switch err := ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}); { // native
	case err != nil:
		return err
	case ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}) != nil: // left order-of-effects
		defer ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}) // native
	}
label:
	switch err := ch.Publish("ex", "key", s.must(), false, amqp.Publishing{MessageId: s.next()}); { // left order-of-effects
	case err != nil:
		break label
	}
	_ = ch.Publish("ex", "key", s.must() ||
		s.mandatory, false, amqp.Publishing{MessageId: s.next()}) // left order-of-effects
	// The message is the one before.
	return channel().Publish( // whole
		"ex",
		"key",
		s.must(), // mandatory: returned
		false,    // immediate
		message(),
	)
}
