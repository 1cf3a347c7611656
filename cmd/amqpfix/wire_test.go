package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// runTimeout is how long the programs of a state may take together.
const runTimeout = 2 * time.Minute

// An alteration is a small mistake in the command of a migrated module. It must be
// noticed as a difference in what its site, and no other, publishes.
type alteration struct {
	what, site string
	old, new   string // old stands in the command's main.go once
}

// alter makes the alteration in the module, and returns it with the command built
// anew.
func (s *state) alter(t *testing.T, sites []oldSite) *state {
	t.Helper()
	altered := *s
	altered.name, altered.bin = "with "+s.altered.what+" altered", t.TempDir()
	name := filepath.Join(s.dir, "cmd", s.oldModule.name, "main.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), s.altered.old); n != 1 {
		t.Fatalf("%s: %s stands %d times in the command, want once", s.altered.what, s.altered.old, n)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), s.altered.old, s.altered.new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	altered.build(t, sites)
	return &altered
}

// build builds the programs that publish the messages of the sites.
func (s *state) build(t *testing.T, sites []oldSite) {
	t.Helper()
	for i, p := range programsOf(t, s.oldModule.name, sites) {
		args := slices.Concat([]string{"-C", filepath.Join(s.dir, p.dir)}, p.build[:1], []string{"-o", s.program(i)}, p.build[1:])
		s.goRun(t, args...)
	}
}

func (s *state) program(i int) string { return filepath.Join(s.bin, fmt.Sprintf("program%d.exe", i)) }

// A program publishes the messages of some sites.
type program struct {
	dir   string   // from the root of the module: where it is built, and runs
	build []string // arguments of the go command
	until []string // sites, of which one has published before the next program begins; none: it has ended
}

// programsOf returns the programs that SITES.tsv names, in its order.
func programsOf(t *testing.T, module string, sites []oldSite) (programs []program) {
	t.Helper()
	publishes := make(map[string][]string)
	for _, s := range sites {
		publishes[s.by] = append(publishes[s.by], s.id)
	}
	for _, s := range sites {
		if s.by == "-" || s.id != publishes[s.by][0] {
			continue
		}
		kind, rest, _ := strings.Cut(s.by, ":")
		switch kind {
		case "main":
			programs = append(programs, program{build: []string{"build", "./cmd/" + module}})
		case "test":
			tags, dir, _ := strings.Cut(rest, ":")
			programs = append(programs, program{dir: dir, build: []string{"test", "-c", "-tags=" + tags, "."}})
		case "run":
			programs = append(programs, program{dir: path.Dir(rest), build: []string{"build", path.Base(rest)}, until: publishes[s.by]})
		case "windows": // nothing that runs here
		default:
			t.Fatalf("site %s is published by %q, want main, test:TAGS:DIR, run:FILE or windows", s.id, s.by)
		}
	}
	return programs
}

// record runs programs against a broker of their own and returns what they publish.
// Each begins when the one before has ended, or has published if it is one that
// may wait for an answer: connections are opened in the same order each time.
func (s *state) record(programs []program) (_ []amqptest.Published, err error) {
	server, err := amqptest.Start()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
	defer cancel()
	ended := make([]chan error, len(programs))
	for i, p := range programs {
		ended[i] = make(chan error, 1)
		cmd := exec.CommandContext(ctx, s.program(i))
		cmd.Dir = filepath.Join(s.dir, p.dir)
		cmd.Env = append(os.Environ(), "AMQP_URL="+server.URL())
		running, stop := context.WithCancel(ctx)
		go func() {
			defer stop()
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%s: program %d, %v: %w\n%s", s.name, i, p.build, err, out)
			}
			ended[i] <- err
		}()
		if p.until == nil {
			<-running.Done()
			continue
		}
		for recording := []amqptest.Published(nil); running.Err() == nil && !hasMessageOf(recording, p.until); {
			recording, _ = server.WaitPublished(running, len(recording)+1)
		}
	}
	var errs []error
	for _, end := range ended {
		errs = append(errs, <-end)
	}
	return server.Published(), errors.Join(errs...)
}

func hasMessageOf(recording []amqptest.Published, sites []string) bool {
	return slices.ContainsFunc(recording, func(m amqptest.Published) bool { return slices.Contains(sites, siteOf(m)) })
}

// checkWire runs the programs of a module in four states, all at once, and compares
// what they publish. The first is the module as it was, the last has an alteration.
func checkWire(t *testing.T, sites []oldSite, a alteration, states ...*state) {
	t.Helper()
	programs := programsOf(t, states[0].oldModule.name, sites)
	recordings := make([][]amqptest.Published, len(states))
	errs := make([]error, len(states))
	var wg sync.WaitGroup
	for i, s := range states {
		wg.Go(func() { recordings[i], errs[i] = s.record(programs) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for i, s := range states {
		for _, flaw := range recordingFlaws(sites, recordings[i]) {
			t.Errorf("%s: %s", s.name, flaw)
		}
	}
	last := len(states) - 1
	for i := 1; i < last; i++ {
		for _, d := range amqptest.Diff(recordings[0], recordings[i]) {
			t.Errorf("%s: site %s: %v", states[i].name, siteOfDifference(d), d)
		}
	}
	noticed := amqptest.Diff(recordings[0], recordings[last])
	if len(noticed) == 0 {
		t.Errorf("%s is altered, and the messages still count as equal", a.what)
	}
	for _, d := range noticed {
		if site := siteOfDifference(d); site != a.site {
			t.Errorf("%s is altered at %s, and there is a difference at %s: %v", a.what, a.site, site, d)
		}
	}
	t.Logf("%d messages equal in %d states", len(recordings[0]), last)
}

func siteOfDifference(d amqptest.Difference) string {
	if d.Want != nil {
		return siteOf(*d.Want)
	}
	return siteOf(*d.Got)
}

// recordingFlaws says what a recording lacks, and what it has too much: there must be
// a message of every site that something publishes here, and none of another.
func recordingFlaws(sites []oldSite, recording []amqptest.Published) (flaws []string) {
	expected, seen := make(map[string]bool), make(map[string]bool)
	for _, s := range sites {
		expected[s.id] = s.by != "-" && s.by != "windows"
	}
	for _, m := range recording {
		id := siteOf(m)
		if !expected[id] && !seen[id] {
			flaws = append(flaws, fmt.Sprintf("a message of %q, which publishes nothing according to SITES.tsv", id))
		}
		seen[id] = true
	}
	for _, s := range sites {
		if expected[s.id] && !seen[s.id] {
			flaws = append(flaws, fmt.Sprintf("no message of site %s among %d", s.id, len(recording)))
		}
	}
	return flaws
}

func TestShortRecordingIsNoticed(t *testing.T) {
	sites := []oldSite{{id: "a", by: "main"}, {id: "b", by: "run:b.go"}, {id: "c", by: "windows"}, {id: "d", by: "-"}}
	tests := []struct {
		name, recording string
		want            []string
	}{
		{"all sites", "a b a", nil},
		{"a site is missing", "a a", []string{"no message of site b among 2"}},
		{"nothing", "", []string{"no message of site a among 0", "no message of site b among 0"}},
		{"a site of another system", "a b c", []string{`a message of "c", which publishes nothing according to SITES.tsv`}},
		{"no publish", "a b d", []string{`a message of "d", which publishes nothing according to SITES.tsv`}},
		{"nobody's", "a b e e", []string{`a message of "e", which publishes nothing according to SITES.tsv`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var recording []amqptest.Published
			for _, id := range strings.Fields(tt.recording) {
				properties, err := newapi.ReadOnly(newapi.BasicProperties{Type: id})
				if err != nil {
					t.Fatal(err)
				}
				recording = append(recording, amqptest.Published{Properties: properties})
			}
			if got := recordingFlaws(sites, recording); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
