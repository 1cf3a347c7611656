package newapi_test

import (
	"testing"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	brokertest.Main(m, func() error { return goleak.Find() })
}
