// Package other has a flag.
package other

const Mandatory = false
