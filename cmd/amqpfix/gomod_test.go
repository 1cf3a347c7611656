package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// old PATH GO DIR [REPLACEMENT]: make DIR the module PATH with the go line GO,
// which publishes with streadway/amqp. It does not require amqpfix, which is
// replaced by this checkout, or by what REPLACEMENT says; "none" for not at all.
func cmdOld(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: old path go dir [replacement]")
	}
	dir := ts.MkAbs(args[2])
	ts.Check(os.MkdirAll(dir, 0o777))
	replacement := ts.Getenv("ROOT")
	if len(args) == 4 {
		replacement = args[3]
	}
	mod := fmt.Sprintf("module %s\n\ngo %s\n\nrequire github.com/streadway/amqp v1.1.0\n", args[0], args[1])
	if replacement != "none" {
		mod += fmt.Sprintf("\nreplace github.com/amqpfix/amqpfix => %s\n", replacement)
	}
	sum, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "testdata", "saga", "go.sum"))
	ts.Check(err)
	var sums []byte
	for line := range bytes.Lines(sum) {
		if bytes.HasPrefix(line, []byte("github.com/streadway/amqp ")) {
			sums = append(sums, line...)
		}
	}
	for name, data := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sums, "m.go": []byte(oldPublish)} {
		ts.Check(os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
}

const oldPublish = `package m

import "github.com/streadway/amqp"

func publish(ch *amqp.Channel, body []byte) error {
	return ch.Publish("", "q", false, false, amqp.Publishing{Type: "t", Body: body})
}
`

// checkout GO DIR: copy what users import of this checkout to DIR, with another go
// line.
func cmdCheckout(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: checkout go dir")
	}
	dir := ts.MkAbs(args[1])
	for name, data := range importable(ts) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
		ts.Check(os.WriteFile(name, data, 0o666))
	}
	ts.Check(ts.Exec("go", "-C", dir, "mod", "edit", "-go="+args[0]))
}

// release VERSION DIR: make what users import of this checkout a release, in a
// file tree that GOPROXY takes.
func cmdRelease(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: release version dir")
	}
	version := args[0]
	dir := filepath.Join(ts.MkAbs(args[1]), "github.com", "amqpfix", "amqpfix", "@v")
	ts.Check(os.MkdirAll(dir, 0o777))
	files := importable(ts)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, data := range files {
		w, err := z.Create("github.com/amqpfix/amqpfix@" + version + "/" + name)
		ts.Check(err)
		_, err = w.Write(data)
		ts.Check(err)
	}
	ts.Check(z.Close())
	list, err := os.OpenFile(filepath.Join(dir, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = fmt.Fprintln(list, version)
	ts.Check(err)
	ts.Check(list.Close())
	for ext, data := range map[string][]byte{
		"zip":  archive.Bytes(),
		"mod":  files["go.mod"],
		"info": fmt.Appendf(nil, `{"Version":%q,"Time":"2024-01-02T03:04:05Z"}`, version),
	} {
		ts.Check(os.WriteFile(filepath.Join(dir, version+"."+ext), data, 0o666))
	}
}

// importable returns the files of the root module that a build of its users reads.
func importable(ts *testscript.TestScript) map[string][]byte {
	root := ts.Getenv("ROOT")
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if and .Module .Module.Main}}{{.Dir}}{{end}}", "./newapi", "./compat/amqp091")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	ts.Check(err)
	files := make(map[string][]byte)
	add := func(name string) {
		rel, err := filepath.Rel(root, name)
		ts.Check(err)
		data, err := os.ReadFile(name)
		ts.Check(err)
		files[filepath.ToSlash(rel)] = data
	}
	add(filepath.Join(root, "go.mod"))
	add(filepath.Join(root, "go.sum"))
	for _, dir := range strings.Fields(string(out)) {
		ts.Check(filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != dir:
				return fs.SkipDir
			case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
				add(name)
			}
			return nil
		}))
	}
	return files
}
