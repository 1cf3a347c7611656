package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is marked go:fix inline is rewritten by go fix alone, and builds then.
func TestGoFixInlines(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	write("go.mod", `module example.com/inline

go 1.21

require github.com/amqpfix/amqpfix v0.0.0

require github.com/rabbitmq/amqp091-go v1.16.0 // indirect

replace github.com/amqpfix/amqpfix => `+root+"\n")
	write("code.go", inlineFile(t, "before"))

	goCommand := func(args ...string) (string, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := goCommand("fix", "-inline", "./...")
	if err != nil && strings.Contains(out, "not defined: -inline") {
		t.Skip("this go command cannot inline; Go 1.26 can")
	}
	if err != nil {
		t.Fatalf("go fix: %v\n%s", err, out)
	}
	if out, err := goCommand("vet", "./..."); err != nil {
		t.Fatalf("go vet, after go fix: %v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "code.go"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(declarations(t, inlineFile(t, "after")), declarations(t, string(got))); diff != "" {
		t.Errorf("want (-) and got (+):\n%s", diff)
	}
}

func inlineFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "inline", name+".go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// declarations cuts off the imports, which are arranged at the go command's
// discretion.
func declarations(t *testing.T, source string) string {
	t.Helper()
	_, rest, ok := strings.Cut(source, "\ntype ")
	if !ok {
		t.Fatalf("no declaration in\n%s", source)
	}
	return rest
}
