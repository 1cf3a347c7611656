package vet

var publish = shared.Publish("ex", "key", false, false, message) // want `use newapi.BasicPublish\(context.Background\(\), shared, "ex", "key", amqp091.Header\(message\), message.Body\); amqpfix -fix does it`
