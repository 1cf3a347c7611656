package stock

import (
	"fmt"
	"strconv"
	"strings"

	rabbit "github.com/amqpfix/amqpfix/compat"
)

// Server answers reservations from what is on the shelves.
type Server struct {
	ch       *rabbit.Channel
	requests <-chan rabbit.BasicDelivery
	shelves  map[string]int
}

// NewServer returns a server that reads the queue requests, with the goods of
// shelves.
func NewServer(ch *rabbit.Channel, requests string, shelves map[string]int) (*Server, error) {
	deliveries, err := ch.BasicConsume(requests, "stock-server", true, nil)
	if err != nil {
		return nil, fmt.Errorf("stock: consume %s: %w", requests, err)
	}
	return &Server{ch: ch, requests: deliveries, shelves: shelves}, nil
}

// Serve answers requests until the channel closes, or an answer cannot be sent.
func (s *Server) Serve() error {
	for d := range s.requests {
		if string(d.Body) == "stock.flush" {
			continue // nothing is cached here
		}
		left, err := s.handle(d)
		queue := d.Properties.ReplyTo()
		if to, ok := d.Properties.ReplyToAddress(); ok {
			queue = to.RoutingKey
		}
		switch {
		case queue == "":
			continue // nobody wants to know
		case err != nil:
			reply := s.ch.CreateBasicProperties()
			reply.SetType("stock.error")
			reply.SetCorrelationId(d.Properties.CorrelationId())
			reply.SetHeaders(rabbit.Table{"retry": false, "code": uint16(422)})
			if err := s.ch.BasicPublish("", queue, false, reply, []byte("error: "+err.Error())); err != nil {
				return fmt.Errorf("stock: answer: %w", err)
			}
		default:
			reply := s.ch.CreateBasicProperties()
			reply.SetType("stock.reply")
			reply.SetCorrelationId(d.Properties.CorrelationId())
			err := s.ch.BasicPublish("", queue, false, reply, []byte(strconv.Itoa(left)))
			if err != nil {
				return fmt.Errorf("stock: answer: %w", err)
			}
		}
	}
	return nil
}

// handle does what a request asks for and returns what is left of its goods.
func (s *Server) handle(d rabbit.BasicDelivery) (left int, err error) {
	sku, count, ok := strings.Cut(string(d.Body), " ")
	if !ok {
		return 0, fmt.Errorf("request %q is not an article and a number", d.Body)
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return 0, fmt.Errorf("request %q: %q is not a number", d.Body, count)
	}
	switch d.Properties.Type() {
	case "stock.release":
		s.shelves[sku] += n
	default:
		if s.shelves[sku] < n {
			return 0, fmt.Errorf("%d of %s wanted, %d left", n, sku, s.shelves[sku])
		}
		s.shelves[sku] -= n
	}
	return s.shelves[sku], nil
}
