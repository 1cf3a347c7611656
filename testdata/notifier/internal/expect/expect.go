// Package expect is the small part of a mocking library that we use: calls are
// expected by the name of the method.
package expect

import (
	"fmt"
	"reflect"
	"testing"
)

// Mock is embedded in a mock.
type Mock struct {
	calls []*Call
}

// Call is an expected call.
type Call struct {
	method    string
	arguments []any
	results   []any
	seen      bool
}

// Anything is equal to every argument.
const Anything = anything("anything")

type anything string

// On expects a call of a method.
func (m *Mock) On(method string, arguments ...any) *Call {
	c := &Call{method: method, arguments: arguments}
	m.calls = append(m.calls, c)
	return c
}

// Return says what the call returns.
func (c *Call) Return(results ...any) { c.results = results }

// Called returns the results of the expected call, which is the first of that
// method and those arguments that has not been made. It panics without one.
func (m *Mock) Called(method string, arguments ...any) []any {
	for _, c := range m.calls {
		if c.seen || c.method != method || len(c.arguments) != len(arguments) {
			continue
		}
		fits := true
		for i, want := range c.arguments {
			fits = fits && (want == Anything || reflect.DeepEqual(want, arguments[i]))
		}
		if fits {
			c.seen = true
			return c.results
		}
	}
	panic(fmt.Sprintf("expect: unexpected call %s%v", method, arguments))
}

// Met fails the test unless every expected call was made.
func (m *Mock) Met(t *testing.T) {
	t.Helper()
	for _, c := range m.calls {
		if !c.seen {
			t.Errorf("expected call %s%v was not made", c.method, c.arguments)
		}
	}
}
