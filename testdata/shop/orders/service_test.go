package orders

import (
	"testing"
	"time"

	"example.com/shop/internal/brokertest"
	"example.com/shop/internal/stamp"
)

var start = time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC)

var testOrder = Order{ID: "T-1", Customer: "Ada", Country: "DE", Total: 4250, Express: true, Parcels: 2}

func TestEventsReachTheLog(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	s, err := New(ch, names.Events, stamp.NewSequence("evt", start), false)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		publish func() error
		typ     string
		key     string
	}{
		{func() error { return s.Placed(testOrder) }, "orders.placed", "order.placed"},
		{func() error { return s.Paid(testOrder, "card") }, "orders.paid", "order.paid"},
		{func() error { return s.Pick(testOrder) }, "orders.pick", "order.pick"},
		{func() error { return s.Shipped(testOrder, "post") }, "orders.shipped", "order.shipped.de"},
		{func() error { return s.Cancelled(testOrder) }, "orders.cancelled", "order.cancelled"},
		{func() error { return s.Remind(testOrder, time.Hour) }, "orders.reminder", "order.reminder"},
	}
	for _, tt := range tests {
		if err := tt.publish(); err != nil {
			t.Fatalf("%s: %v", tt.typ, err)
		}
		got := brokertest.Get(t, ch, names.EventLog)
		if got.Properties.Type() != tt.typ || got.RoutingKey != tt.key {
			t.Errorf("got type %q under key %q, want %q under %q", got.Properties.Type(), got.RoutingKey, tt.typ, tt.key)
		}
	}
}

func TestExpressOrdersArePickedFirst(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	s, err := New(ch, names.Events, stamp.NewSequence("evt", start), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, express := range []bool{true, false} {
		o := testOrder
		o.Express = express
		if err := s.Pick(o); err != nil {
			t.Fatal(err)
		}
		got := brokertest.Get(t, ch, names.EventLog).Properties
		want := normalPriority
		if express {
			want = expressPriority
		}
		if got.Priority() != want || got.IsHeadersPresent() != express {
			t.Errorf("express %v: priority %d and headers %v, want %d and %v",
				express, got.Priority(), got.IsHeadersPresent(), want, express)
		}
	}
}

func TestLedgerRefundIsPersistentAndWantsNoReply(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	s, err := New(ch, names.Events, stamp.NewSequence("evt", start), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Refund(testOrder, 1000); err != nil {
		t.Fatal(err)
	}
	customer := brokertest.Get(t, ch, names.EventLog).Properties
	if customer.ReplyTo() != "service-desk" || customer.Persistent() {
		t.Errorf("customer: reply to %q, persistent %v; want service-desk, false", customer.ReplyTo(), customer.Persistent())
	}
	ledger := brokertest.Get(t, ch, names.EventLog).Properties
	if ledger.IsReplyToPresent() || !ledger.Persistent() {
		t.Errorf("ledger: reply to %q, persistent %v; want none, true", ledger.ReplyTo(), ledger.Persistent())
	}
	if customer.CorrelationId() != ledger.CorrelationId() {
		t.Errorf("correlation ids %q and %q differ", customer.CorrelationId(), ledger.CorrelationId())
	}
}

func TestStrictQuoteWithoutListenerComesBack(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	s, err := New(ch, names.Events, stamp.NewSequence("evt", start), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Quote(testOrder); err != nil {
		t.Fatal(err)
	}
	id, err := s.Returned()
	if err != nil {
		t.Fatal(err)
	}
	if id != "quote-T-1" {
		t.Errorf("message %q came back, want quote-T-1", id)
	}
}
