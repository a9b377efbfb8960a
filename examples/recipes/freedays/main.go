// Freedays prints the last free days that bind, those that end first at the top.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	now := time.Now()
	if text := os.Getenv("NOW"); text != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, text); err != nil {
			log.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, now); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, now time.Time) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	params := &terminal49.ContainerListParams{
		Include: terminal49.AssessIncludes(),
	}
	var waiting []terminal49.Verdict
	for container, err := range client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
		if !verdict.LastFreeDay.At.IsZero() { // none binds after the container has left
			waiting = append(waiting, verdict)
		}
	}
	slices.SortFunc(waiting, func(a, b terminal49.Verdict) int {
		return cmp.Or(cmp.Compare(days(a), days(b)), cmp.Compare(a.Number, b.Number))
	})
	for _, verdict := range waiting {
		if day, ok := verdict.LastFreeDay.At.Date(); ok && verdict.DaysLeft.String() != "" {
			fmt.Println(verdict.Number, day, verdict.DaysLeft)
		} else {
			fmt.Println(verdict.Number, verdict.LastFreeDay.At, "?")
		}
	}
	return nil
}

// days sorts those that cannot be counted last.
func days(v terminal49.Verdict) int { return v.DaysLeft.Or(1 << 30) }
