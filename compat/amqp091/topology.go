package amqp091

// Arguments are checked as amqp091-go checks them: a value of another type than
// Table lists is an error, and nothing is sent.

// ExchangeDeclare creates an exchange, or checks that the one of this name has
// the same type and arguments. With noWait it does not wait for the broker's
// answer; an error then closes the channel later.
func (ch *Channel) ExchangeDeclare(name, kind string, durable, autoDelete, internal, noWait bool, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.ExchangeDeclare(name, kind, durable, autoDelete, internal, noWait, args)
}

// ExchangeDeclarePassive checks that an exchange exists; the channel is closed
// with 404 if it does not.
func (ch *Channel) ExchangeDeclarePassive(name, kind string, durable, autoDelete, internal, noWait bool, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.ExchangeDeclarePassive(name, kind, durable, autoDelete, internal, noWait, args)
}

// ExchangeDelete deletes an exchange and its bindings; with ifUnused only if it
// has none.
func (ch *Channel) ExchangeDelete(name string, ifUnused, noWait bool) error {
	return ch.ch.ExchangeDelete(name, ifUnused, noWait)
}

// ExchangeBind routes messages from the source exchange to the destination
// exchange.
func (ch *Channel) ExchangeBind(destination, key, source string, noWait bool, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.ExchangeBind(destination, key, source, noWait, args)
}

// ExchangeUnbind removes the binding that ExchangeBind made with the same
// arguments.
func (ch *Channel) ExchangeUnbind(destination, key, source string, noWait bool, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.ExchangeUnbind(destination, key, source, noWait, args)
}

// QueueDeclare creates a queue, or checks that the one of this name has the same
// attributes. An empty name lets the broker choose one, which the result tells.
func (ch *Channel) QueueDeclare(name string, durable, autoDelete, exclusive, noWait bool, args Table) (Queue, error) {
	if err := args.Validate(); err != nil {
		return Queue{}, err
	}
	return ch.ch.QueueDeclare(name, durable, autoDelete, exclusive, noWait, args)
}

// QueueDeclarePassive checks that a queue exists and tells its messages and
// consumers; the channel is closed with 404 if it does not.
func (ch *Channel) QueueDeclarePassive(name string, durable, autoDelete, exclusive, noWait bool, args Table) (Queue, error) {
	if err := args.Validate(); err != nil {
		return Queue{}, err
	}
	return ch.ch.QueueDeclarePassive(name, durable, autoDelete, exclusive, noWait, args)
}

// QueueInspect is QueueDeclarePassive by name alone.
//
// Deprecated: use QueueDeclarePassive.
func (ch *Channel) QueueInspect(name string) (Queue, error) {
	q, err := ch.ch.QueueDeclarePassive(name, false, false, false, false, nil)
	q.Name = name // with an error too, as in amqp091-go
	return q, err
}

// QueueBind routes messages of an exchange to a queue.
func (ch *Channel) QueueBind(name, key, exchange string, noWait bool, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.QueueBind(name, key, exchange, noWait, args)
}

// QueueUnbind removes the binding that QueueBind made with the same arguments.
func (ch *Channel) QueueUnbind(name, key, exchange string, args Table) error {
	if err := args.Validate(); err != nil {
		return err
	}
	return ch.ch.QueueUnbind(name, key, exchange, args)
}

// QueuePurge drops the messages of a queue that are not awaiting an
// acknowledgement, and tells how many; 0 with noWait.
func (ch *Channel) QueuePurge(name string, noWait bool) (int, error) {
	return ch.ch.QueuePurge(name, noWait)
}

// QueueDelete deletes a queue, its bindings and its messages, and tells how many
// those were; 0 with noWait. With ifUnused or ifEmpty it fails, and the channel is
// closed, if the queue has consumers or messages.
func (ch *Channel) QueueDelete(name string, ifUnused, ifEmpty, noWait bool) (int, error) {
	return ch.ch.QueueDelete(name, ifUnused, ifEmpty, noWait)
}
