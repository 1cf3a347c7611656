package wire

import "testing"

func BenchmarkHotPaths(b *testing.B) {
	for _, path := range hotPaths() {
		path := path
		b.Run(path.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				path.run()
			}
		})
	}
}

// A whole small message as a publisher writes it.
func BenchmarkAppendMessage(b *testing.B) {
	properties := propertyList(everyProperty...)
	body := make([]byte, 32)
	dst := make([]byte, 0, 4096)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		out, err := AppendBasicPublish(dst, 1, "orders", "order.created", false, false)
		if err != nil {
			b.Fatal(err)
		}
		out = AppendContentHeader(out, 1, uint64(len(body)), properties)
		out = AppendBody(out, 1, body, 131072)
		b.SetBytes(int64(len(out)))
	}
}

// A whole small message as a consumer reads it, without decoding its headers.
func BenchmarkParseMessage(b *testing.B) {
	src, err := AppendMethod(nil, 1, &BasicDeliver{ConsumerTag: "ctag-1", DeliveryTag: 1, Exchange: "orders", RoutingKey: "order.created"})
	if err != nil {
		b.Fatal(err)
	}
	src = AppendContentHeader(src, 1, 32, propertyList(everyProperty...))
	src = AppendBody(src, 1, make([]byte, 32), 131072)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		for rest := src; len(rest) > 0; {
			f, n, err := ParseFrame(rest, 131072)
			if err != nil {
				b.Fatal(err)
			}
			rest = rest[n:]
			switch f.Type {
			case FrameMethod:
				_, arguments, err := ParseMethodID(f.Payload)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := ParseBasicDeliver(arguments); err != nil {
					b.Fatal(err)
				}
			case FrameHeader:
				if _, err := ParseContentHeader(f.Payload); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkDecodeFields(b *testing.B) {
	fields := mustAppend(AppendFields(nil, scalarHeaders))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if _, err := DecodeFields(fields); err != nil {
			b.Fatal(err)
		}
	}
}
