package amqptest_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// scenario is something a client does and what it sees then. Every scenario is
// played against a Server and, where there is one, against RabbitMQ; both have
// to show the client the same.
type scenario struct {
	name string
	play func(*player)
	want []string
}

// rabbitVersion is the series of RabbitMQ that the scenarios were taken from.
// Others word some errors differently.
const rabbitVersion = "3.10."

func TestScenarios(t *testing.T) {
	server := amqptest.NewServer(t)
	playAll(t, server.URL())
}

func TestScenariosOnRabbitMQ(t *testing.T) {
	url := brokertest.URL(t)
	c := dial(t, url)
	if version, _ := c.Properties["version"].(string); !strings.HasPrefix(version, rabbitVersion) {
		t.Skipf("RabbitMQ %s; the scenarios show what RabbitMQ %sx says", version, rabbitVersion)
	}
	playAll(t, url)
}

func playAll(t *testing.T, url string) {
	for _, scenarios := range [][]scenario{topologyScenarios, routingScenarios, messageScenarios, deadLetterScenarios} {
		for _, s := range scenarios {
			s := s
			t.Run(s.name, func(t *testing.T) {
				got := playOne(t, url, s)
				if diff := cmp.Diff(s.want, got); diff != "" {
					t.Errorf("what the client saw (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// player plays a scenario on a connection and a channel of its own and writes
// down what it sees.
type player struct {
	t      *testing.T
	url    string
	prefix string // of all names, so that a shared broker is not disturbed
	conn   *amqp091.Connection
	ch     *amqp091.Channel
	seen   []string
}

func playOne(t *testing.T, url string, s scenario) []string {
	p := &player{t: t, url: url, prefix: fmt.Sprintf("amqptest-%x-", time.Now().UnixNano())}
	p.conn = dial(t, url)
	p.ch = channelOf(t, p.conn)
	connectionClosed := p.conn.NotifyClose(make(chan *amqp091.Error, 1))
	channelClosed := p.ch.NotifyClose(make(chan *amqp091.Error, 1))
	s.play(p)

	// Had the scenario's last request been refused, this one fails.
	if err := p.ch.Flow(true); err == nil {
		return p.seen
	}
	closed := receive(t, channelClosed)
	if ch, err := p.conn.Channel(); err == nil {
		p.see("channel closed: %s", describe(closed))
		ch.Close()
		return p.seen
	}
	p.see("connection closed: %s", describe(receive(t, connectionClosed)))
	return p.seen
}

// see writes down what the client saw, without what differs from run to run.
func (p *player) see(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), p.prefix, "")
	for _, r := range changing {
		line = r.pattern.ReplaceAllString(line, r.with)
	}
	p.seen = append(p.seen, line)
}

var changing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`amq\.gen-[-_A-Za-z0-9]{22}`), "amq.gen-*"},
	{regexp.MustCompile(`amq\.rabbitmq\.reply-to\.[-_=.+/A-Za-z0-9]{20,}`), "amq.rabbitmq.reply-to.*"},
}

// did writes down how a step ended.
func (p *player) did(step string, err error) { p.see("%s: %s", step, describe(err)) }

// describe is an error as the broker worded it.
func describe(err error) string {
	var e *amqp091.Error
	switch {
	case errors.As(err, &e) && e != nil:
		return fmt.Sprintf("%d %s", e.Code, e.Reason)
	case err == nil || e == nil && errors.As(err, &e):
		return "ok"
	}
	return err.Error()
}

func (p *player) name(name string) string { return p.prefix + name }

// queue declares an exclusive queue, which goes with the connection.
func (p *player) queue(name string, arguments table) string {
	p.t.Helper()
	q, err := p.ch.QueueDeclare(p.name(name), false, false, true, false, arguments)
	must(p.t, err)
	return q.Name
}

// exchange declares an exchange that goes with the last binding, or at the end
// of the test.
func (p *player) exchange(name, kind string, arguments table) string {
	p.t.Helper()
	name = p.name(name)
	must(p.t, p.ch.ExchangeDeclare(name, kind, false, true, false, false, arguments))
	p.t.Cleanup(func() {
		c := dial(p.t, p.url)
		_ = channelOf(p.t, c).ExchangeDelete(name, false, false)
		c.Close()
	})
	return name
}

// bind binds a queue.
func (p *player) bind(queue, key, exchange string, arguments table) {
	p.t.Helper()
	must(p.t, p.ch.QueueBind(queue, key, exchange, false, arguments))
}

func (p *player) publish(exchange, key string, m amqp091.Publishing) {
	p.t.Helper()
	publishMessage(p.t, p.ch, exchange, key, m)
}

// get takes the next message of a queue, waiting for it if need be.
func (p *player) get(queue string) amqp091.Delivery {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		d, ok, err := p.ch.Get(queue, false)
		must(p.t, err)
		if ok {
			return d
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("nothing in queue %s", queue)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// bodies writes down what is in a queue now, and empties it.
func (p *player) bodies(label, queue string) {
	p.t.Helper()
	p.see("%s: %s", label, strings.Join(drain(p.t, p.ch, queue), " "))
}
