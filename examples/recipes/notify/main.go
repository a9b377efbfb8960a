// Notify prints the present situation of each container that a notification is about.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		return errors.New("WEBHOOK_SECRET must be set")
	}
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(secret)),
		webhook.OnContainer(client, nil, report))
	if err != nil {
		return err
	}
	return handler.ListenAndServe(ctx, os.Getenv("ADDR"))
}

// report gets the container as it is now, not as the notification has it. An error would have the
// notification delivered again.
func report(_ context.Context, _ *webhook.Notification, container *terminal49.Container) error {
	verdict := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})
	_, err := fmt.Println(container.Number, verdict.Situation)
	return err
}
