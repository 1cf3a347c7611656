package wire

// Methods of class queue.
const (
	IDQueueDeclare   MethodID = ClassQueue<<16 | 10
	IDQueueDeclareOk MethodID = ClassQueue<<16 | 11
	IDQueueBind      MethodID = ClassQueue<<16 | 20
	IDQueueBindOk    MethodID = ClassQueue<<16 | 21
	IDQueuePurge     MethodID = ClassQueue<<16 | 30
	IDQueuePurgeOk   MethodID = ClassQueue<<16 | 31
	IDQueueDelete    MethodID = ClassQueue<<16 | 40
	IDQueueDeleteOk  MethodID = ClassQueue<<16 | 41
	IDQueueUnbind    MethodID = ClassQueue<<16 | 50
	IDQueueUnbindOk  MethodID = ClassQueue<<16 | 51
)

// QueueDeclare creates a queue, or with Passive asks whether it exists. An
// empty Queue lets the server choose a name.
type QueueDeclare struct {
	Queue                                           string
	Passive, Durable, Exclusive, AutoDelete, NoWait bool
	Arguments                                       Table
}

// ID returns IDQueueDeclare.
func (*QueueDeclare) ID() MethodID { return IDQueueDeclare }

// AppendArguments implements Method.
func (m *QueueDeclare) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.bits(m.Passive, m.Durable, m.Exclusive, m.AutoDelete, m.NoWait)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueueDeclare) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	d.bits(&m.Passive, &m.Durable, &m.Exclusive, &m.AutoDelete, &m.NoWait)
	m.Arguments = d.table()
	return d.finish()
}

// QueueDeclareOk says the queue exists, its name and what it holds.
type QueueDeclareOk struct {
	Queue                       string
	MessageCount, ConsumerCount uint32
}

// ID returns IDQueueDeclareOk.
func (*QueueDeclareOk) ID() MethodID { return IDQueueDeclareOk }

// AppendArguments implements Method.
func (m *QueueDeclareOk) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("queue", m.Queue)
	e.long(m.MessageCount)
	e.long(m.ConsumerCount)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueueDeclareOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.Queue = d.shortstr()
	m.MessageCount = d.long()
	m.ConsumerCount = d.long()
	return d.finish()
}

// QueueBind lets messages flow from an exchange to a queue.
type QueueBind struct {
	Queue, Exchange, RoutingKey string
	NoWait                      bool
	Arguments                   Table
}

// ID returns IDQueueBind.
func (*QueueBind) ID() MethodID { return IDQueueBind }

// AppendArguments implements Method.
func (m *QueueBind) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	e.bits(m.NoWait)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueueBind) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	m.Exchange = d.shortstr()
	m.RoutingKey = d.shortstr()
	d.bits(&m.NoWait)
	m.Arguments = d.table()
	return d.finish()
}

// QueueBindOk says the queue is bound.
type QueueBindOk struct{ noArguments }

// ID returns IDQueueBindOk.
func (*QueueBindOk) ID() MethodID { return IDQueueBindOk }

// QueueUnbind takes a QueueBind back. It has no no-wait argument.
type QueueUnbind struct {
	Queue, Exchange, RoutingKey string
	Arguments                   Table
}

// ID returns IDQueueUnbind.
func (*QueueUnbind) ID() MethodID { return IDQueueUnbind }

// AppendArguments implements Method.
func (m *QueueUnbind) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueueUnbind) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	m.Exchange = d.shortstr()
	m.RoutingKey = d.shortstr()
	m.Arguments = d.table()
	return d.finish()
}

// QueueUnbindOk says the queue is no longer bound.
type QueueUnbindOk struct{ noArguments }

// ID returns IDQueueUnbindOk.
func (*QueueUnbindOk) ID() MethodID { return IDQueueUnbindOk }

// QueuePurge drops the ready messages of a queue.
type QueuePurge struct {
	Queue  string
	NoWait bool
}

// ID returns IDQueuePurge.
func (*QueuePurge) ID() MethodID { return IDQueuePurge }

// AppendArguments implements Method.
func (m *QueuePurge) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.bits(m.NoWait)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueuePurge) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	d.bits(&m.NoWait)
	return d.finish()
}

// QueuePurgeOk says how many messages were dropped.
type QueuePurgeOk struct {
	MessageCount uint32
}

// ID returns IDQueuePurgeOk.
func (*QueuePurgeOk) ID() MethodID { return IDQueuePurgeOk }

// AppendArguments implements Method.
func (m *QueuePurgeOk) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.long(m.MessageCount)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueuePurgeOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.MessageCount = d.long()
	return d.finish()
}

// QueueDelete deletes a queue.
type QueueDelete struct {
	Queue                     string
	IfUnused, IfEmpty, NoWait bool
}

// ID returns IDQueueDelete.
func (*QueueDelete) ID() MethodID { return IDQueueDelete }

// AppendArguments implements Method.
func (m *QueueDelete) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.bits(m.IfUnused, m.IfEmpty, m.NoWait)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *QueueDelete) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	d.bits(&m.IfUnused, &m.IfEmpty, &m.NoWait)
	return d.finish()
}

// QueueDeleteOk says how many messages went with the queue.
type QueueDeleteOk struct {
	MessageCount uint32
}

// ID returns IDQueueDeleteOk.
func (*QueueDeleteOk) ID() MethodID { return IDQueueDeleteOk }

// AppendArguments implements Method.
func (m *QueueDeleteOk) AppendArguments(dst []byte) ([]byte, error) {
	return (*QueuePurgeOk)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *QueueDeleteOk) DecodeArguments(src []byte) error {
	return (*QueuePurgeOk)(m).DecodeArguments(src)
}
