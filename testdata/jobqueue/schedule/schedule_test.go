package schedule

import "testing"

func TestOddTakesANumber(t *testing.T) {
	var s Scheduler
	for i, want := range []bool{true, false, true} {
		if got := s.odd(); got != want {
			t.Errorf("call %d: odd = %v, want %v", i, got, want)
		}
	}
	if got := string(s.clock()); got != "it is 4" {
		t.Errorf("clock = %q, want it is 4", got)
	}
}

func TestNightlyMessagesSayWhoTheyAreFor(t *testing.T) {
	for i, m := range Nightly {
		if m.AppId == "" || len(m.Body) == 0 {
			t.Errorf("message %d: %+v", i, m)
		}
	}
}
