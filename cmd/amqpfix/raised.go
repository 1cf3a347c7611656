package main

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// raised says which requirements of old clients go up, and what that changes and
// what it does not. Paths
// are relative to dir; each line ends in a newline.
func raised(list []driver.Requirement, dir string) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "amqpfix: %s goes from %s to %s in %s\n", r.Module, r.From, r.To, relative(dir, r.File))
		for _, note := range r.Notes {
			b.WriteString(note + "\n")
		}
		if n := len(r.Kept); n > 0 {
			calls := fmt.Sprintf("%d calls get contexts that are", n)
			if n == 1 {
				calls = "1 call gets a context that is"
			}
			fmt.Fprintf(&b, "%s never done, such as context.WithoutCancel(ctx), so as to send as before: %s\n", calls, contextsURL)
		}
		for _, pos := range r.Honoured {
			fmt.Fprintf(&b, "%s: the context of this publish matters from now on; pass context.WithoutCancel(ctx) to keep it\n", place(pos, dir))
		}
	}
	return b.String()
}

// contextsURL is where it is written what becomes of contexts.
const contextsURL = "https://github.com/amqpfix/amqpfix/blob/main/MIGRATION.md#contexts-of-amqp091-go-before-v1110"

// unreleased is how a module gets this one before there is a release.
const (
	latest     = "go get github.com/amqpfix/amqpfix/...@latest"
	unreleased = "or, from a checkout:\n\tgo mod edit -replace=github.com/amqpfix/amqpfix=DIR\n"
)

// fromCheckout says what does in place of commands that need a release.
func fromCheckout(commands []string) string {
	if slices.ContainsFunc(commands, func(c string) bool { return strings.HasSuffix(c, latest) }) {
		return unreleased
	}
	return ""
}

type jsonRaised struct {
	File   string   `json:"file"`
	Module string   `json:"module"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Notes  []string `json:"notes,omitempty"`

	Kept     []jsonPlace `json:"contextsKept,omitempty"`     // publishes
	Honoured []jsonPlace `json:"contextsHonoured,omitempty"` // those that are not rewritten
}

func jsonRequirements(list []driver.Requirement, dir string) []jsonRaised {
	places := func(positions []token.Position) (out []jsonPlace) {
		for _, pos := range positions {
			out = append(out, jsonPlaceOf(pos, dir))
		}
		return out
	}
	var out []jsonRaised
	for _, r := range list {
		out = append(out, jsonRaised{relative(dir, r.File), r.Module, r.From, r.To, r.Notes, places(r.Kept), places(r.Honoured)})
	}
	return out
}
