package amqp091

import (
	"time"

	upstream "github.com/rabbitmq/amqp091-go"
)

// The types and constants of recovery that mention neither Connection nor
// Channel. Recovery itself is not there yet.
type (
	// ReconnectionConfig says how often and how fast to reconnect.
	ReconnectionConfig = upstream.ReconnectionConfig

	// TopologyRecoveryMode says what to declare again after a reconnect.
	TopologyRecoveryMode = upstream.TopologyRecoveryMode

	// TopologyRecoveryEntityType is the kind of a TopologyRecoveryEntity.
	TopologyRecoveryEntityType = upstream.TopologyRecoveryEntityType

	// TopologyRecoveryEntity is something that could not be declared again.
	TopologyRecoveryEntity = upstream.TopologyRecoveryEntity

	// TopologyConfiguration is what a channel has declared.
	TopologyConfiguration = upstream.TopologyConfiguration

	// QosConfig is a Channel.Qos in a TopologyConfiguration.
	QosConfig = upstream.QosConfig

	// ExchangeConfig is an exchange in a TopologyConfiguration.
	ExchangeConfig = upstream.ExchangeConfig

	// QueueConfig is a queue in a TopologyConfiguration.
	QueueConfig = upstream.QueueConfig

	// BindingConfig is the binding of a queue in a TopologyConfiguration.
	BindingConfig = upstream.BindingConfig

	// ExchangeBindingConfig is the binding of an exchange in a
	// TopologyConfiguration.
	ExchangeBindingConfig = upstream.ExchangeBindingConfig
)

// Values of TopologyRecoveryMode.
const (
	TopologyRecoveryAllEnabled    = upstream.TopologyRecoveryAllEnabled
	TopologyRecoveryOnlyTransient = upstream.TopologyRecoveryOnlyTransient
	TopologyRecoveryDisabled      = upstream.TopologyRecoveryDisabled
)

// Values of TopologyRecoveryEntityType.
const (
	TopologyEntityExchange        = upstream.TopologyEntityExchange
	TopologyEntityQueue           = upstream.TopologyEntityQueue
	TopologyEntityQueueBinding    = upstream.TopologyEntityQueueBinding
	TopologyEntityExchangeBinding = upstream.TopologyEntityExchangeBinding
	TopologyEntityConsumer        = upstream.TopologyEntityConsumer
)

// The values of DefaultReconnectionConfig.
const (
	DefaultMaxRetryCount = upstream.DefaultMaxRetryCount
	DefaultRetryInterval = upstream.DefaultRetryInterval
)

// DefaultReconnectionConfig is amqp091-go's own.
var DefaultReconnectionConfig = upstream.DefaultReconnectionConfig

// Recovery says how a connection recovers. Dialling with one is an error for now:
// Config.Recovery has to be nil.
type Recovery struct {
	ReconnectionConfig *ReconnectionConfig // how often and how fast to reconnect
	ConnectionRecovery ConnectionRecovery  // what to do when a connection or channel closes
	TopologyRecovery   TopologyRecovery    // what to do after a reconnect

	// TopologyRecoveryMode says what to declare again.
	TopologyRecoveryMode TopologyRecoveryMode

	// OnTopologyEntityError says whether to go on without an entity that could
	// not be declared again. Nil says yes.
	OnTopologyEntityError func(conn *Connection, e TopologyRecoveryEntity) bool
}

// ConnectionRecovery is told when a connection or channel closes without having
// been asked to.
type ConnectionRecovery interface {
	// OnConnectionClose is told why conn closed.
	OnConnectionClose(conn *Connection, err *Error)

	// OnChannelClose is told why ch closed.
	OnChannelClose(ch *Channel, err *Error)
}

// TopologyRecovery declares again, after a reconnect, what channels had declared.
type TopologyRecovery interface {
	// RecoverTopology returns what it went on without, or why it gave up.
	RecoverTopology(conn *Connection, channels []*Channel) ([]TopologyRecoveryEntity, error)
}

// DefaultConnectionRecovery does what amqp091-go's does for a connection that does
// not recover: it logs that it leaves it closed.
type DefaultConnectionRecovery struct{}

// OnConnectionClose logs err to Logger.
func (d *DefaultConnectionRecovery) OnConnectionClose(conn *Connection, err *Error) {
	Logger.Printf("amqp091: connection closed, and not recovered: %v", err)
}

// OnChannelClose logs err to Logger.
func (d *DefaultConnectionRecovery) OnChannelClose(ch *Channel, err *Error) {
	Logger.Printf("amqp091: channel closed, and not recovered: %v", err)
}

// DefaultTopologyRecovery does what amqp091-go's does for a connection that does
// not recover: nothing.
type DefaultTopologyRecovery struct{}

// RecoverTopology returns nil, nil.
func (d *DefaultTopologyRecovery) RecoverTopology(conn *Connection, channels []*Channel) ([]TopologyRecoveryEntity, error) {
	return nil, nil
}

// Reconnect returns ErrClosed: connections do not recover yet.
func (c *Connection) Reconnect() (err error) { return ErrClosed }

// IsRecoveryEnabled returns false: connections do not recover yet. As in
// amqp091-go, c may be nil; so it may for the methods below.
func (c *Connection) IsRecoveryEnabled() bool { return false }

// IsConnectionRecoveryEnabled returns false, as IsRecoveryEnabled does.
func (c *Connection) IsConnectionRecoveryEnabled() bool { return false }

// IsTopologyRecoveryEnabled returns false, as IsRecoveryEnabled does.
func (c *Connection) IsTopologyRecoveryEnabled() bool { return false }

// MaxRetryCount returns 0, as amqp091-go does without recovery.
func (c *Connection) MaxRetryCount() int { return 0 }

// RetryInterval returns 0, as amqp091-go does without recovery.
func (c *Connection) RetryInterval() time.Duration { return 0 }

// Reconnect returns ErrClosed: channels do not recover yet.
func (ch *Channel) Reconnect() error { return ErrClosed }

// TopologyConfiguration returns what is recorded for recovery, which without
// recovery is nothing, as in amqp091-go: an empty value whose maps are not nil.
func (ch *Channel) TopologyConfiguration(global bool) TopologyConfiguration {
	return TopologyConfiguration{
		Exchanges: make(map[string]ExchangeConfig),
		Queues:    make(map[string]QueueConfig),
	}
}
