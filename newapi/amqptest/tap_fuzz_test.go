package amqptest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// FuzzTap lets the proxy's reader read arbitrary octets. It reads the same out
// of them in one piece and in pieces, and keeps no more than it was fed.
func FuzzTap(f *testing.F) {
	for _, session := range sessions(f) {
		f.Add(session, uint8(7))
	}
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		stream := append([]byte(wire.ProtocolHeader), input...)
		whole, wholeErr := tapped(stream, len(stream))
		pieces, piecesErr := tapped(stream, int(size)+1)
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Errorf("in one piece (-) and in pieces of %d (+):\n%s", int(size)+1, diff)
		}
		if (wholeErr == nil) != (piecesErr == nil) {
			t.Errorf("in one piece: %v, in pieces of %d: %v", wholeErr, int(size)+1, piecesErr)
		}
		octets := 0
		for _, p := range whole {
			octets += len(p.Body)
		}
		if octets > len(stream) {
			t.Errorf("%d octets of bodies in a stream of %d", octets, len(stream))
		}
	})
}

// flat is a Published that can be compared.
type flat struct {
	Channel                    uint16
	Exchange, Key, Props, Body string
	Mandatory, Immediate       bool
}

// tapped feeds a stream in pieces of that size.
func tapped(stream []byte, size int) (all []flat, err error) {
	tap := newTap(1, func(p Published) {
		props, _ := p.Properties.AppendHeader(nil)
		all = append(all, flat{p.Channel, p.Exchange, p.RoutingKey, string(props), string(p.Body), p.Mandatory, p.Immediate})
	})
	for len(stream) > 0 && err == nil {
		n := min(size, len(stream))
		err = tap.feed(stream[:n])
		stream = stream[n:]
	}
	return all, err
}
