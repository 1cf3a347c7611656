// Notifier sends a notification of every kind through the broker that AMQP_URL
// names, and exits 0 if all of them could be sent.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/notifier/audit"
	"example.com/notifier/canary"
	"example.com/notifier/digest"
	"example.com/notifier/event"
	"example.com/notifier/mail"
	"example.com/notifier/publish"
	"example.com/notifier/push"
	"example.com/notifier/sms"
	"example.com/notifier/sns"
	"example.com/notifier/webhook"
)

// queue takes all that needs no exchange.
const queue = "notifier.queue"

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("AMQP_URL")); err != nil {
		fmt.Fprintln(os.Stderr, "notifier:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url string) error {
	if url == "" {
		return errors.New("AMQP_URL is not set; set it to the broker's, such as amqp://guest:guest@localhost:5672/")
	}
	if err := canary.Sing(ctx, canary.Plain{}, url); err != nil {
		return err
	}
	conn, err := amqp.Dial(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, flow := range []func(context.Context, *amqp.Connection) error{
		events, mails, texts, pushes, webhooks, digests, audits,
	} {
		if err := flow(ctx, conn); err != nil {
			return err
		}
	}
	return nil
}

// channel opens a channel on which queue is declared.
func channel(conn *amqp.Connection) (*amqp.Channel, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	_, err = ch.QueueDeclare(
		queue, // name
		false, // durable
		true,  // delete when unused
		true,  // exclusive
		false, // no-wait
		nil,   // arguments
	)
	return ch, err
}

func events(ctx context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	var cfg publish.Config
	cfg.Publish.Exchange = "notifier.events"
	cfg.Publish.Attempts = 3
	keys := 0
	cfg.Before.Publish = func(context.Context, string) error {
		keys++
		return nil
	}
	p, err := publish.New(ch, cfg)
	if err != nil {
		return err
	}
	if err := ch.QueueBind(queue, "#", cfg.Publish.Exchange, false, nil); err != nil {
		return err
	}
	err = errors.Join(
		p.Send(ctx, "user.new", "Ada is here"),
		p.Send(ctx, "user.new", "Grace is here", event.WithHeader("n", int32(2)), event.WithTTL(time.Minute), event.Persistent()),
		p.JSON(ctx, "user.left", []byte(`{"name":"Bob"}`)),
		p.Sure(ctx, "invoice.paid", "A-1"),
		p.Forward(ctx, "invoice.sent", amqp.Publishing{Type: "publish.forward", AppId: "billing", Body: []byte("A-2")}),
		p.Insist(ctx, "invoice.lost", amqp.Publishing{Type: "publish.insist", Body: []byte("A-3")}),
	)
	if err == nil && keys != 2 {
		err = fmt.Errorf("%d hooks called, want 2", keys)
	}
	return err
}

func mails(ctx context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	m := mail.New(ch, queue)
	if err := m.Send(ctx, mail.Mail{To: "ada@example.com", Subject: "Hello", Text: "How are you?"}); err != nil {
		return err
	}
	if _, err := m.SendAll(ctx, mail.Mail{To: "bob@example.com"}, mail.Mail{To: "eve@example.com", Text: "Hi"}); err != nil {
		return err
	}
	if err := ch.Confirm(false); err != nil {
		return err
	}
	if n, err := mail.Registered(ctx, ch, queue, mail.Mail{To: "grace@example.com", Text: "Sign here"}); err != nil || n != 1 {
		return fmt.Errorf("mail registered as number %d, %v", n, err)
	}
	return nil
}

func texts(ctx context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	s := sms.Sender{Channel: ch, From: "notifier", Queue: queue}
	return errors.Join(
		s.Text(ctx, "0049301234", "Grüße"),
		s.Flash(ctx, &amqp.Publishing{Type: "sms.flash", Body: []byte("Look!")}, true),
		s.Code("0049301234", 4711),
	)
}

func pushes(ctx context.Context, conn *amqp.Connection) error {
	slow, err := channel(conn)
	if err != nil {
		return err
	}
	fast, err := conn.Channel()
	if err != nil {
		return err
	}
	p, err := push.New(slow, fast, "notifier.push")
	if err != nil {
		return err
	}
	if err := slow.QueueBind(queue, "phone.#", p.Exchange, false, nil); err != nil {
		return err
	}
	p.Elsewhere = &sns.Client{Transport: func(context.Context, string, string) error { return nil }}
	err = errors.Join(
		p.Alert(push.Notification{Device: "phone.1", Text: "Rain"}),
		p.Alert(push.Notification{Device: "phone.1", Text: "Storm", Urgent: true}),
		p.Silent(ctx, push.Notification{Device: "phone.1", Kind: "sync"}),
		p.Template(ctx, "phone.2", "welcome"),
		p.Template(ctx, "phone.2", "goodbye"),
		p.Batch(ctx, "phone.3", "one", "two", "three"),
		p.Topics(ctx, "Goal!", "sport", "news"),
	)
	if err != nil {
		return err
	}
	_, err = p.Cloud(ctx, push.Notification{Device: "cloud", Text: "Sun"})
	return err
}

func webhooks(ctx context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	c := webhook.New(ch, queue, 4711)
	c.Call("https://example.com/a", []byte("{}"))
	c.Call("https://example.com/b", nil)
	c.Ring("https://example.com/c")
	c.Close()
	if err := c.Run(ctx); err != nil {
		return err
	}
	if err := c.Signed(ctx, "https://example.com/d", "pay"); err != nil {
		return err
	}
	other, err := conn.Channel()
	if err != nil {
		return err
	}
	return <-c.Test(other)
}

func digests(ctx context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	d := &digest.Digest{Channel: ch, Queue: queue, Day: time.Date(2024, time.May, 2, 0, 0, 0, 0, time.UTC)}
	return errors.Join(
		d.Add(ctx, "Ada has signed in"),
		d.Add(ctx, "Bob has left"),
		d.Cover(ctx),
		d.Issue(ctx),
		d.End(ctx, digest.Options{}),
		d.End(ctx, digest.Options{Mandatory: true, Footer: "good night", KeepFor: time.Hour}),
	)
}

func audits(_ context.Context, conn *amqp.Connection) error {
	ch, err := channel(conn)
	if err != nil {
		return err
	}
	l := audit.New(ch, queue, 2)
	return errors.Join(
		l.Record("main", "started"),
		l.Signal("half way"),
		l.During("nothing", func() error { return nil }),
	)
}
