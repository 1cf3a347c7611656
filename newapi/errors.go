package newapi

import (
	"errors"
	"fmt"
)

var (
	// ErrNacked is what DeferredConfirmation.Result returns for a publish that
	// the broker refused with basic.nack: it did not take responsibility for the
	// message, for instance because a queue with x-overflow=reject-publish is full.
	ErrNacked = errors.New("newapi: the broker refused the message (basic.nack)")

	// ErrLost is in the chain of the error that DeferredConfirmation.Result
	// returns when the channel or connection ended before the broker settled the
	// publish: the message may or may not have been taken. The chain also holds
	// the reason, such as the *Error of a channel closed with 404.
	ErrLost = errors.New("newapi: closed before the broker settled the message")

	// ErrPublishTimeout is returned by a publish that waited Config.PublishTimeout
	// for room on a connection that makes no progress. Nothing of the message was
	// sent.
	ErrPublishTimeout = errors.New("newapi: publish timed out waiting for the connection; nothing of the message was sent")

	// ErrConsumerOverrun ends a channel whose unread deliveries exceed
	// Config.ConsumerBufferBytes. Set a prefetch with Channel.Qos.
	ErrConsumerOverrun = &Error{Code: ResourceError, Reason: "unread deliveries exceed Config.ConsumerBufferBytes; set a prefetch with Qos"}
)

// ReturnedError is what DeferredConfirmation.Result returns for a mandatory or
// immediate publish that the broker could not route and sent back.
type ReturnedError struct {
	Return Return
}

// Error names the broker's reason and where the message was published to.
func (e *ReturnedError) Error() string {
	r := &e.Return
	return fmt.Sprintf("newapi: message returned by the broker: %d %s (exchange %q, routing key %q)",
		r.ReplyCode, r.ReplyText, r.Exchange, r.RoutingKey)
}

// lostError is ErrLost with its reason.
type lostError struct{ reason error }

func (e *lostError) Error() string {
	if e.reason == nil {
		return ErrLost.Error()
	}
	return ErrLost.Error() + ": " + e.reason.Error()
}

func (e *lostError) Is(target error) bool { return target == ErrLost }

func (e *lostError) Unwrap() error { return e.reason }

// serverError is the *Error of a close method that the broker sent.
func serverError(code uint16, text string) *Error {
	return &Error{Code: int(code), Reason: text, Server: true, Recover: isSoft(int(code))}
}

// isSoft tells the reply codes that end a channel only (AMQP 0-9-1 section 1.2,
// "channel" errors) from those that end the connection.
func isSoft(code int) bool {
	switch code {
	case ContentTooLarge, NoRoute, NoConsumers, AccessRefused, NotFound, ResourceLocked, PreconditionFailed:
		return true
	}
	return false
}
