package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// The demo itself, on whatever broker is there.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs whole programs")
	}
	tests := []struct {
		name string
		show func(context.Context, *demo) error
		want []string // lines of the output, in this order
	}{
		{"demonstrate", demonstrate, []string{
			"git apply takes the patch.",
			"After: go build, go vet and go test pass.",
			"A second -fix changes nothing.",
			"All are as SITES.tsv says, and in the copy after only those are there that are left.",
			"messages equal, all %d site ids seen.",
		}},
		{"self-test", testComparison, []string{
			"messages equal, all %d site ids seen.",
			fmt.Sprintf("All %d alterations noticed.", len(alterations)),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			sites := 0
			err := runDemo(t.Context(), &out, func(ctx context.Context, d *demo) error {
				sites = len(d.sites)
				return tt.show(ctx, d)
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, &out)
			}
			rest := out.String()
			for _, line := range tt.want {
				line = strings.ReplaceAll(line, "%d", fmt.Sprint(sites))
				_, after, found := strings.Cut(rest, line+"\n")
				if !found {
					t.Fatalf("no line ends with %q where it should:\n%s", line, &out)
				}
				rest = after
			}
		})
	}
}
