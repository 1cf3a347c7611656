package singlestd

import "fmt"

func f(p *pool, body []byte) error {
	fmt.Println(len(body))
	return p.ch.BasicPublish("", "q", false, nil, body) // fold // want `use .*; amqpfix -fix does it`
}
