package statsd

import "testing"

func TestNothingCountedIsNothingSent(t *testing.T) {
	if err := new(Client).Count("requests", 0); err != nil {
		t.Errorf("Count = %v, want nothing done", err)
	}
}
