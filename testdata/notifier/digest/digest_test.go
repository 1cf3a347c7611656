package digest

import (
	"context"
	"testing"
	"time"
)

func TestBuilder(t *testing.T) {
	day := time.Date(2024, time.May, 2, 0, 0, 0, 0, time.UTC)
	m := NewMessage("x").JSON([]string{"a"}).At(day).Message()
	if m.Type != "x" || string(m.Body) != `["a"]` || !m.Timestamp.Equal(day) || m.ContentType != "application/json" {
		t.Errorf("got %+v with body %s", m, m.Body)
	}
}

func TestBuilderKeepsItsError(t *testing.T) {
	if err := NewMessage("x").JSON(func() {}).Publish(context.Background(), nil, "q"); err == nil {
		t.Error("a function was published")
	}
}

func TestNothingToCover(t *testing.T) {
	if err := new(Digest).Cover(context.Background()); err != nil {
		t.Error(err)
	}
}
