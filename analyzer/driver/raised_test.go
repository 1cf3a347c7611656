package driver

import (
	"reflect"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

func TestRaisedRequirements(t *testing.T) {
	note := []string{behaviours[0].note}
	for _, tt := range []struct {
		name          string
		before, after string
		want          []Requirement
	}{
		{"across a change", "github.com/rabbitmq/amqp091-go v1.10.0", "github.com/rabbitmq/amqp091-go v1.16.0",
			[]Requirement{{File: "go.mod", Module: oldapi.Upstream, From: "v1.10.0", To: "v1.16.0", Notes: note}}},
		{"to a change", "github.com/rabbitmq/amqp091-go v1.9.0", "github.com/rabbitmq/amqp091-go v1.11.0 // indirect",
			[]Requirement{{File: "go.mod", Module: oldapi.Upstream, From: "v1.9.0", To: "v1.11.0", Notes: note}}},
		{"from a change", "github.com/rabbitmq/amqp091-go v1.11.0", "github.com/rabbitmq/amqp091-go v1.16.0",
			[]Requirement{{File: "go.mod", Module: oldapi.Upstream, From: "v1.11.0", To: "v1.16.0"}}},
		{"another client", "github.com/streadway/amqp v1.0.0", "github.com/streadway/amqp v1.1.0",
			[]Requirement{{File: "go.mod", Module: oldapi.Streadway, From: "v1.0.0", To: "v1.1.0"}}},
		{"the same", "github.com/rabbitmq/amqp091-go v1.10.0", "github.com/rabbitmq/amqp091-go v1.10.0", nil},
		{"not required before", "", "github.com/rabbitmq/amqp091-go v1.16.0", nil},
		{"not required after", "github.com/rabbitmq/amqp091-go v1.10.0", "", nil},
		{"another module", "example.com/m v1.0.0", "example.com/m v1.1.0", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := func(requirement string) []byte { return []byte("module m\n\nrequire (\n" + requirement + "\n)\n") }
			got, err := raisedIn("go.mod", text(tt.before), text(tt.after))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
	if _, err := raisedIn("go.mod", []byte("require ("), nil); err == nil {
		t.Error("a go.mod that is none has requirements")
	}
}
