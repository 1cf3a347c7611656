package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// The fast appenders write what the method structs write.
func TestFastAppendersMatchTheStructs(t *testing.T) {
	long := strings.Repeat("k", 255)
	for _, bits := range []struct{ a, b bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		for _, key := range []string{"", "key", long} {
			fast, err := AppendBasicPublish([]byte("before"), 7, "ex", key, bits.a, bits.b)
			if err != nil {
				t.Fatal(err)
			}
			checkFrame(t, fast, 7, &BasicPublish{Exchange: "ex", RoutingKey: key, Mandatory: bits.a, Immediate: bits.b})
		}
		const tag = 0x0102030405060708
		checkFrame(t, AppendBasicAck([]byte("before"), 7, tag, bits.a), 7, &BasicAck{DeliveryTag: tag, Multiple: bits.a})
		checkFrame(t, AppendBasicNack([]byte("before"), 7, tag, bits.a, bits.b), 7, &BasicNack{DeliveryTag: tag, Multiple: bits.a, Requeue: bits.b})
		checkFrame(t, AppendBasicReject([]byte("before"), 7, tag, bits.a), 7, &BasicReject{DeliveryTag: tag, Requeue: bits.a})
	}
}

func checkFrame(t *testing.T, got []byte, channel uint16, m Method) {
	t.Helper()
	want, err := AppendMethod([]byte("before"), channel, m)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%+v:\n got %q\nwant %q", m, got, want)
	}
}

func TestAppendBasicPublishRefusesLongNames(t *testing.T) {
	long := strings.Repeat("é", 128) // 256 octets
	tests := []struct{ exchange, key, want string }{
		{long, "key", "basic.publish: exchange: short string of 256 octets: shorten it to at most 255"},
		{"ex", long, "basic.publish: routing-key: short string of 256 octets: shorten it to at most 255"},
	}
	for _, test := range tests {
		dst, err := AppendBasicPublish([]byte("kept"), 1, test.exchange, test.key, false, false)
		if string(dst) != "kept" || err == nil || err.Error() != test.want {
			t.Errorf("got %q, %v\nwant dst kept and %s", dst, err, test.want)
		}
		var short *ShortstrError
		if !errors.As(err, &short) || short.Len != 256 {
			t.Errorf("%v wraps no *ShortstrError of 256 octets", err)
		}
	}
}

func TestParseBasicDeliver(t *testing.T) {
	arguments := []byte("\x03tag\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02ex\x03key")
	want := DeliverView{
		ConsumerTag: []byte("tag"), Exchange: []byte("ex"), RoutingKey: []byte("key"),
		DeliveryTag: 0x0102030405060708, Redelivered: true,
	}
	got, err := ParseBasicDeliver(arguments)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
	}
	// An append to one view must not reach into the next argument.
	_ = append(got.ConsumerTag, "XXXX"...)
	if again, _ := ParseBasicDeliver(arguments); !reflect.DeepEqual(again, want) {
		t.Errorf("an append to a view changed the arguments: %+v", again)
	}

	for n := range arguments {
		if v, err := ParseBasicDeliver(arguments[:n]); !errors.Is(err, ErrSyntax) {
			t.Errorf("cut after %d octets: %+v, %v; want ErrSyntax", n, v, err)
		}
	}
	if v, err := ParseBasicDeliver(append(arguments, 0)); !errors.Is(err, ErrSyntax) {
		t.Errorf("an octet too many: %+v, %v; want ErrSyntax", v, err)
	}
}
