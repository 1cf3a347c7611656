// Package newapi is a small stand-in for the real package: the same names and
// types, and a channel that writes down what is published.
package newapi

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"
)

type Table map[string]any

const (
	Transient  uint8 = 1
	Persistent uint8 = 2
)

type BasicProperties struct {
	ContentType, ContentEncoding                  string
	Headers                                       Table
	DeliveryMode, Priority                        uint8
	CorrelationId, ReplyTo, Expiration, MessageId string
	Timestamp                                     time.Time
	Type, UserId, AppId, ClusterId                string
	SendZero                                      PropertySet
}

type PropertySet uint16

// AppendHeader appends the present properties, readably and in one order, times
// in nanoseconds behind an at sign.
func (p BasicProperties) AppendHeader(dst []byte) ([]byte, error) {
	var parts []string
	add := func(name string, value any, present bool) {
		if t, ok := value.(time.Time); ok && present {
			parts = append(parts, fmt.Sprintf("%s=@%d", name, t.UnixNano()))
		} else if present {
			parts = append(parts, fmt.Sprintf("%s=%#v", name, value))
		}
	}
	add("ContentType", p.ContentType, p.ContentType != "")
	add("ContentEncoding", p.ContentEncoding, p.ContentEncoding != "")
	if len(p.Headers) > 0 {
		keys := make([]string, 0, len(p.Headers))
		for k := range p.Headers {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			add("Headers["+k+"]", p.Headers[k], true)
		}
	}
	add("DeliveryMode", p.DeliveryMode, p.DeliveryMode != 0)
	add("Priority", p.Priority, p.Priority != 0)
	add("CorrelationId", p.CorrelationId, p.CorrelationId != "")
	add("ReplyTo", p.ReplyTo, p.ReplyTo != "")
	add("Expiration", p.Expiration, p.Expiration != "")
	add("MessageId", p.MessageId, p.MessageId != "")
	add("Timestamp", p.Timestamp, !p.Timestamp.IsZero())
	add("Type", p.Type, p.Type != "")
	add("UserId", p.UserId, p.UserId != "")
	add("AppId", p.AppId, p.AppId != "")
	add("ClusterId", p.ClusterId, p.ClusterId != "")
	return append(dst, strings.Join(parts, " ")...), nil
}

type PublicationAddress struct{ ExchangeType, ExchangeName, RoutingKey string }

func (a PublicationAddress) String() string {
	return a.ExchangeType + "://" + a.ExchangeName + "/" + a.RoutingKey
}

func (p BasicProperties) ReplyToAddress() (addr PublicationAddress, ok bool) {
	kind, rest, ok := strings.Cut(p.ReplyTo, "://")
	if !ok {
		return addr, false
	}
	name, key, ok := strings.Cut(rest, "/")
	if !ok {
		return addr, false
	}
	return PublicationAddress{kind, name, key}, true
}

type PublishFlag uint8

const (
	Mandatory PublishFlag = 1 << iota
	Immediate
)

func FlagsIf(mandatory, immediate bool) (f PublishFlag) {
	if mandatory {
		f |= Mandatory
	}
	if immediate {
		f |= Immediate
	}
	return f
}

type AMQPHeader interface {
	AppendHeader(dst []byte) ([]byte, error)
}

type EncodedMessage struct {
	Context              context.Context
	Exchange, RoutingKey string
	Flags                PublishFlag
	Header, Body         []byte
}

type DeferredConfirmation struct{ DeliveryTag uint64 }

type Publisher interface {
	PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error)
}

func BasicPublish[P AMQPHeader](ctx context.Context, ch Publisher, exchange, routingKey string, properties P, body []byte, flags ...PublishFlag) error {
	_, err := BasicPublishDeferred(ctx, ch, exchange, routingKey, properties, body, flags...)
	return err
}

func BasicPublishDeferred[P AMQPHeader](ctx context.Context, ch Publisher, exchange, routingKey string, properties P, body []byte, flags ...PublishFlag) (*DeferredConfirmation, error) {
	header, err := properties.AppendHeader(nil)
	if err != nil {
		return nil, err
	}
	m := EncodedMessage{Context: ctx, Exchange: exchange, RoutingKey: routingKey, Header: header, Body: body}
	for _, f := range flags {
		m.Flags |= f
	}
	return ch.PublishEncoded(ctx, m)
}

// Channel hands what is published to Record. With Confirm it counts, too.
type Channel struct {
	Record  func(EncodedMessage)
	Confirm bool
	tag     uint64
}

func (ch *Channel) PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
	if ch.Record != nil {
		ch.Record(m)
	}
	if !ch.Confirm {
		return nil, nil
	}
	ch.tag++
	return &DeferredConfirmation{ch.tag}, nil
}
