package driver

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A ReadOnlyError names files that a run would have to write and may not.
// Nothing was written.
type ReadOnlyError struct {
	Files []string // absolute, sorted
}

func (e *ReadOnlyError) Error() string {
	return "read-only, nothing was written: " + strings.Join(e.Files, ", ")
}

// write puts files on disk. Every file is the old or the new one at any
// moment; the journal lets a later run complete what a crash cuts off. Until
// the journal stands, ctx ends the write; from then on it goes through.
func (r *run) write(files []File) error {
	if err := r.refuseDirty(files); err != nil {
		return err
	}
	if err := checkWritable(files); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return context.Cause(r.ctx)
	}
	j := newJournal(r.place.root, files, r.place.modules...)
	r.noteVendor(j)
	if err := j.vet(); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	if err := j.save(); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	steps := 2 * len(files)
	for i, e := range j.Files {
		r.opts.progress("writing", i, steps)
		if err := j.stage(e); err != nil {
			return errors.Join(fmt.Errorf("nothing was written: %w", err), j.abandon())
		}
	}
	for i, e := range j.Files {
		r.opts.progress("writing", len(files)+i, steps)
		if err := j.commit(e); err != nil {
			return fmt.Errorf("%d of %d files are written, run amqpfix -fix again for the rest: %w", i, len(files), err)
		}
	}
	r.opts.progress("writing", steps, steps)
	if err := r.base.vendor(r.ctx, j); err != nil {
		return errors.Join(err, j.finish())
	}
	return j.finish()
}

// checkWritable makes sure, before the first write, that all files can be
// written and still have the text that the run read.
func checkWritable(files []File) error {
	var readOnly []string
	for _, f := range files {
		fi, err := os.Lstat(f.Path)
		if errors.Is(err, fs.ErrNotExist) && f.Old == nil {
			continue // to be created
		}
		if err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
		if !fi.Mode().IsRegular() {
			return fmt.Errorf("nothing was written: %s is not a regular file", f.Path)
		}
		if fi.Mode().Perm()&0o222 == 0 { // holds for root too, whom the kernel lets write
			readOnly = append(readOnly, f.Path)
			continue
		}
		w, err := os.OpenFile(f.Path, os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrPermission) {
			readOnly = append(readOnly, f.Path)
			continue
		}
		if err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
		w.Close()
		now, err := os.ReadFile(f.Path)
		if err != nil {
			return fmt.Errorf("nothing was written: %w", err)
		}
		if f.Old == nil || !bytes.Equal(now, f.Old) {
			return fmt.Errorf("nothing was written: %s was changed while amqpfix ran", f.Path)
		}
	}
	if len(readOnly) > 0 {
		return &ReadOnlyError{readOnly}
	}
	return nil
}

// writeSynced creates a file, which must not be there, and returns once its
// bytes are with the disk.
func writeSynced(name string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode) // not subject to the umask
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes renames in a directory durable where the system can.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // some file systems refuse; the rename is still atomic
		d.Close()
	}
}

// temporaryName returns a name beside file that the go command ignores.
func temporaryName(file string) string {
	return filepath.Join(filepath.Dir(file), ".amqpfix-"+rand.Text())
}

func digest(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
