package amqptest

import (
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// TestTapReadsAStreamInAnyPieces feeds the same stream in pieces of every size.
func TestTapReadsAStreamInAnyPieces(t *testing.T) {
	stream := []byte(wire.ProtocolHeader)
	for _, body := range []string{"", "one", "two and a half"} {
		var err error
		stream, err = wire.AppendBasicPublish(stream, 3, "x", "k", true, false)
		if err != nil {
			t.Fatal(err)
		}
		stream = wire.AppendContentHeader(stream, 3, uint64(len(body)), []byte("\x80\x00\x01t"))
		stream = wire.AppendBody(stream, 3, []byte(body), 12)
		stream = wire.AppendHeartbeat(stream)
	}
	for size := 1; size <= len(stream); size++ {
		var bodies []string
		tap := newTap(1, func(p Published) {
			bodies = append(bodies, string(p.Body))
			if p.Channel != 3 || p.Exchange != "x" || p.RoutingKey != "k" || !p.Mandatory || p.Properties.ContentType() != "t" {
				t.Errorf("pieces of %d: %+v", size, p)
			}
		})
		for rest := stream; len(rest) > 0; {
			n := min(size, len(rest))
			if err := tap.feed(rest[:n]); err != nil {
				t.Fatalf("pieces of %d: %v", size, err)
			}
			rest = rest[n:]
		}
		if len(bodies) != 3 || bodies[0] != "" || bodies[1] != "one" || bodies[2] != "two and a half" {
			t.Errorf("pieces of %d: bodies %q", size, bodies)
		}
	}
}

func TestTapForgetsAContentThatIsNeverFinished(t *testing.T) {
	var recorded int
	tap := newTap(1, func(Published) { recorded++ })
	stream := []byte(wire.ProtocolHeader)
	for _, m := range []wire.Method{&wire.BasicPublish{}, &wire.ChannelClose{}} {
		var err error
		if stream, err = wire.AppendMethod(stream, 1, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := tap.feed(stream); err != nil {
		t.Fatal(err)
	}
	if err := tap.feed(wire.AppendContentHeader(nil, 1, 0, nil)); recorded != 0 || err == nil {
		t.Errorf("%d recorded, %v: the header belongs to no publish", recorded, err)
	}
}
