package brokertest

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// ErrExternal is returned by the methods that control a node where AMQP_URL
// names the broker: it is not ours to stop.
var ErrExternal = errors.New("the broker that AMQP_URL names cannot be controlled from here")

// Options says how a node differs from the usual one. The zero value is the
// usual one.
type Options struct {
	// TLS makes the node listen for TLS connections too; see [Node.TLSURL].
	TLS bool
	// Config is appended to the node's rabbitmq.conf, as in
	// "max_message_size = 65536\nchannel_max = 16".
	Config string
}

// Node is a RabbitMQ node, or the broker that AMQP_URL names. Its methods may be
// called from any goroutine; those that start, stop and control the node wait
// for each other.
type Node struct {
	url, tlsURL string
	tb          testing.TB // of the test that has an external broker

	mu      sync.Mutex
	install installation
	dir     string // everything the node writes
	name    string // Erlang node name
	addr    string
	epmd    port
	roots   *x509.CertPool
	env     []string
	keeper  *keeper
	mapper  *process
	server  *process // nil when stopped
	paused  bool
}

// Launch starts a private node and waits until it serves. Without an installed
// RabbitMQ the error wraps [ErrNotInstalled]; any other error comes with the end
// of the node's log. The caller must call [Node.Close].
func Launch(ctx context.Context, opts Options) (*Node, error) {
	install, err := findInstallation(scriptDirs)
	if err != nil {
		return nil, fmt.Errorf("brokertest: %w", err)
	}
	for attempt := 1; ; attempt++ {
		n := &Node{install: install}
		err := n.launch(ctx, opts)
		if err == nil {
			return n, nil
		}
		inUse := bytes.Contains(n.log(), []byte("eaddrinuse"))
		n.Close()
		if ctx.Err() != nil || !inUse || attempt == 3 {
			return nil, fmt.Errorf("brokertest: starting RabbitMQ: %w", err)
		}
	}
}

func (n *Node) launch(ctx context.Context, opts Options) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.prepare(opts); err != nil {
		return err
	}
	var err error
	if n.keeper, err = startKeeper(n.dir); err != nil {
		return err
	}
	log, err := n.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	// In the foreground, and before anybody else could start one that stays.
	mapper := n.command(n.install.epmd, "-port", n.epmd.String(), "-address", "127.0.0.1")
	mapper.Stdout, mapper.Stderr = log, log
	if n.mapper, err = startProcess(mapper, n.announce); err != nil {
		return err
	}
	return n.start(ctx)
}

// startLogLines is how much of the log an error of a start carries: the cause
// stands well before the end.
const startLogLines = 150

// start starts the server and waits until it serves. n.mu is held.
func (n *Node) start(ctx context.Context) error {
	log, err := n.openLog()
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := n.command(n.install.server)
	cmd.Stdout, cmd.Stderr = log, log
	if n.server, err = startProcess(cmd, n.announce); err != nil {
		return err
	}
	for {
		err := greets(n.addr, n.clusterName())
		if err == nil {
			return nil
		}
		if n.server.exited() {
			n.server = nil
			return fmt.Errorf("the node ended before it served; its log:\n%s", tail(n.log(), startLogLines))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the node does not serve: %w (%v); its log:\n%s", context.Cause(ctx), err, tail(n.log(), startLogLines))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// guard tells the keeper what to kill if this process ends: what runs, and what
// is about to.
func (n *Node) guard(pids ...int) error {
	if n.mapper != nil {
		pids = append(pids, n.mapper.pid)
	}
	if n.server != nil {
		pids = append(pids, n.server.pid)
	}
	return n.keeper.guard(pids...)
}

func (n *Node) announce(pid int) error { return n.guard(pid) }

func (n *Node) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = n.dir
	cmd.Env = n.env
	return cmd
}

func (n *Node) openLog() (*os.File, error) {
	return os.OpenFile(n.logFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
}

func (n *Node) logFile() string { return filepath.Join(n.dir, "node.log") }

// log returns what the node has logged since it was launched.
func (n *Node) log() []byte {
	log, err := os.ReadFile(n.logFile())
	if err != nil {
		return nil // an external broker, or one that never came to log
	}
	return log
}

// URL returns the node's amqp URL, with user and password, for its default
// virtual host. It stays the same over [Node.Restart].
func (n *Node) URL() string { return n.url }

// TLSURL returns the node's amqps URL for its default virtual host, or "" for a
// node launched without Options.TLS.
func (n *Node) TLSURL() string { return n.tlsURL }

// RootCAs returns a pool of the one certificate authority that signed the node's
// certificate, whose host names are localhost and 127.0.0.1. It is nil for a
// node launched without Options.TLS.
func (n *Node) RootCAs() *x509.CertPool { return n.roots }

// Log returns what the node has logged since it was launched.
func (n *Node) Log() string { return string(n.log()) }

// ctlTimeout bounds one run of rabbitmqctl, which takes a second or two.
const ctlTimeout = time.Minute

// Ctl runs rabbitmqctl with args against the node and returns what it prints:
// values separated by tabs, without headings. The error has what it says on
// standard error.
//
//	out, err := node.Ctl("list_queues", "name", "messages")
func (n *Node) Ctl(args ...string) (string, error) {
	var out []byte
	err := n.control(func() (err error) {
		out, err = n.ctl(args)
		return err
	})
	return string(out), err
}

func (n *Node) ctl(args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), ctlTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.install.ctl, append([]string{"--silent", "-n", n.name}, args...)...)
	cmd.Dir = n.dir
	cmd.Env = n.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("rabbitmqctl %s: %w: %s%s", strings.Join(args, " "), err, out, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// control runs a method that starts or stops the node, one at a time. An
// external node is not ours to control; the test that it was given to is skipped.
func (n *Node) control(method func() error) error {
	if n.dir == "" {
		if n.tb != nil {
			n.tb.Helper()
			n.tb.Skip("this test controls its broker, so it cannot use the one that AMQP_URL names")
		}
		return fmt.Errorf("brokertest: %w", ErrExternal)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return method()
}

// Sync makes the node write what it knows of durable queues, exchanges and
// bindings to disk. After answering queue.declare, RabbitMQ may keep the queue in
// memory alone for another two seconds: a test that wants it back after
// [Node.Kill] calls Sync before. Messages are another matter: they are on disk
// when they are confirmed.
func (n *Node) Sync() error {
	_, err := n.Ctl("eval", "disk_log:sync(latest_log).")
	return err
}

// Kill kills the node at once, as a power cut would: connections break without
// a word and nothing more is written to disk, see [Node.Sync]. A node that is down
// stays down.
func (n *Node) Kill() error { return n.control(n.kill) }

func (n *Node) kill() error {
	if n.server == nil {
		return nil
	}
	if err := n.server.kill(); err != nil {
		return err
	}
	n.server, n.paused = nil, false
	return n.guard()
}

// stopTimeout bounds an orderly stop.
const stopTimeout = 30 * time.Second

// Stop stops the node in good order: it closes its connections with an error
// and puts on disk what is durable. A node that is down stays down; one that is
// paused is resumed first. Restart starts it again.
func (n *Node) Stop() error { return n.control(n.stop) }

func (n *Node) stop() error {
	if n.server == nil {
		return nil
	}
	if err := n.resume(); err != nil {
		return err
	}
	if err := n.server.terminate(); err != nil {
		return err
	}
	for deadline := time.Now().Add(stopTimeout); !n.server.exited(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("brokertest: the node did not stop within %v and was killed", stopTimeout), n.kill())
		}
	}
	n.server = nil
	return n.guard()
}

// Restart starts the node with the data and at the address it had, after
// stopping it if it runs, and waits up to [StartTimeout] until it serves.
func (n *Node) Restart() error { return n.control(n.restart) }

func (n *Node) restart() error {
	if err := n.stop(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
	defer cancel()
	if err := n.start(ctx); err != nil {
		return fmt.Errorf("brokertest: restarting RabbitMQ: %w", err)
	}
	return nil
}

// Pause stops the node's processes where they are: its connections stay open
// and nothing reads from or writes to them until [Node.Resume].
func (n *Node) Pause() error { return n.control(n.pause) }

func (n *Node) pause() error {
	if n.server == nil {
		return errors.New("brokertest: the node is not running: Restart it before Pause")
	}
	if err := n.server.pause(); err != nil {
		return err
	}
	n.paused = true
	return nil
}

// Resume lets a paused node go on. It does nothing to one that is not paused.
func (n *Node) Resume() error { return n.control(n.resume) }

func (n *Node) resume() error {
	if !n.paused {
		return nil
	}
	n.paused = false
	return n.server.resume()
}

// Close kills the node and all that belongs to it and removes its files. It is
// no error to close a node twice, or an external one, which goes on.
func (n *Node) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dir == "" {
		return nil
	}
	errs := []error{n.kill()}
	if n.mapper != nil {
		errs = append(errs, n.mapper.kill())
		n.mapper = nil
	}
	errs = append(errs, os.RemoveAll(n.dir))
	if n.keeper != nil {
		errs = append(errs, n.keeper.dismiss())
		n.keeper = nil
	}
	return errors.Join(errs...)
}
