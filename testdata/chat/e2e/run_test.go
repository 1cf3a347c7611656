// Package e2e runs the chat, and every program of its tutorial, against a broker
// in the test process. It is a module of its own so that the chat does not have
// to require that broker.
package e2e

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// build builds a package, or a single file, of a module above, with that
// module's own dependencies.
func build(t *testing.T, module, target string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "program.exe")
	cmd := exec.Command("go", "build", "-o", bin, target)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", target, err, out)
	}
	return bin
}

// run runs programs at the same time and waits for all of them.
func run(t *testing.T, url string, programs ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var running []*exec.Cmd
	outputs := make([]strings.Builder, len(programs))
	for i, program := range programs {
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), "AMQP_URL="+url)
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", programs[i], err, outputs[i].String())
		}
	}
}

// sites returns the ids in SITES.tsv whose messages are published by what the
// prefix names.
func sites(t *testing.T, by string) map[string]bool {
	t.Helper()
	f, err := os.Open("../SITES.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ids := make(map[string]bool)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) == 7 && !strings.HasPrefix(columns[0], "#") && strings.HasPrefix(columns[5], by) {
			ids[columns[0]] = true
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		t.Fatal("SITES.tsv has no sites")
	}
	return ids
}

// siteOf returns the id of the site that published m, which is its type, else
// its message id up to "#", else the first word of its body.
func siteOf(m amqptest.Published) string {
	if typ := m.Properties.Type(); typ != "" {
		return typ
	}
	if id := m.Properties.MessageId(); id != "" {
		id, _, _ = strings.Cut(id, "#")
		return id
	}
	id, _, _ := strings.Cut(string(m.Body), " ")
	return id
}

// checkSites fails the test unless every site has published, and nobody else.
func checkSites(t *testing.T, unseen map[string]bool, published []amqptest.Published) {
	t.Helper()
	for _, m := range published {
		id := siteOf(m)
		if _, known := unseen[id]; !known {
			t.Errorf("a message of no site: %s, key %q, body %q", id, m.RoutingKey, m.Body)
			continue
		}
		unseen[id] = false
	}
	for id, missing := range unseen {
		if missing {
			t.Errorf("no message of %s", id)
		}
	}
}

func TestEverySitePublishes(t *testing.T) {
	bin := build(t, "..", "./cmd/chat")
	var recordings [][]amqptest.Published
	for i := 0; i < 2; i++ {
		server := amqptest.NewServer(t)
		run(t, server.URL(), bin)
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		recordings = append(recordings, server.Published())
	}
	checkSites(t, sites(t, "main"), recordings[0])
	for _, d := range amqptest.Diff(recordings[0], recordings[1]) {
		t.Errorf("a second run publishes something else: %v", d)
	}
}

func TestTutorial(t *testing.T) {
	server := amqptest.NewServer(t)
	for _, programs := range [][]string{
		{"say.go"}, {"listen.go"}, {"shout.go"}, {"whisper.go"}, {"gossip.go"}, {"answer.go", "ask.go"},
	} {
		var bins []string
		for _, file := range programs {
			bins = append(bins, build(t, "../tutorial", file))
		}
		run(t, server.URL(), bins...)
	}
	checkSites(t, sites(t, "run:tutorial/"), server.Published())
}

func TestWorkspaceBuilds(t *testing.T) {
	workspace, err := filepath.Abs("../go.work")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "vet", "./...", "./transport/...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOWORK="+workspace)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
