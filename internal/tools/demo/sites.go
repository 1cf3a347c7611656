package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// site is one publish call of the shop and what has to become of it.
type site struct {
	id       string
	file     string // slash-separated, from the root of the module
	line     int
	tier     string // fold, value or left
	category string // why it is left; else empty
	why      string
}

func (s site) where() string { return fmt.Sprintf("%s:%d", s.file, s.line) }

func (s site) outcome() string {
	if s.category == "" {
		return s.tier
	}
	return s.tier + " " + s.category
}

// readSites reads a SITES.tsv file.
func readSites(name string) ([]site, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sites, err := parseSites(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return sites, nil
}

// parseSites reads sites, one a line, in five columns: id, file:line, tier,
// category or "-", why. Lines that start with # are comments. An error starts
// with the number of the line.
func parseSites(r io.Reader) ([]site, error) {
	var sites []site
	seen := make(map[string]int)
	scanner := bufio.NewScanner(r)
	for n := 1; scanner.Scan(); n++ {
		line := scanner.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s, err := parseSite(line)
		if err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		for _, key := range []string{s.id, s.where()} {
			if first := seen[key]; first != 0 {
				return nil, fmt.Errorf("%d: %s stands in line %d already", n, key, first)
			}
			seen[key] = n
		}
		sites = append(sites, s)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	if len(sites) == 0 {
		return nil, errors.New("1: no sites")
	}
	return sites, nil
}

func parseSite(line string) (site, error) {
	columns := strings.Split(line, "\t")
	if len(columns) != 5 {
		return site{}, fmt.Errorf("%d columns, want 5: id, file:line, tier, category, why", len(columns))
	}
	for i, c := range columns {
		if strings.TrimSpace(c) == "" {
			return site{}, fmt.Errorf("column %d is empty", i+1)
		}
	}
	s := site{id: columns[0], tier: columns[2], why: columns[4]}
	file, number, ok := strings.Cut(columns[1], ":")
	line64, err := strconv.ParseUint(number, 10, 31)
	if !ok || err != nil || line64 == 0 {
		return site{}, fmt.Errorf("place %q, want file:line", columns[1])
	}
	s.file, s.line = file, int(line64)
	if columns[3] != "-" {
		s.category = columns[3]
	}
	switch s.tier {
	case "fold", "value":
		if s.category != "" {
			return site{}, fmt.Errorf("tier %s with category %q, want -", s.tier, s.category)
		}
	case "left":
		if s.category == "" {
			return site{}, errors.New("tier left without a category")
		}
	default:
		return site{}, fmt.Errorf("tier %q, want fold, value or left", s.tier)
	}
	return s, nil
}

// checkSites compares what was decided by hand with what amqpfix reports.
func checkSites(want, got []site) error {
	var errs []error
	byPlace := make(map[string]site)
	for _, s := range got {
		byPlace[s.where()] = s
	}
	for _, w := range want {
		g, ok := byPlace[w.where()]
		delete(byPlace, w.where())
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s at %s: amqpfix reports no call site there", w.id, w.where()))
		case g.outcome() != w.outcome():
			errs = append(errs, fmt.Errorf("%s at %s: SITES.tsv says %s (%s), amqpfix says %s (%s)",
				w.id, w.where(), w.outcome(), w.why, g.outcome(), g.why))
		}
	}
	rest := slices.SortedFunc(maps.Values(byPlace), func(a, b site) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, g := range rest {
		errs = append(errs, fmt.Errorf("%s: amqpfix reports a call site (%s) that SITES.tsv does not have", g.where(), g.outcome()))
	}
	return errors.Join(errs...)
}

// checkRemaining compares the sites that amqpfix reports after it has rewritten a
// module with those that it should have left. Their lines may have moved.
func checkRemaining(sites, remaining []site) error {
	var want, got []string
	for _, s := range sites {
		if s.tier == "left" {
			want = append(want, s.file+": "+s.outcome())
		}
	}
	for _, s := range remaining {
		got = append(got, s.file+": "+s.outcome())
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		return fmt.Errorf("call sites that remain:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return nil
}

// checkHeadings returns an error unless the file name, MIGRATION.md, has a section
// for each reason why a site is left.
func checkHeadings(name string, sites []site) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	var errs []error
	for _, s := range sites {
		if heading := "### " + s.category; s.category != "" && !slices.Contains(lines, heading) {
			errs = append(errs, fmt.Errorf("%s has no heading %q, which %s at %s needs", name, heading, s.id, s.where()))
		}
	}
	return errors.Join(errs...)
}

// siteOf returns the id of the site that published m; SITES.tsv says where a
// message carries it.
func siteOf(m amqptest.Published) string {
	if typ := m.Properties.Type(); typ != "" {
		return typ
	}
	if id := m.Properties.MessageId(); id != "" {
		id, _, _ = strings.Cut(id, "#")
		return id
	}
	id, _, _ := strings.Cut(string(m.Body), " ")
	return id
}

// printSites prints what became of each site, and in short how many.
func (d *demo) printSites() {
	w := tabwriter.NewWriter(d.out, 0, 8, 2, ' ', 0)
	titles := map[string]string{"fold": "folded", "value": "by value", "left": "left"}
	rewritten := 0
	for _, s := range d.sites {
		if s.tier != "left" {
			rewritten++
		}
		fmt.Fprintf(w, "%s\t%s\t%s", s.id, s.where(), titles[s.tier])
		if s.category != "" {
			fmt.Fprintf(w, ": %s", s.category)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	d.say("")
	d.say("%d of %d rewritten, %d %%.", rewritten, len(d.sites), 100*rewritten/len(d.sites))
}
