package both

import (
	"context"
	"fmt"
	"github.com/amqpfix/amqpfix/compat"
	"os"
)

var _ context.Context

func f(ch *compat.Channel, body []byte) error {
	fmt.Fprintln(os.Stderr, len(body))
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}
