package driver

import (
	"bytes"
	"cmp"
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

// A DirtyError names files that a run would change and that have changes of
// their own, by git: modified, staged or not added yet. Nothing was written.
type DirtyError struct {
	Files []string // absolute, sorted
}

func (e *DirtyError) Error() string {
	return "uncommitted changes, nothing was written (commit them, or use -force): " + strings.Join(e.Files, ", ")
}

// refuseDirty returns a *DirtyError when git would not give a file back. Files
// outside any git work tree, and those that git ignores, are the user's own
// business.
func (r *run) refuseDirty(files []File) error {
	if r.opts.Force {
		return nil
	}
	byTop := make(map[string][]string)
	for _, f := range files {
		if top := gitTop(filepath.Dir(f.Path)); top != "" {
			byTop[top] = append(byTop[top], f.Path)
		}
	}
	var dirty []string
	for _, top := range sortedKeys(byTop) {
		changed, err := r.gitStatus(top, byTop[top])
		if err != nil {
			return fmt.Errorf("cannot tell which files have uncommitted changes (use -force to go on without): %w", err)
		}
		dirty = append(dirty, changed...)
	}
	if len(dirty) > 0 {
		slices.Sort(dirty)
		return &DirtyError{slices.Compact(dirty)} // git names one that is half-merged, or gone from the index, twice
	}
	return nil
}

// gitTop returns the top of the git work tree that dir is in, "" for none.
func gitTop(dir string) string { return above(dir, ".git") }

// above returns the innermost directory around dir, or dir itself, that has what the
// name says, "" for none.
func above(dir, name string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// gitStatus returns those of files that git does not call unchanged.
func (r *run) gitStatus(top string, files []string) ([]string, error) {
	var dirty []string
	for chunk := range slices.Chunk(files, 500) { // below any limit on arguments
		args := []string{"--literal-pathspecs", "--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--"}
		for _, f := range chunk {
			rel, err := filepath.Rel(top, f)
			if err != nil {
				return nil, err
			}
			args = append(args, filepath.ToSlash(rel))
		}
		cmd := exec.CommandContext(r.ctx, "git", args...)
		cmd.Dir = top
		cmd.Env = r.opts.Env
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
		if err != nil {
			return nil, errors.New(oneLine(cmp.Or(stderr.String(), err.Error())))
		}
		for entry := range strings.SplitSeq(string(out), "\x00") {
			if len(entry) > 3 { // two letters, a space, the name
				dirty = append(dirty, filepath.Join(top, filepath.FromSlash(entry[3:])))
			}
		}
	}
	return dirty, nil
}
