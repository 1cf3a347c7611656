package wire

// Methods of class channel.
const (
	IDChannelOpen    MethodID = ClassChannel<<16 | 10
	IDChannelOpenOk  MethodID = ClassChannel<<16 | 11
	IDChannelFlow    MethodID = ClassChannel<<16 | 20
	IDChannelFlowOk  MethodID = ClassChannel<<16 | 21
	IDChannelClose   MethodID = ClassChannel<<16 | 40
	IDChannelCloseOk MethodID = ClassChannel<<16 | 41
)

// ChannelOpen opens the channel it is sent on. Its reserved argument is sent
// empty.
type ChannelOpen struct{}

// ID returns IDChannelOpen.
func (*ChannelOpen) ID() MethodID { return IDChannelOpen }

// AppendArguments implements Method.
func (m *ChannelOpen) AppendArguments(dst []byte) ([]byte, error) {
	return AppendShortstr(dst, "")
}

// DecodeArguments implements Method.
func (m *ChannelOpen) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.shortstrBytes()
	return d.finish()
}

// ChannelOpenOk says the channel is open. Its reserved argument, a long string
// unlike ChannelOpen's, is sent empty.
type ChannelOpenOk struct{}

// ID returns IDChannelOpenOk.
func (*ChannelOpenOk) ID() MethodID { return IDChannelOpenOk }

// AppendArguments implements Method.
func (m *ChannelOpenOk) AppendArguments(dst []byte) ([]byte, error) {
	return AppendLongstr(dst, ""), nil
}

// DecodeArguments implements Method.
func (m *ChannelOpenOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.longstr()
	return d.finish()
}

// ChannelFlow asks the peer to stop (false) or go on (true) sending content.
type ChannelFlow struct {
	Active bool
}

// ID returns IDChannelFlow.
func (*ChannelFlow) ID() MethodID { return IDChannelFlow }

// AppendArguments implements Method.
func (m *ChannelFlow) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.bits(m.Active)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ChannelFlow) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.bits(&m.Active)
	return d.finish()
}

// ChannelFlowOk confirms a ChannelFlow with the same argument.
type ChannelFlowOk struct {
	Active bool
}

// ID returns IDChannelFlowOk.
func (*ChannelFlowOk) ID() MethodID { return IDChannelFlowOk }

// AppendArguments implements Method.
func (m *ChannelFlowOk) AppendArguments(dst []byte) ([]byte, error) {
	return (*ChannelFlow)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *ChannelFlowOk) DecodeArguments(src []byte) error {
	return (*ChannelFlow)(m).DecodeArguments(src)
}

// ChannelClose ends the channel; its arguments are those of ConnectionClose.
type ChannelClose struct {
	ReplyCode         uint16
	ReplyText         string
	ClassID, MethodID uint16
}

// ID returns IDChannelClose.
func (*ChannelClose) ID() MethodID { return IDChannelClose }

// AppendArguments implements Method.
func (m *ChannelClose) AppendArguments(dst []byte) ([]byte, error) {
	return (*ConnectionClose)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *ChannelClose) DecodeArguments(src []byte) error {
	return (*ConnectionClose)(m).DecodeArguments(src)
}

// ChannelCloseOk is the last method of a channel.
type ChannelCloseOk struct{ noArguments }

// ID returns IDChannelCloseOk.
func (*ChannelCloseOk) ID() MethodID { return IDChannelCloseOk }
