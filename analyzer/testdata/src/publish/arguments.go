package publish

import (
	"strings"

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
	_ = get().BasicPublish(ex(), key(), must(), nil, body())      // left order-of-effects // want `must\(\) would be called after body\(\) instead of before; put the call's result into a variable first`
	_ = get().BasicPublish(ex(), key(), must(), nil, []byte("a")) // fold // want `use`
}

// A call without effects has its place before the body, too.
func reads(ch *compat.Channel, s *settings, key string, change func() []byte) {
	other := ch.CreateBasicProperties()
	s.keep(other)
	_ = ch.BasicPublish("", "q", other.Persistent(), nil, change())                     // left order-of-effects // want `other.Persistent\(\) would be called after change\(\)`
	_ = ch.BasicPublish("", "q", strings.TrimSpace(s.exchange) == "", nil, change())    // left order-of-effects // want `would be called after`
	_ = ch.BasicPublish("", "q", strings.TrimSpace(key) == "", nil, change())           // fold // want `use`
	_ = ch.BasicPublish("", "q", len(s.exchange) == 0, nil, change())                   // fold // want `use`
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

// If one publish of a variable is left, all are.
func together(ch *compat.Channel, must func() bool, body func() []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	_ = ch.BasicPublish("", "q", must(), props, body()) // left order-of-effects // want `must\(\) would be called after body\(\)`
	_ = ch.BasicPublish("", "q", false, props, nil)     // left order-of-effects // want `must\(\) would be called after body\(\)`
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
