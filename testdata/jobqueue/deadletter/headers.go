package deadletter

import (
	"sort"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Reasons lists why the messages of these deliveries died, each reason once.
// RabbitMQ writes them into the x-death header, we into one of our own.
func Reasons(deliveries ...amqp.Delivery) []string {
	seen := make(map[string]bool)
	for _, d := range deliveries {
		if reason, ok := d.Headers["reason"].(string); ok {
			seen[reason] = true
		}
		deaths, _ := d.Headers["x-death"].([]interface{})
		for _, death := range deaths {
			if table, ok := death.(amqp.Table); ok {
				if reason, ok := table["reason"].(string); ok {
					seen[reason] = true
				}
			}
		}
	}
	reasons := make([]string, 0, len(seen))
	for reason := range seen {
		reasons = append(reasons, reason)
	}
	sort.Strings(reasons)
	return reasons
}
