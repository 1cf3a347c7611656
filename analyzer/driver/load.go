package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A build is a build configuration and the place where the go command runs.
type build struct {
	dir   string
	env   []string
	tags  []string
	tests bool

	mod     string            // the -mod flag, where the go command's own choice does not do
	modules map[string][]byte // go.mod and go.sum files that are not those on disk
}

const (
	// listMode is what one cheap go list gives: nothing is compiled.
	listMode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedModule | packages.NeedForTest

	// sourceMode adds what type-checking from source needs. Nothing is compiled,
	// but cgo runs.
	sourceMode = listMode | packages.NeedCompiledGoFiles | packages.NeedTypesSizes
)

// load runs go list over patterns.
func (b build) load(ctx context.Context, mode packages.LoadMode, patterns ...string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(b.config(ctx, mode), patterns...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.New(oneLine(strings.TrimPrefix(err.Error(), "err: ")))
	}
	return pkgs, nil
}

func (b build) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	cfg := &packages.Config{
		Context: ctx,
		Mode:    mode,
		Dir:     b.dir,
		Env:     b.env,
		Tests:   b.tests,
	}
	if len(b.tags) > 0 {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+strings.Join(b.tags, ","))
	}
	if b.mod != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-mod="+b.mod)
	}
	cfg.Overlay = b.modules
	return cfg
}

// mainModules returns the paths of the module, or of the workspace's modules.
func (b build) mainModules(ctx context.Context) ([]string, error) {
	out, err := b.goCommand(ctx, "list", "-m", "-f", "{{.Path}}")
	return strings.Fields(string(out)), err
}

// goCommand runs the go command and returns what it prints.
func (b build) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.dir
	cmd.Env = append(slices.Clip(b.env), "PWD="+b.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		if stderr.Len() > 0 {
			return nil, errors.New(oneLine(stderr.String()))
		}
		return nil, fmt.Errorf("running go %s: %w", args[0], err)
	}
	return out, nil
}

// goEnv is the part of go env that a run needs.
type goEnv struct {
	GOMOD, GOWORK, GOMODCACHE, GOOS, GOARCH, GOFLAGS, CGO_ENABLED, GOVERSION string
}

// goEnv asks the go command where the module is and what it builds for. It
// turns a workspace off that does not list the module.
func (b *build) goEnv(ctx context.Context) (goEnv, error) {
	e, err := b.readEnv(ctx)
	if err != nil {
		return e, b.whyNoGo(ctx, err)
	}
	if flags, ok := e.readOnlyFlags(); ok {
		b.env = append(slices.Clip(b.env), "GOFLAGS="+flags)
	}
	if e.GOWORK == "off" {
		e.GOWORK = ""
	}
	if e.root() == "" {
		return e, fmt.Errorf("no go.mod in %s or a directory above it: run amqpfix inside a module, or name one with -C", b.dir)
	}
	if e.GOWORK != "" && filepath.Base(e.GOMOD) == "go.mod" {
		listed, err := e.usesWork()
		if err != nil {
			return e, err
		}
		if !listed {
			e.GOWORK = ""
			b.env = append(slices.Clip(b.env), "GOWORK=off")
		}
	}
	if flag := e.modfileFlag(); flag != "" {
		return e, fmt.Errorf("GOFLAGS has %s, and amqpfix loads packages by go.mod: run it without that flag", flag)
	}
	return e, e.checkGo(runtime.Version())
}

func (b build) readEnv(ctx context.Context) (goEnv, error) {
	var e goEnv
	out, err := b.goCommand(ctx, "env", "-json", "GOMOD", "GOWORK", "GOMODCACHE", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "GOVERSION")
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(out, &e); err != nil {
		return e, fmt.Errorf("reading go env: %w", err)
	}
	return e, nil
}

// usesWork reports whether go.work lists the module. The go command builds
// nothing in a module that the workspace around it does not list.
func (e goEnv) usesWork() (bool, error) {
	work, err := readWorkspace(e.GOWORK)
	if err != nil {
		return false, err
	}
	module, err := os.Stat(filepath.Dir(e.GOMOD))
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(work.modules(), func(dir string) bool {
		listed, err := os.Stat(dir)
		return err == nil && os.SameFile(listed, module)
	}), nil
}

// root is the directory of the workspace, else of the module; "" for neither.
func (e goEnv) root() string {
	if e.GOWORK != "" {
		return filepath.Dir(e.GOWORK)
	}
	// The go command says os.DevNull for a directory outside any module.
	if filepath.Base(e.GOMOD) == "go.mod" {
		return filepath.Dir(e.GOMOD)
	}
	return ""
}

// readOnlyFlags returns GOFLAGS without -mod=mod, under which looking at packages
// changes go.mod and go.sum, and whether it was there.
func (e goEnv) readOnlyFlags() (string, bool) {
	flags := strings.Fields(e.GOFLAGS)
	n := len(flags)
	flags = slices.DeleteFunc(flags, func(flag string) bool {
		return strings.TrimLeft(strings.Trim(flag, `'"`), "-") == "mod=mod"
	})
	return strings.Join(flags, " "), len(flags) < n
}

// modfileFlag returns the flag of GOFLAGS that has the go command use another file
// than go.mod, "" for none.
func (e goEnv) modfileFlag() string {
	for _, flag := range strings.Fields(e.GOFLAGS) {
		if flag = strings.Trim(flag, `'"`); strings.HasPrefix(strings.TrimLeft(flag, "-"), "modfile=") {
			return flag
		}
	}
	return ""
}

// tags are the build tags that GOFLAGS sets.
func (e goEnv) tags() []string {
	var tags []string
	for _, flag := range strings.Fields(e.GOFLAGS) {
		flag = strings.Trim(flag, `'"`)
		if v, ok := strings.CutPrefix(strings.TrimPrefix(flag, "-"), "-tags="); ok {
			flag = v
		} else if v, ok := strings.CutPrefix(flag, "-tags="); ok {
			flag = v
		} else {
			continue
		}
		tags = strings.FieldsFunc(flag, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return tags
}

// basePath is the import path of the package that a variant belongs to: "p" for
// p, p [p.test] and p_test.
func basePath(p *packages.Package) string {
	if p.ForTest != "" {
		return p.ForTest
	}
	return p.PkgPath
}

// isTestMain reports whether p is the main package that go test generates.
func isTestMain(p *packages.Package) bool {
	return p.Name == "main" && strings.HasSuffix(p.ID, ".test") && p.ForTest == "" &&
		!slices.ContainsFunc(p.GoFiles, func(f string) bool { return filepath.Dir(f) == p.Dir })
}

// isCommandLine reports whether p stands for files named as patterns.
func isCommandLine(p *packages.Package) bool {
	return basePath(p) == "command-line-arguments"
}

// inMain reports whether p belongs to a main module.
func inMain(p *packages.Package) bool {
	return p.Module != nil && p.Module.Main || isCommandLine(p)
}

// patternError returns what is wrong with the pattern that p stands for, when
// p is not a package but go list's way to say so.
func patternError(p *packages.Package) error {
	if len(p.Errors) == 0 || len(p.GoFiles) > 0 || len(p.IgnoredFiles) > 0 || p.Name != "" {
		return nil
	}
	msg := oneLine(p.Errors[0].Msg)
	if !strings.HasPrefix(msg, "pattern ") {
		msg = p.PkgPath + ": " + msg
	}
	return fmt.Errorf("cannot load %s", msg)
}
