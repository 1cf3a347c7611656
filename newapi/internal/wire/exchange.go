package wire

// Methods of class exchange, with RabbitMQ's bind and unbind. The method ids
// of unbind and its answer are 40 and 51, not neighbours.
const (
	IDExchangeDeclare   MethodID = ClassExchange<<16 | 10
	IDExchangeDeclareOk MethodID = ClassExchange<<16 | 11
	IDExchangeDelete    MethodID = ClassExchange<<16 | 20
	IDExchangeDeleteOk  MethodID = ClassExchange<<16 | 21
	IDExchangeBind      MethodID = ClassExchange<<16 | 30
	IDExchangeBindOk    MethodID = ClassExchange<<16 | 31
	IDExchangeUnbind    MethodID = ClassExchange<<16 | 40
	IDExchangeUnbindOk  MethodID = ClassExchange<<16 | 51
)

// ExchangeDeclare creates an exchange, or with Passive asks whether it exists.
type ExchangeDeclare struct {
	Exchange, Type                                 string
	Passive, Durable, AutoDelete, Internal, NoWait bool
	Arguments                                      Table
}

// ID returns IDExchangeDeclare.
func (*ExchangeDeclare) ID() MethodID { return IDExchangeDeclare }

// AppendArguments implements Method.
func (m *ExchangeDeclare) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("exchange", m.Exchange)
	e.shortstr("type", m.Type)
	e.bits(m.Passive, m.Durable, m.AutoDelete, m.Internal, m.NoWait)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ExchangeDeclare) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Exchange = d.shortstr()
	m.Type = d.shortstr()
	d.bits(&m.Passive, &m.Durable, &m.AutoDelete, &m.Internal, &m.NoWait)
	m.Arguments = d.table()
	return d.finish()
}

// ExchangeDeclareOk says the exchange exists.
type ExchangeDeclareOk struct{ noArguments }

// ID returns IDExchangeDeclareOk.
func (*ExchangeDeclareOk) ID() MethodID { return IDExchangeDeclareOk }

// ExchangeDelete deletes an exchange.
type ExchangeDelete struct {
	Exchange         string
	IfUnused, NoWait bool
}

// ID returns IDExchangeDelete.
func (*ExchangeDelete) ID() MethodID { return IDExchangeDelete }

// AppendArguments implements Method.
func (m *ExchangeDelete) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("exchange", m.Exchange)
	e.bits(m.IfUnused, m.NoWait)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ExchangeDelete) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Exchange = d.shortstr()
	d.bits(&m.IfUnused, &m.NoWait)
	return d.finish()
}

// ExchangeDeleteOk says the exchange is gone.
type ExchangeDeleteOk struct{ noArguments }

// ID returns IDExchangeDeleteOk.
func (*ExchangeDeleteOk) ID() MethodID { return IDExchangeDeleteOk }

// ExchangeBind lets messages flow from exchange Source to exchange
// Destination.
type ExchangeBind struct {
	Destination, Source, RoutingKey string
	NoWait                          bool
	Arguments                       Table
}

// ID returns IDExchangeBind.
func (*ExchangeBind) ID() MethodID { return IDExchangeBind }

// AppendArguments implements Method.
func (m *ExchangeBind) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("destination", m.Destination)
	e.shortstr("source", m.Source)
	e.shortstr("routing-key", m.RoutingKey)
	e.bits(m.NoWait)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ExchangeBind) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Destination = d.shortstr()
	m.Source = d.shortstr()
	m.RoutingKey = d.shortstr()
	d.bits(&m.NoWait)
	m.Arguments = d.table()
	return d.finish()
}

// ExchangeBindOk says the exchanges are bound.
type ExchangeBindOk struct{ noArguments }

// ID returns IDExchangeBindOk.
func (*ExchangeBindOk) ID() MethodID { return IDExchangeBindOk }

// ExchangeUnbind takes an ExchangeBind with the same arguments back.
type ExchangeUnbind struct {
	Destination, Source, RoutingKey string
	NoWait                          bool
	Arguments                       Table
}

// ID returns IDExchangeUnbind.
func (*ExchangeUnbind) ID() MethodID { return IDExchangeUnbind }

// AppendArguments implements Method.
func (m *ExchangeUnbind) AppendArguments(dst []byte) ([]byte, error) {
	return (*ExchangeBind)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *ExchangeUnbind) DecodeArguments(src []byte) error {
	return (*ExchangeBind)(m).DecodeArguments(src)
}

// ExchangeUnbindOk says the exchanges are no longer bound.
type ExchangeUnbindOk struct{ noArguments }

// ID returns IDExchangeUnbindOk.
func (*ExchangeUnbindOk) ID() MethodID { return IDExchangeUnbindOk }
