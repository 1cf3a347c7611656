package wire

import "testing"

var exchangeCases = []methodCase{
	{40<<16 | 10, "exchange.declare",
		&ExchangeDeclare{Exchange: "ex", Type: "topic", Durable: true, Internal: true, NoWait: true, Arguments: oneField},
		"\x00\x00\x02ex\x05topic\x1a" + oneFieldBytes},
	{40<<16 | 11, "exchange.declare-ok", &ExchangeDeclareOk{}, ""},
	{40<<16 | 20, "exchange.delete",
		&ExchangeDelete{Exchange: "ex", NoWait: true},
		"\x00\x00\x02ex\x02"},
	{40<<16 | 21, "exchange.delete-ok", &ExchangeDeleteOk{}, ""},
	{40<<16 | 30, "exchange.bind",
		&ExchangeBind{Destination: "to", Source: "from", RoutingKey: "a.#", NoWait: true, Arguments: oneField},
		"\x00\x00\x02to\x04from\x03a.#\x01" + oneFieldBytes},
	{40<<16 | 31, "exchange.bind-ok", &ExchangeBindOk{}, ""},
	{40<<16 | 40, "exchange.unbind",
		&ExchangeUnbind{Destination: "to", Source: "from", RoutingKey: "a.#", NoWait: true, Arguments: oneField},
		"\x00\x00\x02to\x04from\x03a.#\x01" + oneFieldBytes},
	{40<<16 | 51, "exchange.unbind-ok", &ExchangeUnbindOk{}, ""},
}

func TestExchangeMethods(t *testing.T) { testMethods(t, exchangeCases) }
