package broker

import "testing"

func TestEventWithoutStateIsNoMessage(t *testing.T) {
	if m := toMessage(Event{Task: "T-1"}); m != nil {
		t.Errorf("got %+v, want nil", m)
	}
}

func TestEventCarriesItsTask(t *testing.T) {
	m := toMessage(Event{Task: "T-1", State: "done", Note: "in 3 s"})
	if m == nil || m.MessageId != "broker.event#T-1" || m.Headers["state"] != "done" || string(m.Body) != "in 3 s" {
		t.Errorf("got %+v", m)
	}
}
