package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

// Every process runs this on the same database.
func ExampleNewLimiter() {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if err := sqlstore.Migrate(context.Background(), db, sqlstore.Postgres); err != nil {
		log.Fatal(err)
	}
	token := os.Getenv("T49_API_KEY")
	limiter, err := sqlstore.NewLimiter(db, sqlstore.Postgres, token)
	if err != nil {
		log.Fatal(err)
	}
	client, err := terminal49.New(token, terminal49.WithLimiter(limiter))
	if err != nil {
		log.Fatal(err)
	}
	_ = client // its calls wait for the slots of all processes
}

// The second process does not handle the notification again.
func ExampleNewDedupe() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	ctx := context.Background()
	if err := sqlstore.Migrate(ctx, db, sqlstore.SQLite); err != nil {
		log.Fatal(err)
	}
	store, err := sqlstore.NewDedupe(db, sqlstore.SQLite, "orders")
	if err != nil {
		log.Fatal(err)
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("my-webhook-secret")),
		webhook.WithDedupe(store, webhook.DefaultDedupeRetention),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }))
	if err != nil {
		log.Fatal(err)
	}
	_ = handler // to be served

	const id = "bd3ac2a5-2f4e-4b0e-8c39-000000000000"
	state, err := store.Claim(ctx, id, "process 1", time.Minute)
	fmt.Println(state == webhook.DedupeClaimed, err)
	fmt.Println(store.Complete(ctx, id, "process 1", 7*24*time.Hour))
	state, err = store.Claim(ctx, id, "process 2", time.Minute)
	fmt.Println(state == webhook.DedupeDone, err)
	// Output:
	// true <nil>
	// <nil>
	// true <nil>
}

// shared returns a limiter and a store in Postgres.
func shared(ctx context.Context, token string) (terminal49.Limiter, webhook.DedupeStore, error) {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, nil, err
	}
	if err := sqlstore.Migrate(ctx, db, sqlstore.Postgres); err != nil { // or apply sqlstore.Schema yourself
		return nil, nil, err
	}
	limiter, err := sqlstore.NewLimiter(db, sqlstore.Postgres, token)
	if err != nil {
		return nil, nil, err
	}
	store, err := sqlstore.NewDedupe(db, sqlstore.Postgres, "orders")
	return limiter, store, err
}

// sharedFile returns a limiter in a file.
func sharedFile(ctx context.Context, token string) (terminal49.Limiter, error) {
	db, err := sql.Open("sqlite", "file:fleet.db?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	if err := sqlstore.Migrate(ctx, db, sqlstore.SQLite); err != nil {
		return nil, err
	}
	return sqlstore.NewLimiter(db, sqlstore.SQLite, token)
}

var _, _ = shared, sharedFile // parts of docs/fleet.md

// An engine for fleet.New, in a database of any dialect.
func ExampleNewEngine() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	dialect, err := sqlstore.DialectOf(context.Background(), db)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := sqlstore.NewEngine(db, dialect)
	if err != nil {
		log.Fatal(err)
	}
	_, err = fleet.New(engine, "my-api-key", fleet.WithWindow(time.Second)) // a test need not wait a minute
	fmt.Println(dialect, err)
	// Output: SQLite <nil>
}
