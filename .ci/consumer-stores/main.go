// Consumer is a program as a user of the stores, the telemetry and the mirror writes it, in a
// module of its own.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run creates everything that the stores and the telemetry offer, and a mirror. It sends nothing,
// because the database drivers are the user's choice.
func run(ctx context.Context) error {
	var stores []webhook.DedupeStore
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	defer rdb.Close()
	limiter, err := redisstore.NewLimiter(rdb, "a-key", fleet.WithFallback(fleet.Fail()))
	if err != nil {
		return err
	}
	telemetry, err := otelterminal49.New(nil, nil)
	if err != nil {
		return err
	}
	client, err := terminal49.New("a-key", terminal49.WithLimiter(telemetry.Limiter(limiter)), terminal49.WithHooks(telemetry.Hooks()),
		terminal49.WithRateLimitShare(0.5))
	if err != nil {
		return err
	}
	copied, err := mirror.New(client, new(sql.DB))
	if err != nil {
		return err
	}
	if _, err := mcpserver.New(mcpserver.Config{Mirror: copied, Reader: mirror.NewReader(new(sql.DB))}); err != nil {
		return err
	}
	handled, err := redisstore.NewDedupe(rdb, "consumer")
	if err != nil {
		return err
	}
	if err := sqlstore.Migrate(ctx, nil, sqlstore.Postgres); err == nil {
		return fmt.Errorf("sqlstore.Migrate must refuse a nil database")
	}
	rows, err := sqlstore.NewDedupe(new(sql.DB), sqlstore.SQLite, "consumer")
	if err != nil {
		return err
	}
	stores = append(stores, handled, rows)
	fmt.Println("the stores, the telemetry and the mirror are linked:", len(stores), "and", len(sqlstore.Schema(sqlstore.Postgres)) > 0)
	return nil
}
