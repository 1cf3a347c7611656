// Metrics sends one of everything it can send to the broker that AMQP_URL names,
// and exits 0 when the broker has taken it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	ampq "github.com/amqpfix/amqpfix/compat/amqp091"

	"example.com/metrics/chain"
	"example.com/metrics/collector"
	"example.com/metrics/point"
	"example.com/metrics/ship"
	"example.com/metrics/sink"
	"example.com/metrics/statsd"
)

const queue = "metrics.points"

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("AMQP_URL"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

// at is when everything is measured.
func at(second int64) time.Time { return time.Unix(1650000000+second, 0) }

func run(ctx context.Context, url string, out io.Writer) error {
	if url == "" {
		return errors.New("AMQP_URL is not set; set it to the broker's, such as amqp://guest:guest@localhost:5672/")
	}
	conn, err := ampq.Dial(url)
	if err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if _, err := ch.QueueDeclare(queue, false, true, true, false, nil); err != nil {
		return err
	}
	for _, flow := range []func(*ampq.Connection, *ampq.Channel, io.Writer) error{
		background, direct, chained, gauges, lines, self,
	} {
		if err := flow(conn, ch, out); err != nil {
			return err
		}
	}
	return goodbye(ctx, conn)
}

// background ships while it measures.
func background(conn *ampq.Connection, _ *ampq.Channel, _ io.Writer) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	s := ship.New(ch, queue)
	s.Start()
	for i, value := range []float64{0.25, 0.5, 2e6} {
		if err := s.Ship(point.Point{Name: "load", Value: value, At: at(int64(i))}); err != nil {
			return err
		}
	}
	return s.Stop()
}

// direct ships from here.
func direct(_ *ampq.Connection, ch *ampq.Channel, _ io.Writer) error {
	s := ship.New(ch, queue)
	for i := 0; i < 3; i++ {
		s.Alarm(point.Point{Name: "disk.full", Value: 1, At: at(0)})
	}
	if polled, err := s.Poll(); err != nil || !polled {
		return fmt.Errorf("poll: %v, %v", polled, err)
	}
	if err := s.Sweep(); err != nil {
		return err
	}
	for i := 0; i < 2; i++ {
		if err := s.Collect(point.Point{Name: "heap", Value: float64(i), Unit: "MB", At: at(int64(i))}, 2); err != nil {
			return err
		}
	}
	return s.Pulse(2)
}

func chained(_ *ampq.Connection, ch *ampq.Channel, _ io.Writer) error {
	p := &chain.Publisher{Channel: ch, Chain: chain.Chain{chain.Header("host", "a"), chain.Number()}}
	return errors.Join(
		chain.To(ch, "")(queue, ampq.Publishing{Type: "chain.to", Body: []byte("plain")}),
		p.Send(queue, ampq.Publishing{Type: "chain.send", Body: []byte("chained")}),
		p.Trace(queue, queue, ampq.Publishing{Type: "chain.trace", Body: []byte("traced")}),
		p.Dump(queue, []byte(strings.Repeat("0 1 2 3\n", 100))),
	)
}

func gauges(conn *ampq.Connection, _ *ampq.Channel, _ io.Writer) error {
	c, err := statsd.Connect(conn, "metrics.statsd", map[string]interface{}{"host": "a", "core": int32(2)})
	if err != nil {
		return err
	}
	return errors.Join(
		c.Gauge("temperature", 21.5),
		c.Count("requests", 3),
		c.Histogram("latency", 3, 9, 27),
		c.Timing("query", 12, false),
	)
}

func lines(_ *ampq.Connection, ch *ampq.Channel, out io.Writer) error {
	s := sink.New(ch, queue, out)
	built := sink.NewBuilder("sink.built").Header("format", "text").Lines("five")
	return errors.Join(
		s.Line("one"),
		s.Line("two"),
		s.Block("three", "four"),
		built.Send(ch, queue),
		built.Lines("six").Send(ch, queue),
	)
}

func self(_ *ampq.Connection, ch *ampq.Channel, _ io.Writer) error {
	c := collector.New(ch, queue, "metrics-sent")
	return errors.Join(
		c.Collect(func() point.Point { return point.Point{Name: "goroutines", Value: 7, At: at(60)} }),
		c.Host(),
	)
}

func goodbye(ctx context.Context, conn *ampq.Connection) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.Confirm(false); err != nil {
		return err
	}
	select {
	case c := <-sink.Goodbye(ch, queue):
		if !c.Ack {
			return errors.New("the broker does not want to say goodbye")
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
