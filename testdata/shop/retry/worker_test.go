package retry

import (
	"errors"
	"fmt"
	"testing"

	"example.com/shop/internal/brokertest"
)

func TestFailedJobIsTriedAgainAndThenParked(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	var attempts []string
	w := New(ch, names.Jobs, names.Parked, names.Audit, func(kind string, body []byte) error {
		attempts = append(attempts, fmt.Sprintf("%s %s", kind, body))
		if kind == "print" {
			return errors.New("printer: out of paper")
		}
		return nil
	})
	if err := w.Enqueue("print", "J-1", []byte("label")); err != nil {
		t.Fatal(err)
	}
	if err := w.Enqueue("scan", "J-2", []byte("shelf")); err != nil {
		t.Fatal(err)
	}
	seen, err := w.Run()
	if err != nil {
		t.Fatal(err)
	}
	if want := "[print label scan shelf print label print label]"; seen != 4 || fmt.Sprint(attempts) != want {
		t.Errorf("saw %d jobs %v, want 4 %s", seen, attempts, want)
	}

	parked := brokertest.Get(t, ch, names.Parked)
	if got := parked.Properties; got.MessageId() != "J-1" || got.Type() != "retry.parked" ||
		got.Headers()[reasonHeader] != "printer: out of paper" || got.Headers()["x-death-class"] != "printer" {
		t.Errorf("parked %q of type %q with headers %v", got.MessageId(), got.Type(), got.Headers())
	}
	alarm := brokertest.Get(t, ch, names.AuditLog).Properties
	if alarm.CorrelationId() != "J-1" || alarm.Priority() != 9 {
		t.Errorf("alarm for %q with priority %d, want J-1, 9", alarm.CorrelationId(), alarm.Priority())
	}
	if ran := brokertest.Get(t, ch, names.AuditLog).Properties; ran.Type() != "retry.ran" || fmt.Sprint(ran.Headers()) != "map[seen:4]" {
		t.Errorf("last audit record is %q with headers %v, want retry.ran, seen 4", ran.Type(), ran.Headers())
	}
}

func TestSecondAttemptCarriesTheFirstError(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	w := New(ch, names.Jobs, names.Parked, names.Audit, nil)
	if err := w.Enqueue("print", "J-1", []byte("label")); err != nil {
		t.Fatal(err)
	}
	first := brokertest.Get(t, ch, names.Jobs)
	if err := w.again(first.BasicDelivery, 1, errors.New("printer: jam")); err != nil {
		t.Fatal(err)
	}
	second := brokertest.Get(t, ch, names.Jobs).Properties
	if !second.Persistent() || second.MessageId() != "J-1" {
		t.Errorf("second attempt: persistent %v, id %q; want true, J-1", second.Persistent(), second.MessageId())
	}
	headers := second.Headers()
	if headers["kind"] != "print" || headers[attemptHeader] != int64(1) || headers[errorHeader] != "printer: jam" {
		t.Errorf("second attempt has headers %v", headers)
	}
}

func TestForeignMessageIsParkedUntouched(t *testing.T) {
	_, ch, names := brokertest.Open(t)
	w := New(ch, names.Jobs, names.Parked, names.Audit, nil)
	if err := w.Enqueue("print", "J-1", []byte("label")); err != nil {
		t.Fatal(err)
	}
	d := brokertest.Get(t, ch, names.Jobs).BasicDelivery
	delete(d.Properties.Headers(), "kind")
	if err := w.work(d); err != nil {
		t.Fatal(err)
	}
	parked := brokertest.Get(t, ch, names.Parked)
	if parked.Properties.MessageId() != "J-1" || !parked.Properties.Persistent() || string(parked.Body) != "label" {
		t.Errorf("parked message %q, persistent %v, body %q", parked.Properties.MessageId(), parked.Properties.Persistent(), parked.Body)
	}
}
