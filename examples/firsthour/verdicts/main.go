// Verdicts is the program of the README: it prints where each container is and what to do about it.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		log.Fatal(err)
	}
	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{}))
	}
}
