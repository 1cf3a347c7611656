package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A tree is a module to run commands over.
type tree struct {
	name     string
	packages int
	users    map[int]string // text of a file more, by package, that publishes the old way
	imports  string         // what every package imports besides
	lib      string         // text of package mq; empty for none
}

// importing is a tree of n packages, some of which import an old client.
func importing(n int) tree {
	t := tree{name: "5 packages import the old API", packages: n, users: make(map[int]string)}
	for i := range 5 {
		t.users[n*(2*i+1)/10] = importingUser
	}
	return t
}

// sharing is a tree of n packages that all import a library, which exposes the old
// channels. Some publish through it, and do not import the old clients.
func sharing(n int) tree {
	t := tree{name: "all depend on a library that exposes the old channel, 20 call it", packages: n, users: make(map[int]string)}
	t.imports, t.lib = "example.com/tree/mq", library
	for i := range 20 {
		t.users[n*(2*i+1)/40] = []string{sharingUser, sharingUser091}[i%2]
	}
	return t
}

const importingUser = `package PACKAGE

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

// publish sends a body the old way.
func publish(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "events", "PACKAGE", false, false, amqp.Publishing{
		ContentType:  "application/json",
		DeliveryMode: amqp.Persistent,
		Body:         body,
	})
}

var _ = publish
`

const sharingUser = `package PACKAGE

import "example.com/tree/mq"

// publish sends a body the old way.
func publish(body []byte) error {
	ch := mq.Channel()
	props := ch.CreateBasicProperties()
	props.SetContentType("application/json")
	return ch.BasicPublish("events", "PACKAGE", false, props, body)
}

var _ = publish
`

const sharingUser091 = `package PACKAGE

import (
	"context"

	"example.com/tree/mq"
)

// publish sends a body the old way.
func publish(ctx context.Context, body []byte) error {
	return mq.Upstream().PublishWithContext(ctx, "events", "PACKAGE", false, false, mq.Message(body))
}

var _ = publish
`

const library = `// Package mq has what all services use.
package mq

import (
	"github.com/amqpfix/amqpfix/compat"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Name is the name of the broker.
const Name = "broker"

// Channel returns the channel of the process.
func Channel() *compat.Channel { return nil }

// Upstream returns the channel of amqp091-go.
func Upstream() *amqp.Channel { return nil }

// Message returns a message with a body.
func Message(body []byte) amqp.Publishing { return amqp.Publishing{Body: body} }
`

// write puts the tree into dir, as a module that has this checkout for amqpfix.
func (t tree) write(dir, checkout string) error {
	sum, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		return err
	}
	files := map[string]string{
		"go.sum": string(sum),
		"go.mod": fmt.Sprintf("module example.com/tree\n\ngo 1.22\n\nrequire (\n\tgithub.com/amqpfix/amqpfix v0.0.0\n\tgithub.com/rabbitmq/amqp091-go v1.16.0\n)\n\nreplace github.com/amqpfix/amqpfix => %q\n", checkout),
	}
	if t.lib != "" {
		files["mq/mq.go"] = t.lib
	}
	for i := range t.packages {
		name := packageName(i)
		for part := range filesPerPackage {
			files[fmt.Sprintf("%s/part%d.go", name, part)] = t.source(i, part)
		}
		if user := t.users[i]; user != "" {
			files[name+"/user.go"] = strings.ReplaceAll(user, "PACKAGE", name)
		}
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func packageName(i int) string { return fmt.Sprintf("p%04d", i) }

// Each package is about 300 lines in three files, on two other packages of the tree
// and half a dozen of the standard library.
const (
	filesPerPackage = 3
	typesPerFile    = 4
)

// standard is what files of the tree import in turns.
var standard = [][]string{
	{"encoding/json", "net/http"},
	{"bytes", "os"},
	{"bufio", "path/filepath"},
	{"encoding/hex", "regexp"},
}

// source returns the text of a file of package i.
func (t tree) source(i, part int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %[1]s is one of many.\npackage %[1]s\n\nimport (\n", packageName(i))
	b.WriteString("\t\"errors\"\n\t\"fmt\"\n\t\"sort\"\n\t\"strings\"\n\t\"sync\"\n\n")
	for _, path := range standard[(i+part)%len(standard)] {
		fmt.Fprintf(&b, "\t_ %q\n", path)
	}
	if part == 0 && t.imports != "" {
		fmt.Fprintf(&b, "\n\t%q\n", t.imports)
	}
	var deps []string
	if i > 0 && part < 2 {
		deps = append(deps, packageName((i-1)/(2+part))) // the graph is about ten levels deep
		fmt.Fprintf(&b, "\n\t\"example.com/tree/%s\"\n", deps[0])
	}
	b.WriteString(")\n")
	if part == 0 && t.imports != "" {
		b.WriteString("\n// Broker is where messages go.\nconst Broker = mq.Name\n")
	}
	for n := range typesPerFile {
		name := fmt.Sprintf("Store%d%d", part, n)
		b.WriteString(strings.ReplaceAll(typeSource, "STORE", name))
	}
	for _, dep := range deps {
		fmt.Fprintf(&b, "\n// Other%[1]d uses another package.\nfunc Other%[1]d() (string, error) {\n\ts := %[2]s.NewStore%[1]d0()\n\ts.Add(%[3]q, 1)\n\treturn s.Line(), s.Check()\n}\n", part, dep, packageName(i))
	}
	return b.String()
}

const typeSource = `
// STORE counts by name.
type STORE struct {
	mu     sync.Mutex
	counts map[string]int
	limit  int
}

// NewSTORE returns an empty one.
func NewSTORE() *STORE { return &STORE{counts: make(map[string]int), limit: 100} }

// Add adds n to a count.
func (s *STORE) Add(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[strings.ToLower(name)] += n
}

// Line returns all counts in one line.
func (s *STORE) Line() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []string
	for name, n := range s.counts {
		parts = append(parts, fmt.Sprintf("%s=%d", name, n))
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

// Check reports a count above the limit.
func (s *STORE) Check() error {
	for name, n := range s.counts {
		if n > s.limit {
			return fmt.Errorf("%s: %w", name, errors.New("too many"))
		}
	}
	return nil
}
`
