// Package plan holds what an analysis proposes: sites, and edit units that a
// driver applies whole or not at all.
package plan

import "go/token"

// Tier says what became of a call site, from best to last resort.
type Tier string

const (
	Fold   Tier = "fold"   // create, setters and publish became one literal and a generic publish
	Value  Tier = "value"  // setters became field assignments in place
	Native Tier = "native" // a message literal became a properties literal and a body
	Header Tier = "header" // the message converted to properties, and its body
	Whole  Tier = "whole"  // the message as it is, to a publish that takes it whole
	Left   Tier = "left"   // untouched, with a reason
)

// Site is one old-style publish call.
type Site struct {
	Pos      token.Position // of the call's first token, in the file as it is on disk
	End      token.Position
	Func     string // enclosing function: "pkg/path.(*T).Method", "pkg/path.init"
	Tier     Tier
	Category string // for Left: one of the Category words; empty otherwise
	Message  string // one line: what to write instead
	Related  []Related
	Unit     string // ID of the unit that rewrites it; empty for Left
}

// Related points at the place that explains a Left site.
type Related struct {
	Pos     token.Position
	Message string
}

// Finding is something to say that is not a publish call, such as an ignore
// directive without a reason. It has no edit.
type Finding struct {
	Pos      token.Position
	End      token.Position
	Category string
	Message  string
}

// Edit replaces the bytes [Start,End) of the file as it is on disk.
type Edit struct {
	File       string // absolute, as the loader named it
	Start, End int
	New        string
}

// Import is a package that a unit's new text refers to in one file. Name is the
// local name the text uses, "." for a dot import; the spec is added once per
// file, and not at all when the file has it.
type Import struct {
	File, Path, Name string
}

// Use counts how many references to an existing import (by its path and local
// name) a unit removes from one file: when the units applied together remove
// all of them, the spec goes too.
type Use struct {
	File, Path, Name string
	Removed          int
	Total            int // references to the import in the whole file, by type information
}

// Unit is what is applied or rolled back together: a function's edits, or a
// connected set. IDs are stable from one pass to the next.
type Unit struct {
	ID      string
	Package string   // import path of the package it edits
	Needs   []string // units that must be applied with it
	Edits   []Edit
	Imports []Import
	Uses    []Use
	Sites   []string // keys of the sites it rewrites: File:Offset
}

// Result is what one analysis proposes for one package.
//
// A file that belongs to two variants of a package (p and p [p.test]) is
// analysed in both. The results differ only where a test file declares a name
// that the new text must avoid, so take the variant with more files.
type Result struct {
	Sites    []Site
	Units    []Unit
	Findings []Finding

	// Refuted are findings that the package shows to be none, whatever another
	// configuration of it has found.
	Refuted []Finding
}
