package amqptest

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// exception is what a handler returns to end a channel or the connection: a
// reply code of the specification, section 1.2, and a text.
type exception struct {
	code       uint16
	text       string
	connection bool          // ends the connection, not only the channel
	method     wire.MethodID // what the client had asked for; 0 when no method is to blame
}

// channelError ends the channel. The text follows the name of the code.
func channelError(code uint16, format string, args ...any) error {
	return &exception{code: code, text: replyText(code, fmt.Sprintf(format, args...))}
}

// connectionError ends the connection. The text follows the name of the code.
func connectionError(code uint16, format string, args ...any) error {
	return &exception{code: code, text: replyText(code, fmt.Sprintf(format, args...)), connection: true}
}

func (e *exception) Error() string { return fmt.Sprintf("%d %s", e.code, e.text) }

// blame names the method that caused err, if err is an exception without one.
func blame(err error, id wire.MethodID) error {
	var e *exception
	if errors.As(err, &e) && e.method == 0 {
		e.method = id
	}
	return err
}

// malformed is the connection exception for bytes that package wire refused.
func malformed(err error) error {
	code := uint16(amqp091.SyntaxError)
	switch {
	case errors.Is(err, wire.ErrFrame), errors.Is(err, wire.ErrFrameTooLarge):
		code = amqp091.FrameError
	case errors.Is(err, wire.ErrUnknownMethod):
		code = amqp091.CommandInvalid
	}
	return connectionError(code, "%s", strings.TrimPrefix(err.Error(), "wire: "))
}

var replyNames = map[uint16]string{
	amqp091.ContentTooLarge:    "CONTENT_TOO_LARGE",
	amqp091.NoRoute:            "NO_ROUTE",
	amqp091.NoConsumers:        "NO_CONSUMERS",
	amqp091.ConnectionForced:   "CONNECTION_FORCED",
	amqp091.InvalidPath:        "INVALID_PATH",
	amqp091.AccessRefused:      "ACCESS_REFUSED",
	amqp091.NotFound:           "NOT_FOUND",
	amqp091.ResourceLocked:     "RESOURCE_LOCKED",
	amqp091.PreconditionFailed: "PRECONDITION_FAILED",
	amqp091.FrameError:         "FRAME_ERROR",
	amqp091.SyntaxError:        "SYNTAX_ERROR",
	amqp091.CommandInvalid:     "COMMAND_INVALID",
	amqp091.ChannelError:       "CHANNEL_ERROR",
	amqp091.UnexpectedFrame:    "UNEXPECTED_FRAME",
	amqp091.ResourceError:      "RESOURCE_ERROR",
	amqp091.NotAllowed:         "NOT_ALLOWED",
	amqp091.NotImplemented:     "NOT_IMPLEMENTED",
	amqp091.InternalError:      "INTERNAL_ERROR",
}

// replyText is "NAME - text", as RabbitMQ writes it.
func replyText(code uint16, text string) string {
	name := replyNames[code]
	switch {
	case name == "":
		return shortText(text)
	case text == "":
		return name
	}
	return shortText(name + " - " + text)
}

// shortText cuts a text to what a short string carries, between characters.
func shortText(text string) string {
	const most = 255
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}
