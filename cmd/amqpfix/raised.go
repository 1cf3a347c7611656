package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// raised says which requirements of old clients go up, and what that changes. Paths
// are relative to dir; each line ends in a newline.
func raised(list []driver.Requirement, dir string) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "amqpfix: %s goes from %s to %s in %s\n", r.Module, r.From, r.To, relative(dir, r.File))
		for _, note := range r.Notes {
			b.WriteString(note + "\n")
		}
	}
	return b.String()
}

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
}

func jsonRequirements(list []driver.Requirement, dir string) []jsonRaised {
	var out []jsonRaised
	for _, r := range list {
		out = append(out, jsonRaised{relative(dir, r.File), r.Module, r.From, r.To, r.Notes})
	}
	return out
}
