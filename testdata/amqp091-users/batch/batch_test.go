package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	rabbit "github.com/rabbitmq/amqp091-go"
)

// fake is a hand-made mock.
type fake struct {
	published []Entry
	err       error
}

func (f *fake) Publish(exchange, key string, mandatory, immediate bool, msg rabbit.Publishing) error {
	return f.PublishWithContext(context.Background(), exchange, key, mandatory, immediate, msg)
}

func (f *fake) PublishWithContext(_ context.Context, exchange, key string, _, _ bool, msg rabbit.Publishing) error {
	f.published = append(f.published, Entry{exchange, key, msg})
	return f.err
}

func (f *fake) PublishWithDeferredConfirmWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg rabbit.Publishing) (*rabbit.DeferredConfirmation, error) {
	return nil, f.PublishWithContext(ctx, exchange, key, mandatory, immediate, msg)
}

func TestBatcherPublishesInOrder(t *testing.T) {
	f := new(fake)
	b := New(f, "q", 3)
	for i := 0; i < 10; i++ {
		b.Send() <- rabbit.Publishing{MessageId: fmt.Sprint(i)}
	}
	if err := b.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, e := range f.published {
		if e.Exchange != "" || e.Key != "q" || e.MessageId != fmt.Sprint(i) {
			t.Errorf("entry %d is %+v", i, e)
		}
	}
	if len(f.published) != 10 {
		t.Errorf("published %d", len(f.published))
	}
}

func TestBatcherReportsTheFirstError(t *testing.T) {
	f := &fake{err: rabbit.ErrClosed}
	b := New(f, "q", 0)
	b.Send() <- rabbit.Publishing{}
	if err := b.Close(context.Background()); err != rabbit.ErrClosed {
		t.Errorf("error %v", err)
	}
}

func TestBatcherOnABroker(t *testing.T) {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		t.Skip("AMQP_URL is not set")
	}
	config := rabbit.Config{Heartbeat: 5 * time.Second, Properties: rabbit.NewConnectionProperties()}
	config.Properties.SetClientConnectionName("batch")
	conn, err := rabbit.DialConfig(url, config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	q, err := ch.QueueDeclare("", false, true, true, false, rabbit.Table{rabbit.QueueTTLArg: int32(60000)})
	if err != nil {
		t.Fatal(err)
	}
	b := New(ch, q.Name, 16)
	for i := 0; i < 100; i++ {
		b.Send() <- rabbit.Publishing{MessageId: fmt.Sprint(i), Headers: rabbit.Table{"n": i}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	q, err = ch.QueueDeclarePassive(q.Name, false, true, true, false, nil)
	if err != nil || q.Messages != 100 {
		t.Errorf("%d messages, error %v", q.Messages, err)
	}
	if err := ch.Close(); err != nil {
		t.Error(err)
	}
	if err := ch.Publish("", q.Name, false, false, rabbit.Publishing{}); !errors.Is(err, rabbit.ErrClosed) {
		t.Errorf("publishing after Close: %v", err)
	}
}
