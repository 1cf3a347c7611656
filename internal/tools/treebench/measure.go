package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A usage is what a command and all processes that it started used.
type usage struct {
	wall, cpu time.Duration // cpu is user and system time of all
	memory    int64         // peak bytes resident of the largest of the processes; 0 where that is not known
}

// measure runs a command in dir with an empty build cache and no network. Exit codes
// other than those allowed are errors.
func measure(dir string, allowed []int, name string, args ...string) (usage, []byte, error) {
	cache, err := os.MkdirTemp("", "treebench-cache-")
	if err != nil {
		return usage{}, nil, err
	}
	defer os.RemoveAll(cache)
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOCACHE="+cache, "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return usage{}, nil, err
	}
	state := cmd.ProcessState
	if !slices.Contains(allowed, state.ExitCode()) {
		return usage{}, nil, fmt.Errorf("%s in %s: %v\n%s", filepath.Base(name), dir, state, tail(stderr.Bytes()))
	}
	return usage{wall, state.UserTime() + state.SystemTime(), maxResident(state)}, stdout.Bytes(), nil
}

// tail returns the last lines of a text.
func tail(text []byte) []byte {
	lines := bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-10):], nil)
}
