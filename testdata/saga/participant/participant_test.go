package participant

import "testing"

func TestLedgerIsACopy(t *testing.T) {
	s := New(nil, "hotel", 1)
	s.write("booked %s", "trip-1")
	s.Ledger()[0] = "nothing"
	if got := s.Ledger(); len(got) != 1 || got[0] != "booked trip-1" {
		t.Errorf("ledger %q", got)
	}
}
