package amqptest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Difference is one way in which two recordings differ.
type Difference struct {
	Connection int
	Channel    uint16
	Index      int // of the message on its channel, from 0: in the recording of Want, or of Got where Want is nil

	// Want and Got are the message on either side. One of them is nil when
	// the other side has no such message.
	Want, Got *Published

	// What names the part of the message that differs and says how, such as
	// "priority: want 3, got 4" or "header a.b[2]: want 'I' 7, got 'l' 7".
	What string
}

// String says all of it in one line, and names the message by its key, its type
// and its id.
func (d Difference) String() string {
	m := d.Want
	if m == nil {
		m = d.Got
	}
	return fmt.Sprintf("connection %d, channel %d, message %d (%s): %s", d.Connection, d.Channel, d.Index, m.summary(), d.What)
}

func (p *Published) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exchange %q, key %q", p.Exchange, p.RoutingKey)
	if typ := p.Properties.Type(); typ != "" {
		fmt.Fprintf(&b, ", type %q", typ)
	}
	if id := p.Properties.MessageId(); id != "" {
		fmt.Fprintf(&b, ", id %q", id)
	}
	return b.String()
}

// Equal reports whether two recordings hold the same messages; see Diff.
func Equal(want, got []Published) bool { return len(Diff(want, got)) == 0 }

// Diff compares two recordings, such as of a program before and after it was
// migrated, and returns how they differ, in the order of want; nil means that
// they are equal. It changes nothing and keeps pointers into both.
//
// Messages are compared in their order on each channel of each connection; how
// channels mix is left to chance in any program and does not count. So is which
// of two connections is the first, if they are opened at the same time: record
// such programs with their connections opened one after the other.
//
// Everything that was sent counts to the byte: exchange, routing key, flags,
// which properties are present, their values, the body. Only the order of the
// fields of a header table does not, at any depth, because a Go map has none;
// their names, type tags and values do.
//
// Two empty recordings are equal. A test that must not pass on nothing checks
// what it recorded before it compares.
func Diff(want, got []Published) []Difference {
	var diffs []Difference
	wantBy, order := byStream(want, nil)
	gotBy, order := byStream(got, order)
	for _, at := range order {
		diffs = append(diffs, diffStream(at, wantBy[at], gotBy[at])...)
	}
	return diffs
}

// stream is what keeps messages in order: one channel.
type stream struct {
	connection int
	channel    uint16
}

// byStream sorts messages by their stream, and appends to order the streams that
// it does not have yet.
func byStream(messages []Published, order []stream) (map[stream][]*Published, []stream) {
	by := make(map[stream][]*Published)
	for i := range messages {
		m := &messages[i]
		at := stream{m.Connection, m.Channel}
		if !slices.Contains(order, at) {
			order = append(order, at)
		}
		by[at] = append(by[at], m)
	}
	return by, order
}

// diffStream pairs the messages of one stream. Where a pair differs and one side
// has more messages left, it looks for the partner among the surplus, so that
// one lost message is one difference and not one for each that follows.
func diffStream(at stream, want, got []*Published) []Difference {
	var diffs []Difference
	i, j := 0, 0
	add := func(index int, want, got *Published, what string) {
		diffs = append(diffs, Difference{at.connection, at.channel, index, want, got, what})
	}
	missing := func(n int) {
		for ; n > 0; n-- {
			add(i, want[i], nil, "missing")
			i++
		}
	}
	unexpected := func(n int) {
		for ; n > 0; n-- {
			add(j, nil, got[j], "unexpected")
			j++
		}
	}
	for i < len(want) && j < len(got) {
		whats := diffMessage(want[i], got[j])
		if len(whats) > 0 {
			surplus := (len(want) - i) - (len(got) - j)
			if n := partner(want[i:], got[j], surplus); n > 0 {
				missing(n)
				continue
			}
			if n := partner(got[j:], want[i], -surplus); n > 0 {
				unexpected(n)
				continue
			}
		}
		for _, what := range whats {
			add(i, want[i], got[j], what)
		}
		i++
		j++
	}
	missing(len(want) - i)
	unexpected(len(got) - j)
	return diffs
}

// partner returns how many of messages, at most surplus, come before the first
// that equals m; 0 when none does.
func partner(messages []*Published, m *Published, surplus int) int {
	for n := 1; n <= surplus && n < len(messages); n++ {
		if len(diffMessage(messages[n], m)) == 0 {
			return n
		}
	}
	return 0
}

// diffMessage says how one message differs from another, a line for each part.
func diffMessage(want, got *Published) []string {
	var whats []string
	differ := func(part, format string, want, got any) {
		whats = append(whats, fmt.Sprintf("%s: want "+format+", got "+format, part, want, got))
	}
	if want.Exchange != got.Exchange {
		differ("exchange", "%q", want.Exchange, got.Exchange)
	}
	if want.RoutingKey != got.RoutingKey {
		differ("routing key", "%q", want.RoutingKey, got.RoutingKey)
	}
	if want.Mandatory != got.Mandatory {
		differ("mandatory", "%v", want.Mandatory, got.Mandatory)
	}
	if want.Immediate != got.Immediate {
		differ("immediate", "%v", want.Immediate, got.Immediate)
	}
	whats = append(whats, diffProperties(want.Properties, got.Properties)...)
	if at := firstDifference(want.Body, got.Body); at >= 0 {
		differ("body", "%s", excerpt(want.Body, at), excerpt(got.Body, at))
	}
	return whats
}

// A property is told apart by its flag and named as a reader of RabbitMQ's
// documentation knows it.
var propertyParts = []struct {
	set  newapi.PropertySet
	name string
	show func(value []byte) string
}{
	{newapi.PropertyContentType, "content type", showString},
	{newapi.PropertyContentEncoding, "content encoding", showString},
	{newapi.PropertyHeaders, "headers", showFields},
	{newapi.PropertyDeliveryMode, "delivery mode", showOctet},
	{newapi.PropertyPriority, "priority", showOctet},
	{newapi.PropertyCorrelationId, "correlation id", showString},
	{newapi.PropertyReplyTo, "reply to", showString},
	{newapi.PropertyExpiration, "expiration", showString},
	{newapi.PropertyMessageId, "message id", showString},
	{newapi.PropertyTimestamp, "timestamp", showTimestamp},
	{newapi.PropertyType, "type", showString},
	{newapi.PropertyUserId, "user id", showString},
	{newapi.PropertyAppId, "app id", showString},
	{newapi.PropertyClusterId, "cluster id", showString},
}

func showString(value []byte) string { return fmt.Sprintf("%q", value) }
func showOctet(value []byte) string  { return fmt.Sprint(value[0]) }
func showFields(value []byte) string { return showField('F', value) }
func showTimestamp(value []byte) string {
	seconds := binary.BigEndian.Uint64(value)
	return fmt.Sprintf("%d (%s)", seconds, time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339))
}

func diffProperties(want, got newapi.ReadOnlyBasicProperties) []string {
	wantBytes, gotBytes := propertyBytes(want), propertyBytes(got)
	if bytes.Equal(wantBytes, gotBytes) {
		return nil
	}
	var whats []string
	for _, part := range propertyParts {
		flag := wire.PropertyFlags(part.set)
		w, inWant := wire.Property(wantBytes, flag)
		g, inGot := wire.Property(gotBytes, flag)
		switch {
		case inWant && !inGot:
			whats = append(whats, fmt.Sprintf("%s: want %s, got none", part.name, part.show(w)))
		case !inWant && inGot:
			whats = append(whats, fmt.Sprintf("%s: want none, got %s", part.name, part.show(g)))
		case bytes.Equal(w, g):
			// the same, or absent on both sides
		case part.set == newapi.PropertyHeaders:
			whats = append(whats, diffTable("", w, g)...)
		default:
			whats = append(whats, fmt.Sprintf("%s: want %s, got %s", part.name, part.show(w), part.show(g)))
		}
	}
	return whats
}

// propertyBytes returns the flags and the list as they were sent.
func propertyBytes(p newapi.ReadOnlyBasicProperties) []byte {
	b, err := p.AppendHeader(nil)
	if err != nil {
		panic("amqptest: properties that were received do not encode: " + err.Error())
	}
	return b
}

// firstDifference returns where a and b differ first, -1 when they are equal.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return n
}

// excerpt shows what lies around one octet of a body.
func excerpt(body []byte, at int) string {
	const around = 24
	from, to := max(at-around, 0), min(at+around, len(body))
	var before, after string
	if from > 0 {
		before = "…"
	}
	if to < len(body) {
		after = "…"
	}
	return fmt.Sprintf("%s%q%s (octet %d of %d)", before, body[from:to], after, at, len(body))
}
