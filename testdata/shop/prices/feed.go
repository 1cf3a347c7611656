// Package prices publishes a feed of prices, many small messages at a time.
package prices

import (
	"fmt"
	"strconv"
	"sync"

	. "github.com/amqpfix/amqpfix/compat"

	"example.com/shop/internal/stamp"
)

// Price is what an article costs from now on.
type Price struct {
	SKU   string
	Cents int64
	Old   int64 // what it cost before; zero for a new article
}

// Feed publishes prices. Its methods may be called from one goroutine at a time.
type Feed struct {
	ch       *Channel
	exchange string
	stamps   stamp.Source
}

// NewFeed returns a feed that publishes to exchange.
func NewFeed(ch *Channel, exchange string, stamps stamp.Source) *Feed {
	return &Feed{ch: ch, exchange: exchange, stamps: stamps}
}

func (f *Feed) channel() *Channel { return f.ch }

// Open announces that prices for these markets follow.
func (f *Feed) Open(markets []string) error {
	for i, market := range markets {
		p := f.ch.CreateBasicProperties()
		p.SetMessageId("prices.open#" + market)
		p.SetHeaders(Table{"market": market, "index": i, "of": uint8(len(markets))})
		if err := f.ch.BasicPublish(f.exchange, "price.open", false, p, nil); err != nil {
			return fmt.Errorf("open market %s: %w", market, err)
		}
	}
	return nil
}

// Update publishes a batch of prices and then how many there were. All messages
// of a batch share one set of properties.
func (f *Feed) Update(batch string, prices []Price) error {
	p := f.ch.CreateBasicProperties()
	p.SetType("prices.update")
	p.SetContentType("text/plain")
	p.SetCorrelationId(batch)
	for _, price := range prices {
		p.SetMessageId(price.SKU)
		if price.Old != 0 {
			p.SetHeaders(Table{"change": float64(price.Cents-price.Old) / float64(price.Old)})
		} else {
			p.ClearHeaders()
		}
		cents := strconv.FormatInt(price.Cents, 10)
		if err := f.ch.BasicPublish(f.exchange, "price.update", false, p, []byte(cents)); err != nil {
			return fmt.Errorf("price of %s: %w", price.SKU, err)
		}
	}

	p.SetType("prices.batch")
	p.SetMessageId("")
	p.ClearHeaders()
	return f.ch.BasicPublish(f.exchange, "price.batch", false, p, []byte(strconv.Itoa(len(prices))))
}

// Tick publishes n identical messages, for screens that blink.
func (f *Feed) Tick(n int) error {
	p := f.ch.CreateBasicProperties()
	p.SetType("prices.tick")
	p.SetDeliveryMode(1) // nobody misses one
	p.SetExpiration("1000")
	for i := 0; i < n; i++ {
		if err := f.ch.BasicPublish(f.exchange, "price.tick", false, p, []byte{'.'}); err != nil {
			return err
		}
	}
	return nil
}

// Alive says that the feed is there when it has nothing to say.
func (f *Feed) Alive() error {
	return f.channel().BasicPublish(f.exchange, "price.alive", false, nil, []byte("prices.alive"))
}

// Snapshot publishes all prices, each market by a goroutine of its own on a
// channel of its own.
func (f *Feed) Snapshot(channels map[string]*Channel, prices []Price) error {
	done := f.ch.CreateBasicProperties()
	done.SetType("prices.snapshot.done")
	done.SetContentType("text/csv")
	// Listeners put the parts together at this one, complete or not.
	defer f.ch.BasicPublish(f.exchange, "price.snapshot.done", false, done, nil)

	var wg sync.WaitGroup
	errs := make(chan error, len(channels))
	for market, ch := range channels {
		wg.Add(1)
		go func(market string, ch *Channel) {
			defer wg.Done()
			p := ch.CreateBasicProperties()
			p.SetType("prices.snapshot")
			p.SetContentType("text/csv")
			p.SetAppId(market)
			var csv []byte
			for _, price := range prices {
				csv = fmt.Appendf(csv, "%s;%d\n", price.SKU, price.Cents)
			}
			errs <- ch.BasicPublish(f.exchange, "price.snapshot", false, p, csv)
		}(market, ch)
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
	}
	return nil
}

// Close ends the feed. The last message goes out while the caller gets the
// result of its own last work; what Close returns tells when both are done.
func (f *Feed) Close(last func() error) error {
	p := f.ch.CreateBasicProperties()
	p.SetType("prices.close")
	p.SetTimestamp(f.stamps.Now())
	sent := make(chan error, 1)
	go func() {
		sent <- f.ch.BasicPublish(f.exchange, "price.close", false, p, nil)
	}()
	if err := last(); err != nil {
		return err
	}
	return <-sent
}
