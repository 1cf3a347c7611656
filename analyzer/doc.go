/*
Package analyzer holds the analyzers of amqpfix: they find code that publishes
through an old AMQP API, say what to write instead, and carry the edits that do
so without changing what the program does.

[Suite] lists them. They are analyzers of golang.org/x/tools/go/analysis and run
under any of its drivers: go vet -vettool, go fix -fixtool, golangci-lint, gopls.
Such drivers see one package at a time and apply the fixes that diagnostics
suggest. The driver of amqpfix itself takes the analyzers' results instead,
applies them over all packages, and type-checks what comes out before it writes
a byte.

# Categories

A site that is not rewritten has a category: a word that stands for the reason.
The list is closed. [Categories] explains each word, MIGRATION.md has the same
text under a heading, and the diagnostic's URL points there.

# Ignoring

A comment of the form

	//amqpfix:ignore basicproperties the broker plugin needs the old object

at the end of a line, or alone on the line above, keeps an analyzer from that
line: it is neither rewritten nor reported. On any statement of a properties
variable it keeps the whole variable, since its publishes are rewritten together.
A directive without a reason works, and is a finding of its own. So is one that
names a rule which finds nothing there (ignore-unused), once the rule has looked
at the file under all configurations that include it.

# Analyzer basicproperties

basicproperties: publish struct properties through the generic BasicPublish

The basicproperties analyzer replaces the properties objects of package compat
by values of newapi.BasicProperties:

	props := ch.CreateBasicProperties()
	props.SetContentType("application/json")
	props.SetPersistent(true)
	if urgent {
		props.SetPriority(9)
	}
	return ch.BasicPublish("orders", key, true, props, body)

becomes

	props := newapi.BasicProperties{
		ContentType:  "application/json",
		DeliveryMode: newapi.Persistent,
	}
	if urgent {
		props.Priority = 9
	}
	return newapi.BasicPublish(context.Background(), ch, "orders", key, props, body, newapi.Mandatory)

A variable is rewritten if it is local, made by CreateBasicProperties, assigned
once, and used only for its methods and as the argument of publishes: then it is
the only name of its object, and the object can live in it. Setters that directly
follow the creation move into the literal as long as their arguments cannot
observe the new order; all others become assignments in place. The publishes of
one variable are rewritten together or not at all. What is left is reported with
its category.

The flag -ctx chooses the context of the new calls: background (the default)
changes nothing; scope takes the nearest context.Context variable, whose
cancellation the publish then honours. It stays with background where that
variable may be nil, where it is cancelled before the publish, and where the
publish is deferred, in a goroutine or in a function literal that may run later,
unless the context is the literal's own.

The flag -fixes chooses how fixes are suggested: file (the default) puts all edits
of a file, imports included, into one fix on its first diagnostic, so that no two
fixes overlap; unit makes one fix for each set of edits that belong together;
none makes none.

# Analyzer shim

shim: import compat/amqp091 in place of amqp091-go and streadway/amqp

The shim analyzer finds the files that use a connection, a channel or another type
of github.com/rabbitmq/amqp091-go that is not the same in its replacement, and all
files that import github.com/streadway/amqp:

	import amqp "github.com/rabbitmq/amqp091-go"

becomes

	import amqp "github.com/amqpfix/amqpfix/compat/amqp091"

and nothing else in the file changes but for contexts, below. Files that use no more
than messages, tables, errors and constants of amqp091-go keep their import: these
are the same types in both packages.

Files whose values meet have to change together, so there is no fix for a single
package; the driver of amqpfix moves whole sets. A set stays as it is, with its
category, if a value goes into a dependency that is compiled with the old module,
or through a declaration that other modules may use, or if a name of the new
package would take the place of another.

Below v1.11.0 amqp091-go sends a message even if the context of the publish is done.
Where the module's requirement goes up from there, the publishes on channels of the
module go on doing so:

	ch.PublishWithContext(ctx, "orders", key, true, false, msg)

becomes

	ch.PublishWithContext(context.WithoutCancel(ctx), "orders", key, true, false, msg)

unless the context is one that is never done, or that context.WithTimeout has just
made of such a one. One that may be nil, such as a field, becomes
context.Background(). The driver lists the calls through
interfaces and the method values, which stay.

# Analyzer publish

publish: publish properties and body through the generic BasicPublish

The publish analyzer replaces the publish methods of the channel of
compat/amqp091, which is that of github.com/rabbitmq/amqp091-go over newapi:

	err := ch.PublishWithContext(ctx, "orders", key, true, false, amqp.Publishing{
		ContentType: "application/json",
		Body:        body,
	})

becomes

	err := newapi.BasicPublish(ctx, ch, "orders", key, newapi.BasicProperties{
		ContentType: "application/json",
	}, body, newapi.Mandatory)

A message that is a variable is converted instead, amqp.Header(msg), msg.Body; one
that has to be evaluated once, such as a call's result, is published whole, by
amqp.BasicPublish. In the new calls the body comes behind the properties, and the
flags behind the body. Calls and receives keep their order all the same, the clock
is not read on the other side of one of them, and of two operands that panic the
same one does: if need be the message is published whole, a statement before takes
the channel, the flags or both, or the call is left.

Calls on channels of amqp091-go itself, or of github.com/streadway/amqp, are
reported, and left until the analyzer shim has moved their imports.

The flags -ctx and -fixes are those of basicproperties.
*/
package analyzer
