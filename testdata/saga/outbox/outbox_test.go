package outbox

import "testing"

func TestAlarmHasRoomForOne(t *testing.T) {
	o := New(nil, "q")
	first := Message{Body: []byte("fire")}
	o.Alarm(first)
	o.Alarm(Message{Body: []byte("water")})
	if string(o.urgent.Body) != "water" || o.urgent.Type != "outbox.alarm" {
		t.Errorf("got %+v", o.urgent)
	}
	if first.Type != "" {
		t.Error("Alarm has changed its argument")
	}
}

func TestFlushOfNothing(t *testing.T) {
	if err := New(nil, "q").Flush(); err != nil {
		t.Error(err)
	}
}
