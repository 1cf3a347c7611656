package driver

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// git runs git in dir, away from any configuration of the machine.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// committed makes dir a git work tree with all of it committed.
func committed(t testing.TB, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "all")
}

func TestDirtyFilesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name  string
		dirty func(t *testing.T, dir string)
		want  []string
	}{
		{"clean", func(*testing.T, string) {}, nil},
		{"modified", func(t *testing.T, dir string) { touch(t, dir, "b/b.go") }, []string{"b/b.go"}},
		{"staged", func(t *testing.T, dir string) { touch(t, dir, "b/b.go"); git(t, dir, "add", "b/b.go") }, []string{"b/b.go"}},
		{"not added", func(t *testing.T, dir string) {
			git(t, dir, "rm", "-q", "--cached", "b/b.go")
			git(t, dir, "commit", "-qm", "gone")
		}, []string{"b/b.go"}},
		{"removed from the index", func(t *testing.T, dir string) {
			git(t, dir, "rm", "-q", "--cached", "b/b.go")
		}, []string{"b/b.go"}},
		{"both", func(t *testing.T, dir string) { touch(t, dir, "b/b.go"); touch(t, dir, "a/a.go") }, []string{"a/a.go", "b/b.go"}},
		{"another file", func(t *testing.T, dir string) { touch(t, dir, "old/old.go") }, nil},
		{"ignored", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("b/\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "rm", "-q", "--cached", "b/b.go")
		}, []string{"b/b.go"}}, // its removal is staged
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, twoFiles)
			committed(t, dir)
			tt.dirty(t, dir)
			_, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
			var dirty *DirtyError
			if !errors.As(err, &dirty) {
				if tt.want != nil || err != nil {
					t.Fatalf("error %v", err)
				}
				return
			}
			var got []string
			for _, f := range dirty.Files {
				got = append(got, strings.TrimPrefix(f, dir+"/"))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("dirty %q, want %q", got, tt.want)
			}
			if got := readFile(t, dir, "a/a.go"); !strings.Contains(got, "const C = 1\n") {
				t.Errorf("a was written:\n%s", got)
			}
			opts := testOptions(dir, ModeFix)
			opts.Force = true
			rep, err := runWith(t.Context(), opts, testTools())
			if err != nil || len(rep.Files) != 2 {
				t.Errorf("with Force: %v, %+v", err, rep.Files)
			}
		})
	}
}

func touch(t *testing.T, dir, name string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(readFile(t, name)+"\n// more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestBrokenRepositoryIsRefused(t *testing.T) {
	dir := writeTree(t, twoFiles)
	committed(t, dir)
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("nonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
	if err == nil || !strings.HasPrefix(err.Error(), "cannot tell which files have uncommitted changes (use -force to go on without): ") {
		t.Errorf("error %v", err)
	}
}

func TestGitTakesTheDiff(t *testing.T) {
	const text = "package a\n\nimport _ \"example.com/m/old\"\n\n//plan NAME \"= 1\" => \"= 2\"\nconst NAME = 1"
	files := map[string]string{
		"sub/a/plain.go":      strings.ReplaceAll(text, "NAME", "plain") + "\n",
		"sub/a/crlf.go":       strings.ReplaceAll(strings.ReplaceAll(text, "NAME", "crlf")+"\n", "\n", "\r\n"),
		"sub/a/bom.go":        "\ufeff" + strings.ReplaceAll(text, "NAME", "bom") + "\n",
		"sub/a/noeol.go":      strings.ReplaceAll(text, "NAME", "noeol"),
		"sub/a/name space.go": strings.ReplaceAll(text, "NAME", "space") + "\n",
		"sub/a/ünï.go":        strings.ReplaceAll(text, "NAME", "uni") + "\n",
	}
	for _, tt := range []struct {
		name   string
		module string // directory of go.mod
		apply  string // directory that git apply runs in
		git    bool
	}{
		{"at the top", ".", ".", true},
		{"in a module below the top", "sub", "sub", true},
		{"from the top", "sub", ".", true},
		{"outside git", "sub", "sub", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, "")
			if tt.module != "." {
				for _, name := range []string{"go.mod", "old"} {
					if err := errors.Join(os.MkdirAll(filepath.Join(dir, tt.module), 0o777), os.Rename(filepath.Join(dir, name), filepath.Join(dir, tt.module, name))); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := os.MkdirAll(filepath.Join(dir, "sub/a"), 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if tt.git {
				committed(t, dir)
			}
			rep, err := runWith(t.Context(), testOptions(filepath.Join(dir, tt.module), ModeDiff), testTools())
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Files) != len(files) || len(rep.Problems) > 0 {
				t.Fatalf("%d files, problems %+v", len(rep.Files), rep.Problems)
			}
			patch := filepath.Join(t.TempDir(), "patch")
			if err := os.WriteFile(patch, rep.Diff(), 0o666); err != nil {
				t.Fatal(err)
			}
			git(t, filepath.Join(dir, tt.apply), "apply", "--check", "--whitespace=nowarn", patch)
			git(t, filepath.Join(dir, tt.apply), "apply", "--whitespace=nowarn", patch)
			for _, f := range rep.Files {
				if got := readFile(t, f.Path); got != string(f.New) {
					t.Errorf("%s after git apply: %q, want %q", f.Path, got, f.New)
				}
			}
		})
	}
}

func TestQuoteName(t *testing.T) {
	for name, want := range map[string]string{
		"a/plain.go": "a/plain.go",
		"a/ü x.go":   "a/ü x.go",
		"a/\"\\\t":   `"a/\"\\\011"`,
	} {
		if got := quoteName(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
