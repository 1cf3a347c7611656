package wire

import "testing"

var basicCases = []methodCase{
	{60<<16 | 10, "basic.qos",
		&BasicQos{PrefetchSize: 0x01020304, PrefetchCount: 0x0506, Global: true},
		"\x01\x02\x03\x04\x05\x06\x01"},
	{60<<16 | 11, "basic.qos-ok", &BasicQosOk{}, ""},
	{60<<16 | 20, "basic.consume",
		&BasicConsume{Queue: "q", ConsumerTag: "tag", NoAck: true, NoWait: true, Arguments: oneField},
		"\x00\x00\x01q\x03tag\x0a" + oneFieldBytes},
	{60<<16 | 21, "basic.consume-ok", &BasicConsumeOk{ConsumerTag: "tag"}, "\x03tag"},
	{60<<16 | 30, "basic.cancel", &BasicCancel{ConsumerTag: "tag", NoWait: true}, "\x03tag\x01"},
	{60<<16 | 31, "basic.cancel-ok", &BasicCancelOk{ConsumerTag: "tag"}, "\x03tag"},
	{60<<16 | 40, "basic.publish",
		&BasicPublish{Exchange: "ex", RoutingKey: "key", Mandatory: true},
		"\x00\x00\x02ex\x03key\x01"},
	{60<<16 | 50, "basic.return",
		&BasicReturn{ReplyCode: 312, ReplyText: "NO_ROUTE", Exchange: "ex", RoutingKey: "key"},
		"\x01\x38\x08NO_ROUTE\x02ex\x03key"},
	{60<<16 | 60, "basic.deliver",
		&BasicDeliver{ConsumerTag: "tag", DeliveryTag: 0x0102030405060708, Redelivered: true, Exchange: "ex", RoutingKey: "key"},
		"\x03tag\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02ex\x03key"},
	{60<<16 | 70, "basic.get", &BasicGet{Queue: "q", NoAck: true}, "\x00\x00\x01q\x01"},
	{60<<16 | 71, "basic.get-ok",
		&BasicGetOk{DeliveryTag: 9, Redelivered: true, Exchange: "ex", RoutingKey: "key", MessageCount: 10},
		"\x00\x00\x00\x00\x00\x00\x00\x09\x01\x02ex\x03key\x00\x00\x00\x0a"},
	{60<<16 | 72, "basic.get-empty", &BasicGetEmpty{}, "\x00"},
	{60<<16 | 80, "basic.ack", &BasicAck{DeliveryTag: 1, Multiple: true}, "\x00\x00\x00\x00\x00\x00\x00\x01\x01"},
	{60<<16 | 90, "basic.reject", &BasicReject{DeliveryTag: 2, Requeue: true}, "\x00\x00\x00\x00\x00\x00\x00\x02\x01"},
	{60<<16 | 100, "basic.recover-async", &BasicRecoverAsync{Requeue: true}, "\x01"},
	{60<<16 | 110, "basic.recover", &BasicRecover{Requeue: true}, "\x01"},
	{60<<16 | 111, "basic.recover-ok", &BasicRecoverOk{}, ""},
	{60<<16 | 120, "basic.nack", &BasicNack{DeliveryTag: 3, Requeue: true}, "\x00\x00\x00\x00\x00\x00\x00\x03\x02"},
}

func TestBasicMethods(t *testing.T) { testMethods(t, basicCases) }
