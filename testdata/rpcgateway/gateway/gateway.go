// Package gateway turns HTTP requests into remote procedure calls over RabbitMQ.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rabbitmq/amqp091-go"
)

// Gateway sends each request to a queue and waits for the reply.
type Gateway struct {
	ch      *amqp091.Channel
	spare   []*amqp091.Channel
	queue   string
	replies string

	mu      sync.Mutex
	calls   int
	waiting map[string]chan amqp091.Delivery
}

// Timeout is how long a call may take.
const Timeout = 10 * time.Second

// New listens for replies. Spare channels are for messages without one.
func New(ch *amqp091.Channel, spare []*amqp091.Channel, queue, replies string) (*Gateway, error) {
	q, err := ch.QueueDeclare(replies, false, true, true, false, nil)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	deliveries, err := ch.Consume(q.Name, "gateway", true, true, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	g := &Gateway{
		ch:      ch,
		spare:   spare,
		queue:   queue,
		replies: q.Name,
		waiting: make(map[string]chan amqp091.Delivery),
	}
	go g.dispatch(deliveries)
	return g, nil
}

// dispatch brings every reply to the call that waits for it.
func (g *Gateway) dispatch(deliveries <-chan amqp091.Delivery) {
	for d := range deliveries {
		g.mu.Lock()
		reply, ok := g.waiting[d.CorrelationId]
		delete(g.waiting, d.CorrelationId)
		g.mu.Unlock()
		if ok {
			reply <- d
		}
	}
}

// Handler returns the gateway's routes.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /call/{method}", g.serveCall)
	mux.HandleFunc("POST /notify/{topic}", g.serveNotify)
	mux.HandleFunc("POST /broadcast", g.serveBroadcast)
	return mux
}

// expect makes room for a reply.
func (g *Gateway) expect() (id string, reply chan amqp091.Delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	id = fmt.Sprintf("call-%d", g.calls)
	reply = make(chan amqp091.Delivery, 1)
	g.waiting[id] = reply
	return id, reply
}

// spareChannel returns the spare channels in turn.
func (g *Gateway) spareChannel() *amqp091.Channel {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	return g.spare[g.calls%len(g.spare)]
}

// Call calls a method. What the server says is an error becomes one.
func (g *Gateway) Call(parent context.Context, method string, headers http.Header, body []byte) ([]byte, error) {
	reqCtx, cancel := context.WithTimeout(parent, Timeout)
	defer cancel()
	id, reply := g.expect()
	err := g.ch.PublishWithContext(reqCtx, "", g.queue, true, false, amqp091.Publishing{
		Headers:       table(headers),
		ContentType:   "application/octet-stream",
		CorrelationId: id,
		ReplyTo:       g.replies,
		AppId:         method,
		Type:          "gateway.call",
		Body:          body,
	})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", method, err)
	}
	select {
	case d := <-reply:
		if d.Type == "server.failure" {
			return nil, errors.New(string(d.Body))
		}
		return d.Body, nil
	case <-reqCtx.Done():
		// Nobody waits any more; tell the server, even though ctx is over.
		return nil, errors.Join(reqCtx.Err(), g.abandon(parent, id))
	}
}

// table takes over what a server may see of the headers of a request.
func table(headers http.Header) amqp091.Table {
	t := make(amqp091.Table)
	for name, values := range headers {
		if strings.HasPrefix(name, "X-") {
			t[strings.ToLower(name)] = values[0]
		}
	}
	return t
}

// abandon tells the server that a call's reply is not wanted.
func (g *Gateway) abandon(ctx context.Context, id string) error {
	return g.ch.PublishWithContext(context.WithoutCancel(ctx), "", g.queue, false, false, amqp091.Publishing{
		CorrelationId: id,
		Type:          "gateway.abandon",
	})
}

func (g *Gateway) serveCall(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	reply, err := g.Call(r.Context(), r.PathValue("method"), r.Header, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	_, _ = w.Write(reply)
}

func (g *Gateway) serveNotify(w http.ResponseWriter, r *http.Request) {
	msg := amqp091.Publishing{
		Type:  "gateway.notify",
		AppId: r.PathValue("topic"),
	}
	if err := g.ch.PublishWithContext(r.Context(), "", g.queue, false, false, msg); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if err := g.spareChannel().PublishWithContext(r.Context(), "", g.queue, false, false, amqp091.Publishing{
		Type: "gateway.copy",
	}); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func (g *Gateway) serveBroadcast(w http.ResponseWriter, r *http.Request) {
	text := r.FormValue("text")
	if err := g.broadcast(r.Context(), text); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// broadcast sends a text on every spare channel in turn.
func (g *Gateway) broadcast(context context.Context, text string) error {
	for range g.spare {
		if err := g.spareChannel().PublishWithContext(context, "", g.queue, false, false, amqp091.Publishing{
			ContentType: "text/plain",
			Type:        "gateway.broadcast",
			Body:        []byte(text),
		}); err != nil {
			return err
		}
	}
	return nil
}

// Drain tells the server that no more calls come. It is the last.
func (g *Gateway) Drain() error {
	return g.ch.Publish("", g.queue, false, false, amqp091.Publishing{Type: "gateway.drain"})
}
