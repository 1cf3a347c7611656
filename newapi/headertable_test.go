package newapi

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// tableFunc is a HeaderTable made of a function.
type tableFunc func(dst []byte) ([]byte, error)

func (f tableFunc) AppendFields(dst []byte) ([]byte, error) { return f(dst) }

func TestTypedHeadersAreEncodedAsTheMap(t *testing.T) {
	at := time.Unix(1700000000, 0)
	for _, tt := range []struct {
		name  string
		typed tableFunc
		value any
	}{
		{"string", func(dst []byte) ([]byte, error) { return AppendStringField(dst, "k", "v") }, "v"},
		{"int64", func(dst []byte) ([]byte, error) { return AppendInt64Field(dst, "k", math.MinInt64) }, int64(math.MinInt64)},
		{"int32", func(dst []byte) ([]byte, error) { return AppendInt32Field(dst, "k", -7) }, int32(-7)},
		{"bool true", func(dst []byte) ([]byte, error) { return AppendBoolField(dst, "k", true) }, true},
		{"bool false", func(dst []byte) ([]byte, error) { return AppendBoolField(dst, "k", false) }, false},
		{"float64", func(dst []byte) ([]byte, error) { return AppendFloat64Field(dst, "k", 0.1) }, 0.1},
		{"time", func(dst []byte) ([]byte, error) { return AppendTimeField(dst, "k", at) }, at},
		{"bytes", func(dst []byte) ([]byte, error) { return AppendBytesField(dst, "k", []byte{0, 1}) }, []byte{0, 1}},
		{"any", func(dst []byte) ([]byte, error) { return AppendField(dst, "k", []string{"a"}) }, []string{"a"}},
	} {
		p := BasicProperties{ContentType: "a", ContentEncoding: "b", Priority: 3, ClusterId: "c"}
		got := encode(t, WithHeaders(p, tt.typed))
		p.Headers = Table{"k": tt.value}
		if want := encode(t, p); !bytes.Equal(got, want) {
			t.Errorf("%s: encoded %q, the map is %q", tt.name, got, want)
		}
	}
}

func TestFieldsKeepTheirOrder(t *testing.T) {
	fields := Fields{{"z", int32(1)}, {"a", "x"}, {"m", nil}}
	want := "\x20\x00\x00\x00\x00\x12" + "\x01zI\x00\x00\x00\x01" + "\x01aS\x00\x00\x00\x01x" + "\x01mV"
	for i := 0; i < 20; i++ {
		if got := encode(t, WithHeaders(BasicProperties{}, fields)); string(got) != want {
			t.Fatalf("encoded %q, want %q", got, want)
		}
	}
}

func TestWhichHeadersAreSent(t *testing.T) {
	typed := tableFunc(func(dst []byte) ([]byte, error) { return AppendBoolField(dst, "typed", true) })
	nothing := tableFunc(func(dst []byte) ([]byte, error) { return dst, nil })
	withMap := BasicProperties{Priority: 1, Headers: Table{"map": true}}
	without := BasicProperties{Priority: 1}
	empty := BasicProperties{Priority: 1, SendZero: PropertyHeaders}

	const (
		absent     = "\x08\x00\x01"
		emptyTable = "\x28\x00\x00\x00\x00\x00\x01"
		fromTyped  = "\x28\x00\x00\x00\x00\x08\x05typedt\x01\x01"
		fromMap    = "\x28\x00\x00\x00\x00\x06\x03mapt\x01\x01"
	)
	for _, tt := range []struct {
		name string
		p    BasicPropertiesOf[HeaderTable]
		want string
	}{
		{"neither", WithHeaders[HeaderTable](without, nil), absent},
		{"nothing appended", WithHeaders[HeaderTable](without, nothing), absent},
		{"no fields", WithHeaders[HeaderTable](without, Fields{}), absent},
		{"nothing appended, SendZero", WithHeaders[HeaderTable](empty, nothing), emptyTable},
		{"neither, SendZero", WithHeaders[HeaderTable](empty, nil), emptyTable},
		{"typed", WithHeaders[HeaderTable](without, typed), fromTyped},
		{"typed, SendZero", WithHeaders[HeaderTable](empty, typed), fromTyped},
		{"map", WithHeaders[HeaderTable](withMap, nil), fromMap},
		{"map, nothing appended", WithHeaders[HeaderTable](withMap, nothing), fromMap},
	} {
		if got := encode(t, tt.p); string(got) != tt.want {
			t.Errorf("%s: encoded %q, want %q", tt.name, got, tt.want)
		}
		if got, want := tt.p.Present(), PropertySet(tt.want[0])<<8; got != want {
			t.Errorf("%s: Present() = %v, want %v", tt.name, got, want)
		}
	}

	both := WithHeaders(withMap, typed)
	got, err := both.AppendHeader([]byte("kept"))
	if !errors.Is(err, errTwoHeaders) || string(got) != "kept" {
		t.Errorf("both: AppendHeader returned %q, %v", got, err)
	}
	if !both.Present().Has(PropertyHeaders) {
		t.Errorf("both: Present() = %v", both.Present())
	}
}

func TestZeroBasicPropertiesOf(t *testing.T) {
	if got := encode(t, BasicPropertiesOf[HeaderTable]{}); string(got) != "\x00\x00" {
		t.Errorf("encoded %q", got)
	}
	if got := encode(t, BasicPropertiesOf[traceHeaders]{}); got[0] != byte(PropertyHeaders>>8) {
		t.Errorf("a table that always appends: encoded %q", got)
	}
}

func TestMalformedHeaderTable(t *testing.T) {
	broken := errors.New("no tenant")
	for _, tt := range []struct {
		name  string
		table tableFunc
		want  string
	}{
		{"its own error", func(dst []byte) ([]byte, error) { return append(dst, "\x01k"...), broken }, "no tenant"},
		{"a name without a value", func(dst []byte) ([]byte, error) { return append(dst, "\x01k"...), nil }, "malformed fields"},
		{"a string cut short", func(dst []byte) ([]byte, error) { return append(dst, "\x01kS\x00\x00\x00\x05abc"...), nil }, "malformed fields"},
		{"an unknown tag", func(dst []byte) ([]byte, error) { return append(dst, "\x01k?"...), nil }, "malformed fields"},
		{"a length of 4 GiB", func(dst []byte) ([]byte, error) { return append(dst, "\x01kA\xff\xff\xff\xff"...), nil }, "malformed fields"},
		{"dst dropped", func(dst []byte) ([]byte, error) { return []byte("\x01kt\x01"), nil }, "did not append"},
		{"dst dropped, nil", func(dst []byte) ([]byte, error) { return nil, nil }, "did not append"},
		{"dst truncated", func(dst []byte) ([]byte, error) { return dst[:len(dst)-1], nil }, "did not append"},
		{"dst overwritten", func(dst []byte) ([]byte, error) {
			return append(dst[:0], strings.Repeat("\x01kt\x01", 20)...), nil
		}, "did not append"},
	} {
		p := WithHeaders(BasicProperties{ContentType: "x"}, tt.table)
		got, err := p.AppendHeader(append(make([]byte, 0, 256), "kept"...))
		if err == nil || len(got) != len("kept") {
			t.Errorf("%s: AppendHeader returned %q, %v", tt.name, got, err)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %q does not say %q", tt.name, err, tt.want)
		}
		if tt.want != broken.Error() && !strings.Contains(err.Error(), "newapi.tableFunc") {
			t.Errorf("%s: error %q does not name the table's type", tt.name, err)
		}
		if !p.Present().Has(PropertyContentType) {
			t.Errorf("%s: Present() = %v", tt.name, p.Present())
		}
	}
}

func TestFieldHasTheHeadersPathInItsError(t *testing.T) {
	for _, tt := range []struct {
		fields Fields
		want   string
	}{
		{Fields{{"ok", 1}, {"bad", make(chan int)}}, `header "bad" of type chan int`},
		{Fields{{"a", Table{"b": make(chan int)}}}, `header "a.b" of type chan int`},
		{Fields{{"a", []any{1, make(chan int)}}}, `header "a[1]" of type chan int`},
		{Fields{{"a", []any{Table{"b": []any{make(chan int)}}}}}, `header "a[0].b[0]" of type chan int`},
	} {
		got, err := tt.fields.AppendFields([]byte("kept"))
		if err == nil || string(got) != "kept" {
			t.Errorf("%v: AppendFields returned %q, %v", tt.fields, got, err)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || !errors.Is(err, ErrFieldType) {
			t.Errorf("%v: error %q does not say %q as ErrFieldType", tt.fields, err, tt.want)
		}
	}
}

func TestHeaderNamesHoldAtMost255Bytes(t *testing.T) {
	fits, long := strings.Repeat("n", 255), strings.Repeat("n", 256)
	for kind, appendField := range map[string]func(dst []byte, name string) ([]byte, error){
		"string":  func(dst []byte, name string) ([]byte, error) { return AppendStringField(dst, name, "") },
		"int64":   func(dst []byte, name string) ([]byte, error) { return AppendInt64Field(dst, name, 0) },
		"int32":   func(dst []byte, name string) ([]byte, error) { return AppendInt32Field(dst, name, 0) },
		"bool":    func(dst []byte, name string) ([]byte, error) { return AppendBoolField(dst, name, false) },
		"float64": func(dst []byte, name string) ([]byte, error) { return AppendFloat64Field(dst, name, 0) },
		"time":    func(dst []byte, name string) ([]byte, error) { return AppendTimeField(dst, name, time.Time{}) },
		"bytes":   func(dst []byte, name string) ([]byte, error) { return AppendBytesField(dst, name, nil) },
		"any":     func(dst []byte, name string) ([]byte, error) { return AppendField(dst, name, nil) },
	} {
		if _, err := appendField(nil, fits); err != nil {
			t.Errorf("%s: name of 255 bytes: %v", kind, err)
		}
		got, err := appendField([]byte("kept"), long)
		if err == nil || string(got) != "kept" {
			t.Errorf("%s: name of 256 bytes: returned %q, %v", kind, got, err)
			continue
		}
		for _, want := range []string{"header name", "nnnn", "256 bytes", "255"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", kind, err, want)
			}
		}
		if len(err.Error()) > 200 {
			t.Errorf("%s: error of %d bytes: %q", kind, len(err.Error()), err)
		}
	}
}
