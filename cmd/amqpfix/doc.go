// Command amqpfix moves Go code from old AMQP 0-9-1 publishing APIs to
// github.com/amqpfix/amqpfix/newapi, and reports what is still to move.
//
//	amqpfix [-fix | -diff] [flags] [packages]
//
// Packages are named as for the go command; none means the one in the current
// directory. Without -fix and -diff amqpfix reports every old-style publish
// call, with what to write instead:
//
//	path:line:column: message (category)
//
// The category is shim for an import that -fix rewrites, and for a call the form
// that it gets: native, header or whole, and of CreateBasicProperties fold or value.
// Else it is the reason why something is left. "amqpfix help CATEGORY" tells more,
// and MIGRATION.md says what to do by hand. Every rewrite that is reported has been
// tried: the packages it changes, and those that import them, type-check.
// Packages that do not reach an old API are not loaded, whatever their state.
//
// The flags are:
//
//	-fix          rewrite the files
//	-diff         print the rewrite as a patch that git apply takes
//	-C dir        work as if started in dir
//	-ctx mode     context of a publish that had none: background (the default)
//	              or scope, the nearest context in scope
//	-steps list   what to do: shim, which changes imports of amqp091-go and
//	              streadway/amqp to compat/amqp091, or shim,publish (the default)
//	-rules list   the rules to apply: some of basicproperties, publish and shim,
//	              which are all of them (the default)
//	-to module    where imports go: compat (the default), or amqp091-go for those
//	              of streadway/amqp, which is all that happens then
//	-exported     let exported declarations change that no main package reaches
//	-update-mod   with -fix and -diff: also change go.mod, go.sum and vendor
//	-allow-go-upgrade  with -update-mod: raise the go line of go.mod even
//	              where that changes what loops mean
//	-force        with -fix: also write files with uncommitted changes
//	-tests=false  leave out _test.go files
//	-exclude globs
//	              files and directories to leave alone, as path.Match patterns of
//	              names relative to the directory of -C, ** for any number of
//	              directories; comma-separated, or given more than once
//	-tags list    build tags, as for go build; files that need others are
//	              loaded under a configuration that includes them anyway
//	-json         print one JSON object on standard output instead
//	-version      print the version and end
//
// # Output
//
// Standard output has the patch of -diff or the object of -json and nothing
// else. Findings go to standard error, with paths relative to the directory of
// -C; with -fix and -diff only those that stay. So do problems, such as a
// package that does not type-check, which is named while the rest goes on. A
// summary is at the end; it counts alike with and without -fix:
//
//	amqpfix: 31 call sites: 20 folded, 8 by value, 3 left (2 user-interface, 1 goroutine-capture)
//
// Other forms than fold and value are counted where there are any, and so are
// calls that an amqpfix:ignore directive keeps, and imports that changed; what no
// call became is not mentioned. With -steps=shim only imports are counted. A line
// with the number of files that were written, or would be, follows where there
// are any, and a hint where something is left.
//
// In a module that does not require github.com/amqpfix/amqpfix, where that cannot
// be added because the network is away, say, a report has what the analysis
// plans, untried, and says what to run first.
//
// Where the rewritten code needs another go.mod, go.sum or vendor, it is tried
// under that all the same. A report and a patch say what to run, and -fix writes
// nothing without -update-mod. A go line that goes up with that is reported; from
// Go 1.22 on each iteration of a loop has its own variables, so on the way across
// those are listed that a closure or a pointer may hold on to, and nothing is
// written without -allow-go-upgrade. So is a requirement of amqp091-go or
// streadway/amqp that goes up, with what changes for code that stays on it.
//
// The object of -json has the sites, each with file, line, column, func, tier (the
// form, or left), category, message and url; findings, problems and imports alike;
// the requirements and go lines that go up; commands to run before and after; files
// with their diffs; and the counts of the summary, where forms other than fold and
// value are in others. Fields without content are left out.
//
// # Excluded files
//
// What -exclude names is neither edited nor reported, but is still type-checked:
//
//	amqpfix -exclude='internal/legacy,**/*_mock.go' ./...
//
// leaves alone what is in internal/legacy or below it, and all mocks. What cannot
// be rewritten without such a file stays, and is reported as excluded. A pattern
// that matches no Go file is said to, and does no harm.
//
// # Exit codes
//
//	0  nothing to say: no old-style call, or -fix rewrote them all
//	1  failure: something could not be loaded, written or understood
//	2  usage
//	3  findings, with -fix those left, or a patch that is not empty
//
// # Writing
//
// With -fix, all files are checked before the first is written: one that is
// read-only, or that git says has uncommitted changes, stops the run. Files are
// replaced whole. A run that is killed while it writes leaves a journal,
// .amqpfix-journal, beside go.mod or go.work, and the next -fix completes it.
//
// # Other drivers
//
// The same analyzers run, a package at a time, under
//
//	tool=$(command -v amqpfix) && go vet -vettool="$tool" ./...
//	tool=$(command -v amqpfix) && go fix -fixtool="$tool" -diff ./...
//
// which fails where amqpfix is not found. The go command takes an empty name for
// its own tool, and would say that all is well.
package main
