// Package orders tells the rest of the company what happens to an order.
//
// Every event goes to the events exchange under a key order.WHAT, in JSON. The
// channel is in confirm mode: a method that returns nil has the broker's word
// for its message.
package orders

import "encoding/json"

// Order is an order as the web shop hands it over.
type Order struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Country  string `json:"country"`
	Total    int64  `json:"total"` // cents
	Express  bool   `json:"express,omitempty"`
	Parcels  int    `json:"parcels"`
}

func encode(o Order) []byte {
	body, err := json.Marshal(o)
	if err != nil {
		panic("orders: strings and numbers always encode: " + err.Error())
	}
	return body
}
