package wire

import (
	"reflect"
	"testing"
)

var queueCases = []methodCase{
	{50<<16 | 10, "queue.declare",
		&QueueDeclare{Queue: "q", Durable: true, AutoDelete: true, Arguments: oneField},
		"\x00\x00\x01q\x0a" + oneFieldBytes},
	{50<<16 | 11, "queue.declare-ok",
		&QueueDeclareOk{Queue: "amq.gen-1", MessageCount: 0x01020304, ConsumerCount: 5},
		"\x09amq.gen-1\x01\x02\x03\x04\x00\x00\x00\x05"},
	{50<<16 | 20, "queue.bind",
		&QueueBind{Queue: "q", Exchange: "ex", RoutingKey: "key", NoWait: true, Arguments: oneField},
		"\x00\x00\x01q\x02ex\x03key\x01" + oneFieldBytes},
	{50<<16 | 21, "queue.bind-ok", &QueueBindOk{}, ""},
	{50<<16 | 30, "queue.purge", &QueuePurge{Queue: "q", NoWait: true}, "\x00\x00\x01q\x01"},
	{50<<16 | 31, "queue.purge-ok", &QueuePurgeOk{MessageCount: 7}, "\x00\x00\x00\x07"},
	{50<<16 | 40, "queue.delete",
		&QueueDelete{Queue: "q", IfUnused: true, NoWait: true},
		"\x00\x00\x01q\x05"},
	{50<<16 | 41, "queue.delete-ok", &QueueDeleteOk{MessageCount: 8}, "\x00\x00\x00\x08"},
	{50<<16 | 50, "queue.unbind",
		&QueueUnbind{Queue: "q", Exchange: "ex", RoutingKey: "key", Arguments: oneField},
		"\x00\x00\x01q\x02ex\x03key" + oneFieldBytes},
	{50<<16 | 51, "queue.unbind-ok", &QueueUnbindOk{}, ""},
}

func TestQueueMethods(t *testing.T) { testMethods(t, queueCases) }

// Five bits of queue.declare share one octet, the first in its lowest bit.
func TestConsecutiveBitsShareAnOctet(t *testing.T) {
	tests := []struct {
		method QueueDeclare
		bits   byte
	}{
		{QueueDeclare{}, 0},
		{QueueDeclare{Passive: true}, 1 << 0},
		{QueueDeclare{Durable: true}, 1 << 1},
		{QueueDeclare{Exclusive: true}, 1 << 2},
		{QueueDeclare{AutoDelete: true}, 1 << 3},
		{QueueDeclare{NoWait: true}, 1 << 4},
		{QueueDeclare{Passive: true, Durable: true, Exclusive: true, AutoDelete: true, NoWait: true}, 0x1f},
	}
	for _, test := range tests {
		arguments, err := test.method.AppendArguments(nil)
		if err != nil {
			t.Fatal(err)
		}
		want := "\x00\x00\x00" + string([]byte{test.bits}) + "\x00\x00\x00\x00"
		if string(arguments) != want {
			t.Errorf("%+v:\n got %q\nwant %q", test.method, arguments, want)
		}
		var got QueueDeclare
		if err := got.DecodeArguments([]byte(want)); err != nil {
			t.Fatal(err)
		}
		test.method.Arguments = Table{}
		if !reflect.DeepEqual(got, test.method) {
			t.Errorf("octet %#02x gave %+v, want %+v", test.bits, got, test.method)
		}
	}
}
