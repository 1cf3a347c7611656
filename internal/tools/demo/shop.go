package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	rootModule = "github.com/amqpfix/amqpfix"
	shopDir    = "testdata/shop"
	traceTag   = "trace" // the build tag that the shop's audit.Trace needs
)

// findRoot returns the root of the checkout around the current directory.
func findRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, shopDir, "SITES.tsv")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no %s in %s or above it; run the demo inside a checkout of %s", shopDir, start, rootModule)
		}
	}
}

// copyShop copies the shop to a directory called name and makes the copy find
// the checkout.
func (d *demo) copyShop(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(d.dir, name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(d.root, shopDir))); err != nil {
		return "", err
	}
	_, err := d.output(ctx, dir, "go", "mod", "edit", "-replace", rootModule+"="+d.root)
	return dir, err
}

// output runs a command in dir and returns what it prints on standard output. An
// error has what the command said.
func (d *demo) output(ctx context.Context, dir, name string, args ...string) (string, error) {
	stdout, _, err := d.run(ctx, dir, nil, name, args...)
	return stdout, err
}

// run runs a command in dir, with variables added to our own environment, from
// which a workspace and a broker are taken away.
func (d *demo) run(ctx context.Context, dir string, env []string, name string, args ...string) (stdout, stderr string, err error) {
	var out, said strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AMQP_URL=") })
	if dir != d.root {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(said.String())
		if text == "" {
			text = strings.TrimSpace(out.String())
		}
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), errors.Join(ctx.Err(), err), text)
		return out.String(), said.String(), err
	}
	return out.String(), said.String(), nil
}

// goChecks builds, vets and tests the module in dir, in all its build
// configurations.
func (d *demo) goChecks(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"build", "./..."},
		{"build", "-tags", traceTag, "./..."},
		{"vet", "./..."},
		{"vet", "-tags", traceTag, "./..."},
		{"test", "-count=1", "./..."},
	} {
		if _, err := d.output(ctx, dir, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// tree is the text of every file under a directory, by slash-separated name.
type tree map[string]string

func readTree(dir string) (tree, error) {
	t := make(tree)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		t[name] = string(text)
		return err
	})
	return t, err
}

// sameTrees returns an error that names the files in which two trees differ.
func sameTrees(a, b tree) error {
	var names []string
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("files differ: %s", strings.Join(names, ", "))
}
