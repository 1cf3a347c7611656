package wire

import (
	"testing"
	"time"
)

// scalarHeaders is a prebuilt header table as publishers use them.
var scalarHeaders = map[string]any{
	"string": "value", "int": 42, "int32": int32(42), "int64": int64(42), "uint16": uint16(42),
	"uint64": uint64(42), "bool": true, "float64": 1.5, "time": time.Unix(1700000000, 0), "nil": nil,
	"decimal": Decimal{Scale: 2, Value: 314}, "bytes": []byte("raw"), "label": label("named"),
}

// hotPaths are the functions that a publish, a delivery and an ack consist of.
// Each is run by a test that counts its allocations and by a benchmark.
func hotPaths() []hotPath {
	var (
		dst        = make([]byte, 0, 8192)
		body       = make([]byte, 1024)
		properties = propertyList(everyProperty...)
		header     = AppendContentHeader(nil, 1, 1024, properties)
		headers    = mustAppend(AppendFields(nil, scalarHeaders))
		deliver    = mustAppend((&BasicDeliver{ConsumerTag: "ctag-1", DeliveryTag: 1 << 40, Exchange: "orders", RoutingKey: "order.created"}).AppendArguments(nil))
		ack        = mustAppend((&BasicAck{DeliveryTag: 1 << 40, Multiple: true}).AppendArguments(nil))
		decodedAck BasicAck
		failed     = func(err error) {
			if err != nil {
				panic(err)
			}
		}
	)
	return []hotPath{
		{"AppendBasicPublish", func() {
			_, err := AppendBasicPublish(dst, 1, "orders", "order.created", true, false)
			failed(err)
		}},
		{"AppendContentHeader", func() { AppendContentHeader(dst, 1, 1024, properties) }},
		{"AppendBody", func() { AppendBody(dst, 1, body, 4096) }},
		{"AppendBasicAck", func() { AppendBasicAck(dst, 1, 1<<40, true) }},
		{"AppendBasicNack", func() { AppendBasicNack(dst, 1, 1<<40, false, true) }},
		{"AppendBasicReject", func() { AppendBasicReject(dst, 1, 1<<40, true) }},
		{"AppendFields", func() {
			_, err := AppendFields(dst, scalarHeaders)
			failed(err)
		}},
		{"ParseFrame", func() {
			_, _, err := ParseFrame(header, 131072)
			failed(err)
		}},
		{"ParseMethodID", func() {
			_, _, err := ParseMethodID(deliver)
			failed(err)
		}},
		{"ParseBasicDeliver", func() {
			_, err := ParseBasicDeliver(deliver)
			failed(err)
		}},
		{"BasicAck.DecodeArguments", func() { failed(decodedAck.DecodeArguments(ack)) }},
		{"ParseContentHeader", func() {
			_, err := ParseContentHeader(header[FrameHeaderSize : len(header)-1])
			failed(err)
		}},
		{"ValidateProperties", func() { failed(ValidateProperties(properties)) }},
		{"ValidateFields", func() { failed(ValidateFields(headers)) }},
		{"Property", func() {
			if _, ok := Property(properties, FlagClusterID); !ok {
				panic("no cluster-id")
			}
		}},
		{"LookupField", func() {
			if _, ok, err := LookupField(headers, "bool"); !ok {
				panic(err)
			}
		}},
	}
}

type hotPath struct {
	name string
	run  func()
}

func mustAppend(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	for _, path := range hotPaths() {
		if n := testing.AllocsPerRun(1000, path.run); n != 0 {
			t.Errorf("%s: %v allocations, want none", path.name, n)
		}
	}
}
