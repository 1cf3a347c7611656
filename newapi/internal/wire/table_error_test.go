package wire

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

func TestUnsupportedValuesAreNamedByPath(t *testing.T) {
	n := 1
	tests := []struct {
		name  string
		table map[string]any
		path  string
		says  string
	}{
		{"channel", Table{"a": make(chan int)}, "a", "of type chan int: no field type fits it"},
		{"function", Table{"a": func() {}}, "a", "of type func(): no field type fits it"},
		{"struct", Table{"a": struct{ X int }{1}}, "a", "send a map[string]any"},
		{"pointer", Table{"a": &n}, "a", "of type *int: a field holds a value, not a pointer: dereference it"},
		{"nil pointer", Table{"a": (*int)(nil)}, "a", "or send nil"},
		{"error", Table{"a": errors.New("x")}, "a", "*errors.errorString"},
		{"complex", Table{"a": 1i}, "a", "send its parts as float64"},
		{"uintptr", Table{"a": uintptr(1)}, "a", "of type uintptr"},
		{"uint64 above MaxInt64", Table{"a": uint64(math.MaxUint64)}, "a", "of type uint64: above 9223372036854775807, the largest integer a field holds: send it as a string"},
		{"named uint64 above MaxInt64", Table{"a": id(math.MaxInt64 + 1)}, "a", "send it as a string"},
		{"map with other keys", Table{"a": map[int]string{1: "x"}}, "a", "of type map[int]string: a table has string keys"},
		{"in a table in an array", Table{"a": Table{"b": []any{1, 2, make(chan int)}}}, "a.b[2]", "field a.b[2] of type chan int"},
		{"in an array of arrays", Table{"a": []any{[]any{}, []any{0, &n}}}, "a[1][1]", "*int"},
		{"in a table in an array in a table", Table{"a": []any{map[string]any{"b": 1i}}}, "a[0].b", "complex128"},
		{"in a slice of slices by reflection", Table{"a": [][]uint64{{1}, {2, math.MaxUint64}}}, "a[1][1]", "uint64"},
		{"in a map by reflection", Table{"a": map[label]any{"b": []*int{&n}}}, "a.b[0]", "*int"},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			for _, appender := range []func([]byte, map[string]any) ([]byte, error){AppendFields, AppendTable} {
				dst, err := appender([]byte("kept"), test.table)
				if string(dst) != "kept" {
					t.Errorf("dst is %q, want it unchanged", dst)
				}
				var field *FieldError
				if !errors.As(err, &field) {
					t.Fatalf("got %v, want a *FieldError", err)
				}
				if field.Path != test.path {
					t.Errorf("path %q, want %q", field.Path, test.path)
				}
				if !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %q does not say %q", err, test.says)
				}
				if !errors.Is(err, amqp091.ErrFieldType) {
					t.Errorf("%v does not wrap amqp091.ErrFieldType", err)
				}
			}
		})
	}
}

func TestAppendFieldValueErrorHasNoPath(t *testing.T) {
	dst, err := AppendFieldValue([]byte("kept"), []any{1, 1i})
	if string(dst) != "kept" || err == nil {
		t.Fatalf("got %q, %v", dst, err)
	}
	if want := "field [1] of type complex128: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %q does not begin with %q", err, want)
	}
	_, err = AppendFieldValue(nil, 1i)
	if want := "field value of type complex128: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %q does not begin with %q", err, want)
	}
}

func TestLongFieldName(t *testing.T) {
	fits := strings.Repeat("n", 255)
	if _, err := AppendTable(nil, Table{fits: 1}); err != nil {
		t.Errorf("name of 255 octets: %v", err)
	}

	long := strings.Repeat("é", 128)
	for _, table := range []map[string]any{{long: 1}, {"a": Table{long: 1}}, {"a": map[string]int{long: 1}}} {
		dst, err := AppendTable([]byte("kept"), table)
		var field *FieldError
		var short *ShortstrError
		if string(dst) != "kept" || !errors.As(err, &field) || !errors.As(err, &short) || short.Len != 256 {
			t.Fatalf("got %q, %v; want a *FieldError that wraps a *ShortstrError", dst, err)
		}
		if !utf8.ValidString(field.Path) || len(field.Path) > 50 || !strings.Contains(field.Path, "éééé") {
			t.Errorf("path %q: want the beginning of the name", field.Path)
		}
		if !strings.Contains(err.Error(), "its name is a short string of 256 octets: shorten it to at most 255") {
			t.Errorf("error %q does not say what is wrong", err)
		}
	}

	if dst, err := AppendFieldName([]byte("kept"), long); string(dst) != "kept" || err == nil {
		t.Errorf("AppendFieldName: %q, %v", dst, err)
	}
}

func TestNestingIsBounded(t *testing.T) {
	tables := nestedTables(maxNesting)
	fields, err := AppendFields(nil, tables)
	if err != nil {
		t.Fatalf("%d levels: %v", maxNesting, err)
	}
	if got, err := DecodeFields(fields); err != nil || !sameValue(got, tables) {
		t.Errorf("%d levels do not come back: %v", maxNesting, err)
	}

	selfTable := Table{}
	selfTable["self"] = selfTable
	selfArray := make([]any, 1)
	selfArray[0] = selfArray
	type loop []loop
	selfLoop := make(loop, 1)
	selfLoop[0] = selfLoop
	type ring map[string]ring
	selfRing := ring{}
	selfRing["self"] = selfRing
	strs := any([]string{})
	for i := 0; i < maxNesting; i++ {
		strs = []any{strs}
	}

	for name, value := range map[string]any{
		"one level too many":  nestedTables(maxNesting + 1)["t"],
		"table in itself":     selfTable,
		"array in itself":     selfArray,
		"named array":         selfLoop,
		"named table":         selfRing,
		"strings below limit": strs,
	} {
		dst, err := AppendFieldValue([]byte("kept"), Table{"t": value})
		if string(dst) != "kept" || !errors.Is(err, amqp091.ErrFieldType) || !strings.Contains(err.Error(), "deeper than 128 levels") {
			t.Errorf("%s: %.60q, %v; want an error about nesting", name, dst, err)
		}
	}
}

// nestedTables returns a table with n levels of tables below it.
func nestedTables(n int) Table {
	t := Table{}
	for i := 0; i < n; i++ {
		t = Table{"t": t}
	}
	return t
}
