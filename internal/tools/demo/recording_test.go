package main

import (
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

var twoSites = []site{{id: "a"}, {id: "b"}}

// recorded makes a recording of messages "site" or "site:body".
func recorded(t *testing.T, messages ...string) []amqptest.Published {
	t.Helper()
	var recording []amqptest.Published
	for _, m := range messages {
		site, body, _ := strings.Cut(m, ":")
		recording = append(recording, published(t, newapi.BasicProperties{Type: site}, body))
	}
	return recording
}

func TestCompareRecordings(t *testing.T) {
	tests := []struct {
		name          string
		before, after string
		lines         []string // how each line of the error starts; none means equal
	}{
		{"equal", "a b a:x", "a b a:x", nil},
		{"both empty", "", "", []string{"the recording before is empty", "the recording after is empty"}},
		{"the same site missing in both", "a a", "a a", []string{
			"site b: none of the 2 messages in the recording before",
			"site b: none of the 2 messages in the recording after",
		}},
		{"one message lost", "a b b", "a b", []string{"site b: connection 1, channel 1, message 2"}},
		{"one site lost", "a b", "a", []string{
			"site b: connection 1, channel 1, message 1",
			"site b: none of the 1 messages in the recording after",
		}},
		{"one message too many", "a b", "a b b", []string{"site b: connection 1, channel 1, message 2"}},
		{"another body", "a b:x", "a b:y", []string{"site b: connection 1, channel 1, message 1"}},
		{"a site nobody knows", "a b c c", "a b c c", []string{
			"the recording before has messages of sites that SITES.tsv does not have: c",
			"the recording after has messages of sites that SITES.tsv does not have: c",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := compareRecordings(twoSites, recorded(t, strings.Fields(tt.before)...), recorded(t, strings.Fields(tt.after)...))
			if len(tt.lines) == 0 {
				if err != nil {
					t.Fatalf("got %v, want them equal", err)
				}
				return
			}
			lines := strings.Split(errorText(err), "\n")
			if len(lines) != len(tt.lines) {
				t.Fatalf("%d lines, want %d:\n%v", len(lines), len(tt.lines), err)
			}
			for i, line := range lines {
				if !strings.HasPrefix(line, tt.lines[i]) {
					t.Errorf("line %d: %s\nwant %s…", i, line, tt.lines[i])
				}
			}
		})
	}
}
