package compat

import (
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// Table holds message headers, or the arguments of a declaration or a consumer,
// by name.
//
//go:fix inline
type Table = newapi.Table

// PublicationAddress is an exchange, its type and a routing key, as ReplyTo may
// carry them.
//
//go:fix inline
type PublicationAddress = newapi.PublicationAddress

// BasicProperties are the properties of one message (specification 1.8.1), each
// behind a getter, a setter, a Clear and an Is…Present method. Values come from
// [Channel.CreateBasicProperties], from what was received, and from
// [FromStruct].
//
// # Presence
//
// A property is present, which means that it is sent, when its value is not the
// zero value of its type; Headers are present when they have an entry. Setting
// the zero value is therefore clearing: SetPriority(0) and ClearPriority() do
// the same. Getters of absent properties return the zero value.
//
// One thing can make a zero value present: having been received so, or standing
// in SendZero of the struct that [FromStruct] was given. It stays until the
// property is set or cleared.
//
// # Sharing
//
// A value is a reference: who holds a copy of the variable sees every change.
// [Channel.BasicPublish] has copied all it needs when it returns, so a value can
// be changed and published again.
//
// Any number of goroutines may read and publish one value at the same time.
// Setting, clearing and writing to the map that Headers returned need the value
// for themselves alone.
//
// # Other implementations
//
// A type of the user's own, a mock or a decorator, works wherever a
// BasicProperties is taken. What its Is…Present methods report is sent, with the
// value of the getter; nothing else is.
//
// Deprecated: use [newapi.BasicProperties], a struct:
//
//	p.SetX(v)      p.X = v
//	p.X()          p.X
//	p.ClearX()     p.X = the zero value
//	p.IsXPresent() p.Present().Has(newapi.PropertyX)
//
// SetPersistent(true) becomes DeliveryMode: newapi.Persistent, and
// SetReplyToAddress(a) becomes ReplyTo: a.String().
type BasicProperties interface {
	// ContentType is the MIME type of the body. At most 255 bytes.
	ContentType() string
	SetContentType(contentType string)
	ClearContentType()
	IsContentTypePresent() bool

	// ContentEncoding is the MIME encoding of the body, such as gzip. At most
	// 255 bytes.
	ContentEncoding() string
	SetContentEncoding(contentEncoding string)
	ClearContentEncoding()
	IsContentEncodingPresent() bool

	// Headers is the application's header table itself, not a copy: an entry
	// added to it is sent. It is never nil in a value made by this package, so
	// that the header table of a fresh or a received value can be filled in
	// place. SetHeaders keeps the map it is given, and nil gives the value a new
	// empty one; ClearHeaders too puts a new map in place and leaves the old one
	// as it was.
	Headers() newapi.Table
	SetHeaders(headers newapi.Table)
	ClearHeaders()
	IsHeadersPresent() bool

	// DeliveryMode is 1 for a transient and 2 for a persistent message.
	DeliveryMode() uint8
	SetDeliveryMode(deliveryMode uint8)
	ClearDeliveryMode()
	IsDeliveryModePresent() bool

	// Priority is from 0 to 9, or to the x-max-priority of the queue.
	Priority() uint8
	SetPriority(priority uint8)
	ClearPriority()
	IsPriorityPresent() bool

	// CorrelationId ties a reply to its request. At most 255 bytes.
	CorrelationId() string
	SetCorrelationId(correlationId string)
	ClearCorrelationId()
	IsCorrelationIdPresent() bool

	// ReplyTo is the queue or the address that replies go to. At most 255 bytes.
	ReplyTo() string
	SetReplyTo(replyTo string)
	ClearReplyTo()
	IsReplyToPresent() bool

	// Expiration is the time to live in a queue, in milliseconds, as decimal
	// digits. At most 255 bytes.
	Expiration() string
	SetExpiration(expiration string)
	ClearExpiration()
	IsExpirationPresent() bool

	// MessageId names the message. At most 255 bytes.
	MessageId() string
	SetMessageId(messageId string)
	ClearMessageId()
	IsMessageIdPresent() bool

	// Timestamp is sent in whole seconds and received in UTC. The zero time.Time
	// is absent; time.Unix(0, 0) is not.
	Timestamp() time.Time
	SetTimestamp(timestamp time.Time)
	ClearTimestamp()
	IsTimestampPresent() bool

	// Type is the application's name for the kind of message. At most 255 bytes.
	Type() string
	SetType(messageType string)
	ClearType()
	IsTypePresent() bool

	// UserId is the user that publishes; the broker refuses any but the
	// connection's own. At most 255 bytes.
	UserId() string
	SetUserId(userId string)
	ClearUserId()
	IsUserIdPresent() bool

	// AppId names the application that publishes. At most 255 bytes.
	AppId() string
	SetAppId(appId string)
	ClearAppId()
	IsAppIdPresent() bool

	// ClusterId is unused since AMQP 0-9-1, where it is reserved, and is sent if
	// set. At most 255 bytes.
	ClusterId() string
	SetClusterId(clusterId string)
	ClearClusterId()
	IsClusterIdPresent() bool

	// Persistent reports whether DeliveryMode is 2; SetPersistent sets it to 2,
	// or to 1 for false.
	Persistent() bool
	SetPersistent(persistent bool)

	// ReplyToAddress is ReplyTo parsed; ok is false when it is absent or is not of
	// the form type://exchange/key. SetReplyToAddress sets ReplyTo to that form.
	ReplyToAddress() (address newapi.PublicationAddress, ok bool)
	SetReplyToAddress(address newapi.PublicationAddress)
}
