// Apigolden records the exported API of packages in golden files, one a package,
// so that a change of the API shows in review as a change of lines.
//
// Usage:
//
//	apigolden [-check] [-dir api] [packages]
//
// The packages default to ./...; commands and packages under internal are left
// out. The folder mirrors the packages: files of others in it are stale. A
// package's file is named after its path in its module, with dashes for slashes.
//
// Without -check, the files are written. With -check nothing is; differences are
// printed as a unified diff. Either way, every exported identifier of the
// packages must have a doc comment.
//
// The exit status is 0 if all is well, 1 if files differ, a comment is missing
// or something failed, and 2 for a wrong command line.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/packages"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("apigolden", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "compare the files instead of writing them")
	dir := flags.String("dir", "api", "`folder` of the golden files")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "apigolden: %v\n", err)
		return 1
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	pkgs, err := load(patterns)
	if err != nil {
		return fail(err)
	}
	golden := make(map[string]string) // content by file name
	status := 0
	for _, pkg := range pkgs {
		golden[fileName(pkg)] = content(pkg)
		for _, problem := range undocumented(pkg) {
			fmt.Fprintln(stderr, problem)
			status = 1
		}
	}
	apply := write
	if *check {
		apply = func(file, old, new string) error {
			fmt.Fprint(stdout, udiff.Unified(file, "the source", old, new))
			status = 1
			return nil
		}
	}
	if err := forEachDifference(*dir, golden, apply); err != nil {
		return fail(err)
	}
	if *check && status != 0 {
		fmt.Fprintln(stderr, "apigolden: the API differs from its golden files or lacks comments; make api records an intended change")
	}
	return status
}

// load loads the packages that have an API: neither commands nor internal.
func load(patterns []string) ([]*packages.Package, error) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule |
		packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}
	all, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	var pkgs []*packages.Package
	for _, pkg := range all {
		if pkg.Name == "main" || slices.Contains(strings.Split(pkg.PkgPath, "/"), "internal") {
			continue
		}
		for _, e := range pkg.Errors {
			err = errors.Join(err, e)
		}
		if len(pkg.GoFiles) > 0 { // else it has nothing but tests
			pkgs = append(pkgs, pkg)
		}
	}
	if err == nil && len(pkgs) == 0 {
		err = fmt.Errorf("no package with an API matches %s", strings.Join(patterns, " "))
	}
	return pkgs, err
}

// fileName returns the name of pkg's golden file.
func fileName(pkg *packages.Package) string {
	path := pkg.PkgPath
	if pkg.Module != nil {
		path = strings.TrimPrefix(strings.TrimPrefix(path, pkg.Module.Path), "/")
	}
	if path == "" {
		path = pkg.Name
	}
	return strings.ReplaceAll(path, "/", "-") + ".txt"
}

// content returns what pkg's golden file holds.
func content(pkg *packages.Package) string {
	return "# The exported API of " + pkg.PkgPath + ". make api writes this file.\n" +
		strings.Join(describe(pkg.Types), "\n") + "\n"
}

// forEachDifference calls do for each file of dir that is not as golden says, in
// order of names. A missing file is as an empty one, and so is new for a stale
// one.
func forEachDifference(dir string, golden map[string]string, do func(file, old, new string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	names := make(map[string]bool)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".txt") {
			names[e.Name()] = true
		}
	}
	for name := range golden {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		file := filepath.Join(dir, name)
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if string(old) != golden[name] {
			if err := do(file, string(old), golden[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes new to file, or removes the file if there is nothing to write.
func write(file, _, new string) error {
	if new == "" {
		return os.Remove(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(new), 0o666)
}
