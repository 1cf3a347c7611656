// Package moved has moved to newapi already; the rest of the module has not.
package moved

import (
	"context"

	"github.com/amqpfix/amqpfix/newapi"
)

// Audit publishes an audit record.
func Audit(ctx context.Context, ch newapi.Publisher, who, what string) error {
	return newapi.BasicPublish(ctx, ch, "audit", what,
		newapi.BasicProperties{ContentType: newapi.MimeTextPlain, AppId: who}, []byte(what))
}
