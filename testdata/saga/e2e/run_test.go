// Package e2e runs the saga against a broker in the test process. It is a
// module of its own so that the saga does not have to require that broker.
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

// build builds the command of the module above, with that module's own
// dependencies.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "saga.exe")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/saga")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// sites returns the ids in the module's SITES.tsv whose messages the command
// publishes.
func sites(t *testing.T) map[string]bool {
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
		if len(columns) == 7 && !strings.HasPrefix(columns[0], "#") && columns[5] == "main" {
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

func TestEverySitePublishes(t *testing.T) {
	bin := build(t)
	var recordings [][]amqptest.Published
	for i := 0; i < 2; i++ {
		server := amqptest.NewServer(t)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, bin)
		cmd.Env = append(os.Environ(), "AMQP_URL="+server.URL())
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("saga: %v\n%s", err, out)
		}
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		recordings = append(recordings, server.Published())
	}

	unseen := sites(t)
	for _, m := range recordings[0] {
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
	for _, d := range amqptest.Diff(recordings[0], recordings[1]) {
		t.Errorf("a second run publishes something else: %v", d)
	}
}
