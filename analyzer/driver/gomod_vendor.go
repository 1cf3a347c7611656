package driver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// isVendored reports whether the module has a vendor directory. From Go 1.14 on
// the go command takes dependencies from it, and has to find in it what go.mod
// says; before, that is a flag.
func isVendored(dir string) bool {
	fi, err := os.Stat(filepath.Join(dir, "vendor"))
	return err == nil && fi.IsDir()
}

// vendored reports whether the build may take dependencies from a vendor
// directory: that of the workspace, or of a module outside any.
func (r *run) vendored(dirs []string) bool {
	if r.work != nil {
		return r.work.vendored
	}
	return slices.ContainsFunc(dirs, isVendored)
}

// noteVendor notes in a journal which vendor directories follow the files.
func (r *run) noteVendor(j *journal) {
	if !r.opts.UpdateMod {
		return
	}
	for _, m := range r.modules {
		dir, err := filepath.EvalSymlinks(m.dir)
		if err == nil && m.vendored && slices.ContainsFunc(j.Files, func(e journalEntry) bool { return within(dir, j.absolute(e.Name)) }) {
			j.Vendor = append(j.Vendor, j.relative(dir))
		}
	}
	j.WorkVendor = r.workVendor
}

// vendor brings the vendor directories that a journal names up to date. It goes
// on when ctx ends: a tree between go.mod and vendor does not build.
func (b build) vendor(ctx context.Context, j *journal) error {
	ctx = context.WithoutCancel(ctx)
	for _, name := range j.Vendor {
		m := &goModule{dir: j.absolute(name)}
		if _, err := m.alone(b).goCommand(ctx, "mod", "vendor"); err != nil {
			return fmt.Errorf("all files are written, but vendor is not up to date; run go mod vendor in %s: %w", m.dir, err)
		}
	}
	if j.WorkVendor {
		b.dir = j.root
		if _, err := b.goCommand(ctx, "work", "vendor"); err != nil {
			return fmt.Errorf("all files are written, but vendor is not up to date; run go work vendor in %s: %w", b.dir, err)
		}
	}
	return nil
}
