package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// journalName is the journal's name in the directory of the module or
// workspace. It is there only while files are written, and after a crash.
const journalName = ".amqpfix-journal"

// A PendingError says that an earlier run was cut off while it wrote. A run in
// ModeFix completes it.
type PendingError struct {
	Journal string // absolute name of the journal
}

func (e *PendingError) Error() string {
	return fmt.Sprintf("an interrupted run has files left to write: run amqpfix -fix to complete it, or remove %s to leave them as they are", e.Journal)
}

// A journal holds all that a run is about to write.
type journal struct {
	root    string
	modules []string // real directories of the workspace's modules, which may lie outside root
	Version int
	Files   []journalEntry

	// What follows the files: vendor directories of modules, by the names of the
	// modules' directories, and that of the workspace.
	Vendor     []string `json:",omitempty"`
	WorkVendor bool     `json:",omitempty"`
}

// journalVersion is the format that this code writes and reads.
const journalVersion = 1

// A journalEntry is one file. Names are relative to the root, also those in a
// module outside, so that a tree can be moved, or mounted elsewhere, between the
// crash and the next run.
type journalEntry struct {
	Name      string
	Temporary string // where the new text is staged
	OldDigest string // SHA-256 of the text to replace; empty for a file to create
	NewDigest string // of New
	New       []byte

	mode fs.FileMode // of the file to replace
}

func newJournal(root string, files []File, modules ...string) *journal {
	j := &journal{root: root, modules: modules, Version: journalVersion}
	for _, f := range files {
		mode := fs.FileMode(0o644)
		if fi, err := os.Stat(f.Path); err == nil {
			mode = fi.Mode().Perm()
		}
		old := ""
		if f.Old != nil {
			old = digest(f.Old)
		}
		j.Files = append(j.Files, journalEntry{
			Name:      j.relative(f.Path),
			Temporary: j.relative(temporaryName(f.Path)),
			OldDigest: old,
			NewDigest: digest(f.New),
			New:       f.New,
			mode:      mode,
		})
	}
	return j
}

func (j *journal) relative(name string) string {
	if rel, err := filepath.Rel(j.root, name); err == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

func (j *journal) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(j.root, filepath.FromSlash(name))
}

func (j *journal) path() string { return filepath.Join(j.root, journalName) }

// save puts the journal on disk, whole or not at all.
func (j *journal) save() error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	tmp := j.path() + ".new"
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(tmp, data, 0o600); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	if err := os.Rename(tmp, j.path()); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	syncDir(j.root)
	return nil
}

// stage writes the new text of a file beside it.
func (j *journal) stage(e journalEntry) error {
	tmp := j.absolute(e.Temporary)
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) { // staged in part before
		return err
	}
	if err := writeSynced(tmp, e.New, e.mode); err != nil {
		return err
	}
	keepOwner(j.absolute(e.Name), tmp)
	return nil
}

// commit puts a staged file in place.
func (j *journal) commit(e journalEntry) error {
	return os.Rename(j.absolute(e.Temporary), j.absolute(e.Name))
}

// abandon takes back a write of which no file is in place.
func (j *journal) abandon() error {
	errs := j.removeStaged()
	if err := os.Remove(j.path()); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// finish ends a write of which all files are in place.
func (j *journal) finish() error {
	dirs := make(map[string]bool)
	for _, e := range j.Files {
		dirs[filepath.Dir(j.absolute(e.Name))] = true
	}
	for dir := range dirs {
		syncDir(dir) // the files are in place for good before the journal goes
	}
	errs := j.removeStaged()
	if err := os.Remove(j.path()); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (j *journal) removeStaged() []error {
	var errs []error
	for _, e := range j.Files {
		if err := os.Remove(j.absolute(e.Temporary)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errs
}

// pending returns a *PendingError when a run below root was cut off.
func pending(root string) error {
	name := filepath.Join(root, journalName)
	if _, err := os.Lstat(name); err == nil {
		return &PendingError{name}
	}
	return nil
}

// resume completes a run that was cut off and returns how many files were left
// to write. It writes nothing when one of them is neither the old nor the new.
func resume(ctx context.Context, b build, root string, modules ...string) (int, error) {
	name := filepath.Join(root, journalName)
	if err := os.Remove(name + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err // a journal that never came to stand
	}
	data, err := readJournal(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	j := &journal{root: root, modules: modules}
	if err := json.Unmarshal(data, j); err != nil {
		return 0, fmt.Errorf("%s is not a journal of amqpfix, remove it: %w", name, err)
	}
	if j.Version != journalVersion {
		return 0, fmt.Errorf("%s has version %d and this amqpfix reads %d: complete the run with the amqpfix that began it, or remove the journal", name, j.Version, journalVersion)
	}
	if err := j.vet(); err != nil {
		return 0, fmt.Errorf("%s is not one that amqpfix wrote here, remove it: %w", name, err)
	}
	var left []journalEntry
	for _, e := range j.Files {
		now, err := os.ReadFile(j.absolute(e.Name))
		is := digest(now)
		if errors.Is(err, fs.ErrNotExist) && e.OldDigest == "" {
			is = ""
		} else if err != nil {
			return 0, fmt.Errorf("completing an interrupted run: %w", err)
		}
		switch is {
		case e.NewDigest:
		case e.OldDigest:
			left = append(left, e)
		default:
			return 0, fmt.Errorf("%s was changed after a run was interrupted: remove %s to leave the other files as they are", j.absolute(e.Name), name)
		}
	}
	for _, e := range left {
		if err := j.stage(e); err != nil {
			return 0, fmt.Errorf("completing an interrupted run: %w", err)
		}
		if err := j.commit(e); err != nil {
			return 0, fmt.Errorf("completing an interrupted run: %w", err)
		}
	}
	if err := b.vendor(ctx, j); err != nil {
		return len(left), errors.Join(err, j.finish())
	}
	return len(left), j.finish()
}
