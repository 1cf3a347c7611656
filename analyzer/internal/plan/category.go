package plan

// The words that say why a site was left, or what a finding is about. The list
// is closed: package analyzer has a text for each, MIGRATION.md a heading.
const (
	Aliased                 = "aliased"                  // copied to a second variable
	AddressTaken            = "address-taken"            // &props
	Captured                = "captured"                 // a for clause's variable, kept by a closure
	Compared                = "compared"                 // props == nil, props == other
	CreatedElsewhere        = "created-elsewhere"        // the value comes out of a call, a delivery, a map, …
	DeferThenChange         = "defer-then-change"        // a deferred or go publish must see later changes
	EmbeddedType            = "embedded-type"            // the method is promoted from an embedded field
	Escapes                 = "escapes"                  // passed to a function, returned, converted
	ExportedSignature       = "exported-signature"       // flows through an exported function
	GoroutineCapture        = "goroutine-capture"        // a function started by go uses it
	InterfaceImplementation = "interface-implementation" // a type of the module implements the old method
	MethodValue             = "method-value"             // ch.BasicPublish or props.SetX, not called
	NameClash               = "name-clash"               // a name of the new package means something else in the file
	NilHeaders              = "nil-headers"              // Headers() must make a map where no statement can
	OrderOfEffects          = "order-of-effects"         // the new form evaluates in another order
	Parameter               = "parameter"                // a parameter of an unexported function
	Position                = "position"                 // no statement or no comment fits where the old one stands
	Reassigned              = "reassigned"               // the variable is assigned more than once
	Reflection              = "reflection"               // handed to package reflect
	Shadowed                = "shadowed"                 // len, nil, true or false mean something else here
	Stored                  = "stored"                   // in a field, slice, map, channel or package variable
	TypeParameter           = "type-parameter"           // the receiver's type is a type parameter
	UserInterface           = "user-interface"           // the call goes through an interface

	Immediate      = "immediate"        // a publish may ask for what RabbitMQ refuses
	OldChannel     = "old-channel"      // the channel is still that of the old module
	Recovery       = "recovery"         // the code has connections recovered, which compat/amqp091 does not do
	ThirdPartyType = "third-party-type" // a value crosses into a dependency that has the old module's types

	BuildTags     = "build-tags"     // a file that no loadable configuration includes
	CgoFile       = "cgo-file"       // the file imports "C"
	Excluded      = "excluded"       // the rewrite needs a file that the run excludes
	GeneratedFile = "generated-file" // the file says that it is generated
	Ignored       = "ignored"        // an //amqpfix:ignore directive
	IgnoreReason  = "ignore-reason"  // an //amqpfix:ignore directive without a rule or a reason
	IgnoreUnused  = "ignore-unused"  // an //amqpfix:ignore directive that covers nothing
	OutsideModule = "outside-module" // the file is a link to one outside the main module
	RecheckFailed = "recheck-failed" // the rewrite was tried and did not type-check
	TypeErrors    = "type-errors"    // the package does not type-check
)
