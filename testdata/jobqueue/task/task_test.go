package task

import "testing"

func TestRoutingKeyIsTheGroup(t *testing.T) {
	for name, want := range map[string]string{
		"image.resize":      "image",
		"image.resize.tiny": "image",
		"cleanup":           "default",
		"":                  "default",
	} {
		if got := (&Task{Name: name}).RoutingKey(); got != want {
			t.Errorf("RoutingKey of %q = %q, want %q", name, got, want)
		}
	}
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	body, err := (&Task{ID: "T-1", Name: "mail.send", Args: []string{"ada"}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != "T-1" || got.Name != "mail.send" || len(got.Args) != 1 || got.Args[0] != "ada" {
		t.Errorf("got %+v", got)
	}
}

func TestDecodeWantsAName(t *testing.T) {
	for _, body := range []string{`{"id":"T-1"}`, `{`} {
		if got, err := Decode([]byte(body)); err == nil {
			t.Errorf("Decode(%s) = %+v, want an error", body, got)
		}
	}
}
