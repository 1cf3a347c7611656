package main

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// An oldSite is one row of an old module's SITES.tsv, whose head explains the
// columns.
type oldSite struct {
	id       string
	file     string // slash-separated, from the root of the module
	line     string
	form     string // native, header, whole, left or none
	category string // why it is left; else empty
	moves    bool   // whether the file's import changes
	by       string // what publishes its message
}

func (s oldSite) where() string { return s.file + ":" + s.line }

// outcome is what a report says about the site; nothing if it is none.
func (s oldSite) outcome() string {
	if s.form == "none" {
		return ""
	}
	return strings.TrimSpace(s.form + " " + s.category)
}

// readOldSites reads a SITES.tsv file.
func readOldSites(t *testing.T, name string) []oldSite {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var sites []oldSite
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) != 7 {
			t.Fatalf("%s: %q has %d columns, want 7", name, lines.Text(), len(columns))
		}
		file, line, _ := strings.Cut(columns[1], ":")
		sites = append(sites, oldSite{
			id:       columns[0],
			file:     file,
			line:     line,
			form:     columns[2],
			category: strings.TrimPrefix(columns[3], "-"),
			moves:    columns[4] == "yes",
			by:       columns[5],
		})
	}
	if err := lines.Err(); err != nil || len(sites) == 0 {
		t.Fatalf("%s: %d sites, %v", name, len(sites), err)
	}
	return sites
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
