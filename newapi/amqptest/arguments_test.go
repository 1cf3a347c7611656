package amqptest_test

import (
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func TestQueueArgumentsThatAreNotImplementedAreRefused(t *testing.T) {
	server := amqptest.NewServer(t)
	for _, arguments := range []table{{"x-queue-type": "stream"}, {"x-delivery-limit": int32(3)}} {
		_, err := channelOf(t, dial(t, server.URL())).QueueDeclare("q", true, false, false, false, arguments)
		if got := describe(err); !strings.HasPrefix(got, "540 NOT_IMPLEMENTED - amqptest ") {
			t.Errorf("%v: %s", arguments, got)
		}
	}
	ch := channelOf(t, dial(t, server.URL()))
	_, err := ch.QueueDeclare("quorum", true, false, false, false, table{"x-queue-type": "quorum", "x-quorum-initial-group-size": int32(3)})
	must(t, err)
}

func TestHooksRefuseNegativeNumbers(t *testing.T) {
	server := amqptest.NewServer(t)
	for name, call := range map[string]func(){
		"NackNext(-1)":         func() { server.NackNext(-1) },
		"LimitMessageSize(-1)": func() { server.LimitMessageSize(-1) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, name) {
					t.Errorf("%s: panic %q, want one that names the call", name, text)
				}
			}()
			call()
		}()
	}
}
