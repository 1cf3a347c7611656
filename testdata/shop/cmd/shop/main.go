// Shop runs a day of the shop in a few seconds: every service does each of its
// jobs once, against the broker that AMQP_URL names. Ids and times are scripted,
// so that each day is like the other. It exits 0 when all went as it should.
//
// SHOP_PREFIX starts the names of its exchanges and queues (default "shop"). They
// are gone when it ends.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/amqpfix/amqpfix/compat"

	"example.com/shop/audit"
	"example.com/shop/internal/stamp"
	"example.com/shop/internal/topology"
	"example.com/shop/notify"
	"example.com/shop/orders"
	"example.com/shop/prices"
	"example.com/shop/retry"
	"example.com/shop/stock"
)

var morning = time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC)

func main() {
	if err := run(os.Getenv("AMQP_URL"), os.Getenv("SHOP_PREFIX")); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

// day is what the flows of a day share.
type day struct {
	conn  *compat.Connection
	names topology.Names
	log   *audit.Logger
}

func run(url, prefix string) error {
	if url == "" {
		return errors.New("AMQP_URL is not set; set it to the broker to use, such as amqp://guest:guest@localhost:5672/")
	}
	if prefix == "" {
		prefix = "shop"
	}
	conn, err := compat.Dial(url)
	if err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	defer conn.Close()

	ch, err := conn.CreateModel()
	if err != nil {
		return err
	}
	d := &day{conn: conn, names: topology.Named(prefix)}
	if err := d.names.Declare(ch); err != nil {
		return err
	}
	d.log = audit.New(ch, d.names.Audit, stamp.NewSequence("audit", morning))
	if err := audit.PublishSchema(ch, d.names.Audit); err != nil {
		return err
	}

	for _, flow := range []struct {
		name string
		run  func() error
	}{
		{"logins", d.logins},
		{"orders", d.orders},
		{"stock", d.stock},
		{"prices", d.prices},
		{"notifications", d.notifications},
		{"jobs", d.jobs},
	} {
		d.log.Trace(flow.name)
		if err := flow.run(); err != nil {
			return fmt.Errorf("%s: %w", flow.name, err)
		}
	}
	return d.count(ch)
}

func (d *day) logins() error {
	return errors.Join(
		d.log.Login("ada", "office", audit.Info),
		d.log.Login("bob", "abroad", audit.Warning),
		d.log.Login("eve", "nowhere", audit.Alarm),
		d.log.Changed("ada", "order A-1", "total", "country"),
		d.log.Exported("ada", ""),
		d.log.Exported("bob", "2024-05-01"),
		d.log.Denied("eve", "refund"),
	)
}

func (d *day) orders() error {
	ch, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	s, err := orders.New(ch, d.names.Events, stamp.NewSequence("order-event", morning), true)
	if err != nil {
		return err
	}
	parcel := orders.Order{ID: "A-1", Customer: "Ada", Country: "DE", Total: 4250, Parcels: 1}
	express := orders.Order{ID: "A-2", Customer: "Grace", Country: "FR", Total: 129900, Express: true, Parcels: 3}
	for _, o := range []orders.Order{parcel, express} {
		err := errors.Join(
			s.Placed(o),
			s.Remind(o, 48*time.Hour),
			s.Paid(o, "card"),
			s.Pick(o),
			s.Shipped(o, "post"),
		)
		if err != nil {
			return err
		}
	}
	if err := s.Refund(express, 1000); err != nil {
		return err
	}
	if err := s.Cancelled(parcel); err != nil {
		return err
	}
	// No sales system listens: the offer has to come back.
	if err := s.Quote(parcel); err != nil {
		return err
	}
	id, err := s.Returned()
	if err != nil {
		return err
	}
	if id != "quote-A-1" {
		return fmt.Errorf("message %s came back, want quote-A-1", id)
	}
	return nil
}

func (d *day) stock() error {
	serverChannel, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	server, err := stock.NewServer(serverChannel, d.names.Reservations, map[string]int{"lamp": 10})
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()

	clientChannel, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	client, err := stock.NewClient(clientChannel, d.names.Reservations, d.names.Replies, stamp.NewSequence("call", morning))
	if err != nil {
		return err
	}
	client.Flush()
	if left, err := client.Reserve("lamp", 4); err != nil || left != 6 {
		return fmt.Errorf("reserve 4 of 10 lamps: %d left, %v", left, err)
	}
	if _, err := client.Reserve("desk", 1); err == nil {
		return errors.New("reserve a desk: there is none, and no error")
	}
	if err := client.Release("lamp", 4); err != nil {
		return err
	}
	if err := serverChannel.Close(); err != nil {
		return err
	}
	return <-served
}

func (d *day) prices() error {
	ch, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	feed := prices.NewFeed(ch, d.names.Events, stamp.NewSequence("price", morning))
	list := []prices.Price{
		{SKU: "lamp", Cents: 1500, Old: 1000},
		{SKU: "desk", Cents: 9900},
		{SKU: "chair", Cents: 4900, Old: 5000},
	}
	markets := []string{"DE", "FR", "PL"}
	perMarket := make(map[string]*compat.Channel)
	for _, market := range markets {
		if perMarket[market], err = d.conn.CreateModel(); err != nil {
			return err
		}
	}
	return errors.Join(
		feed.Open(markets),
		feed.Update("B-1", list),
		feed.Tick(3),
		feed.Alive(),
		feed.Snapshot(perMarket, list),
		feed.Close(func() error { return nil }),
	)
}

func (d *day) notifications() error {
	ch, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	gateway := notify.NewGateway(ch, d.names.Events, "shop")
	return errors.Join(
		notify.NewMailer(ch, d.names.Events).Mail("ada@example.com", "Your order", "It is on its way."),
		gateway.SMS("0049301234", "your code is 4711"),
		gateway.Push("ios:abc", "parcel at the door"),
		gateway.Webhook("https://example.com/hook", []byte("{}")),
		gateway.Welcome("Ada"),
		gateway.Survey("9", "Ada"),
		gateway.Digest(),
	)
}

func (d *day) jobs() error {
	ch, err := d.conn.CreateModel()
	if err != nil {
		return err
	}
	worker := retry.New(ch, d.names.Jobs, d.names.Parked, d.names.Audit, func(kind string, _ []byte) error {
		if kind == "print" {
			return errors.New("printer: out of paper")
		}
		return nil
	})
	if err := worker.Enqueue("print", "J-1", []byte("label A-1")); err != nil {
		return err
	}
	if err := worker.Enqueue("scan", "J-2", []byte("shelf 7")); err != nil {
		return err
	}
	// Somebody's message in the wrong queue.
	stranger := ch.CreateBasicProperties()
	stranger.SetType("shop.stranger")
	stranger.SetPriority(1)
	stranger.SetHeaders(compat.Table{"from": "somewhere", "sent": compat.Table{"by": "hand", "at": morning}})
	if err := ch.BasicPublish("", d.names.Jobs, false, stranger, []byte("hello?")); err != nil {
		return err
	}
	seen, err := worker.Run()
	if err != nil {
		return err
	}
	if seen != 5 {
		return fmt.Errorf("the worker saw %d messages, want 5: three of J-1, one of J-2, one of a stranger", seen)
	}
	return nil
}

// count waits until all messages are where they should be, and says so.
func (d *day) count(ch *compat.Channel) error {
	for _, q := range []struct {
		name string
		want int
	}{
		{d.names.EventLog, 13},
		{d.names.PriceBoard, 16},
		{d.names.Outbox, 7},
		{d.names.Parked, 2},
	} {
		got := 0
		for deadline := time.Now().Add(10 * time.Second); got < q.want && time.Now().Before(deadline); {
			m, err := ch.BasicGet(q.name, true)
			if err != nil {
				return fmt.Errorf("read %s: %w", q.name, err)
			}
			if m == nil {
				time.Sleep(10 * time.Millisecond) // still on its way
				continue
			}
			got++
		}
		if got != q.want {
			return fmt.Errorf("%s holds %d messages, want %d", q.name, got, q.want)
		}
		fmt.Printf("%-20s %3d messages\n", q.name, got)
	}
	return nil
}
