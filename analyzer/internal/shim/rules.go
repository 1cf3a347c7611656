package shim

// A Rule is one row of the table by which files move. Each can be taken out alone,
// to see that a test notices.
type Rule struct {
	Name string
	Does string
}

// Rules are all rows.
var Rules = []Rule{
	// Which files move.
	{"types", "a file that names a swapped type moves"},
	{"functions", "a file that calls a function of the module with a swapped type in its signature moves"},
	{"members", "a file that uses a method or field of a swapped type moves, too"},
	{"own-only", "of a module that has no vocabulary in common every file moves"},
	{"blank", "a blank import of a module with vocabulary in common stays"},

	// Which files move together.
	{"own-errors", "of such a module all files are one set, since its errors are told by type and identity"},
	{"statements", "what a statement or declaration mentions is connected"},
	{"fields", "each field is connected with its type, and fields not with each other"},
	{"unkeyed", "a literal without keys mentions the fields that it fills"},
	{"results", "what is returned is connected with the function"},
	{"interfaces", "an interface is connected with the methods of the types beside it"},
	{"conversions", "structs that are converted into each other have their fields connected"},
	{"type-arguments", "a type argument that is swapped is mentioned"},
	{"assertions", "a value that becomes an interface is connected with who asks an interface for its type"},
	{"type-switches", "so is it with a type switch"},
	{"reflection", "functions that become interfaces are connected, for somebody may call them"},

	// Which sets stay.
	{"third-party", "a set with an object of a package that does not move stays"},
	{"exported", "a set with a declaration that other modules may use stays"},
	{"internal", "declarations of internal and main packages, and of tests, are none that others may use"},
	{"unexported", "nor are members of unexported types"},
	{"dot-names", "a set with a dot import stays, if the package has a name that the import would bring"},
	{"promoted-names", "a set stays in which a promoted method would be another one, or ambiguous"},
	{"recovery", "a set that has connections recovered stays"},
	{"untouchable", "a set with a generated file, or one with cgo, stays"},
	{"ignored", "a set with an amqpfix:ignore directive stays"},

	// What a file is like afterwards.
	{"name", "an import without a name gets that of the old package, if the new one has another"},
	{"contexts", "the context of a publish that the old version did not look at is never done"},
}
