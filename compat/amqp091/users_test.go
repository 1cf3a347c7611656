package amqp091_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// usersDir is a module of code that uses amqp091-go, in the shapes that such code
// has.
const usersDir = "../../testdata/amqp091-users"

// ways are the import paths that the module is run with.
var ways = []struct{ name, path string }{
	{"amqp091-go", upstreamPath},
	{"compat", ourPath},
}

// stays holds the packages of the module that do not change their import path.
var stays = map[string]bool{"tracing": true}

// copyUsers copies the module to dir with path as the import path of amqp091-go.
func copyUsers(t *testing.T, dir, path string) {
	t.Helper()
	changed := 0
	err := filepath.WalkDir(usersDir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(usersDir, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if entry.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if filepath.Ext(name) == ".go" && !stays[filepath.Dir(rel)] {
			old := []byte(`"` + upstreamPath + `"`)
			changed += bytes.Count(content, old)
			content = bytes.ReplaceAll(content, old, []byte(`"`+path+`"`))
		}
		return os.WriteFile(to, content, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	if changed < 20 {
		t.Fatalf("%d imports of %s in %s, expected more", changed, upstreamPath, usersDir)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goCommand(t, dir, nil, "mod", "edit", "-replace=github.com/amqpfix/amqpfix="+root)
}

func goCommand(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// Users' code compiles, passes vet and its own tests with the path changed, and
// its programs do what they did.
func TestUsersCodeWithThePathChanged(t *testing.T) {
	bin := make(map[string]string)
	for _, way := range ways {
		dir := filepath.Join(t.TempDir(), way.name)
		copyUsers(t, dir, way.path)
		t.Run("tests/"+way.name, func(t *testing.T) {
			goCommand(t, dir, nil, "vet", "./...")
			goCommand(t, dir, []string{"AMQP_URL=" + amqptest.NewServer(t).URL()}, "test", "-count=1", "./...")
		})
		bin[way.name] = filepath.Join(dir, "bin")
		goCommand(t, dir, nil, "build", "-o", bin[way.name]+string(filepath.Separator), "./programs/...")
	}
	if t.Failed() {
		return
	}
	onProgramBrokers(t, func(t *testing.T, url string) {
		for _, s := range scenarios {
			t.Run(s.name, func(t *testing.T) {
				before := s.play(t, url, bin[ways[0].name])
				after := s.play(t, url, bin[ways[1].name])
				if len(before.published) == 0 {
					t.Fatal("nothing was published")
				}
				if diff := cmp.Diff(before.printed, after.printed); diff != "" {
					t.Errorf("printed with amqp091-go (-) and with the path changed (+):\n%s", diff)
				}
				for _, d := range amqptest.Diff(before.published, after.published) {
					t.Errorf("published with the path changed: %v", d)
				}
			})
		}
	})
}

// onProgramBrokers gives each broker a name that says that it was the programs.
func onProgramBrokers(t *testing.T, run func(t *testing.T, url string)) {
	t.Run("programs/amqptest", func(t *testing.T) { run(t, amqptest.NewServer(t).URL()) })
	t.Run("programs/RabbitMQ", func(t *testing.T) { run(t, brokertest.URL(t)) })
}

// scenario is programs that play together: receivers are started first, one after
// the other, each when the one before it says that it waits, then senders are run
// one after the other. All end by themselves.
type scenario struct {
	name      string
	receivers []string
	senders   []string
	stdin     string // of each sender
}

var scenarios = []scenario{
	{name: "hello", receivers: []string{"receive 3"}, senders: []string{"send one two three"}},
	{name: "work queue", receivers: []string{"worker 4"}, senders: []string{"newtask one. two.. fail.three four"}},
	{
		name:      "publish/subscribe",
		receivers: []string{"logs 2 fanout any", "logs 2 fanout any"},
		senders:   []string{"emit fanout a first", "emit fanout b second"},
	},
	{
		name:      "routing",
		receivers: []string{"logs 2 direct error warning", "logs 1 direct info"},
		senders:   []string{"emit direct error e", "emit direct info i", "emit direct debug d", "emit direct warning w"},
	},
	{
		name:      "topics",
		receivers: []string{"logs 2 topic kern.*", "logs 2 topic *.critical #.lost"},
		senders:   []string{"emit topic kern.info k1", "emit topic kern.critical k2", "emit topic cron.info c", "emit topic a.b.lost l"},
	},
	{
		name:      "headers",
		receivers: []string{"logs 1 headers high"},
		senders:   []string{"emit headers low l", "emit headers high h"},
	},
	{name: "remote procedure call", receivers: []string{"rpcserver 3"}, senders: []string{"rpcclient 1 10 30"}},
	{name: "publisher confirms", senders: []string{"confirms"}},
	{name: "producer and consumer", receivers: []string{"consumer -count 16"}, senders: []string{"producer -count 20"}},
	{name: "shovel", senders: []string{"shovel"}, stdin: "one\ntwo\nquit\n"},
	{name: "reconnecting client", senders: []string{"client"}},
}

// performance is what came of a scenario.
type performance struct {
	printed   []string // by each program, receivers first
	published []amqptest.Published
}

// play runs the programs in bin against the broker, by way of a proxy that sees
// what they publish.
func (s scenario) play(t *testing.T, url, bin string) performance {
	t.Helper()
	proxy, err := amqptest.StartProxy(url)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	command := func(line string) *exec.Cmd {
		words := strings.Fields(line)
		cmd := exec.CommandContext(ctx, filepath.Join(bin, words[0]), words[1:]...)
		cmd.Env = append(os.Environ(), "AMQP_URL="+proxy.URL())
		return cmd
	}

	var result performance
	var receivers []*receiver
	for _, line := range s.receivers {
		r, err := startReceiver(command(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		receivers = append(receivers, r)
	}
	var sent []string
	for _, line := range s.senders {
		cmd := command(line)
		cmd.Stdin = strings.NewReader(s.stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s%s", line, err, out, &stderr)
			cancel()
		}
		sent = append(sent, string(out))
	}
	for i, r := range receivers {
		printed, err := r.wait()
		if err != nil {
			t.Errorf("%s: %v\n%s", s.receivers[i], err, printed)
		}
		result.printed = append(result.printed, printed)
	}
	result.printed = append(result.printed, sent...)
	if err := proxy.Err(); err != nil {
		t.Error(err)
	}
	result.published = proxy.Published()
	return result
}

// receiver is a program that runs in the background.
type receiver struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	read   chan string
}

// startReceiver returns when the program has printed that it is waiting.
func startReceiver(cmd *exec.Cmd) (*receiver, error) {
	r := &receiver{cmd: cmd, read: make(chan string, 1)}
	cmd.Stderr = &r.stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if first != "waiting\n" {
		return nil, errors.Join(err, cmd.Wait(), fmt.Errorf("printed %q instead of waiting\n%s", first, &r.stderr))
	}
	go func() {
		rest, _ := io.ReadAll(lines) // what Wait returns says more
		r.read <- string(rest)
	}()
	return r, nil
}

func (r *receiver) wait() (printed string, err error) {
	printed = <-r.read
	if err := r.cmd.Wait(); err != nil {
		return printed, fmt.Errorf("%w\n%s", err, &r.stderr)
	}
	return printed, nil
}
