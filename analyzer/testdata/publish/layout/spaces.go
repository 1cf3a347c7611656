package layout

import (
    "context"

    amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func spaces(ctx context.Context, ch *amqp.Channel, body []byte, must bool) error {
    return ch.PublishWithContext(
        ctx,
        "ex",
        "key",
        must,  // mandatory: we want it back
        false, // immediate
        amqp.Publishing{ // native
            Type: "t",
            Body: body, // the text
        },
    )
}

func severalFieldsInLines(ch *amqp.Channel, body []byte) {
    _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Type: "t", Body: body, // native
        AppId: "a"})
    _ = ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
        Type: "t", Body: body, // both
        AppId: "a",
    })
}
