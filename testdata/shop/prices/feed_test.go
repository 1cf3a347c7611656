package prices

import (
	"fmt"
	"testing"
	"time"

	"example.com/shop/internal/brokertest"
	"example.com/shop/internal/stamp"
)

var start = time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC)

func TestBatchSharesPropertiesButNotHeaders(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	f := NewFeed(ch, names.Events, stamp.NewSequence("p", start))
	err := f.Update("B-1", []Price{
		{SKU: "lamp", Cents: 1500, Old: 1000},
		{SKU: "desk", Cents: 9900},
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		typ, id, body string
		change        any
	}{
		{"prices.update", "lamp", "1500", 0.5},
		{"prices.update", "desk", "9900", nil},
		{"prices.batch", "", "2", nil},
	}
	for _, tt := range tests {
		got := brokertest.Get(t, ch, names.PriceBoard)
		p := got.Properties
		if p.Type() != tt.typ || p.MessageId() != tt.id || string(got.Body) != tt.body {
			t.Errorf("got %s %q %q, want %s %q %q", p.Type(), p.MessageId(), got.Body, tt.typ, tt.id, tt.body)
		}
		if p.CorrelationId() != "B-1" || p.ContentType() != "text/plain" {
			t.Errorf("%s %q: correlation id %q, content type %q", tt.typ, tt.id, p.CorrelationId(), p.ContentType())
		}
		if p.Headers()["change"] != tt.change {
			t.Errorf("%s %q: change %v, want %v", tt.typ, tt.id, p.Headers()["change"], tt.change)
		}
	}
}

func TestOpenNamesEachMarket(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	f := NewFeed(ch, names.Events, stamp.NewSequence("p", start))
	if err := f.Open([]string{"DE", "FR"}); err != nil {
		t.Fatal(err)
	}
	for i, market := range []string{"DE", "FR"} {
		p := brokertest.Get(t, ch, names.PriceBoard).Properties
		want := fmt.Sprintf("map[index:%d market:%s of:2]", i, market)
		if p.MessageId() != "prices.open#"+market || fmt.Sprint(p.Headers()) != want {
			t.Errorf("message %q with headers %v, want prices.open#%s %s", p.MessageId(), p.Headers(), market, want)
		}
	}
}

func TestTickAndAlive(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	f := NewFeed(ch, names.Events, stamp.NewSequence("p", start))
	if err := f.Tick(3); err != nil {
		t.Fatal(err)
	}
	if err := f.Alive(); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 3; i++ {
		if p := brokertest.Get(t, ch, names.PriceBoard).Properties; p.Expiration() != "1000" || p.IsMessageIdPresent() {
			t.Errorf("tick %d: expiration %q, id %q", i, p.Expiration(), p.MessageId())
		}
	}
	alive := brokertest.Get(t, ch, names.PriceBoard)
	if string(alive.Body) != "prices.alive" || alive.Properties.IsTypePresent() {
		t.Errorf("got %q of type %q, want prices.alive without properties", alive.Body, alive.Properties.Type())
	}
}

func TestCloseReportsTheCallersErrorFirst(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	f := NewFeed(ch, names.Events, stamp.NewSequence("p", start))
	want := fmt.Errorf("disk full")
	if err := f.Close(func() error { return want }); err != want {
		t.Errorf("Close = %v, want %v", err, want)
	}
	if err := f.Close(func() error { return nil }); err != nil {
		t.Errorf("Close = %v, want nil", err)
	}
}
