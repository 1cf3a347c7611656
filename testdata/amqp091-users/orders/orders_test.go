package orders

import (
	"context"
	"errors"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"go.uber.org/mock/gomock"

	"example.com/users/mocks"
	"example.com/users/tracing"
)

func TestCreatedIsRetried(t *testing.T) {
	channel := mocks.NewMockChannel(gomock.NewController(t))
	publish := channel.EXPECT().PublishWithContext(gomock.Any(), "orders", "created", true, false,
		gomock.AssignableToTypeOf(amqp.Publishing{}))
	gomock.InOrder(
		publish.Return(amqp.ErrClosed),
		channel.EXPECT().PublishWithContext(gomock.Any(), "orders", "created", true, false, gomock.Any()).
			DoAndReturn(func(_ context.Context, _, _ string, _, _ bool, msg amqp.Publishing) error {
				if msg.Headers["event"] != "created" || msg.DeliveryMode != amqp.Persistent {
					t.Errorf("published %+v", msg)
				}
				return nil
			}),
	)
	s := &Service{Channel: channel, Retries: 1}
	if err := s.Created(context.Background(), Order{ID: "1"}); err != nil {
		t.Fatal(err)
	}
}

// acknowledger is a hand-made mock.
type acknowledger struct{ acked, nacked, rejected []uint64 }

func (a *acknowledger) Ack(tag uint64, _ bool) error {
	a.acked = append(a.acked, tag)
	return nil
}

func (a *acknowledger) Nack(tag uint64, _, _ bool) error {
	a.nacked = append(a.nacked, tag)
	return nil
}

func (a *acknowledger) Reject(tag uint64, _ bool) error {
	a.rejected = append(a.rejected, tag)
	return nil
}

func TestRun(t *testing.T) {
	channel := mocks.NewMockChannel(gomock.NewController(t))
	var acks acknowledger
	deliveries := make(chan amqp.Delivery, 3)
	deliveries <- amqp.Delivery{Acknowledger: &acks, DeliveryTag: 1, Body: []byte(`{"id":"1"}`)}
	deliveries <- amqp.Delivery{Acknowledger: &acks, DeliveryTag: 2, Body: []byte(`{`)}
	deliveries <- amqp.Delivery{Acknowledger: &acks, DeliveryTag: 3, Body: []byte(`{}`), ReplyTo: "reply", CorrelationId: "c"}
	close(deliveries)
	channel.EXPECT().Qos(10, 0, false)
	channel.EXPECT().Consume("q", "orders", false, false, false, false, amqp.Table{"x-priority": int32(1)}).Return(deliveries, nil)
	channel.EXPECT().PublishWithContext(gomock.Any(), "", "reply", false, false,
		amqp.Publishing{CorrelationId: "c", Body: []byte("ok")}).Return(errors.New("full"))
	s := &Service{Channel: channel}
	if err := s.Run(context.Background(), "q"); err == nil || err.Error() != "full" {
		t.Errorf("error %v", err)
	}
	if len(acks.acked) != 1 || len(acks.rejected) != 1 || len(acks.nacked) != 1 {
		t.Errorf("answers %+v", acks)
	}
}

func TestHandlerBehindMiddleware(t *testing.T) {
	var acks acknowledger
	s := &Service{}
	handle := tracing.Middleware(s.Handle)
	if err := handle(context.Background(), amqp.Delivery{Acknowledger: &acks, DeliveryTag: 9, Body: []byte(`{}`)}); err != nil || len(acks.acked) != 1 {
		t.Errorf("answers %+v, error %v", acks, err)
	}
	if err := handle(context.Background(), amqp.Delivery{Body: []byte(`{}`)}); err != amqp.ErrDeliveryNotInitialized {
		t.Errorf("a delivery of nobody: %v", err)
	}
}
