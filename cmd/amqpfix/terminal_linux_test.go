package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"github.com/rogpeppe/go-internal/testscript"
)

// terminal WANT amqpfix ARG...: run amqpfix with standard error on a terminal,
// held before it lists packages until WANT shows there. What the terminal shows is
// the standard error of the command.
func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "amqpfix" {
		ts.Fatalf("usage: terminal want amqpfix [arg...]")
	}
	ours, theirs, err := openTerminal()
	ts.Check(err)
	defer ours.Close()
	cmd := command(ts, args[1:]...)
	cmd.Env = append(cmd.Env, eagerVariable+"=1", "TERM=xterm")
	cmd.Stderr = theirs
	h, err := startHeld(cmd, "listing packages")
	theirs.Close()
	ts.Check(err)
	var shown strings.Builder
	read := func() error {
		buf := make([]byte, 4096)
		n, err := ours.Read(buf)
		shown.Write(buf[:n])
		return err // EIO at the end: nobody has the other side open
	}
	for !strings.Contains(shown.String(), args[0]) {
		if err := read(); err != nil {
			h.kill()
			ts.Fatalf("the terminal shows %q and then %v", &shown, err)
		}
	}
	released := make(chan struct{})
	go func() {
		h.release()
		close(released)
	}()
	for read() == nil {
	}
	<-released
	fmt.Fprint(ts.Stderr(), strings.ReplaceAll(shown.String(), "\r\n", "\n"))
}

// openTerminal returns both sides of a new pseudo-terminal.
func openTerminal() (ours, theirs *os.File, err error) {
	ours, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	var unlock, number int32
	err = ioctl(ours, syscall.TIOCSPTLCK, &unlock)
	if err == nil {
		err = ioctl(ours, syscall.TIOCGPTN, &number)
	}
	if err == nil {
		theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		ours.Close()
	}
	return ours, theirs, err
}

func ioctl(f *os.File, request uintptr, value *int32) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var errno syscall.Errno
	err = conn.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(value)))
	})
	if err == nil && errno != 0 {
		err = errno
	}
	return err
}
