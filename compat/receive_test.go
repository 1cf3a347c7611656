package compat_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

func TestGetGivesWhatWasPublished(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		publish(t, ch, queue, full(), "first")
		publish(t, ch, queue, nil, "")

		first := get(t, ch, queue)
		if diff := cmp.Diff(compat.ToStruct(full()), compat.ToStruct(first.Properties)); diff != "" {
			t.Errorf("properties (-want +got):\n%s", diff)
		}
		if string(first.Body) != "first" || first.Exchange != "" || first.RoutingKey != queue ||
			first.ConsumerTag != "" || first.Redelivered || first.DeliveryTag != 1 {
			t.Errorf("got %+v", first)
		}
		second := get(t, ch, queue)
		wantPresent(t, second.Properties, 0)
		if len(second.Body) != 0 || second.MessageCount != 0 || second.DeliveryTag != 2 {
			t.Errorf("got %+v", second)
		}
		second.Properties.Headers()["filled"] = "later"
		wantPresent(t, second.Properties, newapi.PropertyHeaders)
	})
}

func TestGetCountsWhatIsLeft(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		if err := ch.Confirm(false); err != nil {
			t.Fatal(err)
		}
		confirms := ch.NotifyPublish(make(chan newapi.Confirmation, 3))
		queue := declare(t, ch)
		for i := 0; i < 3; i++ {
			publish(t, ch, queue, nil, "")
			receive(t, confirms)
		}
		for left := uint32(2); ; left-- {
			if got := get(t, ch, queue); got.MessageCount != left {
				t.Errorf("MessageCount is %d, want %d", got.MessageCount, left)
			}
			if left == 0 {
				break
			}
		}
		if got, err := ch.BasicGet(queue, false); got != nil || err != nil {
			t.Errorf("BasicGet of an empty queue gave %v, %v; want nil, nil", got, err)
		}
	})
}

// allOfThem is the tag that with multiple stands for all unanswered deliveries.
const allOfThem = 0

func TestGetWaitsForAnAnswerWithoutAutoAck(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		publish(t, ch, queue, nil, "kept")
		for _, redelivered := range []bool{false, true} {
			got, err := ch.BasicGet(queue, false)
			if err != nil || got == nil || got.Redelivered != redelivered {
				t.Fatalf("BasicGet gave %+v, %v; want the message, redelivered %v", got, err, redelivered)
			}
			if err := ch.BasicNack(allOfThem, true, true); err != nil {
				t.Fatal(err)
			}
		}
		get(t, ch, queue) // with autoAck
		if err := ch.BasicNack(allOfThem, true, true); err != nil {
			t.Fatal(err)
		}
		if got, err := ch.BasicGet(queue, false); got != nil || err != nil {
			t.Errorf("after autoAck BasicGet gave %+v, %v; want nil, nil", got, err)
		}
	})
}

func TestReceivedPropertiesCanBePublishedAgain(t *testing.T) {
	for name, sent := range map[string]compat.BasicProperties{
		"all": full(),
		"a zero that was sent": compat.FromStruct(newapi.BasicProperties{
			MessageId: "m-1",
			SendZero:  newapi.PropertyPriority | newapi.PropertyHeaders | newapi.PropertyType,
		}),
	} {
		t.Run(name, func(t *testing.T) {
			onBrokers(t, func(t *testing.T, url string) {
				ch := open(t, url)
				queue := declare(t, ch)
				publish(t, ch, queue, sent, "")
				received := get(t, ch, queue).Properties
				if diff := cmp.Diff(compat.ToStruct(sent), compat.ToStruct(received)); diff != "" {
					t.Errorf("received (-want +got):\n%s", diff)
				}

				publish(t, ch, queue, received, "")
				again := get(t, ch, queue).Properties
				if diff := cmp.Diff(compat.ToStruct(sent), compat.ToStruct(again)); diff != "" {
					t.Errorf("published again (-want +got):\n%s", diff)
				}

				again.Headers()["attempt"] = int32(4)
				again.ClearMessageId()
				again.SetExpiration("90000")
				publish(t, ch, queue, again, "")
				changed := compat.ToStruct(sent)
				changed.Headers = newapi.Table{"attempt": int32(4)}
				changed.SendZero &^= newapi.PropertyHeaders
				changed.MessageId = ""
				changed.Expiration = "90000"
				if diff := cmp.Diff(changed, compat.ToStruct(get(t, ch, queue).Properties)); diff != "" {
					t.Errorf("changed and published again (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestConsumerAnswersItsDeliveries(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		deliveries, err := ch.BasicConsume(queue, "worker", false, nil)
		if err != nil {
			t.Fatal(err)
		}
		next := func(body string, redelivered bool) compat.BasicDelivery {
			t.Helper()
			d, ok := receive(t, deliveries)
			if !ok || string(d.Body) != body || d.Redelivered != redelivered || d.ConsumerTag != "worker" ||
				d.Exchange != "" || d.RoutingKey != queue || d.Properties.MessageId() != body {
				t.Fatalf("got %+v, want the delivery of %q, redelivered %v", d, body, redelivered)
			}
			return d
		}
		send := func(bodies ...string) {
			t.Helper()
			for _, body := range bodies {
				p := ch.CreateBasicProperties()
				p.SetMessageId(body)
				publish(t, ch, queue, p, body)
			}
		}
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}

		send("a")
		check(next("a", false).Nack(false, true))
		check(next("a", true).Reject(true))
		check(next("a", true).Reject(false))
		send("b")
		check(ch.BasicNack(next("b", false).DeliveryTag, false, true))
		check(ch.BasicReject(next("b", true).DeliveryTag, true))
		check(ch.BasicAck(next("b", true).DeliveryTag, false))
		send("c", "d", "e")
		next("c", false)
		check(ch.BasicAck(next("d", false).DeliveryTag, true)) // and c
		next("e", false)

		check(ch.BasicNack(allOfThem, true, true))
		check(next("e", true).Ack(false)) // alone unanswered
		if err := ch.Cancel("worker", false); err != nil {
			t.Fatal(err)
		}
		if d, ok := receive(t, deliveries); ok {
			t.Errorf("got %+v after Cancel, want the channel closed", d)
		}
	})
}

func TestCancelledConsumerKeepsWhatHasArrived(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		deliveries, err := ch.BasicConsume(queue, "c", true, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 10; i++ {
			publish(t, ch, queue, nil, strconv.Itoa(i))
		}
		first, _ := receive(t, deliveries) // the broker has begun
		if string(first.Body) != "0" {
			t.Errorf("got %q first, want 0", first.Body)
		}
		if err := ch.Cancel("c", false); err != nil {
			t.Fatal(err)
		}
		n := 1
		for d := range deliveries {
			if want := strconv.Itoa(n); string(d.Body) != want {
				t.Errorf("got %q, want %q", d.Body, want)
			}
			n++
		}
		q, err := ch.QueueDeclarePassive(queue, false, false, true, false, nil)
		if err != nil || n+q.Messages != 10 {
			t.Errorf("%d delivered, %d in the queue, error %v; want 10 together", n, q.Messages, err)
		}
	})
}

func TestReturnsComeInTheOldForm(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		returns := make(chan compat.BasicReturn)
		if got := ch.NotifyBasicReturn(returns); got != returns {
			t.Error("NotifyBasicReturn gave another channel back")
		}
		const nowhere = "compat.no-such-queue"
		publish(t, ch, nowhere, full(), "lost")
		for _, body := range []string{"first", "second"} {
			if err := ch.BasicPublish("", nowhere, true, full(), []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		for _, body := range []string{"first", "second"} {
			r, _ := receive(t, returns)
			if r.ReplyCode != newapi.NoRoute || r.ReplyText != "NO_ROUTE" || r.Exchange != "" || r.RoutingKey != nowhere || string(r.Body) != body {
				t.Errorf("got %+v, want %q as unroutable", r, body)
			}
			if diff := cmp.Diff(compat.ToStruct(full()), compat.ToStruct(r.Properties)); diff != "" {
				t.Errorf("properties (-want +got):\n%s", diff)
			}
		}
		if err := ch.Close(); err != nil {
			t.Fatal(err)
		}
		if r, ok := receive(t, returns); ok {
			t.Errorf("got %+v after Close, want the channel closed", r)
		}
	})
}

func TestReturnIsThereBeforeItsConfirmation(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		if err := ch.Confirm(false); err != nil {
			t.Fatal(err)
		}
		returns := ch.NotifyBasicReturn(make(chan compat.BasicReturn, 1))
		for i := 0; i < 200; i++ {
			confirmation, err := newapi.BasicPublishDeferred(context.Background(), ch, "", "compat.no-such-queue", newapi.BasicProperties{}, nil, newapi.Mandatory)
			if err != nil {
				t.Fatal(err)
			}
			confirmation.Wait()
			select {
			case <-returns:
			default:
				t.Fatalf("confirmation %d is out, its return is not there", i)
			}
		}
	})
}

func TestNoGoroutineOutlivesTheChannel(t *testing.T) {
	for name, closeIt := range map[string]func(*compat.Connection, *compat.Channel) error{
		"channel":    func(_ *compat.Connection, ch *compat.Channel) error { return ch.Close() },
		"connection": func(conn *compat.Connection, _ *compat.Channel) error { return conn.Close() },
		"broker": func(_ *compat.Connection, ch *compat.Channel) error {
			if _, err := ch.BasicGet("compat.no-such-queue", true); err == nil {
				return errors.New("BasicGet of a missing queue gave no error")
			}
			return nil
		},
	} {
		t.Run("closed by "+name, func(t *testing.T) {
			onBrokers(t, func(t *testing.T, url string) {
				conn := dial(t, url)
				before := goleak.IgnoreCurrent()
				ch, err := conn.CreateModel()
				if err != nil {
					t.Fatal(err)
				}
				queue := declare(t, ch)
				var unread []<-chan compat.BasicDelivery
				for i := 0; i < 3; i++ {
					deliveries, err := ch.BasicConsume(queue, "", true, nil)
					if err != nil {
						t.Fatal(err)
					}
					unread = append(unread, deliveries)
				}
				returns := ch.NotifyBasicReturn(make(chan compat.BasicReturn, 1))
				for i := 0; i < 1000; i++ {
					publish(t, ch, queue, nil, "unread")
				}
				if err := ch.BasicPublish("", "compat.no-such-queue", true, nil, nil); err != nil {
					t.Fatal(err)
				}
				receive(t, returns) // so all that was published before has been routed

				if err := closeIt(conn, ch); err != nil {
					t.Fatal(err)
				}
				if err := goleak.Find(before); err != nil {
					t.Error(err)
				}
				for i, deliveries := range unread {
					if _, ok := receive(t, deliveries); ok {
						t.Errorf("consumer %d got a delivery after its goroutine had ended", i)
					}
				}
				if _, ok := receive(t, returns); ok {
					t.Error("got a return, want the channel closed")
				}
			})
		})
	}
}

func TestErrorsOfTheBrokerAreReturned(t *testing.T) {
	const missing = "compat.no-such-queue"
	for name, call := range map[string]func(*compat.Channel) (any, error){
		"BasicGet": func(ch *compat.Channel) (any, error) {
			got, err := ch.BasicGet(missing, true)
			if got != nil {
				return got, err
			}
			return nil, err
		},
		"BasicConsume": func(ch *compat.Channel) (any, error) {
			got, err := ch.BasicConsume(missing, "", true, nil)
			if got != nil {
				return got, err
			}
			return nil, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBrokers(t, func(t *testing.T, url string) {
				ch := open(t, url)
				got, err := call(ch)
				var refused *newapi.Error
				if got != nil || !errors.As(err, &refused) || refused.Code != newapi.NotFound {
					t.Errorf("a missing queue gave %v, %v; want a not-found error alone", got, err)
				}
				got, err = call(ch)
				if got != nil || !errors.Is(err, newapi.ErrClosed) {
					t.Errorf("a closed channel gave %v, %v; want ErrClosed alone", got, err)
				}
				if err := ch.BasicPublish("", missing, false, nil, nil); !errors.Is(err, newapi.ErrClosed) {
					t.Errorf("BasicPublish on a closed channel gave %v, want ErrClosed", err)
				}
				if r, ok := receive(t, ch.NotifyBasicReturn(make(chan compat.BasicReturn))); ok {
					t.Errorf("a closed channel returned %+v", r)
				}
			})
		})
	}
}

// answers records what a delivery asks of its Acknowledger.
type answers []string

func (a *answers) Ack(tag uint64, multiple bool) error {
	*a = append(*a, "ack "+strconv.FormatUint(tag, 10)+" "+strconv.FormatBool(multiple))
	return nil
}

func (a *answers) Nack(tag uint64, multiple, requeue bool) error {
	*a = append(*a, "nack "+strconv.FormatUint(tag, 10)+" "+strconv.FormatBool(multiple)+" "+strconv.FormatBool(requeue))
	return nil
}

func (a *answers) Reject(tag uint64, requeue bool) error {
	*a = append(*a, "reject "+strconv.FormatUint(tag, 10)+" "+strconv.FormatBool(requeue))
	return nil
}

func TestDeliveryMadeByHandAnswersItsAcknowledger(t *testing.T) {
	var got answers
	d := compat.BasicDelivery{Acknowledger: &got, DeliveryTag: 7}
	for _, err := range []error{d.Ack(true), d.Ack(false), d.Nack(true, false), d.Nack(false, true), d.Reject(true), d.Reject(false)} {
		if err != nil {
			t.Error(err)
		}
	}
	want := answers{"ack 7 true", "ack 7 false", "nack 7 true false", "nack 7 false true", "reject 7 true", "reject 7 false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}

	var none compat.BasicDelivery
	for _, err := range []error{none.Ack(false), none.Nack(false, false), none.Reject(false)} {
		if !errors.Is(err, newapi.ErrDeliveryNotInitialized) {
			t.Errorf("error without an Acknowledger is %v, want ErrDeliveryNotInitialized", err)
		}
	}
}

// A mandatory message in flight when the channel closes must not be lost for
// want of a reader that is merely slow.
func TestSlowReaderOfReturnsGetsThemAfterTheClose(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		returns := ch.NotifyBasicReturn(make(chan compat.BasicReturn))
		for i := 0; i < 3; i++ {
			if err := ch.BasicPublish("", "compat.no-such-queue", true, nil, []byte(strconv.Itoa(i))); err != nil {
				t.Fatal(err)
			}
		}
		if err := ch.Close(); err != nil { // answered after the returns
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		for i := 0; i < 3; i++ {
			if r, ok := receive(t, returns); !ok || string(r.Body) != strconv.Itoa(i) {
				t.Errorf("return %d is %q, open %v", i, r.Body, ok)
			}
		}
		if _, ok := receive(t, returns); ok {
			t.Error("the channel is not closed after its last return")
		}
	})
}
