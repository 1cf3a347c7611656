package newapi_test

import (
	"context"
	"fmt"

	"github.com/amqpfix/amqpfix/newapi"
)

// traceContext is a HeaderTable: the headers that a service sends with every
// message, without a map.
type traceContext struct {
	traceID string
	attempt int32
}

func (t traceContext) AppendFields(dst []byte) ([]byte, error) {
	dst, err := newapi.AppendStringField(dst, "trace-id", t.traceID)
	if err != nil {
		return dst, err
	}
	return newapi.AppendInt32Field(dst, "attempt", t.attempt)
}

func ExampleHeaderTable() {
	ch := new(outbox)
	properties := newapi.BasicProperties{ContentType: newapi.MimeTextPlain}
	err := newapi.BasicPublish(context.Background(), ch, "", "jobs",
		newapi.WithHeaders(properties, traceContext{traceID: "4bf92f35", attempt: 1}), nil)
	fmt.Println(err, ch.sent[0].ReadOnlyBasicProperties)
	// Output: <nil> {ContentType:"text/plain" Headers:map[attempt:1 trace-id:4bf92f35]}
}

// Fields are headers that go out in the order they are written in.
func ExampleFields() {
	ch := new(outbox)
	headers := newapi.Fields{{Name: "first", Value: 1}, {Name: "second", Value: []string{"a", "b"}}}
	err := newapi.BasicPublish(context.Background(), ch, "", "jobs",
		newapi.WithHeaders(newapi.BasicProperties{}, headers), nil)
	second, ok := ch.sent[0].Header("second")
	fmt.Println(err, second, ok)
	// Output: <nil> [a b] true
}

// heartbeat is an AMQPHeader that writes its three properties by hand.
type heartbeat struct {
	service string
	load    uint8
}

const heartbeatProperties = newapi.PropertyPriority | newapi.PropertyType | newapi.PropertyAppId

func (h heartbeat) AppendHeader(dst []byte) ([]byte, error) {
	if len(h.service) > 255 {
		return dst, fmt.Errorf("heartbeat: service name of %d bytes", len(h.service))
	}
	dst = append(dst, byte(heartbeatProperties>>8), byte(heartbeatProperties&0xff))
	dst = append(dst, h.load)                                           // Priority
	dst = append(dst, "\x09heartbeat"...)                               // Type: its length and its bytes
	return append(append(dst, byte(len(h.service))), h.service...), nil // AppId
}

func ExampleAMQPHeader() {
	ch := new(outbox)
	err := newapi.BasicPublish(context.Background(), ch, "monitoring", "", heartbeat{service: "shop", load: 7}, nil)
	fmt.Println(err, ch.sent[0].ReadOnlyBasicProperties)
	// Output: <nil> {Priority:7 Type:"heartbeat" AppId:"shop"}
}
