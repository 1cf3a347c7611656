//go:build unix

package driver

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockDir takes the lock that a ModeFix run holds on its module or workspace.
// It leaves nothing on disk, and a killed process gives it back.
func lockDir(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = flock(f)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, fmt.Errorf("another amqpfix -fix runs in %s", dir)
	}
	// File systems without locks are as safe as they can be: a second run
	// finds the files changed and stops.
	return func() {
		// Closing is not enough: a go command that is being started beside this
		// run holds a copy of the descriptor until its exec.
		_ = funlock(f)
		f.Close()
	}, nil
}

// isPrivate reports whether a file belongs to the user and to nobody else.
func isPrivate(fi os.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && fi.Mode().Perm() == 0o600
}

// keepOwner gives a staged file the owner and group of the one it replaces,
// as far as the process may.
func keepOwner(original, staged string) {
	fi, err := os.Stat(original)
	if err != nil {
		return
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		_ = os.Chown(staged, int(st.Uid), int(st.Gid))
	}
}
