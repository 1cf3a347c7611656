package chain

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func TestChainAppliesInOrder(t *testing.T) {
	c := Chain{Header("a", 1), Number(), Header("a", 2)}
	for _, id := range []string{"1", "2"} {
		got := c.apply(amqp.Publishing{})
		if got.MessageId != id || got.Headers["a"] != 2 {
			t.Errorf("got id %s, headers %v; want %s, a:2", got.MessageId, got.Headers, id)
		}
	}
}

func TestCompress(t *testing.T) {
	r, err := gzip.NewReader(bytes.NewReader(compress(amqp.Publishing{Body: []byte("report")}).Body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != "report" {
		t.Errorf("got %q, %v", got, err)
	}
}
