//go:build !plan10

package flags

import (
	"context"
	"runtime"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

// Another file may say otherwise where this one is left out.
const somewhere = true

const (
	everywhere = !here
	here       = "a" == "b"
	nowhere    = somewhere && false
	word       = ^uint(0)>>32 > 0
	onLinux    = runtime.GOOS == "linux"
)

// The file has what it declares in all builds that have the file.
func sameFile(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx, "ex", "key", somewhere, false, msg)               // header
	_ = ch.PublishWithContext(ctx, "ex", "key", nowhere, false, msg)                 // header
	_ = ch.PublishWithContext(ctx, "ex", "key", word, false, msg)                    // header
	_ = ch.PublishWithContext(ctx, "ex", "key", onLinux, false, msg)                 // header
	_ = ch.PublishWithContext(ctx, "ex", "key", runtime.GOOS == "linux", false, msg) // header
}
