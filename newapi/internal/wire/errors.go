package wire

import (
	"errors"
	"fmt"
)

// The kinds of malformed input. Every decoding error wraps exactly one of
// them and adds where in the input the trouble is and what was found there.
var (
	// ErrFrame reports an unknown frame type, a missing frame-end octet, an
	// invalid heartbeat or a content header of another class: reply code 501.
	ErrFrame = errors.New("wire: malformed frame")
	// ErrFrameTooLarge reports a frame above the negotiated frame_max: reply
	// code 501.
	ErrFrameTooLarge = errors.New("wire: frame too large")
	// ErrSyntax reports arguments, properties or a field table that do not
	// decode: reply code 502.
	ErrSyntax = errors.New("wire: syntax error")
	// ErrUnknownMethod reports a class and method id this package has no
	// struct for: reply code 503.
	ErrUnknownMethod = errors.New("wire: unknown method")
)

// ShortstrError reports a string that does not fit a short string, whose
// length is one octet (section 4.2.5.3).
type ShortstrError struct {
	Len int // length of the string in octets
}

func (e *ShortstrError) Error() string {
	return fmt.Sprintf("short string of %d octets: shorten it to at most %d", e.Len, maxShortstr)
}

// syntaxErrorf wraps ErrSyntax with the offset of the value that is wrong.
func syntaxErrorf(offset int, format string, args ...any) error {
	return fmt.Errorf("%w at offset %d: %s", ErrSyntax, offset, fmt.Sprintf(format, args...))
}
