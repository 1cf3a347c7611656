package driver

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A GoLine is a go line that goes up with what the rewritten code requires. It
// says which language version the files of a module have, and which GODEBUG
// defaults its programs.
type GoLine struct {
	File     string    // absolute name of the go.mod, or of the go.work, which says nothing about loops
	From, To string    // versions, as in "1.21"; From is that of a file without a go line where there is none
	Loops    []LoopVar // variables of loops that change meaning, by position
}

// A GoUpgradeError says that a go line would go up to 1.22 or beyond, that this
// changes what loops of the module mean, and that the options do not allow it.
// Nothing was written.
type GoUpgradeError struct {
	GoLines []GoLine // all that go up
}

func (e *GoUpgradeError) Error() string {
	var parts []string
	for _, g := range e.GoLines {
		for _, v := range g.Loops {
			parts = append(parts, fmt.Sprintf("%s:%d: %s", v.Pos.Filename, v.Pos.Line, v.Name))
		}
	}
	return "a higher go line changes what loops mean, nothing was written (use -allow-go-upgrade): " + strings.Join(parts, "; ")
}

// Versions of files without a go line, for the go command.
const (
	goModWithout  = "1.16"
	goWorkWithout = "1.18"
)

// goLine returns the version that a go.mod says.
func goLine(name string, text []byte) (string, error) {
	f, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		return "", errors.New(oneLine(err.Error()))
	}
	if f.Go == nil {
		return goModWithout, nil
	}
	return f.Go.Version, nil
}

// checkGo returns what is wrong when go.mod or go.work demands a Go that the go
// command is not, or that is newer than the one that this program was built with,
// which cannot type-check it.
func (e goEnv) checkGo(built string) error {
	var file, line string
	if e.GOWORK != "" {
		work, err := readWorkspace(e.GOWORK)
		if err != nil {
			return err
		}
		file, line = e.GOWORK, work.version()
	} else {
		text, err := os.ReadFile(e.GOMOD)
		if err != nil {
			return err
		}
		if file = e.GOMOD; len(text) > 0 {
			if line, err = goLine(file, text); err != nil {
				return err
			}
		}
	}
	want := "go" + line
	switch {
	case !version.IsValid(want):
		return nil // the go command says what is wrong with it
	case version.IsValid(e.GOVERSION) && version.Compare(want, e.GOVERSION) > 0:
		return fmt.Errorf("%s says go %s, and the go command is %s: install Go %s, or let the go command fetch it (GOTOOLCHAIN=auto)", file, line, e.GOVERSION, line)
	case version.IsValid(built) && version.Compare(version.Lang(want), version.Lang(built)) > 0:
		return fmt.Errorf("%s says go %s, and this program was built with %s, which does not know it: build it again with Go %s", file, line, built, line)
	}
	return nil
}

// whyNoGo returns a better error where the go command does not run because it
// cannot fetch the Go that go.mod demands.
func (b build) whyNoGo(ctx context.Context, err error) error {
	b.env = append(slices.Clip(b.env), "GOTOOLCHAIN=local")
	e, localErr := b.readEnv(ctx)
	if localErr != nil || e.root() == "" {
		return err
	}
	if why := e.checkGo(runtime.Version()); why != nil {
		return fmt.Errorf("%w; it tried: %w", why, err)
	}
	return err
}

// raised notes the go lines that go up, and what that does to loops.
func (r *run) raised() error {
	for _, m := range r.modules {
		if m.new == nil {
			continue
		}
		from, err := goLine(m.gomod(), m.old[m.gomod()])
		if err != nil {
			return err
		}
		to, err := goLine(m.gomod(), m.new[m.gomod()])
		if err != nil {
			return err
		}
		if version.Compare("go"+from, "go"+to) >= 0 {
			continue
		}
		loops, err := r.changedLoops(m.dir, "go"+from, "go"+to)
		if err != nil {
			return err
		}
		r.goLines = append(r.goLines, GoLine{m.gomod(), from, to, loops})
	}
	if r.workRaise != "" {
		r.goLines = append(r.goLines, GoLine{File: r.work.name, From: r.work.version(), To: r.workRaise})
	}
	return nil
}

// refuseLoops returns a *GoUpgradeError where loops change meaning and the
// options do not allow that.
func (r *run) refuseLoops() error {
	if r.opts.AllowGoUpgrade || r.opts.Mode == ModeReport {
		return nil
	}
	for _, g := range r.goLines {
		if len(g.Loops) > 0 {
			return &GoUpgradeError{r.goLines}
		}
	}
	return nil
}
