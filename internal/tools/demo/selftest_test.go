package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every alteration can be made in the shop, and is of a site that there is.
func TestAlterationsFitTheShop(t *testing.T) {
	ids := make(map[string]bool)
	for _, s := range shopSites(t) {
		ids[s.id] = true
	}
	for _, a := range alterations {
		if !ids[a.site] {
			t.Errorf("%s: no site %s in SITES.tsv", a.what, a.site)
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(shopPath(t, "."))); err != nil {
			t.Fatal(err)
		}
		before, err := readTree(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.apply(dir); err != nil {
			t.Errorf("%s: %v", a.what, err)
			continue
		}
		after, err := readTree(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := errorText(sameTrees(before, after)), "files differ: "+a.file; got != want {
			t.Errorf("%s: %q, want %q", a.what, got, want)
		}
		if err := a.apply(dir); err == nil {
			t.Errorf("%s: made a second time without an error", a.what)
		}
	}
}

func TestApplyRefusesTextThatStandsTwice(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.go")
	if err := os.WriteFile(name, []byte("1 1"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := alteration{what: "a number", file: "x.go", old: "1", new: "2"}.apply(dir)
	if want := "cannot alter a number: x.go has 1 2 times, want once"; errorText(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if text, _ := os.ReadFile(name); string(text) != "1 1" {
		t.Errorf("the file was changed to %q", text)
	}
}

func TestNoticedWantsTheAlteredSiteAndNoOther(t *testing.T) {
	a := alteration{site: "a"}
	tests := []struct {
		name  string
		found error
		err   string
	}{
		{"one difference", errors.New("site a: body"), ""},
		{"two in the site", errors.New("site a: body\nsite a: missing"), ""},
		{"none", nil, "the messages still count as equal"},
		{"another site", errors.New("site b: body"), "only site a was altered, but: site b: body"},
		{"another site too", errors.New("site a: body\nsite ab: body"), "only site a was altered, but: site ab: body"},
		{"no site", errors.New("the recording after is empty"), "only site a was altered, but: the recording after is empty"},
	}
	for _, tt := range tests {
		if got := errorText(a.noticed(tt.found)); got != tt.err {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.err)
		}
	}
}

func TestSameTrees(t *testing.T) {
	a := tree{"x.go": "1", "y.go": "2"}
	tests := []struct {
		b    tree
		want string
	}{
		{tree{"x.go": "1", "y.go": "2"}, ""},
		{tree{"x.go": "1", "y.go": "3"}, "files differ: y.go"},
		{tree{"x.go": "1"}, "files differ: y.go"},
		{tree{"x.go": "1", "y.go": "2", "z.go": ""}, "files differ: z.go"},
	}
	for _, tt := range tests {
		if got := errorText(sameTrees(a, tt.b)); got != tt.want {
			t.Errorf("sameTrees(a, %v) = %q, want %q", tt.b, got, tt.want)
		}
	}
	if err := sameTrees(a, nil); err == nil || !strings.Contains(err.Error(), "x.go, y.go") {
		t.Errorf("sameTrees(a, nil) = %v, want both files named", err)
	}
}
