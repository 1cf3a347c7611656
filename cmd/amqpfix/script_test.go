package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("scripts run the go command")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"module":   cmdModule,
			"old":      cmdOld, // this and the next two: gomod_test.go
			"checkout": cmdCheckout,
			"release":  cmdRelease,
			"at":       cmdAt,
			"terminal": cmdTerminal,
			"sums":     cmdSums,
			"code":     cmdCode,
			"crlf":     cmdCRLF,
			"bom":      cmdBOM,
			"cut":      cmdCut,
			"repo":     cmdRepo,
		},
	})
}

// setupScript gives a script the caches of the machine and nothing else of it.
func setupScript(env *testscript.Env) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return err
	}
	dirs := strings.Fields(string(out))
	tool, err := exec.LookPath("amqpfix")
	if err != nil {
		return err
	}
	env.Vars = append(env.Vars,
		"ROOT="+root,
		"TOOL="+tool,
		"GOCACHE="+dirs[0],
		"GOMODCACHE="+dirs[1],
		"GOPROXY=off",
		"GOSUMDB=off",
		"GOFLAGS=",
		"GOTOOLCHAIN=local",
		"GOWORK=",
		"GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com",
		eagerVariable+"=",
	)
	env.Values[environment{}] = env.Vars
	return nil
}

// condition tells whether terminal can be used: it needs Linux's pseudo-terminals.
func condition(name string) (bool, error) {
	if name == "long" {
		return os.Getenv("AMQPFIX_LONG") != "", nil
	}
	if name != "terminal" {
		return false, fmt.Errorf("unknown condition %s", name)
	}
	ours, theirs, err := openTerminal()
	if err != nil {
		return false, nil
	}
	return true, errors.Join(ours.Close(), theirs.Close())
}

// environment is the key of a script's first environment, by which its names are
// known.
type environment struct{}

// command returns a command that is run where the script is, and with its
// environment.
func command(ts *testscript.TestScript, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, v := range ts.Value(environment{}).([]string) {
		name, _, _ := strings.Cut(v, "=")
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

// module PATH [DIR]: make DIR the module PATH, which uses this checkout.
func cmdModule(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: module path [dir]")
	}
	dir := ts.MkAbs(".")
	if len(args) == 2 {
		dir = ts.MkAbs(args[1])
	}
	ts.Check(writeModule(dir, args[0], ts.Getenv("ROOT")))
}

// sums FILE: write the checksums of what this checkout requires.
func cmdSums(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sums file")
	}
	sum, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "go.sum"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), sum, 0o666))
}

// writeModule makes dir a module that uses the checkout in root.
func writeModule(dir, path, root string) error {
	mod := fmt.Sprintf(`module %s

go 1.22

require (
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
)

replace github.com/amqpfix/amqpfix => %q
`, path, root)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	return errors.Join(err,
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666))
}

// code N COMMAND ARG...: run a command that must end with exit code N.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code n command [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// rewrite changes files in place.
func rewrite(ts *testscript.TestScript, files []string, change func([]byte) []byte) {
	for _, name := range files {
		name = ts.MkAbs(name)
		data, err := os.ReadFile(name)
		ts.Check(err)
		ts.Check(os.WriteFile(name, change(data), 0o666))
	}
}

// crlf FILE...: end lines in CR LF.
func cmdCRLF(ts *testscript.TestScript, neg bool, args []string) {
	rewrite(ts, args, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
}

// bom FILE...: begin with a byte order mark.
func cmdBOM(ts *testscript.TestScript, neg bool, args []string) {
	rewrite(ts, args, func(b []byte) []byte { return append([]byte("\ufeff"), b...) })
}

// cut FILE...: drop the newline at the end.
func cmdCut(ts *testscript.TestScript, neg bool, args []string) {
	rewrite(ts, args, func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\n")) })
}

// repo [DIR]: commit all of a directory to a new git repository.
func cmdRepo(ts *testscript.TestScript, neg bool, args []string) {
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "all"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", ts.MkAbs(dir)}, args...)...))
	}
}
