package compat

import (
	"reflect"

	"github.com/amqpfix/amqpfix/newapi"
)

// FromStruct returns s behind the old interface, for code that still takes one
// and for tests that have no channel to ask for a fresh value.
//
// The struct is copied, the Headers map is shared: an entry written through
// either is seen by both. A nil map is replaced, in the result only, by a new
// empty one. SendZero is kept.
func FromStruct(s newapi.BasicProperties) BasicProperties {
	if s.Headers == nil {
		s.Headers = make(newapi.Table)
	}
	return &basicProperties{s}
}

// ToStruct returns what p holds as a struct, for code that already takes one.
// Nil, and a nil pointer in p, give the zero struct.
//
// The result is a copy, but shares the Headers map with p, an empty one too.
// What p reports as present is in the struct, with a zero value named in
// SendZero. ToStruct only reads p.
func ToStruct(p BasicProperties) newapi.BasicProperties {
	if p, ok := p.(*basicProperties); ok && p != nil {
		return p.s
	}
	if isNil(p) {
		return newapi.BasicProperties{}
	}
	return read(p)
}

func isNil(p BasicProperties) bool {
	v := reflect.ValueOf(p)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// read goes through the interface, for implementations that are not ours.
func read(p BasicProperties) newapi.BasicProperties {
	var s newapi.BasicProperties
	var present newapi.PropertySet
	if p.IsContentTypePresent() {
		s.ContentType = p.ContentType()
		present |= newapi.PropertyContentType
	}
	if p.IsContentEncodingPresent() {
		s.ContentEncoding = p.ContentEncoding()
		present |= newapi.PropertyContentEncoding
	}
	if p.IsHeadersPresent() {
		s.Headers = p.Headers()
		present |= newapi.PropertyHeaders
	}
	if p.IsDeliveryModePresent() {
		s.DeliveryMode = p.DeliveryMode()
		present |= newapi.PropertyDeliveryMode
	}
	if p.IsPriorityPresent() {
		s.Priority = p.Priority()
		present |= newapi.PropertyPriority
	}
	if p.IsCorrelationIdPresent() {
		s.CorrelationId = p.CorrelationId()
		present |= newapi.PropertyCorrelationId
	}
	if p.IsReplyToPresent() {
		s.ReplyTo = p.ReplyTo()
		present |= newapi.PropertyReplyTo
	}
	if p.IsExpirationPresent() {
		s.Expiration = p.Expiration()
		present |= newapi.PropertyExpiration
	}
	if p.IsMessageIdPresent() {
		s.MessageId = p.MessageId()
		present |= newapi.PropertyMessageId
	}
	if p.IsTimestampPresent() {
		s.Timestamp = p.Timestamp()
		present |= newapi.PropertyTimestamp
	}
	if p.IsTypePresent() {
		s.Type = p.Type()
		present |= newapi.PropertyType
	}
	if p.IsUserIdPresent() {
		s.UserId = p.UserId()
		present |= newapi.PropertyUserId
	}
	if p.IsAppIdPresent() {
		s.AppId = p.AppId()
		present |= newapi.PropertyAppId
	}
	if p.IsClusterIdPresent() {
		s.ClusterId = p.ClusterId()
		present |= newapi.PropertyClusterId
	}
	s.SendZero = present &^ s.Present()
	return s
}
