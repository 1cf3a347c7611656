package driver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readJournal returns the text of a journal. A journal comes with the tree, so
// it is believed only where it is a private file of this user.
func readJournal(name string) ([]byte, error) {
	before, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file, so not a journal of amqpfix: remove it", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, fi) {
		return nil, fmt.Errorf("%s was changed while amqpfix ran", name)
	}
	if !isPrivate(fi) {
		return nil, fmt.Errorf("%s is not a file of this user with mode 0600, so not a journal that this user's amqpfix wrote: remove it", name)
	}
	return io.ReadAll(f)
}

// vet makes sure that a journal names nothing but what a run could have been
// writing, and notes the modes of the files.
func (j *journal) vet() error {
	root, err := filepath.EvalSymlinks(j.root)
	if err != nil {
		return err
	}
	dirs := append([]string{root}, j.modules...)
	for _, name := range j.Vendor {
		if !slices.Contains(dirs, filepath.Join(root, filepath.FromSlash(name))) {
			return fmt.Errorf("%q is not the directory of a module", name)
		}
	}
	seen := make(map[string]bool)
	for i := range j.Files {
		e := &j.Files[i]
		if err := e.vet(root, dirs); err != nil {
			return err
		}
		if seen[e.Name] || seen[e.Temporary] {
			return fmt.Errorf("%q is there twice", e.Name)
		}
		seen[e.Name], seen[e.Temporary] = true, true
	}
	return nil
}

// vet vets an entry of a journal in root, whose files are in and below dirs.
func (e *journalEntry) vet(root string, dirs []string) error {
	name, tmp := filepath.FromSlash(e.Name), filepath.FromSlash(e.Temporary)
	for _, n := range []string{name, tmp} {
		full := filepath.Join(root, n)
		in := slices.IndexFunc(dirs, func(dir string) bool { return within(dir, full) })
		if in < 0 || filepath.IsAbs(n) || filepath.Clean(n) != n {
			return fmt.Errorf("%q is not below %s, nor in a module that go.work lists", n, root)
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(full))
		if err != nil {
			return err
		}
		if dir != filepath.Dir(full) {
			return fmt.Errorf("%q goes through a link", n)
		}
	}
	if !filepath.IsLocal(name) && filepath.Ext(name) != ".go" && !slices.Contains([]string{"go.mod", "go.sum"}, filepath.Base(name)) {
		return fmt.Errorf("%q is not of Go", e.Name)
	}
	elements := strings.Split(e.Name, "/")
	if slices.ContainsFunc(elements, func(s string) bool { return strings.EqualFold(s, ".git") }) {
		return fmt.Errorf("%q belongs to git", e.Name)
	}
	if filepath.Dir(name) != filepath.Dir(tmp) || !strings.HasPrefix(filepath.Base(tmp), ".amqpfix-") || filepath.Base(tmp) == journalName {
		return fmt.Errorf("%q is not a temporary name for %q", e.Temporary, e.Name)
	}
	if digest(e.New) != e.NewDigest {
		return fmt.Errorf("the new text of %q is not that of its digest", e.Name)
	}
	fi, err := os.Lstat(filepath.Join(root, name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && e.OldDigest == "" && filepath.Base(name) == "go.sum":
		e.mode = 0o644
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%q is not a regular file", e.Name)
	default:
		e.mode = fi.Mode().Perm()
	}
	fi, err = os.Lstat(filepath.Join(root, tmp))
	if err == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file", e.Temporary)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}
