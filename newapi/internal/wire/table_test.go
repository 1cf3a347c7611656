package wire

import (
	"math"
	"strconv"
	"testing"
	"time"
)

// Types of a program's own, made of those a field table knows.
type (
	level    int
	small    int8
	short    int16
	letter   int32
	octet    uint8
	port     uint16
	count    uint32
	id       uint64
	ratio    float32
	weight   float64
	flag     bool
	label    string
	labels   map[label]level
	levels   []level
	payload  []byte
	digest   [3]byte
	anything []any
)

// fieldCase is a Go value, its tag and bytes, and the Go value that decoding
// gives back.
type fieldCase struct {
	name    string
	value   any
	bytes   string
	decoded any
}

// ownTypes are the types a field table gives back as it got them, or as the
// type amqp091-go's reader gives.
var ownTypes = []fieldCase{
	{"false", false, "t\x00", false},
	{"true", true, "t\x01", true},
	{"int8", int8(-2), "b\xfe", int8(-2)},
	{"uint8", uint8(200), "B\xc8", uint8(200)},
	{"int16", int16(-3), "s\xff\xfd", int16(-3)},
	{"uint16", uint16(3), "u\x00\x03", uint16(3)},
	{"int32", int32(-4), "I\xff\xff\xff\xfc", int32(-4)},
	{"uint32", uint32(3), "i\x00\x00\x00\x03", uint32(3)},
	{"int64", int64(5), "l\x00\x00\x00\x00\x00\x00\x00\x05", int64(5)},
	{"int", 3, "I\x00\x00\x00\x03", int32(3)},
	{"largest int of 32 bits", math.MaxInt32, "I\x7f\xff\xff\xff", int32(math.MaxInt32)},
	{"smallest int of 32 bits", math.MinInt32, "I\x80\x00\x00\x00", int32(math.MinInt32)},
	{"float32", float32(1.5), "f\x3f\xc0\x00\x00", float32(1.5)},
	{"float64", -2.5, "d\xc0\x04\x00\x00\x00\x00\x00\x00", -2.5},
	{"decimal", Decimal{Scale: 2, Value: -314}, "D\x02\xff\xff\xfe\xc6", Decimal{Scale: 2, Value: -314}},
	{"string", "héllo", "S\x00\x00\x00\x06h\xc3\xa9llo", "héllo"},
	{"empty string", "", "S\x00\x00\x00\x00", ""},
	{"bytes", []byte("raw"), "x\x00\x00\x00\x03raw", []byte("raw")},
	{"no bytes", []byte(nil), "x\x00\x00\x00\x00", []byte{}},
	{"time", time.Date(2024, 2, 29, 12, 0, 0, 999, time.FixedZone("", 3600)), "T\x00\x00\x00\x00\x65\xe0\x63\xb0", time.Date(2024, 2, 29, 11, 0, 0, 0, time.UTC)},
	{"time before 1970", time.Unix(-1, 0), "T\xff\xff\xff\xff\xff\xff\xff\xff", time.Unix(-1, 0).UTC()},
	{"array", []any{int8(1), "a", nil}, "A\x00\x00\x00\x09b\x01S\x00\x00\x00\x01aV", []any{int8(1), "a", nil}},
	{"empty array", []any{}, "A\x00\x00\x00\x00", []any(nil)},
	{"table", Table{"k": true}, "F\x00\x00\x00\x04\x01kt\x01", Table{"k": true}},
	{"nil table", Table(nil), "F\x00\x00\x00\x00", Table{}},
	{"table in array in table", Table{"a": []any{Table{"b": nil}}}, "F\x00\x00\x00\x0f\x01aA\x00\x00\x00\x08F\x00\x00\x00\x03\x01bV", Table{"a": []any{Table{"b": nil}}}},
	{"nil", nil, "V", nil},
}

// widenedTypes are those that amqp091-go refuses or cuts.
var widenedTypes = []fieldCase{
	{"int beyond 32 bits", wideInt(2419200000), "l\x00\x00\x00\x00\x90\x32\x10\x00", int64(2419200000)},
	{"int below 32 bits", wideInt(math.MinInt32 - 1), "l\xff\xff\xff\xff\x7f\xff\xff\xff", int64(math.MinInt32 - 1)},
	{"uint", uint(7), "l\x00\x00\x00\x00\x00\x00\x00\x07", int64(7)},
	{"uint64", uint64(math.MaxInt64), "l\x7f\xff\xff\xff\xff\xff\xff\xff", int64(math.MaxInt64)},
	{"map[string]any", map[string]any{"k": 1}, "F\x00\x00\x00\x07\x01kI\x00\x00\x00\x01", Table{"k": int32(1)}},
	{"map[string]string", map[string]string{"k": "v"}, "F\x00\x00\x00\x08\x01kS\x00\x00\x00\x01v", Table{"k": "v"}},
	{"nil map[string]string", map[string]string(nil), "F\x00\x00\x00\x00", Table{}},
	{"named map with named keys and values", labels{"k": 1}, "F\x00\x00\x00\x07\x01kI\x00\x00\x00\x01", Table{"k": int32(1)}},
	{"[]string", []string{"a", "bc"}, "A\x00\x00\x00\x0dS\x00\x00\x00\x01aS\x00\x00\x00\x02bc", []any{"a", "bc"}},
	{"[]int64", []int64{1}, "A\x00\x00\x00\x09l\x00\x00\x00\x00\x00\x00\x00\x01", []any{int64(1)}},
	{"[2]bool", [2]bool{true, false}, "A\x00\x00\x00\x04t\x01t\x00", []any{true, false}},
	{"[]Table", []Table{{}, nil}, "A\x00\x00\x00\x0aF\x00\x00\x00\x00F\x00\x00\x00\x00", []any{Table{}, Table{}}},
	{"named slice of a named type", levels{1, -1}, "A\x00\x00\x00\x0aI\x00\x00\x00\x01I\xff\xff\xff\xff", []any{int32(1), int32(-1)}},
	{"named []any", anything{nil}, "A\x00\x00\x00\x01V", []any{nil}},
	{"named []byte", payload("raw"), "x\x00\x00\x00\x03raw", []byte("raw")},
	{"byte array", digest{1, 2, 3}, "x\x00\x00\x00\x03\x01\x02\x03", []byte{1, 2, 3}},
	{"named int", level(3), "I\x00\x00\x00\x03", int32(3)},
	{"named int8", small(-1), "b\xff", int8(-1)},
	{"named int16", short(2), "s\x00\x02", int16(2)},
	{"named int32", letter('a'), "I\x00\x00\x00a", int32('a')},
	{"time.Duration", time.Second, "l\x00\x00\x00\x00\x3b\x9a\xca\x00", int64(time.Second)},
	{"named uint8", octet(9), "B\x09", uint8(9)},
	{"named uint16", port(9), "u\x00\x09", uint16(9)},
	{"named uint32", count(9), "i\x00\x00\x00\x09", uint32(9)},
	{"named uint64", id(9), "l\x00\x00\x00\x00\x00\x00\x00\x09", int64(9)},
	{"named float32", ratio(1.5), "f\x3f\xc0\x00\x00", float32(1.5)},
	{"named float64", weight(-2.5), "d\xc0\x04\x00\x00\x00\x00\x00\x00", -2.5},
	{"named string", label("a"), "S\x00\x00\x00\x01a", "a"},
	{"named bool", flag(true), "t\x01", true},
}

// wideInt returns v as an int where an int has 64 bits.
func wideInt(v int64) any {
	if strconv.IntSize == 64 {
		return int(v)
	}
	return v
}

func TestFieldValues(t *testing.T) {
	for _, c := range append(ownTypes[:len(ownTypes):len(ownTypes)], widenedTypes...) {
		c := c
		t.Run(c.name, func(t *testing.T) {
			got, err := AppendFieldValue([]byte("before"), c.value)
			if err != nil {
				t.Fatal(err)
			}
			if want := "before" + c.bytes; string(got) != want {
				t.Fatalf("AppendFieldValue:\n got %q\nwant %q", got, want)
			}

			fields, err := AppendField(nil, "name", c.value)
			if want := "\x04name" + c.bytes; err != nil || string(fields) != want {
				t.Fatalf("AppendField: %q, %v; want %q", fields, err, want)
			}
			if err := ValidateFields(fields); err != nil {
				t.Fatalf("ValidateFields: %v", err)
			}
			table, err := DecodeFields(fields)
			if err != nil || !sameValue(table, Table{"name": c.decoded}) {
				t.Errorf("DecodeFields: %#v, %v; want %#v", table, err, c.decoded)
			}
			value, ok, err := LookupField(fields, "name")
			if err != nil || !ok || !sameValue(value, c.decoded) {
				t.Errorf("LookupField: %#v, %v, %v; want %#v", value, ok, err, c.decoded)
			}
		})
	}
}

func TestAppendTableAndFields(t *testing.T) {
	fields := "\x01kt\x01"
	table := map[string]any{"k": true}
	if got, err := AppendFields([]byte("before"), table); err != nil || string(got) != "before"+fields {
		t.Errorf("AppendFields: %q, %v", got, err)
	}
	want := "before\x00\x00\x00\x04" + fields
	if got, err := AppendTable([]byte("before"), table); err != nil || string(got) != want {
		t.Errorf("AppendTable: %q, %v; want %q", got, err, want)
	}
	if got, err := AppendTable(nil, nil); err != nil || string(got) != "\x00\x00\x00\x00" {
		t.Errorf("AppendTable of nil: %q, %v", got, err)
	}
	if got, err := AppendFields(nil, nil); err != nil || len(got) != 0 {
		t.Errorf("AppendFields of nil: %q, %v", got, err)
	}
}

func TestAppendFieldsWritesEveryField(t *testing.T) {
	table := make(map[string]any)
	want := make(Table)
	for _, c := range append(ownTypes[:len(ownTypes):len(ownTypes)], widenedTypes...) {
		table[c.name] = c.value
		want[c.name] = c.decoded
	}
	fields, err := AppendFields(nil, table)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeFields(fields); err != nil || !sameValue(got, want) {
		t.Errorf("got %#v, %v\nwant %#v", got, err, want)
	}
}

func TestTypedAppendersMatchAppendFieldValue(t *testing.T) {
	when := time.Unix(1700000000, 0)
	tests := []struct {
		value any
		typed []byte
	}{
		{"s", AppendStringValue(nil, "s")},
		{[]byte("b"), AppendBytesValue(nil, []byte("b"))},
		{int64(-1), AppendInt64Value(nil, -1)},
		{int32(-1), AppendInt32Value(nil, -1)},
		{true, AppendBoolValue(nil, true)},
		{1.5, AppendFloat64Value(nil, 1.5)},
		{when, AppendTimeValue(nil, when)},
	}
	for _, test := range tests {
		want, err := AppendFieldValue(nil, test.value)
		if err != nil || string(test.typed) != string(want) {
			t.Errorf("%T: %q, want %q, %v", test.value, test.typed, want, err)
		}
	}
}

// sameValue compares decoded values: times by instant, floats by their bits,
// so that NaN equals itself, everything else by type and value.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case Table:
		b, ok := b.(Table)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !sameValue(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for i := range a {
			if !sameValue(a[i], b[i]) {
				return false
			}
		}
		return true
	case []byte:
		b, ok := b.([]byte)
		return ok && string(a) == string(b) && (a == nil) == (b == nil)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case float32:
		b, ok := b.(float32)
		return ok && math.Float32bits(a) == math.Float32bits(b)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	default:
		return a == b
	}
}
