// Consumer is a program as a user of the packages writes it, in a module of its own. It uses every
// service of the client and every public package against a simulated service, and prints what it
// found. It fails if it leaves a service of terminal49.Client unused.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal("consumer: ", err)
	}
}

// account is what each topic works with.
type account struct {
	client  *terminal49.Client
	service *terminal49test.Server
	demo    terminal49test.Demo
	// endpoint receives the deliveries of the service.
	endpoint *http.ServeMux
}

// topics are run in this order, each on what the earlier ones left.
var topics = []struct {
	name string
	run  func(context.Context, *account) error
}{
	{"tracking", track},
	{"cargo", cargo},
	{"rules", rules},
	{"places", places},
	{"parties", parties},
	{"custom fields", customFields},
	{"documents", documents},
	{"webhooks", webhooks},
	{"errors", failures},
}

func run(ctx context.Context) error {
	a := &account{endpoint: http.NewServeMux()}
	a.service = terminal49test.NewServer(
		terminal49test.WithSpeed(0), terminal49test.WithSeed(49), terminal49test.WithWebhookHandler(a.endpoint),
		terminal49test.WithStart(time.Date(2026, time.March, 2, 20, 0, 0, 0, time.UTC)),
	)
	defer a.service.Close()
	a.demo = a.service.SeedDemo()

	used := &usage{}
	var err error
	a.client, err = terminal49.New(a.service.Token,
		terminal49.WithBaseURL(a.service.URL),
		terminal49.WithUserAgent("consumer/1.0"),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 100}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 3, MinBackoff: time.Millisecond}),
		terminal49.WithLogger(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))),
		terminal49.WithHooks(terminal49.Hooks{OnAttempt: used.attempt}),
		terminal49.WithStrictDecoding(),
	)
	if err != nil {
		return err
	}
	for _, topic := range topics {
		fmt.Printf("%s\n", topic.name)
		if err := topic.run(ctx, a); err != nil {
			return fmt.Errorf("%s: %w", topic.name, err)
		}
	}
	for _, violation := range a.service.Violations() {
		err = errors.Join(err, errors.New(violation.String()))
	}
	return errors.Join(err, used.complete(a.client))
}

// say prints one line of a topic.
func say(format string, values ...any) { fmt.Printf("   "+format+"\n", values...) }
