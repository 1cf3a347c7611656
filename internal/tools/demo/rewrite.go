package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// Exit codes of amqpfix.
const (
	exitClean    = 0
	exitFindings = 3
)

// amqpfix runs the command on all packages of the module in dir. Its exit must
// be one of codes.
func (d *demo) amqpfix(ctx context.Context, dir, flag string, codes ...int) (stdout, stderr string, err error) {
	stdout, stderr, err = d.run(ctx, "", nil, d.tool, "-C", dir, flag, "./...")
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		return "", "", err
	}
	for _, c := range codes {
		if code == c {
			return stdout, stderr, nil
		}
	}
	return "", "", fmt.Errorf("amqpfix %s: exit %d, want %v\n%s", flag, code, codes, stderr)
}

// diff returns the patch that amqpfix makes of the module in dir, and what it
// says about the sites that it leaves.
func (d *demo) diff(ctx context.Context, dir string) (patch, said string, err error) {
	patch, said, err = d.amqpfix(ctx, dir, "-diff", exitFindings)
	return patch, strings.TrimSpace(said), err
}

// patchCopy applies a patch with git to a copy of the shop and returns what
// became of it.
func (d *demo) patchCopy(ctx context.Context, patch string) (tree, error) {
	dir, err := d.copyShop(ctx, "patched")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(d.dir, "amqpfix.patch")
	if err := os.WriteFile(name, []byte(patch), 0o666); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"apply", "--check", name}, {"apply", name}} {
		if _, err := d.output(ctx, dir, "git", args...); err != nil {
			return nil, err
		}
	}
	return readTree(dir)
}

// fix rewrites the module in dir.
func (d *demo) fix(ctx context.Context, dir string) error {
	_, _, err := d.amqpfix(ctx, dir, "-fix", exitClean, exitFindings)
	return err
}

// report returns what amqpfix says about each call site of the module in dir.
func report(ctx context.Context, dir string) ([]site, error) {
	r, err := driver.Run(ctx, driver.Options{
		Dir:      dir,
		Patterns: []string{"./..."},
		Tests:    true,
		Env:      append(os.Environ(), "GOWORK=off"),
	})
	if err != nil {
		return nil, err
	}
	var sites []site
	for _, s := range r.Sites {
		file, err := filepath.Rel(dir, s.Pos.Filename)
		if err != nil {
			return nil, err
		}
		sites = append(sites, site{
			file:     filepath.ToSlash(file),
			line:     s.Pos.Line,
			tier:     string(s.Tier),
			category: s.Category,
			why:      s.Message,
		})
	}
	var errs []error
	for _, p := range r.Problems {
		errs = append(errs, fmt.Errorf("%s: %v", p.Pos, p))
	}
	return sites, errors.Join(errs...)
}
