//go:build !unix

package driver

import "os"

// lockDir does nothing: a second run finds the files changed and stops.
func lockDir(string) (unlock func(), err error) { return func() {}, nil }

// isPrivate believes the access rules of the directory: modes do not say it.
func isPrivate(os.FileInfo) bool { return true }

// keepOwner does nothing: a file gets its owner from its directory.
func keepOwner(original, staged string) {}
