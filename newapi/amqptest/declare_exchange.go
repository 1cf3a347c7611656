package amqptest

import (
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func (ch *channel) declareExchange(m *wire.ExchangeDeclare) error {
	v := ch.vhost()
	if err := notDefault(m.Exchange); err != nil {
		return err
	}
	x := v.exchanges[m.Exchange]
	switch {
	case m.Passive:
		if _, err := v.exchange(m.Exchange); err != nil {
			return err
		}
	case x == nil:
		if err := ch.newExchange(m); err != nil {
			return err
		}
	default:
		if err := x.sameDeclaration(m); err != nil {
			return err
		}
	}
	ch.reply(m.NoWait, &wire.ExchangeDeclareOk{})
	return nil
}

func (ch *channel) newExchange(m *wire.ExchangeDeclare) error {
	v := ch.vhost()
	switch m.Type {
	case amqp091.ExchangeDirect, amqp091.ExchangeFanout, amqp091.ExchangeTopic, amqp091.ExchangeHeaders:
	default:
		return connectionError(amqp091.CommandInvalid, "invalid exchange type '%s'", m.Type)
	}
	if err := reserved("exchange", m.Exchange); err != nil {
		return err
	}
	x := &exchange{
		vhost:      v,
		name:       m.Exchange,
		kind:       m.Type,
		durable:    m.Durable,
		autoDelete: m.AutoDelete,
		internal:   m.Internal,
		arguments:  m.Arguments,
	}
	if alternate, ok := m.Arguments["alternate-exchange"]; ok {
		s, err := readName(alternate)
		if err != nil {
			return channelError(amqp091.PreconditionFailed, "invalid type '%s' for arg 'alternate-exchange' in exchange '%s' in vhost '%s'", fieldTypeName(alternate), m.Exchange, v.name)
		}
		x.alternate = &s
	}
	v.exchanges[x.name] = x
	return nil
}

// sameDeclaration compares a declaration with the exchange that is there.
func (x *exchange) sameDeclaration(m *wire.ExchangeDeclare) error {
	if m.Type != x.kind {
		return channelError(amqp091.PreconditionFailed, "inequivalent arg 'type' for exchange '%s' in vhost '%s': received '%s' but current is '%s'", x.name, x.vhost.name, m.Type, x.kind)
	}
	for _, flag := range []struct {
		name              string
		received, current bool
	}{
		{"durable", m.Durable, x.durable},
		{"auto_delete", m.AutoDelete, x.autoDelete},
		{"internal", m.Internal, x.internal},
	} {
		if err := inequivalentFlag(flag.name, "exchange", x.name, x.vhost.name, flag.received, flag.current); err != nil {
			return err
		}
	}
	return inequivalent("alternate-exchange", "exchange", x.name, x.vhost.name, m.Arguments, x.arguments)
}

func (ch *channel) deleteExchange(m *wire.ExchangeDelete) error {
	v := ch.vhost()
	if err := notDefault(m.Exchange); err != nil {
		return err
	}
	if strings.HasPrefix(m.Exchange, "amq.") {
		return channelError(amqp091.AccessRefused, "deletion of system exchange '%s' in vhost '%s' not allowed", m.Exchange, v.name)
	}
	if x := v.exchanges[m.Exchange]; x != nil { // one that is not there counts as deleted
		if m.IfUnused && len(x.bindings) > 0 {
			return channelError(amqp091.PreconditionFailed, "exchange '%s' in vhost '%s' in use", x.name, v.name)
		}
		x.delete()
	}
	ch.reply(m.NoWait, &wire.ExchangeDeleteOk{})
	return nil
}

func (ch *channel) bindExchange(m *wire.ExchangeBind) error {
	v := ch.vhost()
	if err := notDefault(m.Source, m.Destination); err != nil {
		return err
	}
	source, err := v.exchange(m.Source)
	if err != nil {
		return err
	}
	destination, err := v.exchange(m.Destination)
	if err != nil {
		return err
	}
	if err := source.bind(&binding{exchange: destination, key: m.RoutingKey, arguments: m.Arguments}); err != nil {
		return err
	}
	ch.reply(m.NoWait, &wire.ExchangeBindOk{})
	return nil
}

func (ch *channel) unbindExchange(m *wire.ExchangeUnbind) error {
	v := ch.vhost()
	if err := notDefault(m.Source, m.Destination); err != nil {
		return err
	}
	if destination := v.exchanges[m.Destination]; destination != nil {
		v.unbind(m.Source, &binding{exchange: destination, key: m.RoutingKey, arguments: m.Arguments})
	}
	ch.reply(m.NoWait, &wire.ExchangeUnbindOk{})
	return nil
}

// unbind removes a binding. One that is not there counts as removed.
func (v *vhost) unbind(source string, b *binding) {
	if x := v.exchanges[source]; x != nil {
		x.unbind(b.same)
	}
}
