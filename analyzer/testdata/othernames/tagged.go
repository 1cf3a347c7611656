//go:build special

package othernames

type amqpnewapi struct{}

func (amqpnewapi) amqpfixnewapi() {}
