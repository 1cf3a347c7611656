package amqptest_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/amqpfix/amqpfix/internal/brokertest"
)

func TestMain(m *testing.M) {
	brokertest.Main(m, func() error { return goleak.Find() })
}
