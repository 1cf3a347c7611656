package wire

// Methods of RabbitMQ's class confirm.
const (
	IDConfirmSelect   MethodID = ClassConfirm<<16 | 10
	IDConfirmSelectOk MethodID = ClassConfirm<<16 | 11
)

// ConfirmSelect puts a channel into confirm mode.
type ConfirmSelect struct {
	NoWait bool
}

// ID returns IDConfirmSelect.
func (*ConfirmSelect) ID() MethodID { return IDConfirmSelect }

// AppendArguments implements Method.
func (m *ConfirmSelect) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.bits(m.NoWait)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConfirmSelect) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.bits(&m.NoWait)
	return d.finish()
}

// ConfirmSelectOk says the channel is in confirm mode.
type ConfirmSelectOk struct{ noArguments }

// ID returns IDConfirmSelectOk.
func (*ConfirmSelectOk) ID() MethodID { return IDConfirmSelectOk }
