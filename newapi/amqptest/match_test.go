package amqptest

import (
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func TestFieldTypeNames(t *testing.T) {
	for value, want := range map[string]string{
		"V": "void", "t\x01": "bool", "b\x01": "byte", "B\x01": "unsignedbyte", "s\x00\x01": "short", "u\x00\x01": "unsignedshort",
		"I\x00\x00\x00\x01": "signedint", "i\x00\x00\x00\x01": "unsignedint", "f\x00\x00\x00\x00": "float",
		"l\x00\x00\x00\x00\x00\x00\x00\x01": "long", "d\x00\x00\x00\x00\x00\x00\x00\x00": "double",
		"D\x01\x00\x00\x00\x01": "decimal", "T\x00\x00\x00\x00\x00\x00\x00\x01": "timestamp",
		"S\x00\x00\x00\x02ab": "longstr", "x\x00\x00\x00\x02ab": "binary",
		"A\x00\x00\x00\x02t\x01": "array", "F\x00\x00\x00\x04\x01at\x01": "table",
	} {
		fields, err := wire.DecodeFields([]byte("\x01k" + value))
		if err != nil {
			t.Fatal(err)
		}
		if got := fieldTypeName(fields["k"]); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
}

func TestSameValueComparesNumbersByValue(t *testing.T) {
	for _, tt := range []struct {
		a, b any
		want bool
	}{
		{int8(1), int64(1), true},
		{uint32(7), float64(7), true},
		{float32(0.5), 0.5, true},
		{int64(1<<62 + 1), int64(1 << 62), false}, // which float64 cannot tell apart
		{int32(1), "1", false},
		{true, int32(1), false},
		{nil, int32(0), false},
		{"a", "a", true},
		{[]any{int32(1)}, []any{int32(1)}, true},
	} {
		if got := sameValue(tt.a, tt.b); got != tt.want {
			t.Errorf("sameValue(%T %v, %T %v) = %v", tt.a, tt.a, tt.b, tt.b, got)
		}
	}
}
