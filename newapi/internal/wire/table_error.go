package wire

import (
	"fmt"
	"strconv"
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// FieldError reports a field that a table cannot carry: a value no field type
// fits, or a name that is too long. It wraps amqp091.ErrFieldType, in the case
// of a name the *ShortstrError.
type FieldError struct {
	// Path says where in the table the value is: names joined by ".", indices
	// in brackets, as in a.b[2]. It is empty for a value that stands alone.
	Path   string
	Value  any    // the value
	Reason string // why it cannot be sent, and what to send instead

	cause error // nil: amqp091.ErrFieldType
}

// Error names the path, the Go type of the value and what to use instead.
func (e *FieldError) Error() string {
	path := e.Path
	if path == "" {
		path = "value"
	}
	return fmt.Sprintf("field %s of type %T: %s", path, e.Value, e.Reason)
}

// Unwrap returns amqp091.ErrFieldType, or the *ShortstrError of a long name.
func (e *FieldError) Unwrap() error {
	if e.cause != nil {
		return e.cause
	}
	return amqp091.ErrFieldType
}

// within prepends the name of the field that holds the value.
func (e *FieldError) within(name string) {
	if e.Path != "" && e.Path[0] != '[' {
		name += "."
	}
	e.Path = name + e.Path
}

// withinIndex prepends the index of the array element that holds the value.
func (e *FieldError) withinIndex(i int) {
	e.within("[" + strconv.Itoa(i) + "]")
}

func nestingError(v any) *FieldError {
	return &FieldError{Value: v, Reason: fmt.Sprintf(
		"nested deeper than %d levels: flatten it, or look for a map or slice that contains itself", maxNesting)}
}

func fieldNameError(name string, v any, cause error) *FieldError {
	const shown = 32
	start := strings.ToValidUTF8(name[:shown], "") // without a character cut in two
	return &FieldError{Path: start + "…", Value: v, Reason: "its name is a " + cause.Error(), cause: cause}
}
