// Package schedule sends what is due every so often.
package schedule

import (
	"context"
	"fmt"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Entry is one line of a plan.
type Entry struct {
	Every   time.Duration
	Queue   string
	Message amqp.Publishing
}

// Plan is what is due and how often.
type Plan []Entry

// Nightly is what every installation does at night.
var Nightly = []amqp.Publishing{
	{Type: "schedule.nightly", AppId: "vacuum", Body: []byte("all")},
	{Type: "schedule.nightly", AppId: "backup", Body: []byte("users"), Headers: amqp.Table{"full": true}},
	{Type: "schedule.nightly", AppId: "backup", Body: []byte("files"), Priority: 1},
}

// Scheduler sends on one channel.
type Scheduler struct {
	ch    *amqp.Channel
	queue string // where the nightly messages go
	count int
}

// New declares the queue.
func New(ch *amqp.Channel, queue string) (*Scheduler, error) {
	_, err := ch.QueueDeclare(
		queue, // name
		false, // durable
		true,  // delete when unused
		true,  // exclusive
		false, // no-wait
		nil,   // arguments
	)
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	return &Scheduler{ch: ch, queue: queue}, nil
}

// Night sends the nightly messages.
func (s *Scheduler) Night() error {
	for _, m := range Nightly {
		err := newapi.BasicPublish(context.Background(), s.ch, "", s.queue, amqp.Header(m), m.Body)
		if err != nil {
			return fmt.Errorf("schedule: %s: %w", m.AppId, err)
		}
	}
	return nil
}

// Tick sends the entries of a plan that are due after that time.
func (s *Scheduler) Tick(ctx context.Context, plan Plan, after time.Duration) error {
	for _, e := range plan {
		if e.Every == 0 || after%e.Every != 0 {
			continue
		}
		e.Message.Type = "schedule.tick"
		if err := newapi.BasicPublish(context.WithoutCancel(ctx), s.ch, "", e.Queue, amqp.Header(e.Message), e.Message.Body); err != nil {
			return err
		}
	}
	return nil
}

// First sends the first entry of a plan, due or not.
func (s *Scheduler) First(plan Plan) error {
	return amqp.BasicPublish(context.Background(), s.ch, "", plan[0].Queue, plan[0].Message)
}

// number counts what the scheduler has sent by itself.
func (s *Scheduler) number() string {
	s.count++
	return fmt.Sprint(s.count)
}

// clock says what time the scheduler thinks it is.
func (s *Scheduler) clock() []byte {
	return []byte("it is " + s.number())
}

// Strike sends the time. Its number is the one after the time's.
func (s *Scheduler) Strike() error {
	return amqp.BasicPublish(context.Background(), s.ch, "", s.queue, amqp.Publishing{
		Type:      "schedule.strike",
		Body:      s.clock(),
		MessageId: s.number(),
	})
}

// Chime is Strike the other way round.
func (s *Scheduler) Chime(ctx context.Context) error {
	return newapi.BasicPublish(context.WithoutCancel(ctx), s.ch, "", s.queue, newapi.BasicProperties{
		Type:      "schedule.chime",
		MessageId: s.number(),
		Timestamp: time.Unix(1700000000, 0).Add(time.Hour),
	}, s.clock())
}

// odd says whether the next number is odd, and takes it.
func (s *Scheduler) odd() bool { return len(s.number())%2 == 1 && s.count%2 == 1 }

// Gong sends the time, and wants it back when the number before is odd and
// nobody listens.
func (s *Scheduler) Gong() error {
	flags := newapi.FlagsIf(s.odd(), false)
	return newapi.BasicPublish(context.Background(), s.ch, "", s.queue, newapi.BasicProperties{
		Type: "schedule.gong",
	}, s.clock(), flags)
}
