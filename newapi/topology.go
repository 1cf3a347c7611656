package newapi

import "github.com/amqpfix/amqpfix/newapi/internal/wire"

// ExchangeDeclare creates an exchange, or checks that the one of this name has
// the same type and arguments. With noWait it does not wait for the broker's
// answer; an error then closes the channel later.
func (ch *Channel) ExchangeDeclare(name, kind string, durable, autoDelete, internal, noWait bool, args Table) error {
	return ch.exchangeDeclare(&wire.ExchangeDeclare{
		Exchange: name, Type: kind, Durable: durable, AutoDelete: autoDelete,
		Internal: internal, NoWait: noWait, Arguments: args,
	})
}

// ExchangeDeclarePassive checks that an exchange exists; the channel is closed
// with 404 if it does not.
func (ch *Channel) ExchangeDeclarePassive(name, kind string, durable, autoDelete, internal, noWait bool, args Table) error {
	return ch.exchangeDeclare(&wire.ExchangeDeclare{
		Exchange: name, Type: kind, Passive: true, Durable: durable, AutoDelete: autoDelete,
		Internal: internal, NoWait: noWait, Arguments: args,
	})
}

func (ch *Channel) exchangeDeclare(m *wire.ExchangeDeclare) error {
	return ch.request(m, m.NoWait, wire.IDExchangeDeclareOk)
}

// request makes a call, or sends it only.
func (ch *Channel) request(m wire.Method, noWait bool, answer wire.MethodID) error {
	if noWait {
		return ch.cast(m)
	}
	_, err := ch.call(m, answer)
	return err
}

// ExchangeDelete deletes an exchange and its bindings; with ifUnused only if it
// has none.
func (ch *Channel) ExchangeDelete(name string, ifUnused, noWait bool) error {
	return ch.request(&wire.ExchangeDelete{Exchange: name, IfUnused: ifUnused, NoWait: noWait},
		noWait, wire.IDExchangeDeleteOk)
}

// ExchangeBind routes messages from the source exchange to the destination
// exchange, as RabbitMQ extends the protocol.
func (ch *Channel) ExchangeBind(destination, key, source string, noWait bool, args Table) error {
	return ch.request(&wire.ExchangeBind{
		Destination: destination, Source: source, RoutingKey: key, NoWait: noWait, Arguments: args,
	}, noWait, wire.IDExchangeBindOk)
}

// ExchangeUnbind removes the binding that ExchangeBind made with the same
// arguments.
func (ch *Channel) ExchangeUnbind(destination, key, source string, noWait bool, args Table) error {
	return ch.request(&wire.ExchangeUnbind{
		Destination: destination, Source: source, RoutingKey: key, NoWait: noWait, Arguments: args,
	}, noWait, wire.IDExchangeUnbindOk)
}

// QueueDeclare creates a queue, or checks that the one of this name has the same
// attributes. An empty name lets the broker choose one, which the result tells.
func (ch *Channel) QueueDeclare(name string, durable, autoDelete, exclusive, noWait bool, args Table) (Queue, error) {
	return ch.queueDeclare(&wire.QueueDeclare{
		Queue: name, Durable: durable, AutoDelete: autoDelete, Exclusive: exclusive, NoWait: noWait, Arguments: args,
	})
}

// QueueDeclarePassive checks that a queue exists and tells its messages and
// consumers; the channel is closed with 404 if it does not.
func (ch *Channel) QueueDeclarePassive(name string, durable, autoDelete, exclusive, noWait bool, args Table) (Queue, error) {
	return ch.queueDeclare(&wire.QueueDeclare{
		Queue: name, Passive: true, Durable: durable, AutoDelete: autoDelete, Exclusive: exclusive, NoWait: noWait, Arguments: args,
	})
}

// QueueInspect is QueueDeclarePassive by name alone.
//
// Deprecated: use QueueDeclarePassive.
func (ch *Channel) QueueInspect(name string) (Queue, error) {
	return ch.queueDeclare(&wire.QueueDeclare{Queue: name, Passive: true})
}

func (ch *Channel) queueDeclare(m *wire.QueueDeclare) (Queue, error) {
	if m.NoWait {
		if err := ch.cast(m); err != nil {
			return Queue{}, err
		}
		return Queue{Name: m.Queue}, nil
	}
	answer, err := ch.call(m, wire.IDQueueDeclareOk)
	if err != nil {
		return Queue{}, err
	}
	ok := answer.(*wire.QueueDeclareOk)
	return Queue{Name: ok.Queue, Messages: int(ok.MessageCount), Consumers: int(ok.ConsumerCount)}, nil
}

// QueueBind routes messages of an exchange to a queue.
func (ch *Channel) QueueBind(name, key, exchange string, noWait bool, args Table) error {
	return ch.request(&wire.QueueBind{
		Queue: name, Exchange: exchange, RoutingKey: key, NoWait: noWait, Arguments: args,
	}, noWait, wire.IDQueueBindOk)
}

// QueueUnbind removes the binding that QueueBind made with the same arguments.
func (ch *Channel) QueueUnbind(name, key, exchange string, args Table) error {
	return ch.request(&wire.QueueUnbind{
		Queue: name, Exchange: exchange, RoutingKey: key, Arguments: args,
	}, false, wire.IDQueueUnbindOk)
}

// QueuePurge drops the messages of a queue that are not awaiting an
// acknowledgement, and tells how many; 0 with noWait.
func (ch *Channel) QueuePurge(name string, noWait bool) (int, error) {
	m := &wire.QueuePurge{Queue: name, NoWait: noWait}
	if noWait {
		return 0, ch.cast(m)
	}
	answer, err := ch.call(m, wire.IDQueuePurgeOk)
	if err != nil {
		return 0, err
	}
	return int(answer.(*wire.QueuePurgeOk).MessageCount), nil
}

// QueueDelete deletes a queue, its bindings and its messages, and tells how many
// those were; 0 with noWait. With ifUnused or ifEmpty it fails, and the channel is
// closed, if the queue has consumers or messages.
func (ch *Channel) QueueDelete(name string, ifUnused, ifEmpty, noWait bool) (int, error) {
	m := &wire.QueueDelete{Queue: name, IfUnused: ifUnused, IfEmpty: ifEmpty, NoWait: noWait}
	if noWait {
		return 0, ch.cast(m)
	}
	answer, err := ch.call(m, wire.IDQueueDeleteOk)
	if err != nil {
		return 0, err
	}
	return int(answer.(*wire.QueueDeleteOk).MessageCount), nil
}
