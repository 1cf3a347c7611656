package wire

// Methods of class basic, with RabbitMQ's nack. The server sends ack and nack
// too, in confirm mode, and cancel, when it ends a consumer.
const (
	IDBasicQos          MethodID = ClassBasic<<16 | 10
	IDBasicQosOk        MethodID = ClassBasic<<16 | 11
	IDBasicConsume      MethodID = ClassBasic<<16 | 20
	IDBasicConsumeOk    MethodID = ClassBasic<<16 | 21
	IDBasicCancel       MethodID = ClassBasic<<16 | 30
	IDBasicCancelOk     MethodID = ClassBasic<<16 | 31
	IDBasicPublish      MethodID = ClassBasic<<16 | 40
	IDBasicReturn       MethodID = ClassBasic<<16 | 50
	IDBasicDeliver      MethodID = ClassBasic<<16 | 60
	IDBasicGet          MethodID = ClassBasic<<16 | 70
	IDBasicGetOk        MethodID = ClassBasic<<16 | 71
	IDBasicGetEmpty     MethodID = ClassBasic<<16 | 72
	IDBasicAck          MethodID = ClassBasic<<16 | 80
	IDBasicReject       MethodID = ClassBasic<<16 | 90
	IDBasicRecoverAsync MethodID = ClassBasic<<16 | 100
	IDBasicRecover      MethodID = ClassBasic<<16 | 110
	IDBasicRecoverOk    MethodID = ClassBasic<<16 | 111
	IDBasicNack         MethodID = ClassBasic<<16 | 120
)

// BasicQos limits what the server sends ahead of acknowledgements; 0 means no
// limit.
type BasicQos struct {
	PrefetchSize  uint32 // octets
	PrefetchCount uint16 // messages
	Global        bool
}

// ID returns IDBasicQos.
func (*BasicQos) ID() MethodID { return IDBasicQos }

// AppendArguments implements Method.
func (m *BasicQos) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.long(m.PrefetchSize)
	e.short(m.PrefetchCount)
	e.bits(m.Global)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicQos) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.PrefetchSize = d.long()
	m.PrefetchCount = d.short()
	d.bits(&m.Global)
	return d.finish()
}

// BasicQosOk says the limits hold.
type BasicQosOk struct{ noArguments }

// ID returns IDBasicQosOk.
func (*BasicQosOk) ID() MethodID { return IDBasicQosOk }

// BasicConsume starts a consumer. An empty ConsumerTag lets the server choose
// one.
type BasicConsume struct {
	Queue, ConsumerTag                string
	NoLocal, NoAck, Exclusive, NoWait bool
	Arguments                         Table
}

// ID returns IDBasicConsume.
func (*BasicConsume) ID() MethodID { return IDBasicConsume }

// AppendArguments implements Method.
func (m *BasicConsume) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.shortstr("consumer-tag", m.ConsumerTag)
	e.bits(m.NoLocal, m.NoAck, m.Exclusive, m.NoWait)
	e.table("arguments", m.Arguments)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicConsume) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	m.ConsumerTag = d.shortstr()
	d.bits(&m.NoLocal, &m.NoAck, &m.Exclusive, &m.NoWait)
	m.Arguments = d.table()
	return d.finish()
}

// BasicConsumeOk names the consumer that was started.
type BasicConsumeOk struct {
	ConsumerTag string
}

// ID returns IDBasicConsumeOk.
func (*BasicConsumeOk) ID() MethodID { return IDBasicConsumeOk }

// AppendArguments implements Method.
func (m *BasicConsumeOk) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("consumer-tag", m.ConsumerTag)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicConsumeOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ConsumerTag = d.shortstr()
	return d.finish()
}

// BasicCancel ends a consumer; from the server, it says the consumer has
// ended.
type BasicCancel struct {
	ConsumerTag string
	NoWait      bool
}

// ID returns IDBasicCancel.
func (*BasicCancel) ID() MethodID { return IDBasicCancel }

// AppendArguments implements Method.
func (m *BasicCancel) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("consumer-tag", m.ConsumerTag)
	e.bits(m.NoWait)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicCancel) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ConsumerTag = d.shortstr()
	d.bits(&m.NoWait)
	return d.finish()
}

// BasicCancelOk names the consumer that has ended.
type BasicCancelOk struct {
	ConsumerTag string
}

// ID returns IDBasicCancelOk.
func (*BasicCancelOk) ID() MethodID { return IDBasicCancelOk }

// AppendArguments implements Method.
func (m *BasicCancelOk) AppendArguments(dst []byte) ([]byte, error) {
	return (*BasicConsumeOk)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *BasicCancelOk) DecodeArguments(src []byte) error {
	return (*BasicConsumeOk)(m).DecodeArguments(src)
}

// BasicPublish begins a message from the client; a content header and body
// follow. AppendBasicPublish is the fast way to write one.
type BasicPublish struct {
	Exchange, RoutingKey string
	Mandatory, Immediate bool
}

// ID returns IDBasicPublish.
func (*BasicPublish) ID() MethodID { return IDBasicPublish }

// AppendArguments implements Method.
func (m *BasicPublish) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	e.bits(m.Mandatory, m.Immediate)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicPublish) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Exchange = d.shortstr()
	m.RoutingKey = d.shortstr()
	d.bits(&m.Mandatory, &m.Immediate)
	return d.finish()
}

// BasicReturn begins a message that comes back because it could not be routed;
// a content header and body follow.
type BasicReturn struct {
	ReplyCode                       uint16
	ReplyText, Exchange, RoutingKey string
}

// ID returns IDBasicReturn.
func (*BasicReturn) ID() MethodID { return IDBasicReturn }

// AppendArguments implements Method.
func (m *BasicReturn) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(m.ReplyCode)
	e.shortstr("reply-text", m.ReplyText)
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicReturn) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ReplyCode = d.short()
	m.ReplyText = d.shortstr()
	m.Exchange = d.shortstr()
	m.RoutingKey = d.shortstr()
	return d.finish()
}

// BasicDeliver begins a message to a consumer; a content header and body
// follow. ParseBasicDeliver is the fast way to read one.
type BasicDeliver struct {
	ConsumerTag          string
	DeliveryTag          uint64
	Redelivered          bool
	Exchange, RoutingKey string
}

// ID returns IDBasicDeliver.
func (*BasicDeliver) ID() MethodID { return IDBasicDeliver }

// AppendArguments implements Method.
func (m *BasicDeliver) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("consumer-tag", m.ConsumerTag)
	e.longlong(m.DeliveryTag)
	e.bits(m.Redelivered)
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicDeliver) DecodeArguments(src []byte) error {
	v, err := ParseBasicDeliver(src)
	*m = BasicDeliver{
		ConsumerTag: string(v.ConsumerTag),
		DeliveryTag: v.DeliveryTag,
		Redelivered: v.Redelivered,
		Exchange:    string(v.Exchange),
		RoutingKey:  string(v.RoutingKey),
	}
	return err
}

// BasicGet asks for one message.
type BasicGet struct {
	Queue string
	NoAck bool
}

// ID returns IDBasicGet.
func (*BasicGet) ID() MethodID { return IDBasicGet }

// AppendArguments implements Method.
func (m *BasicGet) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(0) // reserved-1
	e.shortstr("queue", m.Queue)
	e.bits(m.NoAck)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicGet) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.short() // reserved-1
	m.Queue = d.shortstr()
	d.bits(&m.NoAck)
	return d.finish()
}

// BasicGetOk begins the message that a BasicGet asked for; a content header
// and body follow. MessageCount is what is left in the queue.
type BasicGetOk struct {
	DeliveryTag          uint64
	Redelivered          bool
	Exchange, RoutingKey string
	MessageCount         uint32
}

// ID returns IDBasicGetOk.
func (*BasicGetOk) ID() MethodID { return IDBasicGetOk }

// AppendArguments implements Method.
func (m *BasicGetOk) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.longlong(m.DeliveryTag)
	e.bits(m.Redelivered)
	e.shortstr("exchange", m.Exchange)
	e.shortstr("routing-key", m.RoutingKey)
	e.long(m.MessageCount)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicGetOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.DeliveryTag = d.longlong()
	d.bits(&m.Redelivered)
	m.Exchange = d.shortstr()
	m.RoutingKey = d.shortstr()
	m.MessageCount = d.long()
	return d.finish()
}

// BasicGetEmpty says the queue is empty. Its reserved argument is sent empty.
type BasicGetEmpty struct{}

// ID returns IDBasicGetEmpty.
func (*BasicGetEmpty) ID() MethodID { return IDBasicGetEmpty }

// AppendArguments implements Method.
func (m *BasicGetEmpty) AppendArguments(dst []byte) ([]byte, error) {
	return AppendShortstr(dst, "")
}

// DecodeArguments implements Method.
func (m *BasicGetEmpty) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.shortstrBytes()
	return d.finish()
}

// BasicAck settles a delivery, or from the server a publish; with Multiple all
// up to it. AppendBasicAck is the fast way to write one.
type BasicAck struct {
	DeliveryTag uint64
	Multiple    bool
}

// ID returns IDBasicAck.
func (*BasicAck) ID() MethodID { return IDBasicAck }

// AppendArguments implements Method.
func (m *BasicAck) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.longlong(m.DeliveryTag)
	e.bits(m.Multiple)
	return e.finish()
}

// DecodeArguments implements Method. It does not allocate.
func (m *BasicAck) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.DeliveryTag = d.longlong()
	d.bits(&m.Multiple)
	return d.finish()
}

// BasicReject refuses a delivery.
type BasicReject struct {
	DeliveryTag uint64
	Requeue     bool
}

// ID returns IDBasicReject.
func (*BasicReject) ID() MethodID { return IDBasicReject }

// AppendArguments implements Method.
func (m *BasicReject) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.longlong(m.DeliveryTag)
	e.bits(m.Requeue)
	return e.finish()
}

// DecodeArguments implements Method. It does not allocate.
func (m *BasicReject) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.DeliveryTag = d.longlong()
	d.bits(&m.Requeue)
	return d.finish()
}

// BasicRecoverAsync asks for unacknowledged deliveries again, without an
// answer. Deprecated by the specification.
type BasicRecoverAsync struct {
	Requeue bool
}

// ID returns IDBasicRecoverAsync.
func (*BasicRecoverAsync) ID() MethodID { return IDBasicRecoverAsync }

// AppendArguments implements Method.
func (m *BasicRecoverAsync) AppendArguments(dst []byte) ([]byte, error) {
	return (*BasicRecover)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *BasicRecoverAsync) DecodeArguments(src []byte) error {
	return (*BasicRecover)(m).DecodeArguments(src)
}

// BasicRecover asks for unacknowledged deliveries again.
type BasicRecover struct {
	Requeue bool
}

// ID returns IDBasicRecover.
func (*BasicRecover) ID() MethodID { return IDBasicRecover }

// AppendArguments implements Method.
func (m *BasicRecover) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.bits(m.Requeue)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *BasicRecover) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.bits(&m.Requeue)
	return d.finish()
}

// BasicRecoverOk answers a BasicRecover.
type BasicRecoverOk struct{ noArguments }

// ID returns IDBasicRecoverOk.
func (*BasicRecoverOk) ID() MethodID { return IDBasicRecoverOk }

// BasicNack refuses a delivery, or from the server a publish; with Multiple
// all up to it.
type BasicNack struct {
	DeliveryTag       uint64
	Multiple, Requeue bool
}

// ID returns IDBasicNack.
func (*BasicNack) ID() MethodID { return IDBasicNack }

// AppendArguments implements Method.
func (m *BasicNack) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.longlong(m.DeliveryTag)
	e.bits(m.Multiple, m.Requeue)
	return e.finish()
}

// DecodeArguments implements Method. It does not allocate.
func (m *BasicNack) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.DeliveryTag = d.longlong()
	d.bits(&m.Multiple, &m.Requeue)
	return d.finish()
}
