package packagevar

var newapi, amqpnewapi, context, stdcontext int
