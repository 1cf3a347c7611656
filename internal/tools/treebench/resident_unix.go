//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxResident returns the peak resident bytes of the largest of the process and
// those it waited for.
func maxResident(state *os.ProcessState) int64 {
	r, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(r.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(r.Maxrss) << 10
}
