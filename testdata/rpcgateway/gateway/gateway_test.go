package gateway

import (
	"net/http"
	"testing"

	"github.com/rabbitmq/amqp091-go"
)

func TestOnlyExtensionHeadersAreTakenOver(t *testing.T) {
	headers := http.Header{"Cookie": {"secret"}, "X-Tenant": {"a", "b"}}
	got := table(headers)
	if len(got) != 1 || got["x-tenant"] != "a" {
		t.Errorf("got %v, want x-tenant: a", got)
	}
}

func TestRepliesFindTheirCalls(t *testing.T) {
	g := &Gateway{waiting: make(map[string]chan amqp091.Delivery)}
	id1, reply1 := g.expect()
	id2, reply2 := g.expect()
	deliveries := make(chan amqp091.Delivery, 3)
	deliveries <- amqp091.Delivery{CorrelationId: id2, Body: []byte("2")}
	deliveries <- amqp091.Delivery{CorrelationId: "stranger"}
	deliveries <- amqp091.Delivery{CorrelationId: id1, Body: []byte("1")}
	close(deliveries)
	g.dispatch(deliveries)
	if one, two := <-reply1, <-reply2; string(one.Body) != "1" || string(two.Body) != "2" {
		t.Errorf("replies %q and %q, want 1 and 2", one.Body, two.Body)
	}
	if len(g.waiting) != 0 {
		t.Errorf("%d calls wait", len(g.waiting))
	}
}
