package newapi

import (
	"errors"
	"fmt"
	"sync"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// AMQPHeader is anything that can write the properties of a message: the
// property flags and the property list of a content header, as specification
// 4.2.6.1 lays them out. BasicProperties, BasicPropertiesOf and
// ReadOnlyBasicProperties are AMQPHeaders, and so is a Delivery; anyone may
// implement it, to send from a type of their own without building a struct or
// a map first.
type AMQPHeader interface {
	// AppendHeader appends the property flags and the property list to dst and
	// returns the extended slice, as append does: what dst already holds stays
	// in front, untouched. It must not keep dst, nor the slice it returns.
	//
	// BasicPublish checks what was appended and refuses, before anything is
	// written, what is not exactly one well-formed property list. An error
	// ends the publish and is what BasicPublish returns; a panic reaches the
	// caller too. Neither costs the channel.
	//
	// It is called with no lock held, once for each publish, in the goroutine
	// that publishes: a value published from several goroutines must bear
	// that.
	AppendHeader(dst []byte) ([]byte, error)
}

var errNilHeader = errors.New("newapi: properties is a nil AMQPHeader; pass BasicProperties{} to send none")

// scratch is memory that headers are encoded into.
type scratch struct {
	buf []byte // of length 0
}

const (
	// guard stands in front of every header while it is encoded. An
	// AppendHeader that does not append loses it and is found out; with
	// nothing in front, a replaced slice would look like a grown one.
	guard = "\x9dheader\xc3"

	scratchSize = 512
	// maxPooled bounds what the pool keeps: an exceptionally large header does
	// not pin its memory.
	maxPooled = 64 << 10
)

func newScratch() any { return &scratch{make([]byte, 0, scratchSize)} }

var (
	scratches = sync.Pool{New: newScratch}
	// lent are the scratches that foreign AppendHeaders write to. What they wrote is
	// copied before it is checked, so that one that keeps its dst in spite of the
	// contract, and writes to it later, cannot change what has been found in order.
	lent = sync.Pool{New: newScratch}
)

// start returns the guard, to append a header to.
func (s *scratch) start() []byte { return append(s.buf, guard...) }

// recycle returns s to its pool after a header of n octets. A header that
// outgrew s lies in memory that its AppendHeader may have handed out from
// anywhere: only its size is learnt from it. After a panic, s is not recycled.
func (s *scratch) recycle(n int) { s.recycleTo(&scratches, n) }

func (s *scratch) recycleTo(pool *sync.Pool, n int) {
	if need := len(guard) + n; need > cap(s.buf) && need <= maxPooled {
		s.buf = make([]byte, 0, min(2*need, maxPooled))
	}
	pool.Put(s)
}

// checkedHeader[P] is implemented by those P whose AppendHeader cannot append
// a malformed list. Its method names P, and no one else can declare it, so a
// type that embeds such a P and overrides AppendHeader is not one.
type checkedHeader[P any] interface{ appendsWellFormed(P) }

func (BasicProperties) appendsWellFormed(BasicProperties)                 {}
func (BasicPropertiesOf[H]) appendsWellFormed(BasicPropertiesOf[H])       {}
func (ReadOnlyBasicProperties) appendsWellFormed(ReadOnlyBasicProperties) {}
func (Delivery) appendsWellFormed(Delivery)                               {}
func (Return) appendsWellFormed(Return)                                   {}

// encodeHeader writes the properties into s, or into larger memory, and checks
// what was written. It takes a pointer only to copy a struct of this size as
// seldom as possible.
func encodeHeader[P AMQPHeader](s *scratch, properties *P) ([]byte, error) {
	if p, ok := any(properties).(*BasicProperties); ok {
		out, err := p.appendHeader(s.buf)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
	isChecked := false
	switch p := any(*properties).(type) {
	case nil:
		return nil, errNilHeader
	case *BasicProperties:
		if p == nil {
			return append(s.buf, 0, 0), nil
		}
		isChecked = true
	case checkedHeader[P]:
		isChecked = true
	}
	if !isChecked {
		return encodeForeign(s, properties)
	}
	out, err := (*properties).AppendHeader(s.buf)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// encodeForeign is encodeHeader for an AppendHeader that may do anything.
func encodeForeign[P AMQPHeader](s *scratch, properties *P) ([]byte, error) {
	l := lent.Get().(*scratch)
	out, err := (*properties).AppendHeader(l.start())
	if err != nil {
		l.recycleTo(&lent, 0)
		return nil, err
	}
	header, err := copyHeader(s.buf, out)
	l.recycleTo(&lent, len(header))
	if err != nil {
		return nil, fmt.Errorf("newapi: AppendHeader of %T %w", *properties, err)
	}
	return header, nil
}

var errNotAppended = errors.New("did not append: it must return append(dst, ...), with what dst held in front")

// copyHeader appends what an AppendHeader made of the guard to dst, and checks it
// there.
func copyHeader(dst, out []byte) ([]byte, error) {
	if len(out) < len(guard) || string(out[:len(guard)]) != guard {
		return nil, errNotAppended
	}
	header := append(dst, out[len(guard):]...)
	if err := wire.ValidateProperties(header[len(dst):]); err != nil {
		return nil, fmt.Errorf("wrote a malformed property list: %w", err)
	}
	return header, nil
}

// headerError puts the codec's error about a header into words: which header,
// by its path in the table, and what to send instead. It wraps the codec's, and
// so ErrFieldType.
type headerError struct {
	path  string
	cause error
}

// newHeaderError takes an error of package wire. name is the header it is
// about, empty when the error's own path starts with it.
func newHeaderError(name string, err error) error {
	path := name
	var field *wire.FieldError
	if errors.As(err, &field) {
		switch {
		case name == "" || field.Path == "":
			path += field.Path
		case field.Path[0] == '[':
			path = name + field.Path
		default:
			path = name + "." + field.Path
		}
	}
	return &headerError{path, err}
}

func (e *headerError) Error() string {
	var name *wire.ShortstrError
	if errors.As(e.cause, &name) {
		return fmt.Sprintf("newapi: header name %.32q... is %d bytes, at most 255 fit a short string", e.path, name.Len)
	}
	var field *wire.FieldError
	if errors.As(e.cause, &field) {
		return fmt.Sprintf("newapi: header %q of type %T: %s", e.path, field.Value, field.Reason)
	}
	return fmt.Sprintf("newapi: header %q: %v", e.path, e.cause)
}

func (e *headerError) Unwrap() error { return e.cause }
