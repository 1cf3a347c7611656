package sink

import "testing"

func TestBuilder(t *testing.T) {
	m := NewBuilder("x").Header("a", "b").Lines("one", "two").Lines().Build()
	if m.Type != "x" || m.Headers["a"] != "b" || string(m.Body) != "one\ntwo\n" {
		t.Errorf("got %+v with body %q", m, m.Body)
	}
	if m := NewBuilder("y").Build(); m.Headers != nil {
		t.Errorf("headers %v, want none", m.Headers)
	}
}
