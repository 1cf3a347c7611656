package amqp091

import (
	upstream "github.com/rabbitmq/amqp091-go"
)

// Messages, and what the broker says about them.
type (
	// Publishing is a message to publish: its properties and its body. A property
	// is sent when it is not zero.
	Publishing = upstream.Publishing

	// Delivery is a message that Channel.Consume or Channel.Get hands out. Its
	// Acknowledger is the *Channel that it came by. It owns its memory.
	Delivery = upstream.Delivery

	// Return is a mandatory or immediate message that the broker sent back, as
	// Channel.NotifyReturn hands it out. It owns its memory.
	Return = upstream.Return

	// Confirmation is the broker's word on one publish in confirm mode.
	Confirmation = upstream.Confirmation

	// Acknowledger takes the answers of a consumer: a *Channel, or a fake in a
	// test.
	Acknowledger = upstream.Acknowledger

	// Table holds headers or arguments by name.
	Table = upstream.Table

	// Decimal is a Table value of AMQP's decimal type.
	Decimal = upstream.Decimal
)

// Connections and queues.
type (
	// Error is an exception of a channel or connection: reply code and text.
	Error = upstream.Error

	// Blocking is RabbitMQ's connection.blocked or connection.unblocked.
	Blocking = upstream.Blocking

	// Queue is the broker's answer to a declaration.
	Queue = upstream.Queue

	// URI is a parsed amqp or amqps URI.
	URI = upstream.URI

	// Authentication is a SASL mechanism with its credentials.
	Authentication = upstream.Authentication

	// PlainAuth is SASL PLAIN.
	PlainAuth = upstream.PlainAuth

	// AMQPlainAuth is RabbitMQ's AMQPLAIN.
	AMQPlainAuth = upstream.AMQPlainAuth

	// ExternalAuth is SASL EXTERNAL.
	ExternalAuth = upstream.ExternalAuth

	// LifeCycleState tells whether a connection or channel is open.
	LifeCycleState = upstream.LifeCycleState

	// StateChanged is a change of that state, as NotifyStateChange hands it out.
	StateChanged = upstream.StateChanged

	// Logging is a logger to give to SetLogger.
	Logging = upstream.Logging

	// NullLogger is a logger that drops everything.
	NullLogger = upstream.NullLogger
)

// The values of LifeCycleState. A connection that does not recover is never
// StateReconnecting.
const (
	StateOpen         = upstream.StateOpen
	StateReconnecting = upstream.StateReconnecting
	StateClosing      = upstream.StateClosing
	StateClosed       = upstream.StateClosed
)

// DefaultExchange is the name of the exchange that routes every message to the
// queue that its routing key names.
const DefaultExchange = upstream.DefaultExchange

// The exchange types that every broker has.
const (
	ExchangeDirect  = upstream.ExchangeDirect
	ExchangeFanout  = upstream.ExchangeFanout
	ExchangeTopic   = upstream.ExchangeTopic
	ExchangeHeaders = upstream.ExchangeHeaders
)

// Values of Publishing.DeliveryMode.
const (
	Transient  = upstream.Transient
	Persistent = upstream.Persistent
)

// Values of Publishing.Expiration, which is a number of milliseconds in decimal
// digits.
const (
	NeverExpire       = upstream.NeverExpire
	ImmediatelyExpire = upstream.ImmediatelyExpire
)

// Common values of Publishing.ContentType.
const (
	MimeTextPlain                  = upstream.MimeTextPlain
	MimeApplicationJSON            = upstream.MimeApplicationJSON
	MimeApplicationOctetStream     = upstream.MimeApplicationOctetStream
	MimeApplicationXML             = upstream.MimeApplicationXML
	MimeTextXML                    = upstream.MimeTextXML
	MimeApplicationProtobuf        = upstream.MimeApplicationProtobuf
	MimeApplicationXProtobuf       = upstream.MimeApplicationXProtobuf
	MimeApplicationMsgPack         = upstream.MimeApplicationMsgPack
	MimeApplicationAvro            = upstream.MimeApplicationAvro
	MimeApplicationCloudEventsJSON = upstream.MimeApplicationCloudEventsJSON
	MimeApplicationFormURLEncoded  = upstream.MimeApplicationFormURLEncoded
)

// Names of RabbitMQ's queue arguments.
const (
	QueueTypeArg                 = upstream.QueueTypeArg
	QueueMaxLenArg               = upstream.QueueMaxLenArg
	QueueMaxLenBytesArg          = upstream.QueueMaxLenBytesArg
	StreamMaxLenBytesArg         = upstream.StreamMaxLenBytesArg
	QueueOverflowArg             = upstream.QueueOverflowArg
	QueueMessageTTLArg           = upstream.QueueMessageTTLArg
	QueueTTLArg                  = upstream.QueueTTLArg
	StreamMaxAgeArg              = upstream.StreamMaxAgeArg
	StreamMaxSegmentSizeBytesArg = upstream.StreamMaxSegmentSizeBytesArg
	QueueVersionArg              = upstream.QueueVersionArg
	ConsumerTimeoutArg           = upstream.ConsumerTimeoutArg
	SingleActiveConsumerArg      = upstream.SingleActiveConsumerArg
)

// Values of QueueTypeArg and of QueueOverflowArg.
const (
	QueueTypeClassic              = upstream.QueueTypeClassic
	QueueTypeQuorum               = upstream.QueueTypeQuorum
	QueueTypeStream               = upstream.QueueTypeStream
	QueueOverflowDropHead         = upstream.QueueOverflowDropHead
	QueueOverflowRejectPublish    = upstream.QueueOverflowRejectPublish
	QueueOverflowRejectPublishDLX = upstream.QueueOverflowRejectPublishDLX
)

// FrameSizeUnlimited in Config.FrameSize asks for frames without a limit; the
// broker has to agree.
const FrameSizeUnlimited = upstream.FrameSizeUnlimited

// Reply codes, the values of Error.Code.
const (
	ContentTooLarge    = upstream.ContentTooLarge
	NoRoute            = upstream.NoRoute
	NoConsumers        = upstream.NoConsumers
	ConnectionForced   = upstream.ConnectionForced
	InvalidPath        = upstream.InvalidPath
	AccessRefused      = upstream.AccessRefused
	NotFound           = upstream.NotFound
	ResourceLocked     = upstream.ResourceLocked
	PreconditionFailed = upstream.PreconditionFailed
	FrameError         = upstream.FrameError
	SyntaxError        = upstream.SyntaxError
	CommandInvalid     = upstream.CommandInvalid
	ChannelError       = upstream.ChannelError
	UnexpectedFrame    = upstream.UnexpectedFrame
	ResourceError      = upstream.ResourceError
	NotAllowed         = upstream.NotAllowed
	NotImplemented     = upstream.NotImplemented
	InternalError      = upstream.InternalError
)

// The errors that can be compared with ==; they are amqp091-go's own values.
var (
	// ErrClosed: the channel or connection is not open.
	ErrClosed = upstream.ErrClosed

	// ErrChannelMax: every channel id that was negotiated is in use.
	ErrChannelMax = upstream.ErrChannelMax

	// ErrSASL: the broker offers none of the configured mechanisms.
	ErrSASL = upstream.ErrSASL

	// ErrCredentials: the broker refused the username or the password.
	ErrCredentials = upstream.ErrCredentials

	// ErrVhost: the broker dropped the connection when the virtual host was opened.
	ErrVhost = upstream.ErrVhost

	// ErrSyntax: the peer sent a frame with a malformed value in it.
	ErrSyntax = upstream.ErrSyntax

	// ErrFrame: the peer sent something that is not a frame.
	ErrFrame = upstream.ErrFrame

	// ErrFrameTooLarge: the peer sent a frame above the negotiated frame_max.
	ErrFrameTooLarge = upstream.ErrFrameTooLarge

	// ErrCommandInvalid: the peer answered a request with the wrong method.
	ErrCommandInvalid = upstream.ErrCommandInvalid

	// ErrUnexpectedFrame: the peer sent a frame that its state does not allow.
	ErrUnexpectedFrame = upstream.ErrUnexpectedFrame

	// ErrFieldType: a Table holds a value that has no field type in AMQP.
	ErrFieldType = upstream.ErrFieldType

	// ErrDeliveryNotInitialized: a Delivery without an Acknowledger, such as the
	// zero one that a closed chan yields, was acknowledged.
	ErrDeliveryNotInitialized = upstream.ErrDeliveryNotInitialized
)

// ParseURI parses an amqp or amqps URI, with defaults for what it leaves out.
func ParseURI(uri string) (URI, error) { return upstream.ParseURI(uri) }

// Logger is what SetLogger has set. The client under this package reports by
// errors and Notify chans only; DefaultConnectionRecovery is all that logs.
var Logger Logging = NullLogger{}

// SetLogger sets Logger. Call it when the program starts: it must not run beside
// anything that logs.
func SetLogger(logger Logging) { Logger = logger }
