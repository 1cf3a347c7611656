module github.com/amqpfix/amqpfix/internal/tools

go 1.26.0

tool honnef.co/go/tools/cmd/staticcheck

require (
	github.com/amqpfix/amqpfix v0.0.0-00010101000000-000000000000
	github.com/amqpfix/amqpfix/analyzer v0.0.0-00010101000000-000000000000
	github.com/aymanbagabas/go-udiff v0.4.2
	golang.org/x/tools v0.52.0
	gonum.org/v1/plot v0.17.0
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/rabbitmq/amqp091-go v1.16.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/mod v0.43.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.28.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

replace github.com/amqpfix/amqpfix => ../..

replace github.com/amqpfix/amqpfix/analyzer => ../../analyzer
