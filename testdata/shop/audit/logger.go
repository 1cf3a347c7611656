// Package audit keeps a record of who did what.
//
// Records go to a fanout exchange; the type of a message says what kind of
// record it is.
package audit

import (
	"fmt"
	"os"

	"github.com/amqpfix/amqpfix/compat"

	"example.com/shop/internal/stamp"
)

// Severity says how soon somebody should read a record.
type Severity int

// The severities, from the least.
const (
	Info Severity = iota
	Warning
	Alarm
)

// Logger publishes audit records.
type Logger struct {
	ch       *compat.Channel
	exchange string
	stamps   stamp.Source
}

// New returns a logger that publishes to exchange.
func New(ch *compat.Channel, exchange string, stamps stamp.Source) *Logger {
	return &Logger{ch: ch, exchange: exchange, stamps: stamps}
}

// Login records that user has come in, or has tried to. context says from
// where.
func (l *Logger) Login(user, context string, severity Severity) error {
	props := l.ch.CreateBasicProperties()
	props.SetType("audit.login")
	props.SetContentType("text/plain")
	props.SetCorrelationId(user)
	switch severity {
	case Alarm:
		props.SetPriority(9)
		props.SetPersistent(true)
	case Warning:
		props.SetPriority(5)
	default:
		// the broker's default
	}
	return l.ch.BasicPublish(l.exchange, context, false, props, []byte(user+" from "+context))
}

// Changed records which fields of an object user has changed.
func (l *Logger) Changed(user, object string, fields ...string) error {
	props := l.ch.CreateBasicProperties()
	props.SetType("audit.changed")
	props.SetHeaders(compat.Table{"user": user})
	for i, field := range fields {
		if i == 0 {
			props.SetPriority(uint8(min(len(fields), 9))) // the more, the sooner
		}
		props.Headers()["field."+field] = true
	}
	err := l.ch.BasicPublish(l.exchange, "", false, props, []byte(object))
	if err != nil {
		return fmt.Errorf("audit: change of %s: %w", object, err)
	}
	return nil
}

// Exported records that user took data out of the shop: all of it, or what is
// new since an earlier export.
func (l *Logger) Exported(user, since string) error {
	if since == "" {
		props := l.ch.CreateBasicProperties()
		props.SetType("audit.export.full")
		props.SetPersistent(true)
		props.SetPriority(5)
		return l.ch.BasicPublish(l.exchange, "", false, props, []byte(user))
	}
	props := l.ch.CreateBasicProperties()
	props.SetType("audit.export.delta")
	props.SetHeaders(compat.Table{
		"since": since,
		"path":  []interface{}{"orders", "refunds"}, // in this order
	})
	return l.ch.BasicPublish(l.exchange, "", false, props, []byte(user))
}

// Denied records that user was not let through, by which of the two rule sets.
func (l *Logger) Denied(user, action string) error {
	newapi := os.Getenv("SHOP_NEW_RULES") != ""
	rules := "2019"
	if newapi {
		rules = "2024"
	}
	props := l.ch.CreateBasicProperties()
	props.SetType("audit.denied")
	props.SetTimestamp(l.stamps.Now()) // to the second is enough
	props.SetHeaders(compat.Table{"rules": rules, "new": newapi})
	props.SetAppId("audit")
	return l.ch.BasicPublish(l.exchange, "", false, props, []byte(user+" may not "+action))
}
