package ship

import (
	"errors"
	"testing"

	"example.com/metrics/point"
)

func TestNothingIsShippedAfterStop(t *testing.T) {
	s := New(nil, "q")
	s.stopped = true
	if err := s.Ship(point.Point{Name: "late"}); !errors.Is(err, ErrStopped) {
		t.Errorf("Ship = %v, want %v", err, ErrStopped)
	}
	if len(s.queue) != 0 {
		t.Error("the point was queued")
	}
}

func TestCollectWaitsForAFullBatch(t *testing.T) {
	s := New(nil, "q") // without a channel: it must not be used
	for i := 0; i < 3; i++ {
		if err := s.Collect(point.Point{Name: "cpu"}, 4); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.batch) != 3 {
		t.Errorf("%d points in the batch, want 3", len(s.batch))
	}
}
