package brokertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder is a testing.TB that notes how a test function ended.
type recorder struct {
	testing.TB
	outcome string
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(args ...any) {
	r.outcome = "skip: " + fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) {
	r.outcome = "fatal: " + fmt.Sprint(args...)
	runtime.Goexit()
}

// outcome runs f as a test would be run and returns how it ended.
func outcome(t *testing.T, f func(testing.TB)) string {
	r := &recorder{TB: t, outcome: "ran"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.outcome
}

func TestMissingBroker(t *testing.T) {
	missing := fmt.Errorf("launch: %w", ErrNotInstalled)
	for _, test := range []struct {
		name         string
		ci, required string
		err          error
		want         string
	}{
		{name: "skips on a laptop", err: missing, want: "skip: launch: RabbitMQ is not installed"},
		{name: "fails in CI", ci: "true", err: missing, want: "fatal: launch: RabbitMQ is not installed"},
		{name: "fails where one is required", required: "1", err: missing, want: "fatal: launch: RabbitMQ is not installed"},
		{name: "is not the same as a broken one", err: errors.New("crashed"), want: "fatal: crashed"},
		{name: "is not missing", ci: "true", want: "ran"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("CI", test.ci)
			t.Setenv("AMQPFIX_REQUIRE_BROKER", test.required)
			got := outcome(t, func(tb testing.TB) { check(tb, test.err) })
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestBrokerOfTheEnvironment(t *testing.T) {
	const url = "amqp://user:secret@broker.example:5672/vhost"
	t.Setenv("AMQP_URL", url)
	for _, test := range []struct {
		name string
		use  func(tb testing.TB) error
		want string
	}{
		{"is shared", func(tb testing.TB) error { return wantURL(url, URL(tb)) }, "ran"},
		{"is everybody's own", func(tb testing.TB) error { return wantURL(url, Start(tb).URL()) }, "ran"},
		{"is not configured", func(tb testing.TB) error { return wantURL(url, StartWith(tb, Options{TLS: true}).URL()) }, "skip"},
		{"is not killed", func(tb testing.TB) error { return Shared(tb).Kill() }, "skip"},
		{"is not stopped", func(tb testing.TB) error { return Shared(tb).Stop() }, "skip"},
		{"is not restarted", func(tb testing.TB) error { return Shared(tb).Restart() }, "skip"},
		{"is not paused", func(tb testing.TB) error { return Shared(tb).Pause() }, "skip"},
		{"is not resumed", func(tb testing.TB) error { return Shared(tb).Resume() }, "skip"},
		{"is not administered", func(tb testing.TB) error { _, err := Shared(tb).Ctl("status"); return err }, "skip"},
		{"goes on after Close", func(tb testing.TB) error { return Shared(tb).Close() }, "ran"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := outcome(t, func(tb testing.TB) {
				if err := test.use(tb); err != nil {
					tb.Fatal(err)
				}
			})
			if !strings.HasPrefix(got, test.want) || (test.want == "skip" && !strings.Contains(got, "AMQP_URL")) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
	if err := (&Node{url: url}).Kill(); !errors.Is(err, ErrExternal) {
		t.Errorf("Kill outside a test: %v, want ErrExternal", err)
	}
}

func wantURL(want, got string) error {
	if got != want {
		return fmt.Errorf("URL %s, want %s", got, want)
	}
	return nil
}

func TestFindInstallation(t *testing.T) {
	programs := func(dir string, names ...string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	scripts := []string{"rabbitmq-server", "rabbitmqctl", "rabbitmq-env"}
	programs(in("scripts"), scripts...)
	programs(in("wrapper"), "rabbitmq-server", "rabbitmqctl")
	programs(in("epmd"), "epmd")
	programs(in("links"))
	if err := os.Symlink(in("scripts/rabbitmq-server"), in("links/rabbitmq-server")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		dirs []string
		path string
		want string // folder of the server, or the error's words
	}{
		{"in a known folder", []string{in("none"), in("scripts")}, in("epmd"), in("scripts")},
		{"in PATH", nil, in("scripts") + ":" + in("epmd"), in("scripts")},
		{"behind a link", []string{in("links")}, in("epmd"), in("scripts")},
		{"behind a wrapper that is not RabbitMQ's", []string{in("wrapper"), in("scripts")}, in("epmd"), in("scripts")},
		{"without epmd", []string{in("scripts")}, in("none"), "no epmd in PATH"},
		{"nowhere", []string{in("none")}, in("epmd"), "no rabbitmq-server in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("PATH", test.path)
			got, err := findInstallation(test.dirs)
			if err != nil {
				if !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("error = %v, want %s", err, test.want)
				}
				return
			}
			if want := (installation{test.want + "/rabbitmq-server", test.want + "/rabbitmqctl", in("epmd/epmd")}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestPortsAreHandedOutOnce(t *testing.T) {
	seen := make(map[port]bool)
	for i := 0; i < 200; i++ {
		p, err := takePort()
		if err != nil {
			t.Fatal(err)
		}
		if seen[p] {
			t.Fatalf("port %v twice", p)
		}
		seen[p] = true
	}
}

func TestTail(t *testing.T) {
	for _, test := range []struct {
		log   string
		lines int
		want  string
	}{
		{"", 3, ""},
		{"a\nb\n", 3, "a\nb"},
		{"a\nb\nc\n", 2, "b\nc"},
	} {
		if got := tail([]byte(test.log), test.lines); got != test.want {
			t.Errorf("tail(%q, %d) = %q, want %q", test.log, test.lines, got, test.want)
		}
	}
}
