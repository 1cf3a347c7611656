package amqptest

import (
	"reflect"
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// topicMatches reports whether a routing key follows a topic pattern: words
// between dots, * for any one word, # for any number of them.
func topicMatches(pattern, key string) bool {
	words, parts := splitWords(key), splitWords(pattern)
	// reach[i] tells whether the parts so far can match the first i words.
	reach := make([]bool, len(words)+1)
	reach[0] = true
	for _, part := range parts {
		if part == "#" {
			for i := 1; i <= len(words); i++ {
				reach[i] = reach[i] || reach[i-1]
			}
			continue
		}
		for i := len(words); i > 0; i-- {
			reach[i] = reach[i-1] && (part == "*" || part == words[i-1])
		}
		reach[0] = false
	}
	return reach[len(words)]
}

// splitWords splits at the dots; an empty key has no word at all.
func splitWords(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ".")
}

// headersPattern is what a binding of a headers exchange asks for.
type headersPattern struct {
	any    bool // one of the headers is enough
	wanted newapi.Table
}

// newHeadersPattern reads the arguments of a binding. Arguments whose names
// begin with x- are not looked at unless x-match ends in -with-x.
func newHeadersPattern(arguments newapi.Table) (*headersPattern, error) {
	p := &headersPattern{wanted: make(newapi.Table)}
	withX := false
	if kind, ok := arguments["x-match"]; ok {
		name, ok := kind.(string)
		if !ok {
			return nil, channelError(amqp091.PreconditionFailed, "Invalid x-match field type %s (value %v); expected longstr", fieldTypeName(kind), kind)
		}
		switch name {
		case "all":
		case "any":
			p.any = true
		case "all-with-x":
			withX = true
		case "any-with-x":
			p.any, withX = true, true
		default:
			return nil, channelError(amqp091.PreconditionFailed, "Invalid x-match field value <<%q>>; expected all, any, all-with-x, or any-with-x", name)
		}
	}
	for name, value := range arguments {
		if name != "x-match" && (withX || !strings.HasPrefix(name, "x-")) {
			p.wanted[name] = value
		}
	}
	return p, nil
}

func (p *headersPattern) matches(headers newapi.Table) bool {
	for name, want := range p.wanted {
		got, ok := headers[name]
		ok = ok && (want == nil || sameValue(want, got))
		if ok == p.any {
			return ok
		}
	}
	return !p.any
}

// sameValue compares field values as RabbitMQ does: numbers by value, whatever
// their field type.
func sameValue(a, b any) bool {
	if x, ok := integer(a); ok {
		if y, ok := integer(b); ok {
			return x == y
		}
	}
	x, okX := number(a)
	y, okY := number(b)
	if okX || okY {
		return okX && okY && x == y
	}
	return reflect.DeepEqual(a, b)
}

// integer returns the value of any integer field.
func integer(v any) (int64, bool) {
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return rv.Int(), true
	case rv.CanUint() && rv.Uint() <= 1<<63-1:
		return int64(rv.Uint()), true
	}
	return 0, false
}

// number returns the value of any integer or floating-point field.
func number(v any) (float64, bool) {
	if n, ok := integer(v); ok {
		return float64(n), true
	}
	if rv := reflect.ValueOf(v); rv.CanFloat() {
		return rv.Float(), true
	}
	return 0, false
}

// fieldTypeName is RabbitMQ's name for the field type of a decoded value.
func fieldTypeName(v any) string {
	switch v.(type) {
	case bool:
		return "bool"
	case int8:
		return "byte"
	case byte:
		return "unsignedbyte"
	case int16:
		return "short"
	case uint16:
		return "unsignedshort"
	case int32:
		return "signedint"
	case uint32:
		return "unsignedint"
	case int64:
		return "long"
	case float32:
		return "float"
	case float64:
		return "double"
	case newapi.Decimal:
		return "decimal"
	case string:
		return "longstr"
	case []byte:
		return "binary"
	case []any:
		return "array"
	case newapi.Table:
		return "table"
	case nil:
		return "void"
	default:
		return "timestamp"
	}
}
