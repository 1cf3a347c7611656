package main

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// sites returns the ids in SITES.tsv whose messages this command publishes.
func sites(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("../../SITES.tsv")
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
	server := amqptest.NewServer(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, server.URL()); err != nil {
		t.Fatal(err)
	}
	unseen := sites(t)
	for _, m := range server.Published() {
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

func TestAddressIsNeeded(t *testing.T) {
	if err := run(context.Background(), ""); err == nil || !strings.Contains(err.Error(), "AMQP_URL") {
		t.Errorf("run without an address = %v, want an error that names AMQP_URL", err)
	}
}
