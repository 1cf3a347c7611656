package newapi

import amqp091 "github.com/rabbitmq/amqp091-go"

// The types below are amqp091-go's own, by alias: a value made by code written
// against that module is a value of this one, whichever name it was made by.
type (
	// Table holds message headers and the arguments of declarations, bindings
	// and consumers by name. Besides the value types that amqp091-go's
	// documentation lists, every slice, every map with string keys and every
	// named form of a listed type can be sent; what cannot is refused with an
	// error that names the key before anything is written.
	Table = amqp091.Table

	// Decimal is a header value of AMQP's decimal type: Value divided by ten
	// to the power of Scale.
	Decimal = amqp091.Decimal

	// Error is a channel or connection exception: a reply code of the
	// specification and its text. Server tells whether the broker raised it.
	Error = amqp091.Error

	// Queue is the broker's answer to a queue declaration.
	Queue = amqp091.Queue

	// Confirmation is the broker's word on one publish in confirm mode, as
	// Channel.NotifyPublish hands it out.
	Confirmation = amqp091.Confirmation

	// Blocking is RabbitMQ's connection.blocked or connection.unblocked, as
	// Connection.NotifyBlocked hands it out.
	Blocking = amqp091.Blocking

	// URI is a parsed amqp or amqps URI; see ParseURI.
	URI = amqp091.URI

	// Authentication is one SASL mechanism with its credentials.
	Authentication = amqp091.Authentication

	// PlainAuth is SASL PLAIN: a username and a password.
	PlainAuth = amqp091.PlainAuth

	// AMQPlainAuth is RabbitMQ's AMQPLAIN: PLAIN's two values in a table.
	AMQPlainAuth = amqp091.AMQPlainAuth

	// ExternalAuth is SASL EXTERNAL: the identity of the TLS certificate.
	ExternalAuth = amqp091.ExternalAuth

	// Acknowledger takes the answers of a consumer: a *Channel, or a fake in a
	// test.
	Acknowledger = amqp091.Acknowledger
)

// ParseURI parses an amqp or amqps URI as the URI specification of RabbitMQ
// describes it, with the specification's defaults for what is left out.
func ParseURI(uri string) (URI, error) { return amqp091.ParseURI(uri) }

// DefaultExchange is the name of the exchange that routes every message to the
// queue its routing key names.
const DefaultExchange = amqp091.DefaultExchange

// The exchange types that every broker has.
const (
	ExchangeDirect  = amqp091.ExchangeDirect
	ExchangeFanout  = amqp091.ExchangeFanout
	ExchangeTopic   = amqp091.ExchangeTopic
	ExchangeHeaders = amqp091.ExchangeHeaders
)

// Values of DeliveryMode. A persistent message in a durable queue outlives a
// restart of the broker.
const (
	Transient  = amqp091.Transient
	Persistent = amqp091.Persistent
)

// Values of Expiration, which is a number of milliseconds in decimal digits.
const (
	NeverExpire       = amqp091.NeverExpire       // absent: no limit of the message's own
	ImmediatelyExpire = amqp091.ImmediatelyExpire // gone unless a consumer takes it at once
)

// Common values of ContentType.
const (
	MimeTextPlain                  = amqp091.MimeTextPlain
	MimeApplicationJSON            = amqp091.MimeApplicationJSON
	MimeApplicationOctetStream     = amqp091.MimeApplicationOctetStream
	MimeApplicationXML             = amqp091.MimeApplicationXML
	MimeTextXML                    = amqp091.MimeTextXML
	MimeApplicationProtobuf        = amqp091.MimeApplicationProtobuf
	MimeApplicationXProtobuf       = amqp091.MimeApplicationXProtobuf
	MimeApplicationMsgPack         = amqp091.MimeApplicationMsgPack
	MimeApplicationAvro            = amqp091.MimeApplicationAvro
	MimeApplicationCloudEventsJSON = amqp091.MimeApplicationCloudEventsJSON
	MimeApplicationFormURLEncoded  = amqp091.MimeApplicationFormURLEncoded
)

// Names of RabbitMQ's queue arguments.
const (
	QueueTypeArg                 = amqp091.QueueTypeArg
	QueueMaxLenArg               = amqp091.QueueMaxLenArg
	QueueMaxLenBytesArg          = amqp091.QueueMaxLenBytesArg
	StreamMaxLenBytesArg         = amqp091.StreamMaxLenBytesArg
	QueueOverflowArg             = amqp091.QueueOverflowArg
	QueueMessageTTLArg           = amqp091.QueueMessageTTLArg
	QueueTTLArg                  = amqp091.QueueTTLArg
	StreamMaxAgeArg              = amqp091.StreamMaxAgeArg
	StreamMaxSegmentSizeBytesArg = amqp091.StreamMaxSegmentSizeBytesArg
	QueueVersionArg              = amqp091.QueueVersionArg
	ConsumerTimeoutArg           = amqp091.ConsumerTimeoutArg
	SingleActiveConsumerArg      = amqp091.SingleActiveConsumerArg
)

// Values of QueueTypeArg and of QueueOverflowArg.
const (
	QueueTypeClassic              = amqp091.QueueTypeClassic
	QueueTypeQuorum               = amqp091.QueueTypeQuorum
	QueueTypeStream               = amqp091.QueueTypeStream
	QueueOverflowDropHead         = amqp091.QueueOverflowDropHead
	QueueOverflowRejectPublish    = amqp091.QueueOverflowRejectPublish
	QueueOverflowRejectPublishDLX = amqp091.QueueOverflowRejectPublishDLX
)

// FrameSizeUnlimited in Config.FrameSize asks for frames without a limit; the
// broker has to agree.
const FrameSizeUnlimited = amqp091.FrameSizeUnlimited

// Reply codes of the specification, the values of Error.Code.
const (
	ContentTooLarge    = amqp091.ContentTooLarge
	NoRoute            = amqp091.NoRoute
	NoConsumers        = amqp091.NoConsumers
	ConnectionForced   = amqp091.ConnectionForced
	InvalidPath        = amqp091.InvalidPath
	AccessRefused      = amqp091.AccessRefused
	NotFound           = amqp091.NotFound
	ResourceLocked     = amqp091.ResourceLocked
	PreconditionFailed = amqp091.PreconditionFailed
	FrameError         = amqp091.FrameError
	SyntaxError        = amqp091.SyntaxError
	CommandInvalid     = amqp091.CommandInvalid
	ChannelError       = amqp091.ChannelError
	UnexpectedFrame    = amqp091.UnexpectedFrame
	ResourceError      = amqp091.ResourceError
	NotAllowed         = amqp091.NotAllowed
	NotImplemented     = amqp091.NotImplemented
	InternalError      = amqp091.InternalError
)

// The errors that can be compared with ==; they are amqp091-go's own values.
var (
	// ErrClosed: the channel or connection is not open.
	ErrClosed = amqp091.ErrClosed

	// ErrChannelMax: every channel id that was negotiated is in use.
	ErrChannelMax = amqp091.ErrChannelMax

	// ErrSASL: the broker offers none of the configured mechanisms.
	ErrSASL = amqp091.ErrSASL

	// ErrCredentials: the broker refused the username or the password.
	ErrCredentials = amqp091.ErrCredentials

	// ErrVhost: the user may not open the virtual host.
	ErrVhost = amqp091.ErrVhost

	// ErrSyntax: the peer sent a frame with a malformed value in it.
	ErrSyntax = amqp091.ErrSyntax

	// ErrFrame: the peer sent something that is not a frame.
	ErrFrame = amqp091.ErrFrame

	// ErrFrameTooLarge: the peer sent a frame above the negotiated frame_max.
	ErrFrameTooLarge = amqp091.ErrFrameTooLarge

	// ErrCommandInvalid: the peer answered a request with the wrong method.
	ErrCommandInvalid = amqp091.ErrCommandInvalid

	// ErrUnexpectedFrame: the peer sent a frame that its state does not allow.
	ErrUnexpectedFrame = amqp091.ErrUnexpectedFrame

	// ErrFieldType: a value in a Table, or in another HeaderTable, is of a Go
	// type that has no field type in AMQP.
	ErrFieldType = amqp091.ErrFieldType

	// ErrDeliveryNotInitialized: a Delivery without an Acknowledger was
	// acknowledged.
	ErrDeliveryNotInitialized = amqp091.ErrDeliveryNotInitialized
)
