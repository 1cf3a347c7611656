package value

import (
	"fmt"
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

func getters(ch *compat.Channel, kind string, body []byte) error {
	props := ch.CreateBasicProperties()
	if kind != "" {
		props.SetType(kind)
	}
	fmt.Println(props.Type(), props.Priority(), props.Timestamp().Unix(), props.Headers()["k"], len(props.Headers()))
	v, ok := props.Headers()["k"].(string)
	for k := range props.Headers() {
		delete(props.Headers(), k)
	}
	props.Type()
	_, _ = v, ok
	_ = props.Headers()
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func presence(ch *compat.Channel, o *order, body []byte) error {
	props := ch.CreateBasicProperties()
	if o.Urgent {
		props.SetPriority(9)
	}
	if props.IsPriorityPresent() && !props.IsTypePresent() || !(props.IsTimestampPresent()) {
		props.SetTimestamp(time.Now())
	}
	same := props.IsReplyToPresent() == props.IsCorrelationIdPresent()
	not := !props.IsHeadersPresent() == !props.IsTimestampPresent()
	var present bool = props.IsTimestampPresent()
	any := []any{props.IsHeadersPresent(), props.Persistent(), !props.Persistent()}
	props.IsAppIdPresent()
	fmt.Println(same, not, present, any)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func clears(ch *compat.Channel, o *order, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetExpiration("1")
	for i := 0; i < 2; i++ {
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			return err
		}
		props.ClearContentType()
		props.ClearContentEncoding()
		props.ClearHeaders()
		props.ClearDeliveryMode()
		props.ClearPriority()
		props.ClearCorrelationId()
		props.ClearReplyTo()
		props.ClearExpiration()
		props.ClearMessageId()
		props.ClearTimestamp()
		props.ClearType()
		props.ClearUserId()
		props.ClearAppId()
		props.ClearClusterId()
	}
	return nil
}

func everySetter(ch *compat.Channel, o *order, now time.Time, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	if o.Urgent {
		props.SetContentType("a")
		props.SetContentEncoding("b")
		props.SetHeaders(t)
		props.SetDeliveryMode(1)
		props.SetPriority(2)
		props.SetCorrelationId("c")
		props.SetReplyTo("d")
		props.SetExpiration("3")
		props.SetMessageId("e")
		props.SetTimestamp(now)
		props.SetType("f")
		props.SetUserId("g")
		props.SetAppId("h")
		props.SetClusterId("i")
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
