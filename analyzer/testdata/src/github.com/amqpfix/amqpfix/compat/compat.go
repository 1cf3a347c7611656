// Package compat is a small stand-in for the real package: the same names,
// types and meaning.
package compat

import (
	"context"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

type Table = newapi.Table

type PublicationAddress = newapi.PublicationAddress

type BasicProperties interface {
	ContentType() string
	SetContentType(string)
	ClearContentType()
	IsContentTypePresent() bool

	ContentEncoding() string
	SetContentEncoding(string)
	ClearContentEncoding()
	IsContentEncodingPresent() bool

	Headers() Table
	SetHeaders(Table)
	ClearHeaders()
	IsHeadersPresent() bool

	DeliveryMode() uint8
	SetDeliveryMode(uint8)
	ClearDeliveryMode()
	IsDeliveryModePresent() bool

	Priority() uint8
	SetPriority(uint8)
	ClearPriority()
	IsPriorityPresent() bool

	CorrelationId() string
	SetCorrelationId(string)
	ClearCorrelationId()
	IsCorrelationIdPresent() bool

	ReplyTo() string
	SetReplyTo(string)
	ClearReplyTo()
	IsReplyToPresent() bool

	Expiration() string
	SetExpiration(string)
	ClearExpiration()
	IsExpirationPresent() bool

	MessageId() string
	SetMessageId(string)
	ClearMessageId()
	IsMessageIdPresent() bool

	Timestamp() time.Time
	SetTimestamp(time.Time)
	ClearTimestamp()
	IsTimestampPresent() bool

	Type() string
	SetType(string)
	ClearType()
	IsTypePresent() bool

	UserId() string
	SetUserId(string)
	ClearUserId()
	IsUserIdPresent() bool

	AppId() string
	SetAppId(string)
	ClearAppId()
	IsAppIdPresent() bool

	ClusterId() string
	SetClusterId(string)
	ClearClusterId()
	IsClusterIdPresent() bool

	Persistent() bool
	SetPersistent(bool)
	ReplyToAddress() (PublicationAddress, bool)
	SetReplyToAddress(PublicationAddress)
}

type properties struct{ s newapi.BasicProperties }

func (p *properties) ContentType() string        { return p.s.ContentType }
func (p *properties) SetContentType(v string)    { p.s.ContentType = v }
func (p *properties) ClearContentType()          { p.s.ContentType = "" }
func (p *properties) IsContentTypePresent() bool { return p.s.ContentType != "" }

func (p *properties) ContentEncoding() string        { return p.s.ContentEncoding }
func (p *properties) SetContentEncoding(v string)    { p.s.ContentEncoding = v }
func (p *properties) ClearContentEncoding()          { p.s.ContentEncoding = "" }
func (p *properties) IsContentEncodingPresent() bool { return p.s.ContentEncoding != "" }

func (p *properties) Headers() Table { return p.s.Headers }
func (p *properties) SetHeaders(v Table) {
	if v == nil {
		v = Table{}
	}
	p.s.Headers = v
}
func (p *properties) ClearHeaders()          { p.SetHeaders(nil) }
func (p *properties) IsHeadersPresent() bool { return len(p.s.Headers) > 0 }

func (p *properties) DeliveryMode() uint8         { return p.s.DeliveryMode }
func (p *properties) SetDeliveryMode(v uint8)     { p.s.DeliveryMode = v }
func (p *properties) ClearDeliveryMode()          { p.s.DeliveryMode = 0 }
func (p *properties) IsDeliveryModePresent() bool { return p.s.DeliveryMode != 0 }

func (p *properties) Priority() uint8         { return p.s.Priority }
func (p *properties) SetPriority(v uint8)     { p.s.Priority = v }
func (p *properties) ClearPriority()          { p.s.Priority = 0 }
func (p *properties) IsPriorityPresent() bool { return p.s.Priority != 0 }

func (p *properties) CorrelationId() string        { return p.s.CorrelationId }
func (p *properties) SetCorrelationId(v string)    { p.s.CorrelationId = v }
func (p *properties) ClearCorrelationId()          { p.s.CorrelationId = "" }
func (p *properties) IsCorrelationIdPresent() bool { return p.s.CorrelationId != "" }

func (p *properties) ReplyTo() string        { return p.s.ReplyTo }
func (p *properties) SetReplyTo(v string)    { p.s.ReplyTo = v }
func (p *properties) ClearReplyTo()          { p.s.ReplyTo = "" }
func (p *properties) IsReplyToPresent() bool { return p.s.ReplyTo != "" }

func (p *properties) Expiration() string        { return p.s.Expiration }
func (p *properties) SetExpiration(v string)    { p.s.Expiration = v }
func (p *properties) ClearExpiration()          { p.s.Expiration = "" }
func (p *properties) IsExpirationPresent() bool { return p.s.Expiration != "" }

func (p *properties) MessageId() string        { return p.s.MessageId }
func (p *properties) SetMessageId(v string)    { p.s.MessageId = v }
func (p *properties) ClearMessageId()          { p.s.MessageId = "" }
func (p *properties) IsMessageIdPresent() bool { return p.s.MessageId != "" }

func (p *properties) Timestamp() time.Time     { return p.s.Timestamp }
func (p *properties) SetTimestamp(v time.Time) { p.s.Timestamp = v }
func (p *properties) ClearTimestamp()          { p.s.Timestamp = time.Time{} }
func (p *properties) IsTimestampPresent() bool { return !p.s.Timestamp.IsZero() }

func (p *properties) Type() string        { return p.s.Type }
func (p *properties) SetType(v string)    { p.s.Type = v }
func (p *properties) ClearType()          { p.s.Type = "" }
func (p *properties) IsTypePresent() bool { return p.s.Type != "" }

func (p *properties) UserId() string        { return p.s.UserId }
func (p *properties) SetUserId(v string)    { p.s.UserId = v }
func (p *properties) ClearUserId()          { p.s.UserId = "" }
func (p *properties) IsUserIdPresent() bool { return p.s.UserId != "" }

func (p *properties) AppId() string        { return p.s.AppId }
func (p *properties) SetAppId(v string)    { p.s.AppId = v }
func (p *properties) ClearAppId()          { p.s.AppId = "" }
func (p *properties) IsAppIdPresent() bool { return p.s.AppId != "" }

func (p *properties) ClusterId() string        { return p.s.ClusterId }
func (p *properties) SetClusterId(v string)    { p.s.ClusterId = v }
func (p *properties) ClearClusterId()          { p.s.ClusterId = "" }
func (p *properties) IsClusterIdPresent() bool { return p.s.ClusterId != "" }

func (p *properties) Persistent() bool { return p.s.DeliveryMode == newapi.Persistent }
func (p *properties) SetPersistent(v bool) {
	p.s.DeliveryMode = newapi.Transient
	if v {
		p.s.DeliveryMode = newapi.Persistent
	}
}

func (p *properties) ReplyToAddress() (PublicationAddress, bool) { return p.s.ReplyToAddress() }
func (p *properties) SetReplyToAddress(a PublicationAddress)     { p.s.ReplyTo = a.String() }

func FromStruct(s newapi.BasicProperties) BasicProperties {
	if s.Headers == nil {
		s.Headers = Table{}
	}
	return &properties{s}
}

func ToStruct(p BasicProperties) newapi.BasicProperties {
	if p == nil {
		return newapi.BasicProperties{}
	}
	return p.(*properties).s
}

type Channel struct{ *newapi.Channel }

func (ch *Channel) CreateBasicProperties() BasicProperties {
	return FromStruct(newapi.BasicProperties{})
}

func (ch *Channel) BasicPublish(exchange, routingKey string, mandatory bool, properties BasicProperties, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, exchange, routingKey,
		ToStruct(properties), body, newapi.FlagsIf(mandatory, false))
}

type Model interface {
	CreateBasicProperties() BasicProperties
	BasicPublish(exchange, routingKey string, mandatory bool, properties BasicProperties, body []byte) error
}

type BasicDelivery struct {
	Exchange, RoutingKey string
	Properties           BasicProperties
	Body                 []byte
}

type Connection struct{}

func (c *Connection) CreateModel() (*Channel, error) {
	return &Channel{new(newapi.Channel)}, nil
}
