package analyzer

// A PublishRule is one row of the table by which the publish analyzer rewrites
// calls. Each can be taken out alone, to see that a test notices.
type publishRule struct {
	name string
	does string
}

// publishRules are all rows, in the order in which a call meets them.
var publishRules = []publishRule{
	// What is a call of ours.
	{"by-type", "a call is one by the type of its method's receiver, not by its name"},
	{"user-interface", "a call through an interface with the method's signature is left"},
	{"type-parameter", "a call on a type parameter is left"},
	{"method-value", "a method that is not called is left where it is taken"},

	// What the receiver becomes.
	{"promoted", "a promoted method's channel is named by its path"},
	{"address", "a channel that is no pointer has its address taken"},
	{"dereference", "the channel behind a dereferenced pointer is the pointer"},

	// What may not change its place.
	{"context-moves", "a context and a channel that both have effects keep their order"},
	{"hoist", "the channel is then evaluated by a statement before, if that changes nothing else"},
	{"flags-move", "flags keep their order with a message that they do not commute with"},
	{"hoist-flags", "the flags are then evaluated by a statement before"},
	{"hoist-early", "flags that are read behind the calls of the message have no statement before: left"},
	{"hoist-order", "flags that do not commute with the context, the exchange or the key have none: left"},
	{"body-moves", "a literal whose body does not commute with what is behind it is published whole"},
	{"late", "a variable, a field or an element has no place among calls"},

	// What the message becomes.
	{"literal", "a literal in the call becomes a properties literal and a body"},
	{"conversion", "a conversion of the message is no call: what it converts decides"},
	{"unkeyed", "a literal without keys is published whole"},
	{"no-body", "a literal without a body has the body nil"},
	{"local", "a local literal that is used once becomes a properties literal in its place"},
	{"local-order", "a local literal whose body could be another one at the call is converted"},
	{"local-names", "a local literal whose body has a name that means something else at the call is converted"},
	{"path", "a variable, or a field path of one, is converted, and its body is a field"},
	{"pointer", "a dereferenced pointer is converted, and its body is a field"},

	// What the flags become.
	{"false", "flags that are constant and false go"},
	{"mandatory", "a mandatory that is constant and true becomes newapi.Mandatory"},
	{"flags-if", "any other pair of flags becomes newapi.FlagsIf"},
	{"immediate", "an immediate that may be true is a finding"},

	// What becomes of the rest.
	{"deferred", "a publish with a confirmation stays one"},
	{"background", "a publish without a context gets the background's, or the nearest in scope"},
	{"names-only", "a comment that only names a flag goes with it"},
	{"other-comments", "any other comment stays with its argument, or above the call"},
	{"own-line", "body and flags have lines of their own where arguments have"},
}
