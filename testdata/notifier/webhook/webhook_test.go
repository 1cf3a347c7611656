package webhook

import (
	"strings"
	"testing"
)

func TestNoncesAreUsedOnce(t *testing.T) {
	c := New(nil, "q", 7)
	first, second := string(c.sign("a")), string(c.sign("a"))
	if first == second || !strings.HasSuffix(first, " n1 a") || !strings.HasSuffix(second, " n2 a") {
		t.Errorf("signed %q and %q", first, second)
	}
}
