//go:build unix

package brokertest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is a child process that leads a process group of its own. It takes no
// goroutine to wait for it, so that tests may look for leaked goroutines while
// it runs.
type process struct {
	pid  int
	gone bool
}

// gate waits for a line before it becomes the program it was given, and ends if
// there will be none.
const gate = `read -r go <&3 || exit 1; exec 3<&-; exec "$@"`

// startProcess starts cmd in a process group of its own. It calls announce with
// the process's id, which is the group's too, before the program begins: if this
// process should end meanwhile, the program never begins.
func startProcess(cmd *exec.Cmd, announce func(pid int) error) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	defer w.Close()
	gated := exec.Command("/bin/sh", append([]string{"-c", gate, "sh", cmd.Path}, cmd.Args[1:]...)...)
	gated.Dir, gated.Env, gated.Stdout, gated.Stderr = cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr
	gated.ExtraFiles = []*os.File{r}
	gated.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := gated.Start(); err != nil {
		return nil, err
	}
	p := &process{pid: gated.Process.Pid}
	if err := announce(p.pid); err != nil {
		p.kill()
		return nil, err
	}
	if _, err := w.WriteString("go\n"); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// exited reports whether the process has ended.
func (p *process) exited() bool {
	if !p.gone {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(p.pid, &status, syscall.WNOHANG, nil)
		p.gone = pid == p.pid || err == syscall.ECHILD
	}
	return p.gone
}

func (p *process) terminate() error { return p.signal(syscall.SIGTERM) }
func (p *process) pause() error     { return p.signal(syscall.SIGSTOP) }
func (p *process) resume() error    { return p.signal(syscall.SIGCONT) }

// signal sends sig to the process group.
func (p *process) signal(sig syscall.Signal) error {
	if p.exited() {
		return fmt.Errorf("signal %v: process %d has ended", sig, p.pid)
	}
	return syscall.Kill(-p.pid, sig)
}

// kill kills the process group and waits for the process to be gone.
func (p *process) kill() error {
	if p.exited() {
		return nil
	}
	if err := syscall.Kill(-p.pid, syscall.SIGKILL); err != nil {
		return err
	}
	for deadline := time.Now().Add(10 * time.Second); !p.exited(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d survives SIGKILL", p.pid)
		}
	}
	return nil
}

// keeper is a shell that outlives this process for a moment, in a session of its
// own so that no signal for this process's group reaches it. It reads process
// groups from a pipe, each line in place of the last. When the pipe ends, with
// dismiss or with this process, it kills the groups and removes the folder.
type keeper struct {
	cmd  *exec.Cmd
	pipe *os.File
}

const keeping = `trap '' HUP INT TERM
groups=
while read -r line; do groups=$line; done
for g in $groups; do kill -9 -"$g"; done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }`

func startKeeper(dir string) (*keeper, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", keeping, "sh", dir)
	cmd.Dir = "/"
	cmd.Stdin = r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, err
	}
	return &keeper{cmd: cmd, pipe: w}, nil
}

func (k *keeper) guard(pids ...int) error {
	_, err := k.pipe.WriteString(strings.Trim(fmt.Sprint(pids), "[]") + "\n")
	return err
}

// dismiss ends the keeper without a kill: what it guarded is gone, and its
// process ids may soon be another's.
func (k *keeper) dismiss() error {
	if err := k.guard(); err != nil {
		return err
	}
	if err := k.pipe.Close(); err != nil {
		return err
	}
	return k.cmd.Wait()
}
