package newapi

import "testing"

// BenchmarkPublish is the whole publish call with the socket taken out.
func BenchmarkPublish(b *testing.B) {
	headers := full
	headers.Headers = Table{"tenant": "t1", "attempt": int32(1), "traced": true}
	typed := benchHeaders{tenant: "t1", attempt: 1, traced: true}
	plain := full
	plain.Headers = nil
	body := make([]byte, 32)
	for _, bench := range []struct {
		name    string
		config  Config
		publish func(*Channel) error
	}{
		{"empty", Config{}, func(ch *Channel) error { return BasicPublish(bg, ch, "ex", "key", BasicProperties{}, body) }},
		{"no headers", Config{}, func(ch *Channel) error { return BasicPublish(bg, ch, "ex", "key", plain, body) }},
		{"map", Config{}, func(ch *Channel) error { return BasicPublish(bg, ch, "ex", "key", headers, body) }},
		{"typed", Config{}, func(ch *Channel) error {
			return BasicPublish(bg, ch, "ex", "key", WithHeaders(plain, typed), body)
		}},
		{"empty, buffered", Config{Buffered: true}, func(ch *Channel) error { return BasicPublish(bg, ch, "ex", "key", BasicProperties{}, body) }},
		{"map, buffered", Config{Buffered: true}, func(ch *Channel) error { return BasicPublish(bg, ch, "ex", "key", headers, body) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			ch := openSink(b, bench.config)
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				if err := bench.publish(ch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type benchHeaders struct {
	tenant  string
	attempt int32
	traced  bool
}

func (h benchHeaders) AppendFields(dst []byte) ([]byte, error) {
	dst, err := AppendStringField(dst, "tenant", h.tenant)
	if err != nil {
		return dst, err
	}
	if dst, err = AppendInt32Field(dst, "attempt", h.attempt); err != nil {
		return dst, err
	}
	return AppendBoolField(dst, "traced", h.traced)
}
