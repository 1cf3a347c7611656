package notify

import (
	"errors"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"

	"example.com/shop/internal/brokertest"
)

// fakeModel remembers what is published on it.
type fakeModel struct {
	published []fakeMessage
	err       error // what the next publish returns
}

type fakeMessage struct {
	exchange, key string
	mandatory     bool
	properties    newapi.BasicProperties
	body          string
}

func (m *fakeModel) CreateBasicProperties() compat.BasicProperties {
	return compat.FromStruct(newapi.BasicProperties{})
}

func (m *fakeModel) BasicPublish(exchange, key string, mandatory bool, properties compat.BasicProperties, body []byte) error {
	if m.err != nil {
		return m.err
	}
	m.published = append(m.published, fakeMessage{exchange, key, mandatory, compat.ToStruct(properties), string(body)})
	return nil
}

func TestMailIsMandatoryAndAddressed(t *testing.T) {
	var model fakeModel
	if err := NewMailer(&model, "events").Mail("ada@example.com", "Hello", "How are you?"); err != nil {
		t.Fatal(err)
	}
	if len(model.published) != 1 {
		t.Fatalf("%d messages, want 1", len(model.published))
	}
	got := model.published[0]
	if got.exchange != "events" || got.key != "notify.mail" || !got.mandatory || got.body != "How are you?" {
		t.Errorf("published %+v", got)
	}
	if got.properties.Headers["to"] != "ada@example.com" || got.properties.Headers["subject"] != "Hello" {
		t.Errorf("headers %v", got.properties.Headers)
	}
}

func TestMailNamesTheAddressWhenItFails(t *testing.T) {
	model := fakeModel{err: errors.New("no channel")}
	err := NewMailer(&model, "events").Mail("ada@example.com", "Hello", "")
	if !errors.Is(err, model.err) || !strings.Contains(err.Error(), "ada@example.com") {
		t.Errorf("Mail = %v, want no channel, and the address", err)
	}
}

func TestGateway(t *testing.T) {
	tests := []struct {
		typ, key string
		send     func(*Gateway) error
		check    func(compat.BasicProperties) bool
	}{
		{"notify.sms", "notify.sms.123", func(g *Gateway) error { return g.SMS("123", "code 7") },
			func(p compat.BasicProperties) bool { return p.AppId() == "shop" && p.Expiration() == "300000" }},
		{"notify.push", "notify.push", func(g *Gateway) error { return g.Push("ios:abc", "hi") },
			func(p compat.BasicProperties) bool {
				return p.Headers()["platform"] == "ios" && p.Headers()["token"] == "abc"
			}},
		{"notify.webhook", "notify.webhook", func(g *Gateway) error { return g.Webhook("https://example.com/x", nil) },
			func(p compat.BasicProperties) bool { return p.Headers()["url"] == "https://example.com/x" }},
		{"notify.welcome", "notify.welcome", func(g *Gateway) error { return g.Welcome("Ada") },
			func(p compat.BasicProperties) bool { return p.ContentEncoding() == "identity" }},
		{"notify.survey", "notify.survey", func(g *Gateway) error { return g.Survey("9", "Ada") },
			func(p compat.BasicProperties) bool {
				return p.MessageId() == "survey-9" && p.CorrelationId() == "survey-9"
			}},
		{"", "notify.digest", (*Gateway).Digest,
			func(p compat.BasicProperties) bool { return !p.IsTypePresent() && !p.IsHeadersPresent() }},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			_, ch, names := brokertest.Open(t)
			if err := tt.send(NewGateway(ch, names.Events, "shop")); err != nil {
				t.Fatal(err)
			}
			got := brokertest.Get(t, ch, names.Outbox)
			if got.RoutingKey != tt.key || got.Properties.Type() != tt.typ || !tt.check(got.Properties) {
				t.Errorf("got key %q, type %q, headers %v", got.RoutingKey, got.Properties.Type(), got.Properties.Headers())
			}
		})
	}
}
