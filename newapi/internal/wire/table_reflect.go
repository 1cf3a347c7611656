package wire

import (
	"math"
	"reflect"
)

// appendReflected appends values of types that appendValue does not name: the
// remaining unsigned integers, and types made of those it does name.
func appendReflected(dst []byte, v any, depth int) ([]byte, *FieldError) {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Uint, reflect.Uint64:
		if rv.Uint() > math.MaxInt64 {
			return dst, &FieldError{Value: v, Reason: "above 9223372036854775807, the largest integer a field holds: send it as a string"}
		}
		return AppendInt64Value(dst, int64(rv.Uint())), nil
	case reflect.Bool:
		return AppendBoolValue(dst, rv.Bool()), nil
	case reflect.Int:
		return appendIntValue(dst, rv.Int()), nil
	case reflect.Int8:
		return appendValue(dst, int8(rv.Int()), depth)
	case reflect.Int16:
		return appendValue(dst, int16(rv.Int()), depth)
	case reflect.Int32:
		return AppendInt32Value(dst, int32(rv.Int())), nil
	case reflect.Int64:
		return AppendInt64Value(dst, rv.Int()), nil
	case reflect.Uint8:
		return appendValue(dst, uint8(rv.Uint()), depth)
	case reflect.Uint16:
		return appendValue(dst, uint16(rv.Uint()), depth)
	case reflect.Uint32:
		return appendValue(dst, uint32(rv.Uint()), depth)
	case reflect.Float32:
		return appendValue(dst, float32(rv.Float()), depth)
	case reflect.Float64:
		return AppendFloat64Value(dst, rv.Float()), nil
	case reflect.String:
		return AppendStringValue(dst, rv.String()), nil
	case reflect.Slice, reflect.Array:
		return appendSequence(dst, rv, depth)
	case reflect.Map:
		return appendMap(dst, rv, depth)
	default:
		return dst, &FieldError{Value: v, Reason: insteadOf(rv.Kind())}
	}
}

// appendSequence appends octets as 'x' and anything else as an array.
func appendSequence(dst []byte, rv reflect.Value, depth int) ([]byte, *FieldError) {
	if rv.Type().Elem().Kind() == reflect.Uint8 {
		dst, start := reserveSize(append(dst, 'x'))
		for i := 0; i < rv.Len(); i++ {
			dst = append(dst, byte(rv.Index(i).Uint()))
		}
		return fillSize(dst, start), nil
	}
	if depth >= maxNesting {
		return dst, nestingError(rv.Interface())
	}
	dst, start := reserveSize(append(dst, 'A'))
	for i := 0; i < rv.Len(); i++ {
		var ferr *FieldError
		if dst, ferr = appendValue(dst, rv.Index(i).Interface(), depth+1); ferr != nil {
			ferr.withinIndex(i)
			return dst, ferr
		}
	}
	return fillSize(dst, start), nil
}

func appendMap(dst []byte, rv reflect.Value, depth int) ([]byte, *FieldError) {
	if rv.Type().Key().Kind() != reflect.String {
		return dst, &FieldError{Value: rv.Interface(), Reason: "a table has string keys: convert the keys to strings"}
	}
	if depth >= maxNesting {
		return dst, nestingError(rv.Interface())
	}
	dst, start := reserveSize(append(dst, 'F'))
	for entries := rv.MapRange(); entries.Next(); {
		var ferr *FieldError
		dst, ferr = appendField(dst, entries.Key().String(), entries.Value().Interface(), depth+1)
		if ferr != nil {
			return dst, ferr
		}
	}
	return fillSize(dst, start), nil
}

// insteadOf says what to send in place of a kind that no field type fits.
func insteadOf(k reflect.Kind) string {
	switch k {
	case reflect.Pointer:
		return "a field holds a value, not a pointer: dereference it, or send nil"
	case reflect.Struct:
		return "no field type fits a struct: send a map[string]any, or encode it to a string or []byte"
	case reflect.Complex64, reflect.Complex128:
		return "no field type fits a complex number: send its parts as float64"
	default:
		return "no field type fits it: send a number, string, []byte, time.Time, map or slice"
	}
}
