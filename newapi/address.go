package newapi

import (
	"fmt"
	"strings"
)

// PublicationAddress is where to publish: an exchange, its type and a routing
// key. RPC clients put one into ReplyTo; see BasicProperties.ReplyToAddress.
type PublicationAddress struct {
	ExchangeType string // such as ExchangeDirect
	ExchangeName string // may be empty, the default exchange; holds no slash
	RoutingKey   string // may be empty; may hold slashes
}

// String returns the address in its one-line form, type://exchange/key. No
// character is escaped: an ExchangeName with a slash in it does not come back
// from ParsePublicationAddress as it was.
func (a PublicationAddress) String() string {
	return a.ExchangeType + "://" + a.ExchangeName + "/" + a.RoutingKey
}

// ParsePublicationAddress parses the form that String writes. The type is what
// stands before the first colon and must not be empty; the exchange ends at
// the first slash after "://"; the rest is the routing key.
func ParsePublicationAddress(s string) (PublicationAddress, error) {
	exchangeType, rest, _ := strings.Cut(s, ":")
	rest, isAddress := strings.CutPrefix(rest, "//")
	exchange, key, hasKey := strings.Cut(rest, "/")
	if exchangeType == "" || !isAddress || !hasKey {
		return PublicationAddress{}, fmt.Errorf("newapi: %q is no publication address, want type://exchange/key", s)
	}
	return PublicationAddress{exchangeType, exchange, key}, nil
}
