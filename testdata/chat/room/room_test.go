package room

import "testing"

func TestKnockAtNoRoom(t *testing.T) {
	if err := (Rooms{"attic": nil}).Knock("attic", "ada"); err == nil {
		t.Error("no error")
	}
}
