package gone

import (
	"fmt"

	"github.com/amqpfix/amqpfix/compat" // for its properties

	"os"
)

func f(p *pool, body []byte) error {
	fmt.Fprintln(os.Stderr, len(body))
	var props compat.BasicProperties = p.ch.CreateBasicProperties()
	props.SetType("a")
	return p.ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
