package shape

import "github.com/amqpfix/amqpfix/compat"

func spaces(ch *compat.Channel, given compat.Table, durable, must bool) error {
    p := ch.CreateBasicProperties()
    p.SetType("x")
    p.SetAppId("y")
    p.SetHeaders(given)
    if must {
        p.SetPersistent(durable)
        p.Headers()["a"] = 1
    }
    return ch.BasicPublish("", "q", must, p, nil) // value // want `use`
}
