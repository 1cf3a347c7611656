package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// Run one with, for example:
//
//	go test -run '^$' -fuzz '^FuzzParseFrame$' ./newapi/internal/wire
//
// Inputs worth keeping lie in testdata/fuzz and run with every go test.

// messages are whole messages as they pass between clients and brokers.
func messages() [][]byte {
	var all [][]byte
	add := func(m Method, properties []byte, body string, frameMax int) {
		b := mustAppend(AppendMethod(nil, 1, m))
		b = AppendContentHeader(b, 1, uint64(len(body)), properties)
		all = append(all, AppendBody(b, 1, []byte(body), frameMax))
	}
	add(&BasicPublish{Exchange: "ex", RoutingKey: "key", Mandatory: true}, propertyList(), "", 0)
	add(&BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1, RoutingKey: "q"}, propertyList(everyProperty...), "x", 0)
	add(&BasicReturn{ReplyCode: 312, ReplyText: "NO_ROUTE", RoutingKey: "q"}, propertyList(everyProperty[2]), "longer body", 4+FrameOverhead)
	add(&BasicGetOk{DeliveryTag: 1, MessageCount: 3}, propertyList(everyProperty[8]), "body", 0)
	return all
}

func FuzzParseFrame(f *testing.F) {
	for _, message := range messages() {
		f.Add(message, 0)
	}
	f.Add(AppendHeartbeat(nil), 4096)
	f.Add([]byte("\x08\x00\x01\x00\x00\x00\x00\xce"), 0)             // heartbeat on a channel
	f.Add([]byte("\x03\x00\x01\x00\x00\x0f\xf9"), 4096)              // one octet above frame_max
	f.Add([]byte("\x03\x00\x01\xff\xff\xff\xff"), 0)                 // 4 GiB
	f.Add([]byte("\x03\x00\x01\x00\x00\x00\x01bX"), 0)               // no end octet
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x04\x00\x3c\x00\x28"), 9) // cut
	f.Add([]byte(ProtocolHeader), 4096)

	f.Fuzz(func(t *testing.T, src []byte, frameMax int) {
		var again []byte
		rest := src
		for {
			frame, n, err := ParseFrame(rest, frameMax)
			if err != nil {
				if !errors.Is(err, ErrFrame) && !errors.Is(err, ErrFrameTooLarge) {
					t.Fatalf("error %v wraps neither ErrFrame nor ErrFrameTooLarge", err)
				}
				if n != 0 || frame.Payload != nil {
					t.Fatalf("frame %+v of %d octets beside error %v", frame, n, err)
				}
				break
			}
			if n == 0 {
				break
			}
			if n != len(frame.Payload)+FrameOverhead || frameMax > 0 && n > frameMax {
				t.Fatalf("frame of %d octets with a payload of %d, frame_max %d", n, len(frame.Payload), frameMax)
			}
			again = AppendFrame(again, frame.Type, frame.Channel, frame.Payload)
			rest = rest[n:]
		}
		if parsed := src[:len(src)-len(rest)]; !bytes.Equal(again, parsed) {
			t.Fatalf("parsed  %q\nwritten %q", parsed, again)
		}
	})
}

func FuzzParseMethod(f *testing.F) {
	for _, c := range allMethodCases() {
		f.Add(append(appendMethodID(nil, c.id), c.arguments...))
	}
	for _, c := range malformedFields {
		payload := append(appendMethodID(nil, IDQueueDeclare), "\x00\x00\x01q\x00"...)
		payload = append(payload, byte(len(c.fields)>>24), byte(len(c.fields)>>16), byte(len(c.fields)>>8), byte(len(c.fields)))
		f.Add(append(payload, c.fields...))
	}
	f.Add([]byte("\x00\x3c\x03\xe7"))                 // unknown method
	f.Add([]byte("\x00\x0a\x00\x14\xff\xff\xff\xff")) // long string of 4 GiB

	f.Fuzz(func(t *testing.T, payload []byte) {
		m, err := ParseMethod(payload)
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUnknownMethod) {
				t.Fatalf("error %v wraps neither ErrSyntax nor ErrUnknownMethod", err)
			}
			return
		}
		encoded, err := AppendMethod(nil, 1, m)
		if err != nil {
			t.Fatalf("%+v decoded, but does not encode: %v", m, err)
		}
		frame, n, err := ParseFrame(encoded, 0)
		if err != nil || n != len(encoded) {
			t.Fatalf("own frame: %d of %d octets, %v", n, len(encoded), err)
		}
		again, err := ParseMethod(frame.Payload)
		if err != nil {
			t.Fatalf("%+v encoded, but does not decode: %v", m, err)
		}
		if !sameMethod(m, again) {
			t.Fatalf("decoded      %+v\nand then %+v", m, again)
		}
		if d, ok := m.(*BasicDeliver); ok {
			v, err := ParseBasicDeliver(payload[4:])
			if err != nil || string(v.ConsumerTag) != d.ConsumerTag || string(v.Exchange) != d.Exchange ||
				string(v.RoutingKey) != d.RoutingKey || v.DeliveryTag != d.DeliveryTag || v.Redelivered != d.Redelivered {
				t.Fatalf("view %+v, %v of %+v", v, err, d)
			}
		}
	})
}

func FuzzParseContentHeader(f *testing.F) {
	payload := func(properties []byte) []byte {
		frame := AppendContentHeader(nil, 1, 42, properties)
		return frame[FrameHeaderSize : len(frame)-1]
	}
	f.Add(payload(propertyList()))
	f.Add(payload(propertyList(everyProperty...)))
	for _, p := range everyProperty {
		f.Add(payload(propertyList(p)))
		f.Add(payload(propertyList(p)[:2])) // flag without a value
	}
	emptyTable := property{flag: FlagHeaders, encoded: "\x00\x00\x00\x00"}
	f.Add(payload(propertyList(emptyTable, everyProperty[3])))
	longest := property{flag: FlagCorrelationID, encoded: "\xff" + string(make([]byte, 255))}
	f.Add(payload(propertyList(longest)))
	for _, c := range malformedFields {
		f.Add(payload(propertyList(property{flag: FlagHeaders, encoded: string(headerTable([]byte(c.fields)))})))
	}
	for _, c := range append(ownTypes[:len(ownTypes):len(ownTypes)], widenedTypes...) {
		f.Add(payload(propertyList(property{flag: FlagHeaders, encoded: string(headerTable([]byte("\x01k" + c.bytes)))})))
	}
	f.Add(append(payload(propertyList(everyProperty[4])), "padding"...))
	f.Add(payload([]byte("\x00\x01\x00\x00"))) // continuation

	f.Fuzz(func(t *testing.T, payload []byte) {
		h, err := ParseContentHeader(payload)
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrFrame) {
				t.Fatalf("error %v wraps neither ErrSyntax nor ErrFrame", err)
			}
			probeProperties(t, payload)
			return
		}
		if err := ValidateProperties(h.Properties); err != nil {
			t.Fatalf("properties of a parsed header: %v", err)
		}

		// The list is the flags and, in their order, the properties Property finds.
		again := []byte{byte(Flags(h.Properties) >> 8), byte(Flags(h.Properties))}
		for bit := FlagContentType; bit >= FlagClusterID; bit >>= 1 {
			value, ok := Property(h.Properties, bit)
			if ok != (Flags(h.Properties)&bit != 0) {
				t.Fatalf("%s: present %v, flags %#04x", bit, ok, uint16(Flags(h.Properties)))
			}
			if !ok {
				continue
			}
			switch bit {
			case FlagDeliveryMode, FlagPriority, FlagTimestamp:
				again = append(again, value...)
			case FlagHeaders:
				again = append(again, headerTable(value)...)
				if _, err := DecodeFields(value); err != nil {
					t.Fatalf("headers of a parsed header: %v", err)
				}
			default:
				again = append(again, byte(len(value)))
				again = append(again, value...)
			}
		}
		if !bytes.Equal(again, h.Properties) {
			t.Fatalf("properties %q\nput together %q", h.Properties, again)
		}

		frame := AppendContentHeader(nil, 1, h.BodySize, h.Properties)
		reparsed, err := ParseContentHeader(frame[FrameHeaderSize : len(frame)-1])
		if err != nil || reparsed.BodySize != h.BodySize || !bytes.Equal(reparsed.Properties, h.Properties) {
			t.Fatalf("%+v encoded and parsed is %+v, %v", h, reparsed, err)
		}
	})
}

// probeProperties looks for every property in bytes that nobody validated.
func probeProperties(t *testing.T, b []byte) {
	for flag := FlagContentType; flag != 0; flag >>= 1 {
		if value, ok := Property(b, flag); ok && len(value) > len(b) {
			t.Fatalf("%s: %d octets out of %d", flag, len(value), len(b))
		}
	}
}

func headerTable(fields []byte) []byte {
	size := len(fields)
	return append([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}, fields...)
}

func FuzzDecodeFields(f *testing.F) {
	for _, c := range append(ownTypes[:len(ownTypes):len(ownTypes)], widenedTypes...) {
		f.Add([]byte("\x01k"+c.bytes), "k")
	}
	for _, c := range malformedFields {
		f.Add([]byte(c.fields), "k")
	}
	f.Add(mustAppend(AppendFields(nil, nestedTables(3))), "t")
	f.Add([]byte("\x01kb\x01\x01ab\x02\x01kb\x03"), "k") // the same name twice
	f.Add([]byte("\x01kf\x7f\x80\x00\x01\x01jd\x7f\xf0\x00\x00\x00\x00\x00\x01"), "j")
	f.Add([]byte("\x01kL\xff\xff\xff\xff\xff\xff\xff\xff\x01jU\xff\xfe"), "j")
	f.Add([]byte{}, "")

	f.Fuzz(func(t *testing.T, fields []byte, key string) {
		table, err := DecodeFields(fields)
		if valid := ValidateFields(fields); (valid == nil) != (err == nil) {
			t.Fatalf("ValidateFields: %v, DecodeFields: %v", valid, err)
		}
		value, ok, lookupErr := LookupField(fields, key)
		if (lookupErr == nil) != (err == nil) {
			t.Fatalf("LookupField: %v, DecodeFields: %v", lookupErr, err)
		}
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("error %v does not wrap ErrSyntax", err)
			}
			return
		}
		if want, there := table[key]; ok != there || !sameValue(value, want) {
			t.Fatalf("LookupField: %v, %v; DecodeFields: %v, %v", value, ok, want, there)
		}

		encoded, err := AppendTable(nil, table)
		if err != nil {
			t.Fatalf("%#v decoded, but does not encode: %v", table, err)
		}
		again, n, err := ParseTable(encoded)
		if err != nil || n != len(encoded) || !sameValue(again, table) {
			t.Fatalf("decoded      %#v\nand then %#v, %d of %d octets, %v", table, again, n, len(encoded), err)
		}
	})
}

// sameMethod compares methods argument by argument, as sameValue does.
func sameMethod(a, b Method) bool {
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	if va.Type() != vb.Type() {
		return false
	}
	for i := 0; i < va.NumField(); i++ {
		if va.Type().Field(i).IsExported() && !sameValue(va.Field(i).Interface(), vb.Field(i).Interface()) {
			return false
		}
	}
	return true
}
