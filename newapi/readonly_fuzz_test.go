package newapi

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"
)

// FuzzReadOnly sends arbitrary bytes through an AMQPHeader. They are rejected,
// and then nothing is published; or every accessor says what a reader of the
// specification finds in them, forwarding repeats them, and a mutable copy
// sends the same properties.
func FuzzReadOnly(f *testing.F) {
	for _, seed := range []AMQPHeader{
		BasicProperties{}, everyProperty, usual(usualHeaders), BasicProperties{SendZero: allProperties},
		WithHeaders(usual(nil), Fields{{"twice", 1}, {"twice", "x"}, {"f", float32(0.5)}, {"d", Decimal{Scale: 2, Value: 314}}}),
		raw(""), raw("\x00"), raw(cutShort), raw("\x00\x01\x00\x00"), raw("\x00\x02"), raw("\x00\x00\x00"),
		raw("\x20\x00\xff\xff\xff\xff"), raw("\x20\x00\x00\x00\x00\x07\x01kA\xff\xff\xff\xff"),
		raw("\x20\x00\x00\x00\x00\x07\x01kS\xff\xff\xff\xff"), raw("\x20\x00\x00\x00\x00\x08\x01kA\x00\x00\x00\x01I"),
	} {
		f.Add(encode(f, seed))
	}
	for _, property := range propertyCases {
		var p BasicProperties
		property.ours(&p)
		f.Add(encode(f, p))
	}

	f.Fuzz(func(t *testing.T, encoded []byte) {
		header := raw(encoded)
		p, err := ReadOnly(header)
		ch := new(discard)
		if publishErr := BasicPublish(context.Background(), ch, "", "", header, nil); (publishErr == nil) != (err == nil) {
			t.Fatalf("ReadOnly: %v, BasicPublish: %v", err, publishErr)
		}
		if err != nil {
			if ch.messages != 0 {
				t.Fatalf("published in spite of %v", err)
			}
			if p != (ReadOnlyBasicProperties{}) {
				t.Fatalf("%v with %v", p, err)
			}
			return
		}

		if got, want := describe(p), readBySpecification(t, encoded); got != want {
			t.Errorf("accessors say %s\nthe bytes   %s", got, want)
		}
		if forwarded := encode(t, p); string(forwarded) != string(encoded) {
			t.Errorf("received %q, forwarded %q", encoded, forwarded)
		}
		headers := p.Headers()
		if (headers != nil) != p.Present().Has(PropertyHeaders) {
			t.Errorf("headers %v of %v", headers, p.Present())
		}
		for name, value := range headers {
			if got, ok := p.Header(name); !ok || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", value) {
				t.Errorf("Header(%q) = %#v, %v; Headers has %#v", name, got, ok, value)
			}
		}
		_ = p.String()
		_, _ = p.ReplyToAddress()

		again, err := ReadOnly(p.Struct())
		if err != nil {
			t.Fatalf("%v cannot be sent from its Struct: %v", p, err)
		}
		if got, want := describe(again), describe(p); got != want {
			t.Errorf("Struct sends %s\nreceived    %s", got, want)
		}
		// Maps print in the order of their keys, and NaN as itself.
		if got, want := fmt.Sprintf("%#v", again.Headers()), fmt.Sprintf("%#v", headers); got != want {
			t.Errorf("Struct sends headers %s\nreceived            %s", got, want)
		}
	})
}

// describe lists what the accessors of p say, except for headers.
func describe(p ReadOnlyBasicProperties) string {
	var timestamp uint64
	if p.Present().Has(PropertyTimestamp) {
		timestamp = uint64(p.Timestamp().Unix())
	}
	return fmt.Sprintf("%v %q", p.Present(), []any{
		p.ContentType(), p.ContentEncoding(), p.DeliveryMode(), p.Priority(), p.CorrelationId(), p.ReplyTo(),
		p.Expiration(), p.MessageId(), timestamp, p.Type(), p.UserId(), p.AppId(), p.ClusterId(),
	})
}

// readBySpecification says what describe should, reading from front to back
// as specification 4.2.6.1 describes the list.
func readBySpecification(t *testing.T, b []byte) string {
	take := func(n int) (taken []byte) {
		if n > len(b) {
			t.Fatalf("accepted, but %d octets are missing", n-len(b))
		}
		taken, b = b[:n], b[n:]
		return taken
	}
	flags := PropertySet(binary.BigEndian.Uint16(take(2)))
	var values []any
	for bit := PropertyContentType; bit >= PropertyClusterId; bit >>= 1 {
		present := flags&bit != 0
		switch bit {
		case PropertyHeaders:
			if present {
				take(int(binary.BigEndian.Uint32(take(4))))
			}
		case PropertyDeliveryMode, PropertyPriority:
			var octet uint8
			if present {
				octet = take(1)[0]
			}
			values = append(values, octet)
		case PropertyTimestamp:
			var seconds uint64
			if present {
				seconds = binary.BigEndian.Uint64(take(8))
			}
			values = append(values, seconds)
		default:
			var s string
			if present {
				s = string(take(int(take(1)[0])))
			}
			values = append(values, s)
		}
	}
	if len(b) != 0 {
		t.Fatalf("accepted with %d octets left over", len(b))
	}
	return fmt.Sprintf("%v %q", flags, values)
}
