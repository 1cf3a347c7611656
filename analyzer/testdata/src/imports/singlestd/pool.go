package singlestd

import "github.com/amqpfix/amqpfix/compat"

type pool struct{ ch *compat.Channel }
