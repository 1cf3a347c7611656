package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// machine describes what the numbers were taken with.
func machine() string {
	peer := "amqp091-go"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if strings.HasSuffix(dep.Path, "/amqp091-go") {
				peer += " " + dep.Version
			}
		}
	}
	return fmt.Sprintf("newapi against %s: %s, %s/%s, %s, GOMAXPROCS %d, load average %s",
		peer, runtime.Version(), runtime.GOOS, runtime.GOARCH, processor(), runtime.GOMAXPROCS(0), load())
}

// load returns the load average of the last minute, where Linux tells it: what
// else the machine does is part of every number.
func load() string {
	average, _ := os.ReadFile("/proc/loadavg") // elsewhere there is none
	minute, _, ok := strings.Cut(string(average), " ")
	if !ok {
		return "unknown"
	}
	return minute
}

// processor returns the processor's model, where Linux tells it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere there is none
	for _, line := range strings.Split(string(info), "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
