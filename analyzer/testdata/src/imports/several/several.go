package several

import "fmt"
import "github.com/amqpfix/amqpfix/compat"

func f(ch *compat.Channel, body []byte) error {
	fmt.Println(len(body))
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}
