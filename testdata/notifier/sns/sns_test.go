package sns

import (
	"context"
	"testing"
)

func TestMessagesAreNumbered(t *testing.T) {
	c := Client{Transport: func(context.Context, string, string) error { return nil }}
	text, target := "hi", "phone"
	for _, want := range []string{"sns-1", "sns-2"} {
		out, err := c.Publish(&PublishInput{Message: &text, TargetArn: &target})
		if err != nil || *out.MessageId != want {
			t.Errorf("got %v, %v; want %s", out, err, want)
		}
	}
	if _, err := c.Publish(&PublishInput{Message: &text}); err == nil {
		t.Error("no error without a target")
	}
}
