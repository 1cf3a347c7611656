//go:build ignore

package main

const stdcontext, amqpfixnewapi = 1, 2
