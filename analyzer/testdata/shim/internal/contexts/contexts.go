// Package contexts publishes with contexts. A comment says what becomes of each in
// a module that comes from a version which does not look at them: kept, or open
// where no edit keeps it as it is. Without one it is never done.
package contexts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go" // moves
)

type session struct {
	*amqp.Channel
	ctx context.Context
}

type publisher interface {
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
}

// another is called alike and takes something else.
type another struct{}

func (another) PublishWithContext(ctx context.Context, topic string) error { return ctx.Err() }

type key struct{}

func kept(ctx context.Context, ch *amqp.Channel, s session, msg amqp.Publishing) {
	ch.PublishWithContext(ctx, "", "q", false, false, msg)                            // kept
	ch.PublishWithDeferredConfirmWithContext(ctx, "", "q", false, false, msg)         // kept
	s.PublishWithContext(s.ctx, "", "q", false, false, msg)                           // kept
	(ch.PublishWithContext)((ctx), "", "q", false, false, msg)                        // kept
	(*amqp.Channel).PublishWithContext(ch, ctx, "", "q", false, false, msg)           // kept
	ch.PublishWithContext(nil, "", "q", false, false, msg)                            // kept
	ch.PublishWithContext(context.WithValue(ctx, key{}, 1), "", "q", true, true, msg) // kept
}

var (
	ofPackage context.Context
	current   struct{ session session }
)

func perhapsNil(s *session, ch *amqp.Channel, msg amqp.Publishing) {
	local := *s
	ch.PublishWithContext(s.ctx, "", "q", false, false, msg)                              // kept
	ch.PublishWithContext((current.session).ctx, "", "q", false, false, msg)              // kept
	ch.PublishWithContext(ofPackage, "", "q", false, false, msg)                          // kept
	ch.PublishWithContext(local.ctx, "", "q", false, false, msg)                          // kept
	ch.PublishWithContext(func() session { return *s }().ctx, "", "q", false, false, msg) // kept
}

func reassigned(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	later := context.Background()
	p := &later
	other := context.TODO()
	if ctx != nil {
		other = ctx
	}
	ch.PublishWithContext(later, "", "q", false, false, msg) // kept
	ch.PublishWithContext(other, "", "q", false, false, msg) // kept
	*p = ctx
}

func open[P publisher](ctx context.Context, ch *amqp.Channel, p publisher, t P, msg amqp.Publishing) {
	p.PublishWithContext(ctx, "", "q", false, false, msg) // open
	t.PublishWithContext(ctx, "", "q", false, false, msg) // open
	send := ch.PublishWithContext                         // open
	send(ctx, "", "q", false, false, msg)
	ch.PublishWithContext(arguments(ctx)) // open
	//amqpfix:ignore shim this one is to end with the request
	ch.PublishWithContext(ctx, "", "q", false, false, msg) // open
}

func arguments(ctx context.Context) (context.Context, string, string, bool, bool, amqp.Publishing) {
	return ctx, "", "q", false, false, amqp.Publishing{}
}

func endless(ctx context.Context, ch *amqp.Channel, p publisher, msg amqp.Publishing) {
	background := context.WithValue(context.Background(), key{}, 1)
	ch.PublishWithContext(background, "", "q", false, false, msg)
	ch.PublishWithContext(context.TODO(), "", "q", false, false, msg)
	ch.PublishWithContext(context.WithoutCancel(ctx), "", "q", false, false, msg)
	p.PublishWithContext(context.Background(), "", "q", false, false, msg)
	ch.Publish("", "q", false, false, msg)
	another{}.PublishWithContext(ctx, "topic")
}

const short = 10 * time.Millisecond

func justMade(outer context.Context, ch *amqp.Channel, parts []string, wait chan int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	body := fmt.Sprint("hello ", parts)
	if len(parts) > 3 {
		body = "hello all"
	} else if body == "" {
		return nil
	}
	if err := ch.PublishWithContext(ctx, "", "q", false, false, amqp.Publishing{Body: []byte(body)}); err != nil {
		return err
	}
	for range parts {
		ctx, _ := context.WithTimeout(context.TODO(), time.Second)
		_, err := ch.PublishWithDeferredConfirmWithContext(ctx, "", "q", false, false, amqp.Publishing{})
		fmt.Println(err)
	}
	return nil
}

func waited(outer context.Context, ch *amqp.Channel, parts []string, wait chan int) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	time.Sleep(time.Second)
	ch.PublishWithContext(ctx, "", "q", false, false, amqp.Publishing{}) // kept

	ctx1, cancel1 := context.WithTimeout(outer, time.Minute)
	ch.PublishWithContext(ctx1, "", "q", false, false, amqp.Publishing{}) // kept
	cancel1()

	ctx2, cancel2 := context.WithTimeout(context.Background(), short)
	defer cancel2()
	ch.PublishWithContext(ctx2, "", "q", false, false, amqp.Publishing{}) // kept

	ctx3, cancel3 := context.WithTimeout(context.Background(), time.Minute)
	cancel3()
	ch.PublishWithContext(ctx3, "", "q", false, false, amqp.Publishing{}) // kept

	ctx4, cancel4 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel4()
	for range parts {
		ch.PublishWithContext(ctx4, "", "q", false, false, amqp.Publishing{}) // kept
	}

	ctx5, cancel5 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel5()
	go func() {
		ch.PublishWithContext(ctx5, "", "q", false, false, amqp.Publishing{}) // kept
	}()

	ctx6, cancel6 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel6()
	ch.PublishWithContext(ctx6, "", "q", false, false, amqp.Publishing{Priority: uint8(<-wait)}) // kept

	ctx7, cancel7 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel7()
	if <-wait == 0 {
		return nil
	}
	ch.PublishWithContext(ctx7, "", "q", false, false, amqp.Publishing{}) // kept

	ctx10, cancel10 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel10()
	if parts == nil {
		ch.Flow(true)
	}
	ch.PublishWithContext(ctx10, "", "q", false, false, amqp.Publishing{}) // kept

	ctx8, cancel8 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel8()
	ch.PublishWithContext(ctx8, "", "q", false, false, amqp.Publishing{})
	ch.PublishWithContext(ctx8, "", "q", false, false, amqp.Publishing{}) // kept

	ctx9, stop := context.WithTimeout(context.Background(), time.Minute)
	defer func() { stop() }()
	return ch.PublishWithContext(ctx9, "", "q", false, false, amqp.Publishing{}) // kept
}

func waitedForOthers(r io.Reader, slow func(rune) rune, trace func() func(), ch *amqp.Channel) {
	var buf bytes.Buffer
	ctx1, cancel1 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel1()
	buf.ReadFrom(r)
	ch.PublishWithContext(ctx1, "", "q", false, false, amqp.Publishing{}) // kept

	ctx2, cancel2 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel2()
	key := strings.Map(slow, "q")
	ch.PublishWithContext(ctx2, "", key, false, false, amqp.Publishing{}) // kept

	ctx3, cancel3 := context.WithTimeout(context.Background(), time.Minute)
	defer cancel3()
	defer trace()()
	ch.PublishWithContext(ctx3, "", "q", false, false, amqp.Publishing{}) // kept
}

func perhapsNilLocals(jobs []session, s *session, msg amqp.Publishing) {
	for _, j := range jobs {
		j.PublishWithContext(j.ctx, "", "q", false, false, msg) // kept
	}
	ctx := s.ctx
	fmt.Println(ctx)
	s.PublishWithContext(ctx, "", "q", false, false, msg) // kept
	only := s.ctx
	s.PublishWithContext(only, "", "q", false, false, msg) // kept
}
