package amqptest

import (
	"bytes"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func TestSplitPropertiesJoinUnchanged(t *testing.T) {
	full, err := newapi.BasicProperties{
		ContentType: "a", ContentEncoding: "b", Headers: newapi.Table{"k": "v"}, DeliveryMode: 1, Priority: 2,
		CorrelationId: "c", ReplyTo: "d", Expiration: "3", MessageId: "e", Timestamp: time.Unix(4, 0),
		Type: "f", UserId: "g", AppId: "h", ClusterId: "i",
	}.AppendHeader(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, encoded := range [][]byte{full, {0, 0}, []byte("\x28\x00\x00\x00\x00\x00\x00")} {
		if got := splitProperties(encoded).join(); !bytes.Equal(got, encoded) {
			t.Errorf("%q became %q", encoded, got)
		}
	}
	list := splitProperties(full)
	list.set(wire.FlagReplyTo, []byte("elsewhere"))
	list.clear(wire.FlagExpiration)
	got := list.join()
	if err := wire.ValidateProperties(got); err != nil {
		t.Fatal(err)
	}
	if p := viewProperties(got); p.ReplyTo() != "elsewhere" || p.Present().Has(newapi.PropertyExpiration) || p.ClusterId() != "i" {
		t.Errorf("changed properties %v", p)
	}
}

// TestWithoutFieldKnowsTheSizeOfEveryFieldType takes a field out between two of
// each type that the decoder takes.
func TestWithoutFieldKnowsTheSizeOfEveryFieldType(t *testing.T) {
	values := []string{
		"V", "t\x01", "b\x01", "B\x01", "s\x00\x01", "u\x00\x01", "U\x00\x01",
		"I\x00\x00\x00\x01", "i\x00\x00\x00\x01", "f\x00\x00\x00\x00", "D\x01\x00\x00\x00\x01",
		"l\x00\x00\x00\x00\x00\x00\x00\x01", "L\x00\x00\x00\x00\x00\x00\x00\x01",
		"d\x00\x00\x00\x00\x00\x00\x00\x00", "T\x00\x00\x00\x00\x00\x00\x00\x01",
		"S\x00\x00\x00\x02ab", "x\x00\x00\x00\x02ab", "A\x00\x00\x00\x02t\x01", "F\x00\x00\x00\x04\x01at\x01",
	}
	const removed = "\x07x-deatht\x01"
	for _, value := range values {
		field := "\x01k" + value
		fields := []byte(field + removed + field + removed)
		if err := wire.ValidateFields(fields); err != nil {
			t.Fatalf("%q: %v", value, err)
		}
		if got, want := string(withoutField(fields, "x-death")), field+field; got != want {
			t.Errorf("%q: left %q, want %q", value, got, want)
		}
	}
	// Should the decoder take another type one day, it has to be added here.
	known := make(map[byte]bool)
	for _, value := range values {
		known[value[0]] = true
	}
	for tag := 0; tag < 256; tag++ {
		field := append([]byte{1, 'k', byte(tag)}, make([]byte, 16)...)
		for n := 3; n <= len(field); n++ {
			if wire.ValidateFields(field[:n]) == nil && !known[byte(tag)] {
				t.Errorf("package wire takes field type %q, fieldSize does not know it", tag)
				break
			}
		}
	}
}

func TestShortTextCutsBetweenCharacters(t *testing.T) {
	text := string(bytes.Repeat([]byte("é"), 200))
	got := replyText(404, text)
	if len(got) > 255 || len(got) < 250 || !bytes.HasSuffix([]byte(got), []byte("é")) {
		t.Errorf("%d octets: %q", len(got), got)
	}
	if got := replyText(999, "own"); got != "own" {
		t.Errorf("unknown code: %q", got)
	}
	if got := replyText(541, ""); got != "INTERNAL_ERROR" {
		t.Errorf("no text: %q", got)
	}
}
