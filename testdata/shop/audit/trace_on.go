//go:build trace

package audit

import "github.com/amqpfix/amqpfix/compat"

// Trace records a step of a program. It is there only in builds with the tag
// trace.
func (l *Logger) Trace(step string) {
	props := l.ch.CreateBasicProperties()
	props.SetType("audit.trace")
	props.SetHeaders(compat.Table{"step": step})
	_ = l.ch.BasicPublish(l.exchange, "trace", false, props, nil)
}
