// Package flow proves what may become of an old-style properties value, and
// says why not where it cannot.
//
// # The question
//
// The old program holds a reference: CreateBasicProperties makes an object O and
// the variable p refers to it. The new program holds a struct: the variable p is
// the object. A rewrite is sound when no run of the program can tell the two
// apart by what it publishes, in which order, and by which of its own functions
// it calls, in which order.
//
// # Why value is safe
//
// Let p be a local variable that is assigned once, where it is declared, from
// CreateBasicProperties of a *compat.Channel. Let every other mention of p be
// the receiver of a called method, the properties argument of a publish, or the
// right side of an assignment to the blank identifier.
//
// Then O has no name but p. The call that made it returned a fresh object; p
// is never assigned again, so it refers to O as long as it lives; p's own value
// goes nowhere except into calls that keep nothing (the methods of O, and
// BasicPublish, which has encoded the properties when it returns). Each
// execution of the declaration makes one O and one variable. So "the fields of
// O" and "the fields of the variable" are the same storage under two names, and
// a method call on O is an assignment to, or a read of, a field of p at the same
// place in the program. What is left to show is that each such access happens at
// the same time relative to everything else.
//
// Closures need no case of their own. Go captures variables by reference: a
// function literal that says p means the variable, not a copy of its value,
// whether it runs at once, later, or never. There is one exception. The
// variable of a three-clause for statement is copied from one iteration to the
// next (since Go 1.22), and a closure keeps the copy of its iteration. A copied
// reference is still O; a copied struct is another struct. Such a variable is
// refused when a closure mentions it (captured).
//
// Goroutines. The argument about capture does not care which goroutine runs the
// closure, and the new program's accesses to memory are a subset of the old
// one's, so a program without data races gets none. A variable that a goroutine
// shares is nevertheless refused (goroutine-capture): that two goroutines work
// on one message should be visible in its type, and the pointer tier will say
// so. This is a judgement about the reader, not about the machine, and therefore
// covers what a reader sees: go statements, and the few functions of the
// standard library and errgroup whose whole purpose is to start one.
//
// # When an access happens
//
// A method call and a field access differ in one way: calls are ordered by the
// language, reads of variables are not. The specification orders function calls,
// method calls and channel operations within an expression from left to right;
// when a plain variable is read in relation to a call beside it is left open,
// and gc makes use of that. So an access to p may be reordered against another
// call in the same statement. This matters only if that call can change p, and
// since O has no other name, it can do so only by running a function literal
// that mentions p. Hence the rule: if any function literal changes p, then a
// statement that reads or publishes p must contain no other call whose
// evaluation could come on the other side of the read (order-of-effects). A call
// that encloses the read is no such call: it begins after its arguments are
// evaluated.
//
// A publish reads O when BasicPublish runs; the new one copies p when the
// arguments are evaluated. Between the two lies only the evaluation of the other
// arguments, to which the same rule applies. Two statements separate them
// further: defer evaluates the arguments now and calls later, and so does go.
// A change of p in between was seen by the old program and would be missed by
// the new one. A direct defer or go of a publish is therefore allowed only if
// every change of p certainly comes before it: it stands earlier in the
// function, not in a function literal, not in a loop around both that is
// repeated within the life of p, and no goto is near (defer-then-change).
// A deferred function literal that publishes evaluates p when it runs, as the
// old one did, and is no such case.
//
// # Headers
//
// Headers is a map in both APIs and stays the same map, so aliasing through it
// is unchanged. The old value always has one; a struct's may be nil. Reading a
// nil map (index, len, range, delete) gives what reading an empty one gives. A
// deferred delete or clear is given the map before it has what it will remove, and
// is no such read.
// Anything else that is done to Headers() needs a map. The literal then holds an
// empty one, and ClearHeaders and SetHeaders(nil) assign an empty one, as they
// did. If SetHeaders is given what might be nil, each such use is preceded by a
// statement that makes the map when it is nil. That it is made earlier than the
// old call would have been evaluated cannot be observed: an empty table is not
// present. Where no statement can be placed, the value is refused (nil-headers).
//
// # Why fold is safe
//
// Fold moves the arguments of the setters that directly follow the creation into
// the literal. It starts from a value that is proven, so p is unobservable until
// the last of these statements has run: no function literal mentions it yet
// other than in the arguments themselves, and an argument that mentions p ends
// the fold. The order in which fields of p become set is therefore free, and so
// is what p holds should an argument panic.
//
// What is not free is the order in which the arguments are evaluated. As
// statements, each is evaluated completely before the next. As elements of a
// literal, their calls keep that order, but their variables may be read before
// or after any of these calls. So at most one argument may contain a call or a
// receive, and then all others must be stable: built from constants and from
// local variables that nobody else can change (whose address is not taken, and
// which no function literal assigns). If no argument contains a call, all of
// them only read, and reads commute. Conversions, the builtins that only
// compute, and a short list of functions without effects (time.Now, strconv) do
// not count as calls.
//
// All entries of the header table are one element of the literal, and so are
// evaluated where the first one is. A fold ends before an entry that would pass
// what is not movable, if any of the two has effects.
//
// The literal is not moved: it stays where the creation was, in the same
// variable. So whatever follows the fold, conditional setters, loops, other
// publishes, is covered by the argument for value. A fold also ends before a
// property that it has already set, and before a comment that has no place in a
// literal.
//
// # The creation
//
// CreateBasicProperties does no I/O and cannot fail, so dropping the call drops
// only the evaluation of its receiver. A receiver with a call, a receive, an
// index, a type assertion or an explicit dereference is kept, evaluated once,
// in a statement before. So is one that holds the last reference to a local
// variable, or to an import, which would not be initialised without it. A statement
// before a var declaration with several specs comes before all of them, so the
// variable must be the first. A nil pointer on a plain field path (s.ch with s nil)
// panics at the publish instead of at the creation.
//
// # The publish
//
// The old call evaluates receiver, exchange, key, mandatory, properties, body;
// the new one context, receiver, exchange, key, properties, body, flags. The
// context has no effects. So only mandatory moves. It may move when it is movable:
// stable, and with nothing that may panic or tells the time. Else nothing behind it
// may have effects, and if it has effects itself, what is behind it must be movable.
// That a plain variable has no defined place among the calls of the old expression
// is not made use of: logical operators, operators that allocate, comparisons of
// interfaces and assertions have one in fact. Otherwise the call is left
// (order-of-effects).
//
// A constant mandatory and a constant argument of SetPersistent are dropped, unless
// they have the last reference to an import.
//
// compat.FromStruct(s) becomes s. FromStruct was a call and copied s in order with
// the other calls among the arguments; a plain s is read whenever. So s must be
// stable, or no other argument may have effects (order-of-effects).
//
// # Messages of amqp091-go
//
// The old call evaluates channel, context, exchange, key, flags, message; the new
// one context, channel, exchange, key, properties, body, flags. Where two operands
// change places, they have to commute: one is movable, or neither has an effect and
// not both may panic. Two nil pointers may, for their panics look the same. A call
// that tells the time has no effect, but does not commute with one that has. Two
// exceptions rest on what the language leaves open, and on what compilers do in the
// old and the new call alike: they read behind the calls beside them what is late,
// variables and the fields and elements that these lead to, be it a channel, a
// context, a flag or a part of a message.
//
// Flags that may not change places with the message are evaluated by a statement
// before, where there is room for one, with the channel before them if it has an
// effect that they do not commute with. They have to be early then, found in their
// place by a call, len, a receive, an assertion, && or ||: what is late would be
// read too soon. Context, exchange and key come behind them, and so have to be late
// or to commute with them. Otherwise the call is left (order-of-effects).
//
// The body of a literal that a variable is declared with passes the elements behind
// it and what comes before it in the call. It is evaluated in another statement
// then, so that the exceptions do not hold. Or it is fixed: movable, and made of
// variables that are never assigned.
package flow
