//go:build !unix

package driver

// lockDir does nothing: a second run finds the files changed and stops.
func lockDir(string) (unlock func(), err error) { return func() {}, nil }

// keepOwner does nothing: a file gets its owner from its directory.
func keepOwner(original, staged string) {}
