// The rest of what amqp091-go's integration_test.go needs to be a test of
// compat/amqp091: names that it takes from other files of its package.

package amqp091

import (
	"fmt"
	"math/rand"
	"reflect"
	testquick "testing/quick"
)

const (
	defaultChannelMax         = uint16(2047)
	serverCapabilityBasicNack = "basic.nack"
)

// defaultConfig is for the broker that amqpURL names.
func defaultConfig() Config {
	uri, err := ParseURI(amqpURL)
	if err != nil {
		panic(fmt.Sprintf("AMQP_URL: %v", err))
	}
	return Config{SASL: []Authentication{uri.PlainAuth()}, Vhost: uri.Vhost}
}

// isCapable reads what the broker says about itself.
func (c *Connection) isCapable(name string) bool {
	capabilities, _ := c.Properties["capabilities"].(Table)
	capable, _ := capabilities[name].(bool)
	return capable
}

// quick stands for package testing/quick. Publishing has no Generate method to be
// found by it, so it is told of generatePublishing.
var quick generating

type generating struct{}

func (generating) Value(t reflect.Type, r *rand.Rand) (reflect.Value, bool) {
	return testquick.Value(t, r)
}

func (generating) Check(f any, config *testquick.Config) error {
	return testquick.Check(f, withPublishings(config))
}

func (generating) CheckEqual(f, g any, config *testquick.Config) error {
	return testquick.CheckEqual(f, g, withPublishings(config))
}

func withPublishings(config *testquick.Config) *testquick.Config {
	if config != nil {
		panic("support: a quick.Config is not expected")
	}
	return &testquick.Config{Values: func(arguments []reflect.Value, r *rand.Rand) {
		const size = 50 // as quick has it
		for i := range arguments {
			arguments[i] = generatePublishing(r, size)
		}
	}}
}
