// Ready is a program of docs/first-hour.md: it prints for each container what to do about it now.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for container, err := range client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		verdict := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{MaxAge: 6 * time.Hour})
		switch verdict.Situation {
		case terminal49.SituationReady:
			fmt.Println(container.Number, "pick up at", verdict.Place, "-", verdict.Urgency)
		case terminal49.SituationOut, terminal49.SituationReturned:
		default:
			fmt.Println(container.Number, verdict)
		}
	}
	return nil
}
