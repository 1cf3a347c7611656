package moved

import (
	"context"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
)

type recorder struct{ appID string }

func (r *recorder) PublishEncoded(_ context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	p, err := m.Properties()
	r.appID = p.AppId()
	return nil, err
}

func TestAudit(t *testing.T) {
	var r recorder
	if err := Audit(context.Background(), &r, "alice", "login"); err != nil || r.appID != "alice" {
		t.Errorf("app id %q, error %v", r.appID, err)
	}
}
