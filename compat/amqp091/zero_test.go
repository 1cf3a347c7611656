package amqp091_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	upstream "github.com/rabbitmq/amqp091-go"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// zeroArguments are arguments that every method can do something with.
func zeroArguments(method reflect.Value) (arguments []reflect.Value) {
	for i := 0; i < method.Type().NumIn(); i++ {
		in := method.Type().In(i)
		switch {
		case in == reflect.TypeOf((*context.Context)(nil)).Elem():
			arguments = append(arguments, reflect.ValueOf(context.Background()))
		case in.Kind() == reflect.Chan:
			arguments = append(arguments, reflect.MakeChan(in, 1))
		default:
			arguments = append(arguments, reflect.Zero(in))
		}
	}
	return arguments
}

// call calls a method with zeroArguments. panicked tells whether it did.
func call(value any, name string) (results []any, panicked any) {
	defer func() { panicked = recover() }()
	method := reflect.ValueOf(value).MethodByName(name)
	arguments := zeroArguments(method)
	if method.Type().IsVariadic() {
		arguments = arguments[:len(arguments)-1]
	}
	for _, result := range method.Call(arguments) {
		v := result.Interface()
		for i, argument := range arguments {
			if argument.Kind() == reflect.Chan && result.Kind() == reflect.Chan && result.Pointer() == argument.Pointer() {
				v = fmt.Sprintf("argument %d", i) // chans are compared by where they come from
			}
		}
		results = append(results, v)
	}
	return results, nil
}

// Every method of a zero value does what it does in amqp091-go or, where that
// panics, returns ErrClosed or something as harmless.
func TestZeroValuesBehaveAsUpstreams(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs func() any
	}{
		{"Connection", func() any { return &amqp.Connection{} }, func() any { return &upstream.Connection{} }},
		{"Channel", func() any { return &amqp.Channel{} }, func() any { return &upstream.Channel{} }},
	} {
		methods := reflect.TypeOf(c.theirs())
		for i := 0; i < methods.NumMethod(); i++ {
			name := methods.Method(i).Name
			t.Run(c.name+"."+name, func(t *testing.T) {
				want, panicked := call(c.theirs(), name)
				got, ourPanic := call(c.ours(), name)
				if ourPanic != nil {
					t.Fatalf("panics: %v", ourPanic)
				}
				if panicked == nil {
					if !reflect.DeepEqual(got, want) {
						t.Errorf("returns %v, amqp091-go's %v", got, want)
					}
					return
				}
				for _, result := range got {
					if err, ok := result.(error); ok && err != amqp.ErrClosed {
						t.Errorf("returns %v, want ErrClosed", err)
					}
				}
			})
		}
	}
	var ch amqp.Channel
	if err := newapi.BasicPublish(context.Background(), &ch, "", "", newapi.BasicProperties{}, nil); err != amqp.ErrClosed {
		t.Errorf("newapi.BasicPublish: %v", err)
	}
}

func TestZeroConfirmationIsOutstanding(t *testing.T) {
	dc := &amqp.DeferredConfirmation{DeliveryTag: 7}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if acked, err := dc.WaitContext(ctx); acked || err != context.DeadlineExceeded || dc.Acked() || dc.Done() != nil {
		t.Errorf("acked %v, error %v", acked, err)
	}
}

func TestNilConnectionHasNoRecovery(t *testing.T) {
	var conn *amqp.Connection
	if conn.IsRecoveryEnabled() || conn.IsTopologyRecoveryEnabled() || conn.IsConnectionRecoveryEnabled() {
		t.Error("a nil connection recovers")
	}
}
