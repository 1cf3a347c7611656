package imports

var messages = make(chan string)

func none(key string) error {
	msg := shared
	return channel.Publish("ex", key, false, false, msg) // header
}
