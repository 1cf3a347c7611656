package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi"
)

// Every exported method of amqp091-go's own types and ours, once, against the broker.
func TestEveryMethod(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	name := fmt.Sprintf("newapi.every-method.%d", time.Now().UnixNano())
	var delivered newapi.Delivery
	var confirmation *newapi.DeferredConfirmation
	isTrue := func(ok bool) error {
		if !ok {
			return errors.New("false")
		}
		return nil
	}
	get := func() error {
		for begun := time.Now(); time.Since(begun) < patience; {
			var ok bool
			var err error
			if delivered, ok, err = ch.Get(name, false); ok || err != nil {
				return err
			}
		}
		return errors.New("nothing to get")
	}
	publish := func() error {
		_, err := ch.PublishEncoded(ctx, newapi.EncodedMessage{RoutingKey: name, Header: []byte{0, 0}})
		return err
	}
	republished := func(answer func() error) func() error {
		return func() error {
			if err := errors.Join(publish(), get()); err != nil {
				return err
			}
			return answer()
		}
	}
	steps := []struct {
		method string
		call   func() error
	}{
		{"Channel.ExchangeDeclare", func() error { return ch.ExchangeDeclare(name, "topic", false, false, false, false, nil) }},
		{"Channel.ExchangeDeclare", func() error { return ch.ExchangeDeclare(name+".2", "fanout", false, true, false, true, nil) }},
		{"Channel.ExchangeDeclarePassive", func() error { return ch.ExchangeDeclarePassive(name, "topic", false, false, false, false, nil) }},
		{"Channel.ExchangeBind", func() error { return ch.ExchangeBind(name+".2", "a.#", name, false, nil) }},
		{"Channel.QueueDeclare", func() error {
			q, err := ch.QueueDeclare(name, false, false, true, false, newapi.Table{newapi.QueueMaxLenArg: 10})
			if err == nil && q.Name != name {
				return fmt.Errorf("declared %q", q.Name)
			}
			return err
		}},
		{"Channel.QueueBind", func() error { return ch.QueueBind(name, "", name+".2", false, nil) }},
		{"Channel.PublishEncoded", func() error {
			_, err := ch.PublishEncoded(ctx, newapi.EncodedMessage{Exchange: name, RoutingKey: "a.b", Header: []byte{0, 0}})
			return err
		}},
		{"Channel.Flush", func() error { return ch.Flush(ctx) }},
		{"Channel.QueueInspect", func() error {
			for begun := time.Now(); ; { // counting overtakes delivery in the broker
				q, err := ch.QueueInspect(name)
				if err != nil || q.Messages == 1 {
					return err
				}
				if time.Since(begun) > patience {
					return fmt.Errorf("%d messages", q.Messages)
				}
			}
		}},
		{"Channel.QueueDeclarePassive", func() error {
			_, err := ch.QueueDeclarePassive(name, false, false, false, false, nil)
			return err
		}},
		{"Channel.QueuePurge", func() error {
			n, err := ch.QueuePurge(name, false)
			if err == nil && n != 1 {
				return fmt.Errorf("purged %d", n)
			}
			return err
		}},
		{"Channel.Get", republished(func() error { return delivered.Ack(false) })},
		{"Delivery.Ack", republished(func() error { return delivered.Ack(true) })},
		{"Delivery.Nack", republished(func() error { return delivered.Nack(false, false) })},
		{"Delivery.Reject", republished(func() error { return delivered.Reject(false) })},
		{"Delivery.String", func() error { return isTrue(strings.Contains(delivered.String(), name)) }},
		{"Channel.Ack", republished(func() error { return ch.Ack(delivered.DeliveryTag, false) })},
		{"Channel.Nack", republished(func() error { return ch.Nack(delivered.DeliveryTag, false, false) })},
		{"Channel.Reject", republished(func() error { return ch.Reject(delivered.DeliveryTag, true) })},
		{"Channel.Recover", func() error { return errors.Join(get(), ch.Recover(true)) }},
		{"Channel.QueueUnbind", func() error { return ch.QueueUnbind(name, "", name+".2", nil) }},
		{"Channel.ExchangeUnbind", func() error { return ch.ExchangeUnbind(name+".2", "a.#", name, false, nil) }},
		{"Channel.Qos", func() error { return ch.Qos(10, 0, false) }},
		{"Channel.Flow", func() error { return ch.Flow(true) }},
		{"Channel.Consume", func() error { _, err := ch.Consume(name, "1", true, false, false, false, nil); return err }},
		{"Channel.ConsumeWithContext", func() error {
			_, err := ch.ConsumeWithContext(ctx, name, "2", true, false, false, true, nil)
			return err
		}},
		{"Channel.Cancel", func() error { return errors.Join(ch.Cancel("1", false), ch.Cancel("2", true)) }},
		{"Channel.ConsumeFunc", func() error {
			cancellable, cancel := context.WithCancel(ctx)
			defer cancel()
			if err := publish(); err != nil {
				return err
			}
			err := ch.ConsumeFunc(cancellable, name, "", true, false, false, nil, func(newapi.Delivery) { cancel() })
			if !errors.Is(err, context.Canceled) {
				return fmt.Errorf("it returned %v", err)
			}
			return nil
		}},
		{"Channel.NotifyClose", func() error { ch.NotifyClose(make(chan *newapi.Error, 1)); return nil }},
		{"Channel.NotifyFlow", func() error { ch.NotifyFlow(make(chan bool, 1)); return nil }},
		{"Channel.NotifyReturn", func() error { ch.NotifyReturn(make(chan newapi.Return, 1)); return nil }},
		{"Channel.NotifyCancel", func() error { ch.NotifyCancel(make(chan string, 1)); return nil }},
		{"Channel.NotifyPublish", func() error { ch.NotifyPublish(make(chan newapi.Confirmation, 1)); return nil }},
		{"Channel.NotifyConfirm", func() error { ch.NotifyConfirm(make(chan uint64, 1), make(chan uint64, 1)); return nil }},
		{"Channel.QueueDelete", func() error { _, err := ch.QueueDelete(name, true, false, false); return err }},
		{"Channel.ExchangeDelete", func() error { return ch.ExchangeDelete(name, false, false) }},
		{"Channel.Tx", ch.Tx},
		{"Channel.TxCommit", ch.TxCommit},
		{"Channel.TxRollback", ch.TxRollback},
		{"Channel.Close", ch.Close},
		{"Channel.IsClosed", func() error {
			if !ch.IsClosed() {
				return errors.New("the channel is open")
			}
			return nil
		}},
		{"Connection.Channel", func() (err error) { ch, err = conn.Channel(); return err }},
		{"Channel.GetNextPublishSeqNo", func() error {
			if got := ch.GetNextPublishSeqNo(); got != 1 {
				return fmt.Errorf("next is %d", got)
			}
			return nil
		}},
		{"Channel.Confirm", func() error { return errors.Join(ch.Confirm(true), ch.Confirm(false)) }},
		{"DeferredConfirmation.Done", func() (err error) {
			if confirmation, err = newapi.BasicPublishDeferred(ctx, ch, "", "nowhere", newapi.BasicProperties{}, nil); err != nil {
				return err
			}
			<-confirmation.Done()
			return nil
		}},
		{"DeferredConfirmation.Acked", func() error { return isTrue(confirmation.Acked()) }},
		{"DeferredConfirmation.Wait", func() error { return isTrue(confirmation.Wait()) }},
		{"DeferredConfirmation.WaitContext", func() error {
			ok, err := confirmation.WaitContext(ctx)
			return errors.Join(isTrue(ok), err)
		}},
		{"DeferredConfirmation.Result", func() error { return confirmation.Result(ctx) }},
		{"Connection.UpdateSecret", func() error { return conn.UpdateSecret("guest", "test") }},
		{"Connection.LocalAddr", func() error {
			if !strings.HasPrefix(conn.LocalAddr().String(), "127.0.0.1:") {
				return fmt.Errorf("%v", conn.LocalAddr())
			}
			return nil
		}},
		{"Connection.RemoteAddr", func() error {
			if !strings.Contains(brokertest.URL(t), conn.RemoteAddr().String()) {
				return fmt.Errorf("%v", conn.RemoteAddr())
			}
			return nil
		}},
		{"Connection.ConnectionState", func() error {
			if conn.ConnectionState().Version != 0 {
				return errors.New("TLS on a plain connection")
			}
			return nil
		}},
		{"Connection.NotifyClose", func() error { conn.NotifyClose(make(chan *newapi.Error, 1)); return nil }},
		{"Connection.NotifyBlocked", func() error { conn.NotifyBlocked(make(chan newapi.Blocking, 1)); return nil }},
		{"Connection.CloseDeadline", func() error { return conn.CloseDeadline(time.Now().Add(patience)) }},
		{"Connection.IsClosed", func() error {
			if !conn.IsClosed() {
				return errors.New("the connection is open")
			}
			return nil
		}},
		{"Connection.Close", func() error {
			if err := conn.Close(); err != newapi.ErrClosed {
				return fmt.Errorf("second close: %v", err)
			}
			return nil
		}},
	}
	called := make(map[string]bool)
	for _, step := range steps {
		if err := step.call(); err != nil {
			t.Fatalf("%s: %v", step.method, err)
		}
		called[step.method] = true
	}
	properties := reflect.TypeOf(newapi.ReadOnlyBasicProperties{}) // TestReadOnlyHasWhatWasSent calls its methods
	for _, typ := range []reflect.Type{reflect.TypeOf(conn), reflect.TypeOf(ch), reflect.TypeOf(confirmation), reflect.TypeOf(&delivered)} {
		for i := 0; i < typ.NumMethod(); i++ {
			name := typ.Method(i).Name
			_, promoted := properties.MethodByName(name)
			if method := typ.Elem().Name() + "." + name; !called[method] && (typ != reflect.TypeOf(&delivered) || !promoted) {
				t.Errorf("%s is not called", method)
			}
		}
	}
}
