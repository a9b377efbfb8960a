// Receiver keeps the containers of an account in Postgres: all of them on startup, then each that a
// notification names. Several may run behind one URL. docs/webhooks.md explains it.
package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

const (
	schema = `create table if not exists containers (id text primary key, as_of timestamptz, situation text, last_free_day date, document json)`
	upsert = `insert into containers values ($1, $2, $3, $4, $5) on conflict (id) do update
		set (as_of, situation, last_free_day, document) = (excluded.as_of, excluded.situation, excluded.last_free_day, excluded.document)
		where containers.as_of <= excluded.as_of`
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	handler, err := receive(ctx, db)
	if err != nil {
		return err
	}
	return handler.ListenAndServe(ctx, cmp.Or(os.Getenv("ADDR"), ":8080"))
}

// receive returns the handler of deliveries, and starts to read all containers.
func receive(ctx context.Context, db *sql.DB) (*webhook.Handler, error) {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, schema)
	if err := errors.Join(err, sqlstore.Migrate(ctx, db, sqlstore.Postgres)); err != nil {
		return nil, err
	}
	once, err := sqlstore.NewDedupe(db, sqlstore.Postgres, "receiver")
	if err != nil {
		return nil, err
	}
	hook, err := client.Webhooks.Ensure(ctx, os.Getenv("WEBHOOK_URL"), []terminal49.EventName{terminal49.EventContainerUpdated})
	if err != nil {
		return nil, err
	}
	r := receiver{client, db}
	handler, err := webhook.NewHandler(webhook.WithSecrets(hook.Secret), webhook.WithDedupe(once, webhook.DefaultDedupeRetention),
		webhook.OnContainer(client, nil, r.store),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			if d.Err != nil {
				log.Printf("delivery of %q %s: %q", d.Event, d.Outcome, d.Err.Error())
			}
		}))
	if err != nil {
		return nil, err
	}
	go r.readAll(ctx)
	return handler, nil
}

type receiver struct {
	client *terminal49.Client
	db     *sql.DB
}

// readAll finds what no notification reported, such as what changed while no receiver ran.
func (r receiver) readAll(ctx context.Context) {
	for container, err := range r.client.Containers.All(ctx, &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}) {
		if err == nil {
			err = r.store(ctx, nil, container)
		}
		if err != nil {
			log.Printf("reading all containers: %q", err.Error())
			return // notifications are handled all the same
		}
	}
}

func (r receiver) store(ctx context.Context, _ *webhook.Notification, container *terminal49.Container) error {
	verdict := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})
	day, _ := verdict.LastFreeDay.At.Date()
	_, err := r.db.ExecContext(ctx, upsert, container.ID, container.AsOf, verdict.Situation, day, container) // as JSON
	return err
}
