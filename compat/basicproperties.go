package compat

import (
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// basicProperties is the BasicProperties of this package. A setter says all
// there is to say about its property, so it also takes it out of SendZero.
type basicProperties struct {
	// s.Headers is never nil: were it made on first use, two goroutines that
	// only read would race.
	s newapi.BasicProperties
}

func (p *basicProperties) has(property newapi.PropertySet) bool {
	return p.s.Present().Has(property)
}

func (p *basicProperties) ContentType() string { return p.s.ContentType }
func (p *basicProperties) SetContentType(contentType string) {
	p.s.ContentType = contentType
	p.s.SendZero &^= newapi.PropertyContentType
}
func (p *basicProperties) ClearContentType()          { p.SetContentType("") }
func (p *basicProperties) IsContentTypePresent() bool { return p.has(newapi.PropertyContentType) }

func (p *basicProperties) ContentEncoding() string { return p.s.ContentEncoding }
func (p *basicProperties) SetContentEncoding(contentEncoding string) {
	p.s.ContentEncoding = contentEncoding
	p.s.SendZero &^= newapi.PropertyContentEncoding
}
func (p *basicProperties) ClearContentEncoding() { p.SetContentEncoding("") }
func (p *basicProperties) IsContentEncodingPresent() bool {
	return p.has(newapi.PropertyContentEncoding)
}

func (p *basicProperties) Headers() newapi.Table { return p.s.Headers }
func (p *basicProperties) SetHeaders(headers newapi.Table) {
	if headers == nil {
		headers = make(newapi.Table)
	}
	p.s.Headers = headers
	p.s.SendZero &^= newapi.PropertyHeaders
}
func (p *basicProperties) ClearHeaders()          { p.SetHeaders(nil) }
func (p *basicProperties) IsHeadersPresent() bool { return p.has(newapi.PropertyHeaders) }

func (p *basicProperties) DeliveryMode() uint8 { return p.s.DeliveryMode }
func (p *basicProperties) SetDeliveryMode(deliveryMode uint8) {
	p.s.DeliveryMode = deliveryMode
	p.s.SendZero &^= newapi.PropertyDeliveryMode
}
func (p *basicProperties) ClearDeliveryMode()          { p.SetDeliveryMode(0) }
func (p *basicProperties) IsDeliveryModePresent() bool { return p.has(newapi.PropertyDeliveryMode) }

func (p *basicProperties) Priority() uint8 { return p.s.Priority }
func (p *basicProperties) SetPriority(priority uint8) {
	p.s.Priority = priority
	p.s.SendZero &^= newapi.PropertyPriority
}
func (p *basicProperties) ClearPriority()          { p.SetPriority(0) }
func (p *basicProperties) IsPriorityPresent() bool { return p.has(newapi.PropertyPriority) }

func (p *basicProperties) CorrelationId() string { return p.s.CorrelationId }
func (p *basicProperties) SetCorrelationId(correlationId string) {
	p.s.CorrelationId = correlationId
	p.s.SendZero &^= newapi.PropertyCorrelationId
}
func (p *basicProperties) ClearCorrelationId()          { p.SetCorrelationId("") }
func (p *basicProperties) IsCorrelationIdPresent() bool { return p.has(newapi.PropertyCorrelationId) }

func (p *basicProperties) ReplyTo() string { return p.s.ReplyTo }
func (p *basicProperties) SetReplyTo(replyTo string) {
	p.s.ReplyTo = replyTo
	p.s.SendZero &^= newapi.PropertyReplyTo
}
func (p *basicProperties) ClearReplyTo()          { p.SetReplyTo("") }
func (p *basicProperties) IsReplyToPresent() bool { return p.has(newapi.PropertyReplyTo) }

func (p *basicProperties) Expiration() string { return p.s.Expiration }
func (p *basicProperties) SetExpiration(expiration string) {
	p.s.Expiration = expiration
	p.s.SendZero &^= newapi.PropertyExpiration
}
func (p *basicProperties) ClearExpiration()          { p.SetExpiration("") }
func (p *basicProperties) IsExpirationPresent() bool { return p.has(newapi.PropertyExpiration) }

func (p *basicProperties) MessageId() string { return p.s.MessageId }
func (p *basicProperties) SetMessageId(messageId string) {
	p.s.MessageId = messageId
	p.s.SendZero &^= newapi.PropertyMessageId
}
func (p *basicProperties) ClearMessageId()          { p.SetMessageId("") }
func (p *basicProperties) IsMessageIdPresent() bool { return p.has(newapi.PropertyMessageId) }

func (p *basicProperties) Timestamp() time.Time { return p.s.Timestamp }
func (p *basicProperties) SetTimestamp(timestamp time.Time) {
	p.s.Timestamp = timestamp
	p.s.SendZero &^= newapi.PropertyTimestamp
}
func (p *basicProperties) ClearTimestamp()          { p.SetTimestamp(time.Time{}) }
func (p *basicProperties) IsTimestampPresent() bool { return p.has(newapi.PropertyTimestamp) }

func (p *basicProperties) Type() string { return p.s.Type }
func (p *basicProperties) SetType(messageType string) {
	p.s.Type = messageType
	p.s.SendZero &^= newapi.PropertyType
}
func (p *basicProperties) ClearType()          { p.SetType("") }
func (p *basicProperties) IsTypePresent() bool { return p.has(newapi.PropertyType) }

func (p *basicProperties) UserId() string { return p.s.UserId }
func (p *basicProperties) SetUserId(userId string) {
	p.s.UserId = userId
	p.s.SendZero &^= newapi.PropertyUserId
}
func (p *basicProperties) ClearUserId()          { p.SetUserId("") }
func (p *basicProperties) IsUserIdPresent() bool { return p.has(newapi.PropertyUserId) }

func (p *basicProperties) AppId() string { return p.s.AppId }
func (p *basicProperties) SetAppId(appId string) {
	p.s.AppId = appId
	p.s.SendZero &^= newapi.PropertyAppId
}
func (p *basicProperties) ClearAppId()          { p.SetAppId("") }
func (p *basicProperties) IsAppIdPresent() bool { return p.has(newapi.PropertyAppId) }

func (p *basicProperties) ClusterId() string { return p.s.ClusterId }
func (p *basicProperties) SetClusterId(clusterId string) {
	p.s.ClusterId = clusterId
	p.s.SendZero &^= newapi.PropertyClusterId
}
func (p *basicProperties) ClearClusterId()          { p.SetClusterId("") }
func (p *basicProperties) IsClusterIdPresent() bool { return p.has(newapi.PropertyClusterId) }

func (p *basicProperties) Persistent() bool { return p.s.DeliveryMode == newapi.Persistent }
func (p *basicProperties) SetPersistent(persistent bool) {
	if persistent {
		p.SetDeliveryMode(newapi.Persistent)
	} else {
		p.SetDeliveryMode(newapi.Transient)
	}
}

func (p *basicProperties) ReplyToAddress() (newapi.PublicationAddress, bool) {
	return p.s.ReplyToAddress()
}
func (p *basicProperties) SetReplyToAddress(address newapi.PublicationAddress) {
	p.SetReplyTo(address.String())
}
