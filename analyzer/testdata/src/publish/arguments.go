package publish

import (
	"strconv"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

type settings struct {
	exchange  string
	mandatory bool
	props     newapi.BasicProperties
}

const (
	always = true
	never  = !always
)

func create(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, ch.CreateBasicProperties(), body) // fold // want `newapi.BasicProperties{}, body\)`
}

func createElsewhere(a, b *compat.Channel, body []byte) error {
	return a.BasicPublish("", "q", false, (b.CreateBasicProperties()), body) // fold // want `use`
}

func createWithEffects(ch *compat.Channel, get func() *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, get().CreateBasicProperties(), body) // left order-of-effects // want `get\(\) is evaluated within the arguments`
}

func typedNil(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, compat.BasicProperties(nil), body) // fold // want `use`
}

func fromStruct(ch *compat.Channel, s *settings, body []byte) error {
	if err := ch.BasicPublish("", "q", false, compat.FromStruct(s.props), body); err != nil { // value // want `"q", s.props, body\)`
		return err
	}
	return ch.BasicPublish("", "q", false, compat.FromStruct(newapi.BasicProperties{Type: "a"}), body) // value // want `use`
}

func mandatory(ch *compat.Channel, s *settings, list []bool, must bool, body []byte) {
	_ = ch.BasicPublish("", "q", never, nil, body)                        // fold // want `body\)$`
	_ = ch.BasicPublish("", "q", always, nil, body)                       // fold // want `newapi.Mandatory\)$`
	_ = ch.BasicPublish("", "q", 1 > 2, nil, body)                        // fold // want `body\)$`
	_ = ch.BasicPublish("", "q", must, nil, body)                         // fold // want `newapi.FlagsIf\(…\)\)$`
	_ = ch.BasicPublish("", "q", s.mandatory && list[0], nil, body)       // fold // want `newapi.FlagsIf\(…\)\)$`
	_ = ch.BasicPublish(s.exchange, "q" /* sure */, true, nil, body)      // fold // want `newapi.Mandatory\)$`
	_ = ch.BasicPublish(s.exchange, "q", true /* mandatory */, nil, body) // fold // want `newapi.Mandatory\)$`
}

// An array has a constant length, but would be unused.
func array(ch *compat.Channel, body []byte) error {
	var two [2]int
	return ch.BasicPublish("", "q", len(two) > 1, nil, body) // fold // want `newapi.FlagsIf\(…\)\)$`
}

func spread() (string, string, bool, compat.BasicProperties, []byte) {
	return "", "q", false, nil, nil
}

func fromCall(ch *compat.Channel) error {
	return ch.BasicPublish(spread()) // left created-elsewhere // want `all arguments come from spread\(\)`
}

// Only mandatory moves.
func effects(get func() *compat.Channel, ex, key func() string, must func() bool, body func() []byte, plain []byte) {
	_ = get().BasicPublish(ex(), key(), false, nil, body())       // fold // want `use`
	_ = get().BasicPublish(ex(), key(), must(), nil, plain)       // fold // want `use`
	_ = get().BasicPublish(ex(), key(), must(), nil, body())      // left order-of-effects // want `must\(\) would be evaluated after body\(\) instead of before; put the call's result into a variable first`
	_ = get().BasicPublish(ex(), key(), must(), nil, []byte("a")) // fold // want `use`
}

// Whatever the language orders has its place before the body, too.
func reads(ch *compat.Channel, s *settings, key string, change func() []byte) {
	other := ch.CreateBasicProperties()
	s.keep(other)
	_ = ch.BasicPublish("", "q", other.Persistent(), nil, change())                     // left order-of-effects // want `other.Persistent\(\) would be evaluated after change\(\)`
	_ = ch.BasicPublish("", "q", strings.TrimSpace(s.exchange) == "", nil, change())    // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", strings.TrimSpace(key) == "", nil, change())           // fold // want `use`
	_ = ch.BasicPublish("", "q", len(s.exchange) == 0, nil, change())                   // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", strings.TrimSpace(s.exchange) == "", nil, []byte(key)) // fold // want `use`
}

func (s *settings) keep(compat.BasicProperties) {}

// FromStruct copied the struct before the body was made.
func structs(ch *compat.Channel, s *settings, local newapi.BasicProperties, key func() string, body func() []byte) {
	_ = ch.BasicPublish("", "q", false, compat.FromStruct(s.props), body())                                     // left order-of-effects // want `s.props may be read after body\(\) is called instead of before`
	_ = ch.BasicPublish("", key(), false, compat.FromStruct(s.props), nil)                                      // left order-of-effects // want `s.props may be read after key\(\)`
	_ = ch.BasicPublish("", "q", false, compat.FromStruct(local), body())                                       // value // want `use`
	_ = ch.BasicPublish("", "q", false, compat.FromStruct(newapi.BasicProperties{Type: local.AppId}), body())   // value // want `use`
	_ = ch.BasicPublish("", "q", false, compat.FromStruct(newapi.BasicProperties{Type: s.exchange}), body())    // left order-of-effects // want `may be read after body`
	_ = ch.BasicPublish("", "q", false, compat.FromStruct(newapi.BasicProperties{Type: key()}), []byte("none")) // value // want `use`
}

// So have what may panic, what tells the time, and what others may change.
func moves(ch *compat.Channel, s *settings, v any, n int, t0 time.Time, list, other []byte, change func() []byte) {
	a, b := true, n > 1
	hot, str := false, "a"
	heat := func() []byte { hot, str = true, "b"; return nil }
	_ = ch.BasicPublish("", "q", a && b, nil, change())                                                        // fold // want `use`
	_ = ch.BasicPublish("", "q", a || n == 3 || strings.ToLower("A") == "a", nil, change())                    // fold // want `use`
	_ = ch.BasicPublish("", "q", strconv.FormatInt(int64(n), 10) == "1", nil, change())                        // fold // want `use`
	_ = ch.BasicPublish("", "q", a && hot, nil, heat())                                                        // left order-of-effects // want `a && hot would be evaluated after heat\(\)`
	_ = ch.BasicPublish("", "q", hot, nil, heat())                                                             // left order-of-effects // want `hot would be evaluated after heat\(\)`
	_ = ch.BasicPublish("", "q", str+str == "aa", nil, heat())                                                 // left order-of-effects // want `would be evaluated after heat`
	_ = ch.BasicPublish("", "q", s.mandatory || a, nil, change())                                              // left order-of-effects // want `s.mandatory || a would be evaluated after`
	_ = ch.BasicPublish("", "q", copy(list, other) > 0, nil, change())                                         // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", len(append(list[:0], 'x')) > 0, nil, change())                                // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", len(list) == 0, nil, change())                                                // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", string(list) == "a", nil, change())                                           // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", v.(bool), nil, change())                                                      // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", v == v, nil, change())                                                        // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", 1/n == 1, nil, change())                                                      // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", time.Since(t0) > time.Second, nil, change())                                  // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", strings.Repeat("x", n) == "", nil, change())                                  // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", strconv.FormatInt(3, n) == "1", nil, change())                                // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", cap(make([]int, n)) == 0, nil, change())                                      // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", s.mandatory || v.(bool) || time.Since(t0) > time.Second, nil, list)           // fold // want `use`
	_ = ch.BasicPublish("", "q", s.mandatory, compat.FromStruct(newapi.BasicProperties{Type: str}), other)     // value // want `use`
	_ = ch.BasicPublish("", "q", s.mandatory, compat.FromStruct(newapi.BasicProperties{Type: s.name()}), list) // left order-of-effects // want `s.mandatory would be evaluated after newapi.BasicProperties`
}

func (s *settings) name() string { return s.exchange }

// An effect of mandatory comes before what is read behind it.
func behind(ch *compat.Channel, s *settings, n int, bodies [][]byte, own []byte, text string, must func() bool) {
	str, body := "old", []byte("old")
	change := func() bool { str, body = "new", []byte("new"); return true }
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", must(), props, own)                                                  // fold // want `use`
	_ = ch.BasicPublish("", "q", must(), ch.CreateBasicProperties(), []byte(text))                    // fold // want `use`
	_ = ch.BasicPublish("", "q", must(), compat.FromStruct(newapi.BasicProperties{Type: text}), nil)  // value // want `use`
	_ = ch.BasicPublish("", "q", change(), nil, []byte(str))                                          // left order-of-effects // want `change\(\) would be evaluated after \[\]byte\(str\) instead`
	_ = ch.BasicPublish("", "q", change(), nil, body)                                                 // left order-of-effects // want `change\(\) would be evaluated after body`
	_ = ch.BasicPublish("", "q", must(), nil, bodies[0])                                              // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", must(), nil, own[:n])                                                // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", must(), nil, []byte(s.exchange))                                     // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", must(), nil, []byte(string(own)))                                    // left order-of-effects // want `would be evaluated after`
	_ = ch.BasicPublish("", "q", change(), compat.FromStruct(newapi.BasicProperties{Type: str}), own) // left order-of-effects // want `may|would`
}

// If one publish of a variable is left, all are.
func together(ch *compat.Channel, must func() bool, body func() []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	_ = ch.BasicPublish("", "q", must(), props, body()) // left order-of-effects // want `must\(\) would be evaluated after body\(\)`
	_ = ch.BasicPublish("", "q", false, props, nil)     // left order-of-effects // want `must\(\) would be evaluated after body\(\)`
}

func receiver(chs map[string]*compat.Channel, val compat.Channel, ptr **compat.Channel, s struct{ ch *compat.Channel }) {
	_ = chs["a"].BasicPublish("", "q", false, nil, nil) // fold // want `chs\["a"\]`
	_ = val.BasicPublish("", "q", false, nil, nil)      // fold // want `use`
	_ = (*ptr).BasicPublish("", "q", false, nil, nil)   // fold // want `\*ptr`
	_ = (**ptr).BasicPublish("", "q", false, nil, nil)  // fold // want `use`
	_ = (&val).BasicPublish("", "q", false, nil, nil)   // fold // want `&val`
	_ = s.ch.BasicPublish("", "q", false, nil, nil)     // fold // want `s.ch`
	_ = (s.ch.BasicPublish)("", "q", false, nil, nil)   // fold // want `s.ch`
}

type server struct {
	ch            *compat.Channel
	strict, loose bool
}

func (s *server) frozen(body func() []byte) {
	_ = s.ch.BasicPublish("", "q", s.strict, nil, body()) // fold // want `use`
	_ = s.ch.BasicPublish("", "q", s.loose, nil, body())  // left order-of-effects // want `s.loose would be evaluated after`
}

func (s *server) loosen() { s.loose = true }

func another(s *server, ch *compat.Channel, body func() []byte) {
	_ = ch.BasicPublish("", "q", s.strict, nil, body()) // left order-of-effects // want `s.strict would be evaluated after`
}
