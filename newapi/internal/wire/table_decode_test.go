package wire

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Tags that nothing here writes, but peers send.
func TestDecodeTagsOfOlderPeers(t *testing.T) {
	tests := []struct {
		name   string
		fields string
		want   any
	}{
		{"L is a signed long long integer", "\x01kL\xff\xff\xff\xff\xff\xff\xff\xff", int64(-1)},
		{"U is a signed short integer", "\x01kU\xff\xfe", int16(-2)},
		{"any octet but 0 is true", "\x01kt\x02", true},
		{"timestamp beyond 63 bits", "\x01kT\x80\x00\x00\x00\x00\x00\x00\x00", time.Unix(-1<<63, 0)},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			got, err := DecodeFields([]byte(test.fields))
			if err != nil || !sameValue(got, Table{"k": test.want}) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

func TestDecodeFieldsIsNeverNil(t *testing.T) {
	for _, fields := range [][]byte{nil, {}} {
		if got, err := DecodeFields(fields); err != nil || got == nil || len(got) != 0 {
			t.Errorf("DecodeFields(%#v) = %#v, %v; want an empty table", fields, got, err)
		}
	}
}

func TestDecodedTimesAreUTC(t *testing.T) {
	got, err := DecodeFields([]byte("\x01kT\x00\x00\x00\x00\x00\x00\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if when := got["k"].(time.Time); when.Location() != time.UTC || when.Unix() != 0 {
		t.Errorf("got %v, want 1970-01-01 UTC", when)
	}
}

func TestDecodedValuesShareNoMemory(t *testing.T) {
	fields, err := AppendFields(nil, Table{"t": Table{"s": "text"}, "x": []byte("raw"), "a": []any{"elem"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeFields(fields)
	if err != nil {
		t.Fatal(err)
	}
	raw, _, err := LookupField(fields, "x")
	if err != nil {
		t.Fatal(err)
	}
	for i := range fields {
		fields[i] = 0xff
	}
	want := Table{"t": Table{"s": "text"}, "x": []byte("raw"), "a": []any{"elem"}}
	if !sameValue(got, want) || !sameValue(raw, []byte("raw")) {
		t.Errorf("after the bytes were overwritten: %#v, %q", got, raw)
	}
}

func TestLastOfEqualNamesWins(t *testing.T) {
	fields := []byte("\x01kb\x01\x01ab\x02\x01kb\x03")
	got, err := DecodeFields(fields)
	if want := (Table{"k": int8(3), "a": int8(2)}); err != nil || !sameValue(got, want) {
		t.Errorf("DecodeFields: %v, %v; want %v", got, err, want)
	}
	if v, ok, err := LookupField(fields, "k"); err != nil || !ok || v != int8(3) {
		t.Errorf("LookupField: %v, %v, %v; want 3", v, ok, err)
	}
}

func TestLookupField(t *testing.T) {
	fields := []byte("\x01kb\x01\x00V\x01tF\x00\x00\x00\x04\x02inV")
	tests := []struct {
		key  string
		want any
		ok   bool
	}{
		{"k", int8(1), true},
		{"", nil, true},
		{"t", Table{"in": nil}, true},
		{"in", nil, false}, // names of nested tables do not count
		{"K", nil, false},
	}
	for _, test := range tests {
		v, ok, err := LookupField(fields, test.key)
		if err != nil || ok != test.ok || !sameValue(v, test.want) {
			t.Errorf("%q: %v, %v, %v; want %v, %v", test.key, v, ok, err, test.want, test.ok)
		}
	}
}

func TestParseTable(t *testing.T) {
	got, n, err := ParseTable([]byte("\x00\x00\x00\x04\x01kt\x01rest"))
	if err != nil || n != 8 || !sameValue(got, Table{"k": true}) {
		t.Errorf("got %v, %d, %v", got, n, err)
	}
	for _, src := range []string{"", "\x00\x00\x00", "\x00\x00\x00\x01", "\x00\x00\x00\x02\x01k", "\xff\xff\xff\xff\x01kV"} {
		if got, n, err := ParseTable([]byte(src)); !errors.Is(err, ErrSyntax) || n != 0 || got != nil {
			t.Errorf("%q: %v, %d, %v; want ErrSyntax", src, got, n, err)
		}
	}
}

var malformedFields = []struct {
	name   string
	fields string
	says   string
}{
	{"name longer than the fields", "\x05ab", "at offset 0: field name of 5 octets, 2 left"},
	{"no tag", "\x01k", "at offset 2: a field's type tag is missing"},
	{"unknown tag", "\x01kZ\x00", "at offset 2: unknown field type tag 'Z'"},
	{"second field cut", "\x01kV\x01", "at offset 3: field name of 1 octets, 0 left"},
	{"short integer cut", "\x01ks\x00", "field of type 's' needs 2 octets, 1 left"},
	{"long long integer cut", "\x01kl\x00\x00\x00\x00\x00\x00\x00", "needs 8 octets, 7 left"},
	{"decimal cut", "\x01kD\x02\x00\x00\x00", "needs 5 octets, 4 left"},
	{"boolean cut", "\x01kt", "needs 1 octets, 0 left"},
	{"string size cut", "\x01kS\x00\x00", "size of a string cut short"},
	{"string of -1 octets", "\x01kS\xff\xff\xff\xff", "string of 4294967295 octets, 0 left"},
	{"string cut", "\x01kS\x00\x00\x00\x04abc", "string of 4 octets, 3 left"},
	{"bytes of -1 octets", "\x01kx\xff\xff\xff\xffabc", "string of 4294967295 octets, 3 left"},
	{"array of -1 octets", "\x01kA\xff\xff\xff\xff", "table or array of 4294967295 octets, 0 left"},
	{"array cut after a type octet", "\x01kA\x00\x00\x00\x01I", "field of type 'I' needs 4 octets, 0 left"},
	{"array element longer than the array", "\x01kA\x00\x00\x00\x03I\x00\x00\x00\x00", "field of type 'I' needs 4 octets, 2 left"},
	{"table of -1 octets", "\x01kF\xff\xff\xff\xff", "table or array of 4294967295 octets"},
	{"nested name longer than its table", "\x01kF\x00\x00\x00\x02\x05abcdef", "at offset 7: field name of 5 octets, 1 left"},
	{"nested string longer than its table", "\x01kF\x00\x00\x00\x07\x01aS\x00\x00\x00\x02xyz", "string of 2 octets, 0 left"},
}

func TestMalformedFields(t *testing.T) {
	for _, test := range malformedFields {
		test := test
		t.Run(test.name, func(t *testing.T) {
			fields := []byte(test.fields)
			table, err := DecodeFields(fields)
			if table != nil || !errors.Is(err, ErrSyntax) {
				t.Fatalf("DecodeFields: %v, %v; want ErrSyntax", table, err)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %q does not say %q", err, test.says)
			}
			if valid := ValidateFields(fields); valid == nil || valid.Error() != err.Error() {
				t.Errorf("ValidateFields: %v; want %v", valid, err)
			}
			if v, ok, looked := LookupField(fields, "k"); v != nil || ok || looked == nil || looked.Error() != err.Error() {
				t.Errorf("LookupField: %v, %v, %v; want %v", v, ok, looked, err)
			}
		})
	}
}

func TestDecodingBoundsNesting(t *testing.T) {
	for _, tag := range []string{"A", "F"} {
		var value string
		for level := 0; level <= maxNesting; level++ {
			if level > 0 && tag == "F" {
				value = "\x00" + value
			}
			size := len(value)
			value = tag + string([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}) + value
		}
		if err := ValidateFields([]byte("\x01k" + value)); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "deeper than 128 levels") {
			t.Errorf("%d levels of %s: %v, want an error about nesting", maxNesting+1, tag, err)
		}
		inner := value[5:]
		if tag == "F" {
			inner = inner[1:]
		}
		if err := ValidateFields([]byte("\x01k" + inner)); err != nil {
			t.Errorf("%d levels of %s: %v", maxNesting, tag, err)
		}
	}
}

// Sizes that the bytes do not back must cost nothing, and those they do back
// not more than the interface values they become.
func TestHostileSizesDoNotAllocate(t *testing.T) {
	const void = 100_000
	voids := "\x01kA\x00\x01\x86\xa0" + strings.Repeat("V", void)
	tests := []struct {
		name   string
		fields string
		limit  uint64
	}{
		{"string of 4 GiB", "\x01kS\xff\xff\xff\xff", 64 << 10},
		{"array of 2 GiB", "\x01kA\x7f\xff\xff\xff", 64 << 10},
		{"table of 2 GiB", "\x01kF\x7f\xff\xff\xff", 64 << 10},
		{"many voids, then a cut", voids + "\x01", 64 << 10},
		{"many voids", voids, 6 * 16 * void}, // an interface each, and the growth of the slice
	}
	for _, test := range tests {
		fields := []byte(test.fields)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = DecodeFields(fields)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > test.limit {
			t.Errorf("%s: %d octets allocated for %d octets of input, want at most %d", test.name, got, len(test.fields), test.limit)
		}
	}
}
