package member

import "testing"

func TestInboxIsTheMembersOwn(t *testing.T) {
	if got := (&Member{Nick: "ada"}).Inbox(); got != "chat.inbox.ada" {
		t.Errorf("got %q", got)
	}
}
