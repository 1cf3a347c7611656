//go:build !linux

package newapi

import "io"

// corkFor returns nil: other systems have no TCP_CORK, or without its limit in time.
func corkFor(io.Writer) *cork { return nil }
