package analyzer

import "github.com/amqpfix/amqpfix/analyzer/internal/plan"

// A Category explains one word of the closed list of reasons for which a site
// is left, or a finding is made.
type Category struct {
	Word   string
	Title  string
	Means  string // what has been seen, and why that is in the way
	Do     string // what to do by hand
	Hint   string // the same in a clause, for the end of a message
	Before string // Go declarations; empty where there is nothing to show
	After  string

	Before091 string // the same for code on amqp091-go; empty where Before is enough
	After091  string
}

// CategoryURL returns the address of the section of MIGRATION.md on the word.
func CategoryURL(word string) string {
	return "https://github.com/amqpfix/amqpfix/blob/main/MIGRATION.md#" + word
}

func categoryOf(word string) Category {
	for _, c := range Categories {
		if c.Word == word {
			return c
		}
	}
	panic("no category is called " + word)
}

// Categories is the closed list, in alphabetical order of words.
var Categories = []Category{
	{
		Word:  plan.AddressTaken,
		Title: "The address of the variable is taken",
		Means: "A pointer to the properties variable, or a variable reached through a pointer, lets other code put different properties in its place. The rewrite only follows variables that nobody else can assign.",
		Do:    "Pass a *newapi.BasicProperties instead of a pointer to the old interface. BasicPublish takes the pointer too, and a nil pointer publishes without properties.",
		Hint:  "pass a *newapi.BasicProperties instead",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	stamp(&props)
	return ch.BasicPublish("", "q", false, props, body)
}

func stamp(props *compat.BasicProperties) { (*props).SetAppId("shop") }`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	var props newapi.BasicProperties
	stamp(&props)
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}

func stamp(props *newapi.BasicProperties) { props.AppId = "shop" }`,
	},
	{
		Word:  plan.Aliased,
		Title: "A second variable refers to the same properties",
		Means: "The old properties are a reference: after p2 := props, a setter of either is seen by both. Structs are copied by the same assignment.",
		Do:    "Use one variable, or make the second one p2 := &props where both must see the changes. Where a copy was meant all along, p2 := props of a struct is one.",
		Hint:  "use one variable, or a pointer to the struct",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	same := props
	same.SetType("order")
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	props := newapi.BasicProperties{Type: "order"}
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.BuildTags,
		Title: "No configuration that can be loaded includes the file",
		Means: "The file is behind build constraints that none of the loaded configurations satisfies, so its types are unknown. It, and what must change together with it, is left.",
		Do:    "Run amqpfix with -tags, or with GOOS and GOARCH set, so that the file is part of the build.",
		Hint:  "run amqpfix with the tags or the GOOS that include the file",
	},
	{
		Word:  plan.Captured,
		Title: "A closure keeps the variable of a for clause",
		Means: "The variable of a three-clause for statement is copied from one iteration to the next, and a closure keeps the copy of its own. A copied reference still leads to the same properties; a copied struct does not.",
		Do:    "Declare the properties before the loop if all iterations share them, or in its body if each has its own.",
		Hint:  "declare it before the loop or in its body",
		Before: `func publish(ch *compat.Channel, body []byte) (fns []func() error) {
	for props, i := ch.CreateBasicProperties(), 0; i < 3; i++ {
		props.SetPriority(uint8(i))
		fns = append(fns, func() error { return ch.BasicPublish("", "q", false, props, body) })
	}
	return fns
}`,
		After: `func publish(ch *compat.Channel, body []byte) (fns []func() error) {
	var props newapi.BasicProperties
	for i := 0; i < 3; i++ {
		props.Priority = uint8(i)
		fns = append(fns, func() error {
			return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
		})
	}
	return fns
}`,
	},
	{
		Word:  plan.CgoFile,
		Title: "The file uses cgo",
		Means: "What is type-checked of a cgo file is what cgo made of it, whose positions are not those of the file. Files that import \"C\" are never edited.",
		Do:    "Move the publishing code into a file without import \"C\" and run amqpfix again, or rewrite it by hand.",
		Hint:  "move the call to a file without import \"C\"",
	},
	{
		Word:  plan.Compared,
		Title: "The properties are compared",
		Means: "Comparing two old properties, or one with nil, asks whether they are the same object. Structs with a map in them cannot be compared at all.",
		Do:    "Properties made by CreateBasicProperties are never nil: drop the test. Where the question is whether anything is set, ask props.Present() != 0.",
		Hint:  "drop the comparison: the value is never nil",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if props != nil {
		props.SetType("order")
	}
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	props := newapi.BasicProperties{Type: "order"}
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.CreatedElsewhere,
		Title: "The properties come from somewhere else",
		Means: "They are received with a delivery, returned by a function, or otherwise not made by CreateBasicProperties in this function. Other code may hold them too.",
		Do:    "Let the function that makes them return a newapi.BasicProperties. For properties of a delivery, take a copy as a struct with compat.ToStruct, change it and publish it. A struct copy shares the header map, as the old properties did; compat never hands out a nil one.",
		Hint:  "publish a newapi.BasicProperties, such as compat.ToStruct makes of the old ones",
		Before: `func retry(ch *compat.Channel, d compat.BasicDelivery) error {
	props := d.Properties
	props.SetExpiration("5000")
	return ch.BasicPublish("", "retry", false, props, d.Body)
}`,
		After: `func retry(ch *compat.Channel, d compat.BasicDelivery) error {
	props := compat.ToStruct(d.Properties)
	props.Expiration = "5000"
	return newapi.BasicPublish(context.Background(), ch, "", "retry", props, d.Body)
}`,
	},
	{
		Word:  plan.DeferThenChange,
		Title: "A delayed call must see later changes",
		Means: "defer and go evaluate arguments at once and call later. The old publish read the properties when it ran and saw what was set meanwhile; a struct argument is copied when the statement is reached. A deferred setter is such a later change itself.",
		Do:    "Wrap the call in a function literal, which reads the variable when it runs.",
		Hint:  "delay a function literal that publishes",
		Before: `func publish(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer ch.BasicPublish("", "audit", false, props, body)
	props.SetType("done")
}`,
		After: `func publish(ch *compat.Channel, body []byte) {
	var props newapi.BasicProperties
	defer func() {
		newapi.BasicPublish(context.Background(), ch, "", "audit", props, body)
	}()
	props.Type = "done"
}`,
	},
	{
		Word:  plan.EmbeddedType,
		Title: "The method is promoted from an embedded field",
		Means: "The publish is called on a type of yours that embeds the old channel, so it is part of that type's method set, which interfaces may rely on.",
		Do:    "Name the embedded field in the call: newapi.BasicPublish takes s.Channel. Once nothing needs the promoted method, embed a newapi.Channel.",
		Hint:  "publish to the embedded channel by its name",
		Before: `type service struct{ *compat.Channel }

func (s service) publish(body []byte) error {
	return s.BasicPublish("", "q", false, nil, body)
}`,
		After: `type service struct{ *compat.Channel }

func (s service) publish(body []byte) error {
	return newapi.BasicPublish(context.Background(), s.Channel, "", "q", newapi.BasicProperties{}, body)
}`,
	},
	{
		Word:  plan.Escapes,
		Title: "The properties are used as a value",
		Means: "They are passed to a function, returned or converted, and whoever gets them may keep them and change them later.",
		Do:    "Change what they are passed to or returned from to newapi.BasicProperties, or to *newapi.BasicProperties where it changes them, then run amqpfix again.",
		Hint:  "change the function to take or return a newapi.BasicProperties or a pointer to one",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	stamp(props)
	return ch.BasicPublish("", "q", false, props, body)
}

func stamp(props compat.BasicProperties) { props.SetAppId("shop") }`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	var props newapi.BasicProperties
	stamp(&props)
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}

func stamp(props *newapi.BasicProperties) { props.AppId = "shop" }`,
	},
	{
		Word:  plan.Excluded,
		Title: "A file that has to change too is excluded",
		Means: "The rewrite spans several files, and -exclude names one of them. It is made in all of them or not at all.",
		Do:    "Run amqpfix without that pattern, or with one that leaves out fewer files. Where the file must stay as it is, pass its values through a function that converts with compat.ToStruct or compat.FromStruct.",
		Hint:  "exclude fewer files",
	},
	{
		Word:  plan.ExportedSignature,
		Title: "What other modules may use would change",
		Means: "A function that other modules may call has the old properties among its parameters or results; or, of an import, an exported declaration of a package that no main package of the module uses has a connection or a channel in its type, or any type of streadway/amqp. Changing it would break code that is not here to be changed.",
		Do:    "Where no other module uses the package, amqpfix -exported moves the import anyway; where others do, move them to the new type in the same release. For properties, add a function with the new type beside it, let the old one convert with compat.ToStruct or compat.FromStruct, and deprecate it.",
		Hint:  "add a function that takes a newapi.BasicProperties and let this one convert",
		Before: `func Publish(ch *compat.Channel, props compat.BasicProperties, body []byte) error {
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `// Deprecated: use PublishProperties.
func Publish(ch *compat.Channel, props compat.BasicProperties, body []byte) error {
	return PublishProperties(ch, compat.ToStruct(props), body)
}

func PublishProperties(ch newapi.Publisher, props newapi.BasicProperties, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.GeneratedFile,
		Title: "The file is generated",
		Means: "It has a \"Code generated … DO NOT EDIT.\" line; an edit would be lost when it is generated again.",
		Do:    "Change the generator or its template.",
		Hint:  "change its generator",
	},
	{
		Word:  plan.GoroutineCapture,
		Title: "Another goroutine uses the properties",
		Means: "A function started by go, or given to something that starts one, uses a variable declared outside it. That one message is shared by two goroutines should be visible in its type.",
		Do:    "Let the goroutine have properties of its own: make them inside the function, or pass the struct as an argument. Where sharing is meant, share a *newapi.BasicProperties, guarded as before.",
		Hint:  "make the properties inside the goroutine, or pass it a copy",
		Before: `func publish(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("order")
	go func() {
		ch.BasicPublish("", "q", false, props, body)
	}()
}`,
		After: `func publish(ch *compat.Channel, body []byte) {
	go func() {
		props := newapi.BasicProperties{Type: "order"}
		newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
	}()
}`,
	},
	{
		Word:  plan.IgnoreReason,
		Title: "An ignore directive does not say why",
		Means: "The directive works, but who reads it later cannot tell whether it still must.",
		Do:    "Write the rule and then the reason into the directive.",
		Hint:  "add the rule and the reason",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) //amqpfix:ignore basicproperties
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) //amqpfix:ignore basicproperties moves with the billing service
}`,
	},
	{
		Word:  plan.IgnoreUnused,
		Title: "An ignore directive is for nothing",
		Means: "The directive names a rule that finds nothing on the line, or on the line below the comment: what it was for is gone, or it stands in another place than was meant, such as above an empty line. This is a finding where the rule has looked at the whole file.",
		Do:    "Remove the directive, or put it at the end of the line that is to stay or right above it.",
		Hint:  "remove the directive",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	//amqpfix:ignore basicproperties moves with the billing service

	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, body)
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, body)
}`,
	},
	{
		Word:  plan.Ignored,
		Title: "A directive says to leave it",
		Means: "An //amqpfix:ignore comment that names the rule is on the line, on the line above, or on another statement of the same properties variable.",
		Do:    "Remove the directive when its reason no longer holds.",
		Hint:  "remove the directive to have it rewritten",
	},
	{
		Word:  plan.Immediate,
		Title: "The publish may ask for immediate delivery",
		Means: "RabbitMQ has not known the immediate flag since version 3.0: it closes the whole connection when a publish has it set. This is a finding; the call is rewritten all the same, flag included, and newapi.FlagsIf and newapi.Immediate stay findings.",
		Do:    "Pass false, or drop the parameter that it comes from. To have a message come back that no consumer takes at once, give it the expiration \"0\" and a dead letter exchange.",
		Hint:  "pass false",
	},
	{
		Word:  plan.InterfaceImplementation,
		Title: "A type of yours implements the old method",
		Means: "The call is of a method with the very signature of the old BasicPublish, on a mock or a decorator, or the properties are a parameter of such a method. It exists to satisfy an interface, which would have to change with it.",
		Do:    "Implement newapi.Publisher instead: one method, PublishEncoded, which sees the message when its properties are encoded. Decorators hand it on. A fake that keeps messages copies Body and Header, which belong to the caller again afterwards; Properties reads the rest, and Flags has what mandatory was.",
		Hint:  "implement newapi.Publisher instead",
		Before: `type counting struct {
	ch *compat.Channel
	n  int
}

func (c *counting) BasicPublish(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error {
	c.n++
	return c.ch.BasicPublish(exchange, key, mandatory, props, body)
}`,
		After: `type counting struct {
	newapi.Publisher
	n int
}

func (c *counting) PublishEncoded(ctx context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	c.n++
	return c.Publisher.PublishEncoded(ctx, m)
}`,
		Before091: `type mock struct {
	keys   []string
	bodies []string
}

func (m *mock) Confirm(noWait bool) error { return nil }

func (m *mock) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp091.Publishing) error {
	m.keys = append(m.keys, key)
	m.bodies = append(m.bodies, string(msg.Body))
	return nil
}`,
		After091: `type mock struct {
	keys   []string
	bodies []string
}

func (m *mock) Confirm(noWait bool) error { return nil }

func (m *mock) PublishEncoded(ctx context.Context, msg newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	m.keys = append(m.keys, msg.RoutingKey)
	m.bodies = append(m.bodies, string(msg.Body)) // mandatory is msg.Flags&newapi.Mandatory != 0
	return nil, nil
}`,
	},
	{
		Word:  plan.MethodValue,
		Title: "A method is used as a value",
		Means: "ch.BasicPublish, or a setter, is stored, passed or called as a method expression instead of being called on the spot. newapi.BasicPublish is generic and has another signature.",
		Do:    "Put a function literal in its place that makes the new call.",
		Hint:  "use a function literal that makes the new call",
		Before: `func publish(ch *compat.Channel, body []byte) error {
	send := ch.BasicPublish
	return send("", "q", false, nil, body)
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	send := func(exchange, key string, body []byte) error {
		return newapi.BasicPublish(context.Background(), ch, exchange, key, newapi.BasicProperties{}, body)
	}
	return send("", "q", body)
}`,
	},
	{
		Word:  plan.NameClash,
		Title: "A name would mean something else",
		Means: "compat/amqp091 has names that the old package lacks. A dot import brings them into a file whose package has such a name already; and in a type that embeds a channel and something else, a promoted method becomes ambiguous, as IsClosed does beside a connection of streadway/amqp. The set of files stays.",
		Do:    "Give the import a name, and name the embedded field in the call, such as s.Connection.IsClosed(); then run amqpfix again.",
		Hint:  "name the import, or the embedded field",
	},
	{
		Word:  plan.NilHeaders,
		Title: "The headers may be nil where they are written",
		Means: "Old properties always have a header map. Here it may have been removed, or set to a nil one, before an expression that needs it, and no statement that makes it fits in between.",
		Do:    "Give the struct a map in a statement before, or build the map first and set it as a whole.",
		Hint:  "set Headers to a map in a statement before",
		Before: `func publish(ch *compat.Channel, given compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(given)
	for i := 0; put(props.Headers(), i); i++ {
	}
	return ch.BasicPublish("", "q", false, props, body)
}

func put(t compat.Table, i int) bool { t["n"] = i; return i < 3 }`,
		After: `func publish(ch *compat.Channel, given compat.Table, body []byte) error {
	props := newapi.BasicProperties{Headers: given}
	if props.Headers == nil {
		props.Headers = newapi.Table{}
	}
	for i := 0; put(props.Headers, i); i++ {
	}
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}

func put(t compat.Table, i int) bool { t["n"] = i; return i < 3 }`,
	},
	{
		Word:  plan.OldChannel,
		Title: "The channel is that of amqp091-go or streadway/amqp",
		Means: "newapi.BasicPublish takes channels of newapi and of compat, and this one is still of the module that it was written for. amqpfix moves the imports first; under go vet, which sees a package at a time, and where a set of files has been left, they stay.",
		Do:    "Run amqpfix -fix. If the import is left, its own reason says what is in the way.",
		Hint:  "run amqpfix, which moves the import first",
	},
	{
		Word:  plan.OrderOfEffects,
		Title: "The new form would evaluate in another order",
		Means: "In the new call the flags come behind the body, and a struct is copied where a reference was passed. A call among the arguments that has effects, or that changes the properties, would then happen at another time. So would one in the receiver of CreateBasicProperties, where there is no statement to keep it in. The flags of a channel's publish get a statement of their own before, unless a call comes before them, or the publish is not where a statement can be put before it.",
		Do:    "Put the result of the call into a variable first.",
		Hint:  "put the call's result into a variable first",
		Before: `func publish(ch *compat.Channel, mandatory func() bool, next func() []byte) error {
	return ch.BasicPublish("", "q", mandatory(), nil, next())
}`,
		After: `func publish(ch *compat.Channel, mandatory func() bool, next func() []byte) error {
	m := mandatory()
	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, next(), newapi.FlagsIf(m, false))
}`,
	},
	{
		Word:  plan.OutsideModule,
		Title: "The file is outside the main module, or two packages share it",
		Means: "The package lists a file that is a symbolic link to one outside the main module, which others may use too, or that another package of the module has as well, by such a link: what is right for the one need not be for the other. amqpfix edits only what belongs to one package of the module it was started for.",
		Do:    "Run amqpfix where the file belongs, or make a copy of it for each package.",
		Hint:  "run amqpfix in the module that the file belongs to, or copy a file that is shared",
	},
	{
		Word:  plan.Parameter,
		Title: "The properties are a parameter",
		Means: "The function publishes what its callers give it, so they have to change with it.",
		Do:    "Change the parameter to newapi.BasicProperties, or to *newapi.BasicProperties where the function changes it for its caller; callers pass the struct, or compat.ToStruct(props) until they have moved.",
		Hint:  "take a newapi.BasicProperties, or a pointer to one",
		Before: `func publish(ch *compat.Channel, props compat.BasicProperties, body []byte) error {
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, props newapi.BasicProperties, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.Position,
		Title: "The new text does not fit where the old one stands",
		Means: "A comment would be lost, or a statement is needed where only an expression can be: SetPersistent of a condition in the head of an if, two variables declared under one type.",
		Do:    "Move the comment, or give the call a line of its own.",
		Hint:  "give it a line of its own",
		Before: `func publish(ch *compat.Channel, durable bool, body []byte) error {
	props := ch.CreateBasicProperties()
	if props.SetPersistent(durable); len(body) == 0 {
		return nil
	}
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, durable bool, body []byte) error {
	props := newapi.BasicProperties{DeliveryMode: newapi.Transient}
	if durable {
		props.DeliveryMode = newapi.Persistent
	}
	if len(body) == 0 {
		return nil
	}
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.Reassigned,
		Title: "The variable is assigned more than once",
		Means: "It refers to different properties at different times, or to none at first. A struct assigned over would be the same properties with other values.",
		Do:    "Use one variable for each message, declared where its properties are made.",
		Hint:  "use a variable of its own for each message",
		Before: `func publish(ch *compat.Channel, urgent bool, body []byte) error {
	var props compat.BasicProperties
	if urgent {
		props = ch.CreateBasicProperties()
		props.SetPriority(9)
	}
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, urgent bool, body []byte) error {
	var props newapi.BasicProperties
	if urgent {
		props.Priority = 9
	}
	return newapi.BasicPublish(context.Background(), ch, "", "q", props, body)
}`,
	},
	{
		Word:  plan.RecheckFailed,
		Title: "The rewrite was tried and did not type-check",
		Means: "The edited package, or one that depends on it, had a type error that it did not have before, so the edits of this site were taken back. A package that was not among those given could not change with it. Otherwise this is a limit of amqpfix; please report it with the code.",
		Do:    "Where the message names a package that was not given, run amqpfix ./... in the module's root. Otherwise rewrite the site by hand, by the examples in this document.",
		Hint:  "rewrite it by hand, and report the code that was refused",
	},
	{
		Word:  plan.Recovery,
		Title: "The code has connections recovered",
		Means: "The files use Config.Recovery or another part of amqp091-go's recovery, which compat/amqp091 does not do yet: it has the names, and refuses to dial with them. A set of files that does is left whole.",
		Do:    "Reconnect by hand where NotifyClose says that the connection is gone, and take Recovery out of the Config; then run amqpfix again.",
		Hint:  "reconnect by hand instead",
	},
	{
		Word:  plan.Reflection,
		Title: "The properties are inspected at run time",
		Means: "A type assertion, a type switch or package reflect asks for the dynamic type, which a rewrite would change.",
		Do:    "Remove the question: the new type is always newapi.BasicProperties.",
		Hint:  "do without the dynamic type",
		Before: `type tracer interface{ Trace() }

func publish(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if t, ok := props.(tracer); ok {
		t.Trace()
	}
	return ch.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(ch *compat.Channel, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, body)
}`,
	},
	{
		Word:  plan.Shadowed,
		Title: "A predeclared name means something else here",
		Means: "The new text needs len, nil or false, and at this place that name is one of yours.",
		Do:    "Rename your declaration.",
		Hint:  "rename what hides the predeclared name",
		Before: `func publish(ch *compat.Channel, must, false bool, body []byte) error {
	return ch.BasicPublish("", "q", must && !false, nil, body)
}`,
		After: `func publish(ch *compat.Channel, must, may bool, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, body, newapi.FlagsIf(must && !may, false))
}`,
	},
	{
		Word:  plan.Stored,
		Title: "The properties are stored",
		Means: "A field, a slice, a map, a channel or a package variable holds them, so that other code can reach and change them.",
		Do:    "Store a newapi.BasicProperties; a copy is what is wanted unless changes must be seen elsewhere, in which case store a pointer.",
		Hint:  "store a newapi.BasicProperties, or a pointer to one",
		Before: `type template struct{ props compat.BasicProperties }

func (t *template) publish(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, t.props, body)
}`,
		After: `type template struct{ props newapi.BasicProperties }

func (t *template) publish(ch *compat.Channel, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", t.props, body)
}`,
	},
	{
		Word:  plan.ThirdPartyType,
		Title: "A dependency has the old module's types in its API",
		Means: "A connection, a channel or, of streadway/amqp, any value goes into or comes out of a dependency that is compiled with the old module. It cannot change with this code, so the set of files that the value reaches is left whole.",
		Do:    "Use a version of the dependency on the new module, or give it a connection of its own that stays on the old one.",
		Hint:  "give the dependency a connection of its own",
	},
	{
		Word:  plan.TypeErrors,
		Title: "The package does not type-check",
		Means: "Nothing can be proven about a package whose types are not known. It is left whole; other packages are not affected.",
		Do:    "Make it build, then run amqpfix again. Where the message says that the rewritten code requires a newer version of amqp091-go than go.mod has, the package builds as it is, and not with that version: -fix refuses to write then. Get that version, convert what has another type (Config.ChannelMax is an int up to v1.9.0, and a uint16 now), commit, and run amqpfix again.",
		Hint:  "make the package build first",
	},
	{
		Word:  plan.TypeParameter,
		Title: "The receiver's type is a type parameter",
		Means: "The function is generic over channels that have the old method, and must keep working for all of them.",
		Do:    "Constrain the parameter by newapi.Publisher, or take a newapi.Publisher.",
		Hint:  "take a newapi.Publisher",
		Before: `func publish[C compat.Model](ch C, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body)
}`,
		After: `func publish(ch newapi.Publisher, body []byte) error {
	return newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, body)
}`,
	},
	{
		Word:  plan.UserInterface,
		Title: "The call goes through an interface",
		Means: "What is behind the interface is not known here: a channel, a mock, a decorator. All of them would have to change.",
		Do:    "Take a newapi.Publisher where the old interface was taken, or embed one in an interface that has other methods too. The channels of compat and of compat/amqp091 are Publishers, and a fake needs one method: see interface-implementation. Code from amqp091-go before v1.11.0, which did not look at contexts, keeps that with context.WithoutCancel(ctx).",
		Hint:  "take a newapi.Publisher",
		Before: `func publish(m compat.Model, body []byte) error {
	props := m.CreateBasicProperties()
	props.SetType("order")
	return m.BasicPublish("", "q", false, props, body)
}`,
		After: `func publish(p newapi.Publisher, body []byte) error {
	props := newapi.BasicProperties{Type: "order"}
	return newapi.BasicPublish(context.Background(), p, "", "q", props, body)
}`,
		Before091: `type channel interface {
	Confirm(noWait bool) error
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp091.Publishing) error
}

type publisher struct{ ch channel }

func (p *publisher) publish(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp091.Publishing) error {
	return p.ch.PublishWithContext(ctx, exchange, key, mandatory, immediate, msg)
}`,
		After091: `type channel interface {
	newapi.Publisher
	Confirm(noWait bool) error
}

type publisher struct{ ch channel }

func (p *publisher) publish(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp091.Publishing) error {
	return amqp091.BasicPublish(ctx, p.ch, exchange, key, msg, newapi.FlagsIf(mandatory, immediate))
}`,
	},
}
