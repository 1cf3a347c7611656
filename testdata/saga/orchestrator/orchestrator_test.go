package orchestrator

import "testing"

func TestStepMessageAsksForAReply(t *testing.T) {
	m := Step{Name: "hotel", Do: "saga.hotel"}.message("trip-1", "replies")
	if m.CorrelationId != "trip-1" || m.ReplyTo != "replies" || string(m.Body) != "hotel" {
		t.Errorf("got %+v", m)
	}
}

func TestNothingToUndo(t *testing.T) {
	// Without a session: it must not be used.
	if err := new(Orchestrator).compensate("trip-1", []Step{{Name: "seat", Do: "saga.seat"}}); err != nil {
		t.Error(err)
	}
}
