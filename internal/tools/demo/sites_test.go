package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// shopPath returns the name of a file of the shop.
func shopPath(t *testing.T, name string) string {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, shopDir, filepath.FromSlash(name))
}

func shopSites(t *testing.T) []site {
	t.Helper()
	sites, err := readSites(shopPath(t, "SITES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	return sites
}

func TestParseSites(t *testing.T) {
	tests := []struct {
		name, in, want, err string
	}{
		{"comments and empty lines", "# site\twhere\n\na\tx.go:1\tfold\t-\tso\nb\ty/z.go:22\tleft\tstored\tfield\n",
			"[{a x.go 1 fold  so} {b y/z.go 22 left stored field}]", ""},
		{"no sites", "# nothing\n", "", "1: no sites"},
		{"a column too few", "a\tx.go:1\tfold\t-\n", "", "1: 4 columns, want 5: id, file:line, tier, category, why"},
		{"an empty column", "a\tx.go:1\tfold\t-\t \n", "", "1: column 5 is empty"},
		{"no line", "a\tx.go\tfold\t-\tso\n", "", `1: place "x.go", want file:line`},
		{"line 0", "a\tx.go:0\tfold\t-\tso\n", "", `1: place "x.go:0", want file:line`},
		{"unknown tier", "a\tx.go:1\tfolded\t-\tso\n", "", `1: tier "folded", want fold, value or left`},
		{"left for no reason", "a\tx.go:1\tleft\t-\tso\n", "", "1: tier left without a category"},
		{"folded for a reason", "a\tx.go:1\tfold\tstored\tso\n", "", `1: tier fold with category "stored", want -`},
		{"an id twice", "a\tx.go:1\tfold\t-\tso\n\na\tx.go:2\tfold\t-\tso\n", "", "3: a stands in line 1 already"},
		{"a place twice", "a\tx.go:1\tfold\t-\tso\nb\tx.go:1\tfold\t-\tso\n", "", "2: x.go:1 stands in line 1 already"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sites, err := parseSites(strings.NewReader(tt.in))
			if got := errorText(err); got != tt.err {
				t.Fatalf("error %q, want %q", got, tt.err)
			}
			if err == nil && fmt.Sprint(sites) != tt.want {
				t.Errorf("got  %v\nwant %s", sites, tt.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCheckSites(t *testing.T) {
	want := []site{
		{id: "a", file: "x.go", line: 1, tier: "fold", why: "plain"},
		{id: "b", file: "x.go", line: 2, tier: "left", category: "stored", why: "in a field"},
	}
	tests := []struct {
		name string
		got  []site
		err  string
	}{
		{"the same in another order", []site{
			{file: "x.go", line: 2, tier: "left", category: "stored"},
			{file: "x.go", line: 1, tier: "fold"},
		}, ""},
		{"another tier", []site{
			{file: "x.go", line: 1, tier: "value", why: "a loop"},
			{file: "x.go", line: 2, tier: "left", category: "stored"},
		}, "a at x.go:1: SITES.tsv says fold (plain), amqpfix says value (a loop)"},
		{"another category", []site{
			{file: "x.go", line: 1, tier: "fold"},
			{file: "x.go", line: 2, tier: "left", category: "escapes", why: "passed on"},
		}, "b at x.go:2: SITES.tsv says left stored (in a field), amqpfix says left escapes (passed on)"},
		{"one not reported, one too many", []site{
			{file: "x.go", line: 1, tier: "fold"},
			{file: "x.go", line: 3, tier: "fold"},
		}, "b at x.go:2: amqpfix reports no call site there\n" +
			"x.go:3: amqpfix reports a call site (fold) that SITES.tsv does not have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := errorText(checkSites(want, tt.got)); got != tt.err {
				t.Errorf("got  %s\nwant %s", got, tt.err)
			}
		})
	}
}

// published returns a message as a recording has it.
func published(t *testing.T, p newapi.BasicProperties, body string) amqptest.Published {
	t.Helper()
	properties, err := newapi.ReadOnly(p)
	if err != nil {
		t.Fatal(err)
	}
	return amqptest.Published{Connection: 1, Channel: 1, Properties: properties, Body: []byte(body)}
}

func TestSiteOf(t *testing.T) {
	tests := []struct {
		properties newapi.BasicProperties
		body, want string
	}{
		{newapi.BasicProperties{Type: "orders.paid", MessageId: "A-1"}, "body", "orders.paid"},
		{newapi.BasicProperties{MessageId: "prices.open#DE#1"}, "body", "prices.open"},
		{newapi.BasicProperties{MessageId: "prices.open"}, "body", "prices.open"},
		{newapi.BasicProperties{}, "prices.alive", "prices.alive"},
		{newapi.BasicProperties{}, "stock.flush all of it", "stock.flush"},
		{newapi.BasicProperties{}, "", ""},
	}
	for _, tt := range tests {
		if got := siteOf(published(t, tt.properties, tt.body)); got != tt.want {
			t.Errorf("siteOf(%+v, %q) = %q, want %q", tt.properties, tt.body, got, tt.want)
		}
	}
}

// SITES.tsv has every line of the shop that names BasicPublish, but for
// declarations, and no other.
func TestSitesAreThoseOfTheShop(t *testing.T) {
	listed := make(map[string]bool)
	for _, s := range shopSites(t) {
		listed[s.where()] = true
	}
	files, err := readTree(shopPath(t, "."))
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`\.BasicPublish\b`)
	for name, text := range files {
		if filepath.Ext(name) != ".go" {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			where := fmt.Sprintf("%s:%d", name, i+1)
			if call.MatchString(line) != listed[where] {
				t.Errorf("%s: in SITES.tsv %v, a site %v: %s", where, listed[where], !listed[where], strings.TrimSpace(line))
			}
			delete(listed, where)
		}
	}
	for where := range listed {
		t.Errorf("%s: in SITES.tsv, but there is no such line", where)
	}
}

// The shop is a fair example: large, spread over packages, and for the most part
// within reach.
func TestShopIsWorthADemo(t *testing.T) {
	packages := make(map[string]bool)
	rewritten, reasons, left := 0, make(map[string]bool), 0
	sites := shopSites(t)
	for _, s := range sites {
		packages[filepath.Dir(s.file)] = true
		if s.tier == "left" {
			left++
			reasons[s.category] = true
		} else {
			rewritten++
		}
	}
	if len(sites) < 25 || len(packages) < 6 {
		t.Errorf("%d sites in %d packages, want at least 25 in 6", len(sites), len(packages))
	}
	if 100*rewritten < 80*len(sites) {
		t.Errorf("%d of %d sites rewritten, want at least 80 %%", rewritten, len(sites))
	}
	if len(reasons) != left {
		t.Errorf("%d sites left for %d reasons, want each for another", left, len(reasons))
	}
}

func TestPrintSites(t *testing.T) {
	var out bytes.Buffer
	d := &demo{out: &out, sites: []site{
		{id: "a", file: "x.go", line: 1, tier: "fold"},
		{id: "bb", file: "y/z.go", line: 22, tier: "value"},
		{id: "c", file: "y/z.go", line: 3, tier: "left", category: "stored"},
	}}
	d.printSites()
	want := `a   x.go:1     folded
bb  y/z.go:22  by value
c   y/z.go:3   left: stored

2 of 3 rewritten, 66 %.
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestCheckRemaining(t *testing.T) {
	sites := []site{
		{file: "x.go", line: 1, tier: "fold"},
		{file: "x.go", line: 2, tier: "left", category: "stored"},
		{file: "a.go", line: 3, tier: "left", category: "escapes"},
	}
	moved := []site{
		{file: "x.go", line: 7, tier: "left", category: "stored"},
		{file: "a.go", line: 3, tier: "left", category: "escapes"},
	}
	if err := checkRemaining(sites, moved); err != nil {
		t.Errorf("got %v, want what is left accepted", err)
	}
	for name, remaining := range map[string][]site{
		"one gone":            moved[:1],
		"one not rewritten":   append(moved[:2:2], site{file: "x.go", line: 1, tier: "fold"}),
		"for another reason":  {moved[0], {file: "a.go", line: 3, tier: "left", category: "stored"}},
		"in another file":     {moved[0], {file: "b.go", line: 3, tier: "left", category: "escapes"}},
		"one twice, one gone": {moved[0], moved[0]},
	} {
		if checkRemaining(sites, remaining) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestCheckHeadings(t *testing.T) {
	name := filepath.Join(t.TempDir(), "MIGRATION.md")
	if err := os.WriteFile(name, []byte("# Migration\n\n### stored\n\nstored, escapes, #### captured\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	left := func(category string) []site {
		return []site{{id: "folded", tier: "fold"}, {id: "a", file: "x.go", line: 1, tier: "left", category: category}}
	}
	if err := checkHeadings(name, left("stored")); err != nil {
		t.Errorf("stored: %v, want its heading found", err)
	}
	for _, category := range []string{"escapes", "captured", "store"} {
		want := fmt.Sprintf("%s has no heading %q, which a at x.go:1 needs", name, "### "+category)
		if got := errorText(checkHeadings(name, left(category))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFindRootNamesWhatItLookedFor(t *testing.T) {
	if _, err := os.Stat(shopPath(t, "go.mod")); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if root, err := findRoot(); err == nil || !strings.Contains(err.Error(), "testdata/shop") {
		t.Errorf("findRoot outside a checkout = %q, %v; want an error that names testdata/shop", root, err)
	}
}
