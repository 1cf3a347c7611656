package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Class ids of AMQP 0-9-1; confirm is RabbitMQ's.
const (
	ClassConnection = 10
	ClassChannel    = 20
	ClassExchange   = 40
	ClassQueue      = 50
	ClassBasic      = 60
	ClassConfirm    = 85
	ClassTx         = 90
)

// MethodID names a method: its class id in the upper 16 bits, its method id in
// the lower.
type MethodID uint32

// Class returns the class id.
func (id MethodID) Class() uint16 { return uint16(id >> 16) }

// Method returns the id of the method within its class.
func (id MethodID) Method() uint16 { return uint16(id) }

// String returns the method's name as the specification spells it, such as
// "basic.publish", or its numbers when there is no such method.
func (id MethodID) String() string {
	if spec, ok := methods[id]; ok {
		return spec.name
	}
	return fmt.Sprintf("class %d method %d", id.Class(), id.Method())
}

// HasContent reports whether a content header and body follow the method.
func (id MethodID) HasContent() bool {
	switch id {
	case IDBasicPublish, IDBasicReturn, IDBasicDeliver, IDBasicGetOk:
		return true
	}
	return false
}

// Method is the arguments of one AMQP method. The pointer to each method
// struct of this package implements it.
type Method interface {
	// ID names the method. It does not look at the arguments.
	ID() MethodID
	// AppendArguments appends the encoded arguments, without class and method
	// id. On error, which names the argument and wraps a *ShortstrError or a
	// *FieldError, it returns dst as it was.
	AppendArguments(dst []byte) ([]byte, error)
	// DecodeArguments sets every argument from src, which holds them and
	// nothing else, and keeps no view of it. Errors wrap ErrSyntax and leave
	// the arguments unspecified.
	DecodeArguments(src []byte) error
}

// ParseMethodID splits the payload of a method frame into the method's id and
// its arguments, a view. A payload without a whole id wraps ErrSyntax.
func ParseMethodID(payload []byte) (id MethodID, arguments []byte, err error) {
	if len(payload) < 4 {
		return 0, nil, syntaxErrorf(0, "method frame of %d octets where class and method id need 4", len(payload))
	}
	return MethodID(binary.BigEndian.Uint32(payload)), payload[4:], nil
}

// ParseMethod decodes the payload of a method frame into a new struct, which
// keeps no view of it. A class and method id this package does not know wraps
// ErrUnknownMethod, arguments that do not decode wrap ErrSyntax; both name the
// method.
func ParseMethod(payload []byte) (Method, error) {
	id, arguments, err := ParseMethodID(payload)
	if err != nil {
		return nil, err
	}
	spec, ok := methods[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownMethod, id)
	}
	m := spec.make()
	if err := m.DecodeArguments(arguments); err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return m, nil
}

// AppendMethod appends a whole method frame. The error of AppendArguments
// comes back with the method's name; dst then keeps its length.
func AppendMethod(dst []byte, channel uint16, m Method) ([]byte, error) {
	start := len(dst)
	dst = AppendFrameHeader(dst, FrameMethod, channel, 0)
	payload := len(dst)
	dst = appendMethodID(dst, m.ID())
	dst, err := m.AppendArguments(dst)
	if err != nil {
		return dst[:start], fmt.Errorf("%s: %w", m.ID(), err)
	}
	size := len(dst) - payload
	if uint64(size) > math.MaxUint32 {
		return dst[:start], fmt.Errorf("%s: %w: %d octets of arguments, more than a frame can say it has", m.ID(), ErrFrameTooLarge, size)
	}
	binary.BigEndian.PutUint32(dst[payload-4:], uint32(size))
	return append(dst, FrameEnd), nil
}

func appendMethodID(dst []byte, id MethodID) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(id))
}

// noArguments is embedded by methods that have none.
type noArguments struct{}

// AppendArguments returns dst: there is nothing to append.
func (noArguments) AppendArguments(dst []byte) ([]byte, error) { return dst, nil }

// DecodeArguments accepts an empty src only.
func (noArguments) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	return d.finish()
}

// methodSpec is what the registry knows of a method.
type methodSpec struct {
	name string
	make func() Method
}

// methods is the registry: all of AMQP 0-9-1 and RabbitMQ's extensions.
var methods = map[MethodID]methodSpec{
	IDConnectionStart:          {"connection.start", func() Method { return new(ConnectionStart) }},
	IDConnectionStartOk:        {"connection.start-ok", func() Method { return new(ConnectionStartOk) }},
	IDConnectionSecure:         {"connection.secure", func() Method { return new(ConnectionSecure) }},
	IDConnectionSecureOk:       {"connection.secure-ok", func() Method { return new(ConnectionSecureOk) }},
	IDConnectionTune:           {"connection.tune", func() Method { return new(ConnectionTune) }},
	IDConnectionTuneOk:         {"connection.tune-ok", func() Method { return new(ConnectionTuneOk) }},
	IDConnectionOpen:           {"connection.open", func() Method { return new(ConnectionOpen) }},
	IDConnectionOpenOk:         {"connection.open-ok", func() Method { return new(ConnectionOpenOk) }},
	IDConnectionClose:          {"connection.close", func() Method { return new(ConnectionClose) }},
	IDConnectionCloseOk:        {"connection.close-ok", func() Method { return new(ConnectionCloseOk) }},
	IDConnectionBlocked:        {"connection.blocked", func() Method { return new(ConnectionBlocked) }},
	IDConnectionUnblocked:      {"connection.unblocked", func() Method { return new(ConnectionUnblocked) }},
	IDConnectionUpdateSecret:   {"connection.update-secret", func() Method { return new(ConnectionUpdateSecret) }},
	IDConnectionUpdateSecretOk: {"connection.update-secret-ok", func() Method { return new(ConnectionUpdateSecretOk) }},

	IDChannelOpen:    {"channel.open", func() Method { return new(ChannelOpen) }},
	IDChannelOpenOk:  {"channel.open-ok", func() Method { return new(ChannelOpenOk) }},
	IDChannelFlow:    {"channel.flow", func() Method { return new(ChannelFlow) }},
	IDChannelFlowOk:  {"channel.flow-ok", func() Method { return new(ChannelFlowOk) }},
	IDChannelClose:   {"channel.close", func() Method { return new(ChannelClose) }},
	IDChannelCloseOk: {"channel.close-ok", func() Method { return new(ChannelCloseOk) }},

	IDExchangeDeclare:   {"exchange.declare", func() Method { return new(ExchangeDeclare) }},
	IDExchangeDeclareOk: {"exchange.declare-ok", func() Method { return new(ExchangeDeclareOk) }},
	IDExchangeDelete:    {"exchange.delete", func() Method { return new(ExchangeDelete) }},
	IDExchangeDeleteOk:  {"exchange.delete-ok", func() Method { return new(ExchangeDeleteOk) }},
	IDExchangeBind:      {"exchange.bind", func() Method { return new(ExchangeBind) }},
	IDExchangeBindOk:    {"exchange.bind-ok", func() Method { return new(ExchangeBindOk) }},
	IDExchangeUnbind:    {"exchange.unbind", func() Method { return new(ExchangeUnbind) }},
	IDExchangeUnbindOk:  {"exchange.unbind-ok", func() Method { return new(ExchangeUnbindOk) }},

	IDQueueDeclare:   {"queue.declare", func() Method { return new(QueueDeclare) }},
	IDQueueDeclareOk: {"queue.declare-ok", func() Method { return new(QueueDeclareOk) }},
	IDQueueBind:      {"queue.bind", func() Method { return new(QueueBind) }},
	IDQueueBindOk:    {"queue.bind-ok", func() Method { return new(QueueBindOk) }},
	IDQueueUnbind:    {"queue.unbind", func() Method { return new(QueueUnbind) }},
	IDQueueUnbindOk:  {"queue.unbind-ok", func() Method { return new(QueueUnbindOk) }},
	IDQueuePurge:     {"queue.purge", func() Method { return new(QueuePurge) }},
	IDQueuePurgeOk:   {"queue.purge-ok", func() Method { return new(QueuePurgeOk) }},
	IDQueueDelete:    {"queue.delete", func() Method { return new(QueueDelete) }},
	IDQueueDeleteOk:  {"queue.delete-ok", func() Method { return new(QueueDeleteOk) }},

	IDBasicQos:          {"basic.qos", func() Method { return new(BasicQos) }},
	IDBasicQosOk:        {"basic.qos-ok", func() Method { return new(BasicQosOk) }},
	IDBasicConsume:      {"basic.consume", func() Method { return new(BasicConsume) }},
	IDBasicConsumeOk:    {"basic.consume-ok", func() Method { return new(BasicConsumeOk) }},
	IDBasicCancel:       {"basic.cancel", func() Method { return new(BasicCancel) }},
	IDBasicCancelOk:     {"basic.cancel-ok", func() Method { return new(BasicCancelOk) }},
	IDBasicPublish:      {"basic.publish", func() Method { return new(BasicPublish) }},
	IDBasicReturn:       {"basic.return", func() Method { return new(BasicReturn) }},
	IDBasicDeliver:      {"basic.deliver", func() Method { return new(BasicDeliver) }},
	IDBasicGet:          {"basic.get", func() Method { return new(BasicGet) }},
	IDBasicGetOk:        {"basic.get-ok", func() Method { return new(BasicGetOk) }},
	IDBasicGetEmpty:     {"basic.get-empty", func() Method { return new(BasicGetEmpty) }},
	IDBasicAck:          {"basic.ack", func() Method { return new(BasicAck) }},
	IDBasicNack:         {"basic.nack", func() Method { return new(BasicNack) }},
	IDBasicReject:       {"basic.reject", func() Method { return new(BasicReject) }},
	IDBasicRecoverAsync: {"basic.recover-async", func() Method { return new(BasicRecoverAsync) }},
	IDBasicRecover:      {"basic.recover", func() Method { return new(BasicRecover) }},
	IDBasicRecoverOk:    {"basic.recover-ok", func() Method { return new(BasicRecoverOk) }},

	IDConfirmSelect:   {"confirm.select", func() Method { return new(ConfirmSelect) }},
	IDConfirmSelectOk: {"confirm.select-ok", func() Method { return new(ConfirmSelectOk) }},

	IDTxSelect:     {"tx.select", func() Method { return new(TxSelect) }},
	IDTxSelectOk:   {"tx.select-ok", func() Method { return new(TxSelectOk) }},
	IDTxCommit:     {"tx.commit", func() Method { return new(TxCommit) }},
	IDTxCommitOk:   {"tx.commit-ok", func() Method { return new(TxCommitOk) }},
	IDTxRollback:   {"tx.rollback", func() Method { return new(TxRollback) }},
	IDTxRollbackOk: {"tx.rollback-ok", func() Method { return new(TxRollbackOk) }},
}
