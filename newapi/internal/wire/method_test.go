package wire

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// methodCase is a method and its arguments as the specification lays them out,
// written by hand.
type methodCase struct {
	id        MethodID
	name      string
	method    Method
	arguments string
}

// Most arguments tables in these tests are oneField.
var oneField = Table{"k": "v"}

const oneFieldBytes = "\x00\x00\x00\x08\x01kS\x00\x00\x00\x01v"

// allMethodCases joins the tables that lie beside each class.
func allMethodCases() []methodCase {
	var all []methodCase
	for _, class := range [][]methodCase{
		connectionCases, channelCases, exchangeCases, queueCases, basicCases, confirmCases, txCases,
	} {
		all = append(all, class...)
	}
	return all
}

// testMethods checks a table: the bytes of each method, the way back, and that
// no cut or lengthened version of the bytes decodes.
func testMethods(t *testing.T, cases []methodCase) {
	for _, c := range cases {
		c := c
		t.Run(c.name, func(t *testing.T) {
			if c.method.ID() != c.id {
				t.Errorf("ID() = %#x, want %#x", uint32(c.method.ID()), uint32(c.id))
			}
			if got := c.id.String(); got != c.name {
				t.Errorf("String() = %q, want %q", got, c.name)
			}

			arguments, err := c.method.AppendArguments([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			if want := "before" + c.arguments; string(arguments) != want {
				t.Errorf("AppendArguments:\n got %q\nwant %q", arguments, want)
			}

			payload := appendMethodID(nil, c.id)
			payload = append(payload, c.arguments...)
			got, err := ParseMethod(payload)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.method) {
				t.Errorf("ParseMethod:\n got %+v\nwant %+v", got, c.method)
			}

			frame, err := AppendMethod([]byte("before"), 0x0102, c.method)
			if err != nil {
				t.Fatal(err)
			}
			want := AppendFrame([]byte("before"), FrameMethod, 0x0102, payload)
			if !bytes.Equal(frame, want) {
				t.Errorf("AppendMethod:\n got %q\nwant %q", frame, want)
			}

			for n := 4; n < len(payload); n++ {
				if m, err := ParseMethod(payload[:n]); !errors.Is(err, ErrSyntax) {
					t.Fatalf("cut after %d of %d octets: %+v, %v; want ErrSyntax", n, len(payload), m, err)
				}
			}
			if m, err := ParseMethod(append(payload, 0)); !errors.Is(err, ErrSyntax) {
				t.Errorf("an octet too many: %+v, %v; want ErrSyntax", m, err)
			}
		})
	}
}

func TestEveryRegisteredMethodHasACase(t *testing.T) {
	tested := make(map[MethodID]bool)
	for _, c := range allMethodCases() {
		if tested[c.id] {
			t.Errorf("%s is there twice", c.name)
		}
		tested[c.id] = true
	}
	for id := range methods {
		if !tested[id] {
			t.Errorf("no case for %s", id)
		}
	}
	const inAMQP091WithExtensions = 64
	if len(methods) != inAMQP091WithExtensions {
		t.Errorf("%d methods registered, want %d", len(methods), inAMQP091WithExtensions)
	}
}

func TestMethodStructDecodesOverOldArguments(t *testing.T) {
	m := QueueDeclare{Queue: "old", Passive: true, Durable: true, NoWait: true, Arguments: Table{"old": "x"}}
	arguments, err := (&QueueDeclare{Queue: "new", Exclusive: true, Arguments: oneField}).AppendArguments(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.DecodeArguments(arguments); err != nil {
		t.Fatal(err)
	}
	want := QueueDeclare{Queue: "new", Exclusive: true, Arguments: oneField}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got %+v, want %+v", m, want)
	}
}

func TestDecodedMethodKeepsNoView(t *testing.T) {
	payload := append(appendMethodID(nil, IDQueueDeclare), "\x00\x00\x01q\x00"+oneFieldBytes...)
	m, err := ParseMethod(payload)
	if err != nil {
		t.Fatal(err)
	}
	for i := range payload {
		payload[i] = 0xff
	}
	want := &QueueDeclare{Queue: "q", Arguments: oneField}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("after its bytes were overwritten: %+v, want %+v", m, want)
	}
}

func TestParseMethodErrors(t *testing.T) {
	tests := []struct {
		name    string
		payload string
		want    error
		says    string
	}{
		{"empty payload", "", ErrSyntax, "0 octets"},
		{"half an id", "\x00\x3c\x00", ErrSyntax, "3 octets"},
		{"unknown method of a known class", "\x00\x3c\x03\xe7", ErrUnknownMethod, "class 60 method 999"},
		{"unknown class", "\x00\x1e\x00\x0a", ErrUnknownMethod, "class 30 method 10"},
		{"string longer than the payload", "\x00\x32\x00\x0a\x00\x00\xc8q", ErrSyntax, "queue.declare: "},
		{"long string of 4 GiB", "\x00\x0a\x00\x14\xff\xff\xff\xffx", ErrSyntax, "long string of 4294967295 octets, 1 left"},
		{"table of 4 GiB", "\x00\x0a\x00\x0a\x00\x09\xff\xff\xff\xff", ErrSyntax, "at offset 2: table of 4294967295 octets, 0 left"},
		{"octet after the last argument", "\x00\x5a\x00\x0a!", ErrSyntax, "tx.select: "},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			m, err := ParseMethod([]byte(test.payload))
			if m != nil || !errors.Is(err, test.want) {
				t.Fatalf("got %+v, %v; want an error wrapping %v", m, err, test.want)
			}
			if !bytes.Contains([]byte(err.Error()), []byte(test.says)) {
				t.Errorf("error %q does not say %q", err, test.says)
			}
		})
	}
}

func TestAppendMethodErrorKeepsDst(t *testing.T) {
	long := string(make([]byte, 256))
	tests := []struct {
		method Method
		want   string
	}{
		{&QueueDeclare{Queue: long}, "queue.declare: queue: short string of 256 octets: shorten it to at most 255"},
		{&ExchangeBind{Destination: "d", Source: "s", RoutingKey: long}, "exchange.bind: routing-key: short string of 256 octets: shorten it to at most 255"},
		{&BasicConsume{Arguments: Table{"x": make(chan int)}}, "basic.consume: arguments: field x of type chan int: no field type fits it: send a number, string, []byte, time.Time, map or slice"},
		{&BasicPublish{Exchange: long, RoutingKey: long}, "basic.publish: exchange: short string of 256 octets: shorten it to at most 255"},
	}
	for _, test := range tests {
		dst, err := AppendMethod([]byte("kept"), 1, test.method)
		if string(dst) != "kept" {
			t.Errorf("%s: dst is %q, want it unchanged", test.method.ID(), dst)
		}
		if dst, err := test.method.AppendArguments([]byte("kept")); string(dst) != "kept" || err == nil {
			t.Errorf("%s: AppendArguments gave %q, %v", test.method.ID(), dst, err)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\n got error %v\nwant error %s", test.method.ID(), err, test.want)
		}
	}

	var short *ShortstrError
	if _, err := AppendMethod(nil, 1, tests[0].method); !errors.As(err, &short) || short.Len != 256 {
		t.Errorf("got %v, want a *ShortstrError of 256 octets", err)
	}
}

func TestMethodsWithContent(t *testing.T) {
	want := map[MethodID]bool{IDBasicPublish: true, IDBasicReturn: true, IDBasicDeliver: true, IDBasicGetOk: true}
	for id := range methods {
		if id.HasContent() != want[id] {
			t.Errorf("%s: HasContent() = %v", id, id.HasContent())
		}
	}
}

func TestMethodIDTakesItsNumbersApart(t *testing.T) {
	id := IDBasicNack
	if id.Class() != 60 || id.Method() != 120 {
		t.Errorf("basic.nack is class %d method %d, want 60 and 120", id.Class(), id.Method())
	}
	if got := fmt.Sprint(MethodID(60<<16 | 999)); got != "class 60 method 999" {
		t.Errorf("unknown method prints as %q", got)
	}
}
