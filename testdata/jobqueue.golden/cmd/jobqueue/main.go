// Jobqueue sends tasks of every kind through the broker that AMQP_URL names,
// works them off and exits. It is what we run against a new RabbitMQ before we
// trust it with real work. Nothing stays behind.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"

	"example.com/jobqueue/broker"
	"example.com/jobqueue/deadletter"
	"example.com/jobqueue/results"
	"example.com/jobqueue/schedule"
	"example.com/jobqueue/task"
	"example.com/jobqueue/worker"
)

var config = broker.Config{
	Exchange: "jobqueue.tasks",
	Control:  "jobqueue.control",
	Events:   "jobqueue.events",
	Delayed:  "jobqueue.delayed",
	Groups:   []string{"image", "mail", "default"},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("jobqueue: ")
	url := os.Getenv("AMQP_URL")
	if url == "" {
		log.Fatal("set AMQP_URL, for example to amqp://guest:guest@localhost:5672/")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, url); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	conn, err := amqp.Dial(url)
	if err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	defer conn.Close()

	b, err := broker.Open(conn, config)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, step := range []struct {
		name string
		do   func(context.Context, *amqp.Connection, *broker.Broker) error
	}{
		{"produce", produce},
		{"work", work},
		{"report", report},
		{"dead letters", deadLetters},
		{"schedule", schedules},
		{"results", calls},
	} {
		if err := step.do(ctx, conn, b); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Println(step.name, "done")
	}
	return nil
}

func produce(ctx context.Context, _ *amqp.Connection, b *broker.Broker) error {
	for _, t := range []*task.Task{
		{ID: "T-1", Name: "image.resize", Args: []string{"640", "480"}},
		{ID: "T-2", Name: "mail.send", Args: []string{"ada"}, Priority: 3, Headers: map[string]interface{}{"lang": "de", "list": int64(7)}},
		{ID: "T-3", Name: "cleanup", Delay: time.Minute},
		{ID: "T-4", Name: "image.crop"},
	} {
		if err := b.Send(ctx, t); err != nil {
			return err
		}
	}
	sixth, err := (&task.Task{ID: "T-6", Name: "image.resize"}).Encode()
	if err != nil {
		return err
	}
	if err := b.Route(ctx, "image", sixth, true); err != nil {
		return err
	}
	if err := b.Route(ctx, "nobody", sixth, false); err != nil {
		return err
	}
	if err := b.Announce(ctx, "default", "maintenance at noon"); err != nil {
		return err
	}
	if err := b.Control("pause"); err != nil {
		return err
	}
	b.Ping("image")
	if err := b.Revoke("T-9"); err != nil {
		return err
	}
	return push(b)
}

// push sends a task whose sender waits for the result.
func push(p broker.Publisher) error {
	body, err := (&task.Task{ID: "T-5", Name: "image.resize"}).Encode()
	if err != nil {
		return err
	}
	return p.Push("jobqueue.tasks.image", amqp.Publishing{
		ReplyTo:       "jobqueue.replies",
		CorrelationId: "C-5",
		Type:          "broker.push",
		Body:          body,
	})
}

func work(ctx context.Context, conn *amqp.Connection, b *broker.Broker) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if _, err := ch.QueueDeclare("jobqueue.replies", false, true, true, false, nil); err != nil {
		return err
	}
	for _, q := range []struct {
		group      string
		deliveries int // retries included
	}{
		{"image", 7},
		{"mail", 5},
	} {
		w, err := worker.New(ch, b.Queue(q.group), "jobqueue.parked", "jobqueue.reports")
		if err != nil {
			return err
		}
		w.Handle("image.resize", func(_ context.Context, t *task.Task) ([]byte, error) {
			return []byte("resized " + t.ID), nil
		})
		w.Handle("mail.send", func(context.Context, *task.Task) ([]byte, error) {
			return nil, errors.New("mail: no route to host")
		})
		if err := w.Work(ctx, q.deliveries); err != nil {
			return err
		}
	}
	reply := &amqp.Publishing{Type: "broker.pushto", Body: []byte("done"), Headers: amqp.Table{"worker": "w1"}}
	return broker.PushTo(ch, reply, "jobqueue.replies")
}

func report(ctx context.Context, conn *amqp.Connection, _ *broker.Broker) error {
	r, err := broker.NewReporter(conn, config)
	if err != nil {
		return err
	}
	dc, err := r.Report(broker.Event{Task: "T-1", State: "done", Note: "in no time"})
	if err != nil {
		return err
	}
	if acked, err := dc.WaitContext(ctx); err != nil || !acked {
		return errors.Join(broker.ErrNotConfirmed, err)
	}
	if err := r.ReportAll(ctx, broker.Event{Task: "T-2", State: "failed"}, broker.Event{Task: "T-3", State: "waiting"}); err != nil {
		return err
	}
	return errors.Join(r.Summary(ctx, 4, 0), r.Summary(ctx, 3, 1))
}

func deadLetters(_ context.Context, conn *amqp.Connection, _ *broker.Broker) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	queues := []string{"jobqueue.dead", "jobqueue.second", "jobqueue.readers"}
	for _, name := range queues {
		if _, err := ch.QueueDeclare(name, false, true, true, false, nil); err != nil {
			return err
		}
	}
	office := &deadletter.Office{
		Channel: ch,
		Box:     queues[0],
		Now:     func() time.Time { return time.Unix(1700000000, 0) },
	}
	letter := deadletter.FromDelivery(amqp.Delivery{
		Headers:   amqp.Table{"lang": "de", "x-attempt": int64(3)},
		MessageId: "T-2",
		Body:      []byte("ada"),
	})
	copies := []amqp.Publishing{
		{Body: []byte("first copy"), ContentType: "text/plain"},
		{Body: []byte("second copy"), Headers: amqp.Table{"of": amqp.Table{"task": "T-2", "tries": []interface{}{int32(1), int32(2)}}}},
	}
	return errors.Join(
		office.File(letter, "no route to host"),
		office.Resend(*letter, queues[1]),
		office.Copies(queues[1:], copies...),
		office.Archive(queues[2],
			deadletter.Certificate{Number: 1, Publishing: copies[0]},
			deadletter.Certificate{Number: 2, Publishing: amqp.Publishing{Body: []byte("empty box")}},
		),
	)
}

func schedules(ctx context.Context, conn *amqp.Connection, _ *broker.Broker) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	s, err := schedule.New(ch, "jobqueue.schedule")
	if err != nil {
		return err
	}
	plan := schedule.Plan{
		{Every: time.Hour, Queue: "jobqueue.schedule", Message: amqp.Publishing{Type: "schedule.first", Body: []byte("hourly")}},
		{Every: 24 * time.Hour, Queue: "jobqueue.schedule", Message: amqp.Publishing{Body: []byte("daily"), Priority: 9}},
	}
	return errors.Join(
		s.Night(),
		s.Tick(ctx, plan, 3*time.Hour),
		s.Tick(ctx, plan, 24*time.Hour),
		s.First(plan),
		s.Strike(),
		s.Chime(ctx),
		s.Gong(),
	)
}

func calls(ctx context.Context, conn *amqp.Connection, _ *broker.Broker) error {
	serverChannel, err := conn.Channel()
	if err != nil {
		return err
	}
	clientChannel, err := conn.Channel()
	if err != nil {
		return err
	}
	const queue = "jobqueue.square"
	if _, err := serverChannel.QueueDeclare(queue, false, true, true, false, nil); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() {
		served <- results.Serve(ctx, serverChannel, queue, 2, func(body []byte) (string, error) {
			if string(body) != "7" {
				return "", fmt.Errorf("cannot square %s", body)
			}
			return "49", nil
		})
	}()
	client, err := results.NewClient(clientChannel, "jobqueue.answers")
	if err != nil {
		return err
	}
	got, err := client.Call(ctx, queue, 7)
	if err != nil {
		return err
	}
	if want := `{"value":"49"}`; string(got) != want {
		return fmt.Errorf("square of 7 is %s, want %s", got, want)
	}
	if _, err := client.Call(ctx, queue, "seven"); err != nil {
		return err
	}
	return <-served
}
