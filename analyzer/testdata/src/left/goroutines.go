package left

import (
	"sync"
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

func started(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	go func() {
		_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props; make the properties inside the goroutine, or pass it a copy`
	}()
}

func asArgument(ch *compat.Channel, run func(func()), body []byte) {
	props := ch.CreateBasicProperties()
	go run(func() {
		_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props`
	})
}

func byName(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	send := func() {
		_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props`
	}
	go send()
}

func group(ch *compat.Channel, body []byte) {
	var wg sync.WaitGroup
	props := ch.CreateBasicProperties()
	wg.Go(func() {
		_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props`
	})
	wg.Wait()
}

func timer(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	time.AfterFunc(time.Second, func() {
		props.SetType("late")
	})
	_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props`
}

func nested(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	go func() {
		func() {
			_ = ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `a goroutine uses props`
		}()
	}()
}

// A copy of the reference.
func passedToGo(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	go func(p compat.BasicProperties) {
		_ = ch.BasicPublish("", "q", false, p, body) // left parameter // want `p is a parameter of a function literal`
	}(props)
}

// The goroutine does not touch the properties.
func beside(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	go func() { _ = len(body) }()
	_ = ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// The variable of a for clause is copied from one iteration to the next.
func clause(ch *compat.Channel, body []byte) (fs []func() error) {
	for props, i := ch.CreateBasicProperties(), 0; i < 3; i++ {
		props.SetPriority(uint8(i))
		fs = append(fs, func() error {
			return ch.BasicPublish("", "q", false, props, body) // left captured // want `props is the variable of a for clause and a closure keeps it; declare it before the loop or in its body`
		})
	}
	return fs
}

// In the body it is a new one each time, in both worlds.
func loopBody(ch *compat.Channel, body []byte) (fs []func() error) {
	for i := 0; i < 3; i++ {
		props := ch.CreateBasicProperties()
		props.SetPriority(uint8(i))
		fs = append(fs, func() error {
			return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
		})
	}
	return fs
}
