package newapi_test

import (
	"net"
	"reflect"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
)

// notZero are the results, other than errors and chans, that are not the zero value
// of their type.
var notZero = map[string]any{
	"Connection.IsClosed":              true,
	"Connection.LocalAddr":             &net.TCPAddr{},
	"Connection.RemoteAddr":            &net.TCPAddr{},
	"Channel.IsClosed":                 true,
	"Channel.GetNextPublishSeqNo":      uint64(1),
	"DeferredConfirmation.Acked":       true,
	"DeferredConfirmation.Wait":        true,
	"DeferredConfirmation.WaitContext": true,
}

// Every exported method of what was never opened returns, with zero arguments, what
// it does when it has ended. Arguments are zero but for chans, which have to come
// back closed.
func TestEveryMethodOfNilAndZeroValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		fails error // with what
	}{
		{"nil", (*newapi.Connection)(nil), newapi.ErrClosed},
		{"zero", &newapi.Connection{}, newapi.ErrClosed},
		{"nil", (*newapi.Channel)(nil), newapi.ErrClosed},
		{"zero", &newapi.Channel{}, newapi.ErrClosed},
		{"nil", (*newapi.DeferredConfirmation)(nil), nil},
	} {
		value := reflect.ValueOf(c.value)
		for i := 0; i < value.NumMethod(); i++ {
			name := value.Type().Elem().Name() + "." + value.Type().Method(i).Name
			t.Run(c.name+" "+name, func(t *testing.T) {
				results, chans := callWithZeros(value.Method(i))
				for _, result := range results {
					switch {
					case result.Type() == reflect.TypeOf((*error)(nil)).Elem():
						if err, _ := result.Interface().(error); err != c.fails {
							t.Errorf("error %v, want %v", err, c.fails)
						}
					case len(chans) > 0:
						if result.Pointer() != chans[0].Pointer() {
							t.Error("the chan is not the one that was registered")
						}
						if v, open := chans[0].Recv(); open {
							t.Errorf("received %v", v)
						}
						chans = chans[1:]
					case name == "DeferredConfirmation.Done":
						if v, open := result.Recv(); open {
							t.Errorf("received %v", v)
						}
					default:
						want := notZero[name]
						if want == nil {
							want = reflect.Zero(result.Type()).Interface()
						}
						if got := result.Interface(); !reflect.DeepEqual(got, want) {
							t.Errorf("returns %v, want %v", got, want)
						}
					}
				}
				if len(chans) > 0 {
					t.Errorf("%d chans were not returned", len(chans))
				}
			})
		}
	}
}

// callWithZeros calls a method with zero values and, where it takes chans, with new
// ones.
func callWithZeros(method reflect.Value) (results, chans []reflect.Value) {
	var arguments []reflect.Value
	for i := 0; i < method.Type().NumIn(); i++ {
		argument := reflect.Zero(method.Type().In(i))
		if argument.Kind() == reflect.Chan {
			argument = reflect.MakeChan(argument.Type(), 0)
			chans = append(chans, argument)
		}
		arguments = append(arguments, argument)
	}
	return method.Call(arguments), chans
}

// A method that waits sends its request with noWait by another way.
func TestMethodsOfNilAndZeroChannelsThatDoNotWait(t *testing.T) {
	for name, ch := range map[string]*newapi.Channel{"nil": nil, "zero": {}} {
		_, declared := ch.QueueDeclare("q", false, false, false, true, nil)
		_, purged := ch.QueuePurge("q", true)
		_, deleted := ch.QueueDelete("q", false, false, true)
		_, consumed := ch.Consume("q", "", false, false, false, true, nil)
		for call, err := range map[string]error{
			"Confirm":        ch.Confirm(true),
			"Cancel":         ch.Cancel("c", true),
			"ExchangeBind":   ch.ExchangeBind("d", "", "s", true, nil),
			"QueueDeclare":   declared,
			"QueuePurge":     purged,
			"QueueDelete":    deleted,
			"Consume":        consumed,
			"QueueBind":      ch.QueueBind("q", "", "x", true, nil),
			"ExchangeUnbind": ch.ExchangeUnbind("d", "", "s", true, nil),
		} {
			if err != newapi.ErrClosed {
				t.Errorf("%s channel, %s: %v, want ErrClosed", name, call, err)
			}
		}
	}
}

// What takes a channel as an argument treats it as its methods do.
func TestFunctionsOnNilAndZeroChannels(t *testing.T) {
	for name, ch := range map[string]*newapi.Channel{"nil": nil, "zero": {}} {
		if err := newapi.BasicPublish(ctx, ch, "", "q", newapi.BasicProperties{}, nil); err != newapi.ErrClosed {
			t.Errorf("%s channel, BasicPublish: %v, want ErrClosed", name, err)
		}
		confirmation, err := newapi.BasicPublishDeferred(ctx, ch, "", "q", newapi.BasicProperties{}, nil)
		if confirmation != nil || err != newapi.ErrClosed {
			t.Errorf("%s channel, BasicPublishDeferred: %v, %v, want ErrClosed", name, confirmation, err)
		}
		texts := make(chan string)
		newapi.NotifyReturnAs(ch, texts, func(r newapi.Return) string { return r.ReplyText })
		if text, open := <-texts; open {
			t.Errorf("%s channel, NotifyReturnAs: received %q", name, text)
		}
	}
}
