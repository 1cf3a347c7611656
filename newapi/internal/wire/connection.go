package wire

// Methods of class connection, with RabbitMQ's blocked, unblocked and
// update-secret. All go on channel 0.
const (
	IDConnectionStart          MethodID = ClassConnection<<16 | 10
	IDConnectionStartOk        MethodID = ClassConnection<<16 | 11
	IDConnectionSecure         MethodID = ClassConnection<<16 | 20
	IDConnectionSecureOk       MethodID = ClassConnection<<16 | 21
	IDConnectionTune           MethodID = ClassConnection<<16 | 30
	IDConnectionTuneOk         MethodID = ClassConnection<<16 | 31
	IDConnectionOpen           MethodID = ClassConnection<<16 | 40
	IDConnectionOpenOk         MethodID = ClassConnection<<16 | 41
	IDConnectionClose          MethodID = ClassConnection<<16 | 50
	IDConnectionCloseOk        MethodID = ClassConnection<<16 | 51
	IDConnectionBlocked        MethodID = ClassConnection<<16 | 60
	IDConnectionUnblocked      MethodID = ClassConnection<<16 | 61
	IDConnectionUpdateSecret   MethodID = ClassConnection<<16 | 70
	IDConnectionUpdateSecretOk MethodID = ClassConnection<<16 | 71
)

// ConnectionStart is the server's first method: what it is and which
// mechanisms and locales it offers, each a list separated by spaces.
type ConnectionStart struct {
	VersionMajor, VersionMinor uint8
	ServerProperties           Table
	Mechanisms, Locales        string
}

// ID returns IDConnectionStart.
func (*ConnectionStart) ID() MethodID { return IDConnectionStart }

// AppendArguments implements Method.
func (m *ConnectionStart) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.octet(m.VersionMajor)
	e.octet(m.VersionMinor)
	e.table("server-properties", m.ServerProperties)
	e.longstr(m.Mechanisms)
	e.longstr(m.Locales)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionStart) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.VersionMajor = d.octet()
	m.VersionMinor = d.octet()
	m.ServerProperties = d.table()
	m.Mechanisms = d.longstr()
	m.Locales = d.longstr()
	return d.finish()
}

// ConnectionStartOk answers with the client's choice and its first SASL
// response.
type ConnectionStartOk struct {
	ClientProperties            Table
	Mechanism, Response, Locale string
}

// ID returns IDConnectionStartOk.
func (*ConnectionStartOk) ID() MethodID { return IDConnectionStartOk }

// AppendArguments implements Method.
func (m *ConnectionStartOk) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.table("client-properties", m.ClientProperties)
	e.shortstr("mechanism", m.Mechanism)
	e.longstr(m.Response)
	e.shortstr("locale", m.Locale)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionStartOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ClientProperties = d.table()
	m.Mechanism = d.shortstr()
	m.Response = d.longstr()
	m.Locale = d.shortstr()
	return d.finish()
}

// ConnectionSecure is a further SASL challenge.
type ConnectionSecure struct {
	Challenge string
}

// ID returns IDConnectionSecure.
func (*ConnectionSecure) ID() MethodID { return IDConnectionSecure }

// AppendArguments implements Method.
func (m *ConnectionSecure) AppendArguments(dst []byte) ([]byte, error) {
	return AppendLongstr(dst, m.Challenge), nil
}

// DecodeArguments implements Method.
func (m *ConnectionSecure) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.Challenge = d.longstr()
	return d.finish()
}

// ConnectionSecureOk answers a challenge.
type ConnectionSecureOk struct {
	Response string
}

// ID returns IDConnectionSecureOk.
func (*ConnectionSecureOk) ID() MethodID { return IDConnectionSecureOk }

// AppendArguments implements Method.
func (m *ConnectionSecureOk) AppendArguments(dst []byte) ([]byte, error) {
	return AppendLongstr(dst, m.Response), nil
}

// DecodeArguments implements Method.
func (m *ConnectionSecureOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.Response = d.longstr()
	return d.finish()
}

// ConnectionTune proposes limits; 0 means no limit, no heartbeat.
type ConnectionTune struct {
	ChannelMax uint16
	FrameMax   uint32 // octets of a whole frame
	Heartbeat  uint16 // seconds
}

// ID returns IDConnectionTune.
func (*ConnectionTune) ID() MethodID { return IDConnectionTune }

// AppendArguments implements Method.
func (m *ConnectionTune) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(m.ChannelMax)
	e.long(m.FrameMax)
	e.short(m.Heartbeat)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionTune) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ChannelMax = d.short()
	m.FrameMax = d.long()
	m.Heartbeat = d.short()
	return d.finish()
}

// ConnectionTuneOk settles the limits; its arguments are those of
// ConnectionTune.
type ConnectionTuneOk struct {
	ChannelMax uint16
	FrameMax   uint32
	Heartbeat  uint16
}

// ID returns IDConnectionTuneOk.
func (*ConnectionTuneOk) ID() MethodID { return IDConnectionTuneOk }

// AppendArguments implements Method.
func (m *ConnectionTuneOk) AppendArguments(dst []byte) ([]byte, error) {
	return (*ConnectionTune)(m).AppendArguments(dst)
}

// DecodeArguments implements Method.
func (m *ConnectionTuneOk) DecodeArguments(src []byte) error {
	return (*ConnectionTune)(m).DecodeArguments(src)
}

// ConnectionOpen enters a virtual host. Its two reserved arguments are sent
// empty.
type ConnectionOpen struct {
	VirtualHost string
}

// ID returns IDConnectionOpen.
func (*ConnectionOpen) ID() MethodID { return IDConnectionOpen }

// AppendArguments implements Method.
func (m *ConnectionOpen) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("virtual-host", m.VirtualHost)
	e.shortstr("reserved-1", "")
	e.bits(false) // reserved-2
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionOpen) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.VirtualHost = d.shortstr()
	d.shortstrBytes() // reserved-1
	d.bits()          // reserved-2
	return d.finish()
}

// ConnectionOpenOk says the virtual host is open. Its reserved argument is
// sent empty.
type ConnectionOpenOk struct{}

// ID returns IDConnectionOpenOk.
func (*ConnectionOpenOk) ID() MethodID { return IDConnectionOpenOk }

// AppendArguments implements Method.
func (m *ConnectionOpenOk) AppendArguments(dst []byte) ([]byte, error) {
	return AppendShortstr(dst, "")
}

// DecodeArguments implements Method.
func (m *ConnectionOpenOk) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	d.shortstrBytes()
	return d.finish()
}

// ConnectionClose ends the connection; ClassID and MethodID name the method
// that is to blame, 0 when none is.
type ConnectionClose struct {
	ReplyCode         uint16
	ReplyText         string
	ClassID, MethodID uint16
}

// ID returns IDConnectionClose.
func (*ConnectionClose) ID() MethodID { return IDConnectionClose }

// AppendArguments implements Method.
func (m *ConnectionClose) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.short(m.ReplyCode)
	e.shortstr("reply-text", m.ReplyText)
	e.short(m.ClassID)
	e.short(m.MethodID)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionClose) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.ReplyCode = d.short()
	m.ReplyText = d.shortstr()
	m.ClassID = d.short()
	m.MethodID = d.short()
	return d.finish()
}

// ConnectionCloseOk is the last method of a connection.
type ConnectionCloseOk struct{ noArguments }

// ID returns IDConnectionCloseOk.
func (*ConnectionCloseOk) ID() MethodID { return IDConnectionCloseOk }

// ConnectionBlocked says the server accepts no more publishes for now.
type ConnectionBlocked struct {
	Reason string
}

// ID returns IDConnectionBlocked.
func (*ConnectionBlocked) ID() MethodID { return IDConnectionBlocked }

// AppendArguments implements Method.
func (m *ConnectionBlocked) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.shortstr("reason", m.Reason)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionBlocked) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.Reason = d.shortstr()
	return d.finish()
}

// ConnectionUnblocked takes a ConnectionBlocked back.
type ConnectionUnblocked struct{ noArguments }

// ID returns IDConnectionUnblocked.
func (*ConnectionUnblocked) ID() MethodID { return IDConnectionUnblocked }

// ConnectionUpdateSecret replaces a credential that expires.
type ConnectionUpdateSecret struct {
	NewSecret, Reason string
}

// ID returns IDConnectionUpdateSecret.
func (*ConnectionUpdateSecret) ID() MethodID { return IDConnectionUpdateSecret }

// AppendArguments implements Method.
func (m *ConnectionUpdateSecret) AppendArguments(dst []byte) ([]byte, error) {
	e := encode(dst)
	e.longstr(m.NewSecret)
	e.shortstr("reason", m.Reason)
	return e.finish()
}

// DecodeArguments implements Method.
func (m *ConnectionUpdateSecret) DecodeArguments(src []byte) error {
	d := decoder{src: src}
	m.NewSecret = d.longstr()
	m.Reason = d.shortstr()
	return d.finish()
}

// ConnectionUpdateSecretOk says the new credential is in use.
type ConnectionUpdateSecretOk struct{ noArguments }

// ID returns IDConnectionUpdateSecretOk.
func (*ConnectionUpdateSecretOk) ID() MethodID { return IDConnectionUpdateSecretOk }
