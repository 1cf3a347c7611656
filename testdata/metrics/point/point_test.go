package point

import (
	"testing"
	"time"
)

func TestString(t *testing.T) {
	for want, p := range map[string]Point{
		"cpu 0.5 @7":       {Name: "cpu", Value: 0.5, At: time.Unix(7, 0)},
		"disk 2e+06 kB @0": {Name: "disk", Value: 2e6, Unit: "kB", At: time.Unix(0, 0)},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
