package oldapi

import "slices"

// Import paths of the clients that amqpfix moves code away from, and of what
// takes their place in the shim step.
const (
	Upstream  = "github.com/rabbitmq/amqp091-go"
	Streadway = "github.com/streadway/amqp"
	Compat091 = "github.com/amqpfix/amqpfix/compat/amqp091"
)

// A Module is a client whose import path the shim step changes.
type Module struct {
	Path    string
	Name    string // of its package: what an import without a name is called
	OwnOnly bool   // none of its types is one of Compat091's, as all vocabulary of Upstream is
}

// Modules are the clients that the shim step moves.
var Modules = []Module{
	{Path: Upstream, Name: "amqp091"},
	{Path: Streadway, Name: "amqp", OwnOnly: true},
}

// ModuleOf returns the module with the import path.
func ModuleOf(path string) (Module, bool) {
	for _, m := range Modules {
		if m.Path == path {
			return m, true
		}
	}
	return Module{}, false
}

// Names that all three packages have.
const (
	PublishingType  = "Publishing"
	PublishingBody  = "Body" // the field of PublishingType that no properties have
	ConnectionType  = "Connection"
	ConfigType      = "Config"
	ConfirmationRes = "DeferredConfirmation"
)

// swapped are the types of Upstream that are not Compat091's: those that mention
// a connection or a channel.
var swapped = map[string]bool{
	ChannelType:                 true,
	ConnectionType:              true,
	ConfigType:                  true,
	ConfirmationRes:             true,
	"Recovery":                  true,
	"ConnectionRecovery":        true,
	"TopologyRecovery":          true,
	"DefaultConnectionRecovery": true,
	"DefaultTopologyRecovery":   true,
}

// Swapped reports whether a type of the module is another one in Compat091.
func (m Module) Swapped(name string) bool { return m.OwnOnly || swapped[name] }

// brought are the names of Compat091 that no module has. A dot import brings them.
var brought = []string{NewPublish, NewPublishDeferred, Header}

// Brought returns the names that a dot import of Compat091 brings in addition to
// those of Upstream.
func Brought() []string { return brought }

// gained are the methods that types have in Compat091 only, by module and type.
var gained = map[string]map[string][]string{
	Upstream: {
		ChannelType: {"PublishEncoded"},
	},
	Streadway: {
		ChannelType: {
			"ConsumeWithContext", "GetNextPublishSeqNo", "IsClosed", "NotifyRecoveryCancel", "NotifyStateChange",
			"PublishEncoded", "PublishWithContext", "PublishWithDeferredConfirm", "PublishWithDeferredConfirmWithContext",
			"Reconnect", "TopologyConfiguration",
		},
		ConnectionType: {
			"CloseDeadline", "IsConnectionRecoveryEnabled", "IsRecoveryEnabled", "IsTopologyRecoveryEnabled", "MaxRetryCount",
			"NotifyRecoveryCancel", "NotifyStateChange", "Reconnect", "RemoteAddr", "RetryInterval", "UpdateSecret",
		},
	},
}

// Gains reports whether a channel or a connection of the module has the method
// once it is that of Compat091, and not before.
func (m Module) Gains(typ, method string) bool {
	return slices.Contains(gained[m.Path][typ], method)
}

// recovery are the members of Upstream, by their type where they have one, that
// Compat091 has but that do nothing there yet. Code that uses one relies on
// reconnecting.
var recovery = map[string]bool{
	"Config.Recovery":           true,
	"Connection.Reconnect":      true,
	"Channel.Reconnect":         true,
	"Recovery":                  true,
	"ConnectionRecovery":        true,
	"TopologyRecovery":          true,
	"DefaultConnectionRecovery": true,
	"DefaultTopologyRecovery":   true,
}

// Recovers reports whether a member of Upstream, "Name" or "Type.Name", is part
// of the recovery of connections.
func Recovers(member string) bool { return recovery[member] }

// A Publish is one publish method of a channel. Its arguments are a context if it
// takes one, exchange, routing key, mandatory, immediate and the message.
type Publish struct {
	Ctx      bool // the first argument is a context
	Deferred bool // returns a confirmation, too
}

// Publishes are the publish methods of Channel by name.
var Publishes = map[string]Publish{
	"Publish":                               {},
	"PublishWithContext":                    {Ctx: true},
	"PublishWithDeferredConfirm":            {Deferred: true},
	"PublishWithDeferredConfirmWithContext": {Ctx: true, Deferred: true},
}

// ContextHonoured is the version of Upstream from which on a publish whose context
// is done is an error. Before, the message is sent.
const ContextHonoured = "v1.11.0"

// PublishWithout is the number of arguments of a publish method that takes no
// context.
const PublishWithout = 5

// Function returns the name, in newapi and in Compat091, of the function that
// stands for the method.
func (p Publish) Function() string {
	if p.Deferred {
		return NewPublishDeferred
	}
	return NewPublish
}

// Names in newapi and Compat091 that the publish rule writes.
const (
	NewPublishDeferred = "BasicPublishDeferred" // as NewPublish, in both packages
	Header             = "Header"               // the conversion, in Compat091
)

// PublishingFields are the fields of Publishing that are fields of the new struct
// by the same name and type: all but PublishingBody.
var PublishingFields = []string{
	"Headers",
	"ContentType",
	"ContentEncoding",
	"DeliveryMode",
	"Priority",
	"CorrelationId",
	"ReplyTo",
	"Expiration",
	"MessageId",
	"Timestamp",
	"Type",
	"UserId",
	"AppId",
}
