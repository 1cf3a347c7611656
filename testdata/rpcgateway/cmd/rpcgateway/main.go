// Rpcgateway starts a gateway and a server on the broker that AMQP_URL names,
// calls every method over HTTP once, and exits 0 if the answers are right.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/amqptrace"
	"example.com/rpcgateway/gateway"
	"example.com/rpcgateway/pipeline"
	"example.com/rpcgateway/server"
	"example.com/rpcgateway/tracing"
)

const (
	calls     = "rpcgateway.calls"
	operators = "rpcgateway.operators"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("AMQP_URL")); err != nil {
		fmt.Fprintln(os.Stderr, "rpcgateway:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, broker string) error {
	if broker == "" {
		return errors.New("AMQP_URL is not set; set it to the broker's, such as amqp://guest:guest@localhost:5672/")
	}
	conn, err := amqp.Dial(broker)
	if err != nil {
		return err
	}
	defer conn.Close()
	return tracing.Span(ctx, broker, "00-4711-1-01", func(ctx context.Context) error {
		if err := overHTTP(ctx, conn); err != nil {
			return err
		}
		return values(ctx, conn)
	})
}

// channels opens n channels.
func channels(conn *amqp.Connection, n int) ([]*amqp.Channel, error) {
	var list []*amqp.Channel
	for range n {
		ch, err := conn.Channel()
		if err != nil {
			return nil, err
		}
		list = append(list, ch)
	}
	return list, nil
}

func square(_ context.Context, body []byte) ([]byte, error) {
	n, err := strconv.Atoi(string(body))
	if err != nil {
		return nil, fmt.Errorf("cannot square %q", body)
	}
	return []byte(strconv.Itoa(n * n)), nil
}

func overHTTP(ctx context.Context, conn *amqp.Connection) error {
	list, err := channels(conn, 4)
	if err != nil {
		return err
	}
	s, err := server.New(list[0], calls, operators)
	if err != nil {
		return err
	}
	s.Handle("square", square)
	s.Handle("sleep", func(context.Context, []byte) ([]byte, error) { return nil, server.ErrBusy })
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()

	g, err := gateway.New(list[1], list[2:], calls, "rpcgateway.replies")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	httpServer := &http.Server{Handler: g.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go httpServer.Serve(listener)
	defer httpServer.Close()

	for _, request := range []struct {
		path, body, want string
		status           int
	}{
		{"/call/square", "7", "49", http.StatusOK},
		{"/call/square", "seven", `cannot square "seven"`, http.StatusBadGateway},
		{"/call/sleep", "", "server: busy", http.StatusBadGateway},
		{"/call/root", "49", `no method "root"`, http.StatusBadGateway},
		{"/notify/weather", "", "", http.StatusAccepted},
		{"/broadcast?text=" + url.QueryEscape("lunch is ready"), "", "", http.StatusOK},
	} {
		status, body, err := post(ctx, "http://"+listener.Addr().String()+request.path, request.body)
		if err != nil {
			return err
		}
		if status != request.status || body != request.want {
			return fmt.Errorf("%s %q: %d %q, want %d %q", request.path, request.body, status, body, request.status, request.want)
		}
	}
	if err := abandoned(ctx, conn); err != nil {
		return err
	}
	if err := g.Drain(); err != nil {
		return err
	}
	return <-served
}

// abandoned gives a call up when it has arrived.
func abandoned(parent context.Context, conn *amqp.Connection) error {
	list, err := channels(conn, 2)
	if err != nil {
		return err
	}
	const queue = "rpcgateway.abandoned"
	if _, err := list[0].QueueDeclare(queue, false, true, true, false, nil); err != nil {
		return err
	}
	deliveries, err := list[0].Consume(queue, "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	go func() {
		<-deliveries
		cancel()
	}()
	g, err := gateway.New(list[1], nil, queue, "rpcgateway.no-replies")
	if err != nil {
		return err
	}
	if _, err := g.Call(ctx, "wait", nil, nil); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a call that nobody answers: %v, want %v", err, context.Canceled)
	}
	return nil
}

func post(ctx context.Context, address, body string) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("X-Tenant", "a")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, strings.TrimSpace(string(answer)), err
}

func values(ctx context.Context, conn *amqp.Connection) error {
	list, err := channels(conn, 1)
	if err != nil {
		return err
	}
	ch, queue := list[0], "rpcgateway.values"
	if _, err := ch.QueueDeclare(queue, false, true, true, false, nil); err != nil {
		return err
	}
	if err := ch.Confirm(false); err != nil {
		return err
	}
	envelope, err := pipeline.Seal(map[string]int{"a": 1})
	if err != nil {
		return err
	}
	ctx = amqptrace.With(ctx, "00-4711-2-01")
	return errors.Join(
		envelope.Send(ctx, ch, queue),
		pipeline.Send(ctx, ch, queue, []int{1, 2, 3}),
		pipeline.Stream(ctx, ch, queue, "x", "y", "z"),
		pipeline.Traced(ctx, ch, queue, "once"),
		pipeline.TracedTwice(ctx, ch, queue, "twice"),
		pipeline.Signal(ch, queue, "open"),
		pipeline.Signal(ch, queue, "close"),
		pipeline.Steps(ctx, ch, queue),
	)
}
