// Package driver runs the analyzers of amqpfix over a module: it finds the
// packages worth looking at, plans edits, proves them and writes them, prints
// them as a patch, or only reports.
//
// A run goes through these steps:
//
//   - One go list names the packages that the patterns match and what they
//     import. Candidates are those that import an old API, and those that reach
//     one through other packages and whose text names one of its methods. Only
//     candidates are loaded further, so the cost of a run grows with the code
//     that publishes, not with the repository. Files that need other build
//     tags, or another GOOS, are loaded under the tag set that includes them.
//   - Candidates are type-checked from source, and so are the declarations of all
//     that they import; nothing is compiled, so a cold build cache costs nothing.
//     The analyzers propose edit units: a function's edits, or
//     those of a connected set, to be applied whole or not at all.
//   - The units are applied in memory, and the packages they change are
//     type-checked again, with all packages that import them as far as
//     something exported changed. A unit that breaks one is taken back with
//     those that need it, recorded as recheck-failed and not tried again.
//   - Where new text needs a module that go.mod does not require, go.mod, go.sum
//     and go.work are made anew in a temporary directory, and all of the proof
//     sees those. They are written with Options.UpdateMod only; else the report
//     has the commands. A go line that goes up with that is reported, with the
//     loops that change meaning on the way to Go 1.22.
//   - That repeats, from the changed text, until a pass has nothing to edit.
//   - Files are written whole, by rename, behind a journal: after a crash each
//     file is the old or the new one, and the next run completes the work.
//
// Never edited: generated files, files that import "C", packages that do not
// type-check, vendor directories, and anything outside the main modules, a
// replaced dependency included.
package driver
