package driver_test

import (
	"context"
	"fmt"
	"log"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// Report the calls that a person has to look at.
func ExampleRun() {
	rep, err := driver.Run(context.Background(), driver.Options{
		Dir:      "path/to/module",
		Patterns: []string{"./..."},
		Tests:    true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range rep.Sites {
		if s.Tier == driver.Left && !s.Ignored() {
			fmt.Printf("%s: %s\n%s\n", s.Pos, s.Message, s.URL)
		}
	}
	fmt.Println(rep.Summary)
}
