package driver

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Diff returns the change as a patch in git's format.
//
// File names in it are relative to the top of the git work tree, as git wants
// them, so git apply takes it in any directory of the work tree that contains
// the files; outside git they are relative to Options.Dir.
func (f File) Diff() []byte {
	oldName, newName := quoteName("a/"+f.Name), quoteName("b/"+f.Name)
	unified := udiff.Unified("old", "new", string(f.Old), string(f.New))
	_, hunks, ok := strings.Cut(unified, "\n+++ new\n")
	if !ok {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "diff --git %s %s\n", oldName, newName)
	if f.Old == nil {
		fmt.Fprintf(&b, "new file mode 100644\n--- /dev/null\n")
	} else {
		fmt.Fprintf(&b, "--- %s\n", withTab(oldName))
	}
	fmt.Fprintf(&b, "+++ %s\n%s", withTab(newName), hunks)
	return b.Bytes()
}

// Diff returns the changes of all files as one patch.
func (r Report) Diff() []byte {
	var b bytes.Buffer
	for _, f := range r.Files {
		b.Write(f.Diff())
	}
	return b.Bytes()
}

// quoteName writes a file name as git does, in C's quotes when it holds a
// control character, a quote or a backslash.
func quoteName(name string) string {
	if !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' || c == 0x7f }) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// withTab ends a name that has a space with a tab, which tells readers of the
// patch where it ends.
func withTab(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// patchName returns the name of a file in a patch.
func patchName(file, dir string) string {
	top := gitTop(filepath.Dir(file))
	if top == "" {
		top = dir
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			top = real
		}
	}
	rel, err := filepath.Rel(top, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}
