package immediate

import . "github.com/amqpfix/amqpfix/newapi"

func dot(immediate bool) []PublishFlag {
	return []PublishFlag{
		FlagsIf(true, immediate), // finding immediate
		Immediate,                // finding immediate
		Mandatory,
	}
}
