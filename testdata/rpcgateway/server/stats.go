package server

import (
	stdctx "context"
	"encoding/json"
	"fmt"

	rabbitmq "github.com/rabbitmq/amqp091-go"
)

// Ready tells the operators, once, that calls are answered.
func (s *Server) Ready() (err error) {
	s.ready.Do(func() {
		err = s.ch.Publish("", s.log, false, false, rabbitmq.Publishing{
			Timestamp: started,
			Type:      "server.ready",
			Body:      []byte(s.queue),
		})
	})
	return err
}

// stats tells the operators how much was done.
func (s *Server) stats(context stdctx.Context) error {
	document, err := json.Marshal(map[string]int{"served": s.served})
	if err != nil {
		return err
	}
	msg := &rabbitmq.Publishing{ContentType: "application/json", Type: "server.stats", Body: document}
	if err := s.ch.PublishWithContext(context, "", s.log, false, false, *msg); err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return s.bye(3)
}

// bye says goodbye n times, for those who are not listening.
func (s *Server) bye(n int) error {
	for i := range n {
		if err := s.ch.Publish("", s.log, i == 0, false, rabbitmq.Publishing{Type: "server.bye", Body: []byte{'0' + byte(i)}}); err != nil {
			return err
		}
	}
	return nil
}
