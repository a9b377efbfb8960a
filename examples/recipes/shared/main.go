// Shared reads containers within a limit that several processes share through a SQLite file.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, ids []string) error {
	limit, err := strconv.Atoi(os.Getenv("LIMIT"))
	if err != nil {
		return fmt.Errorf("LIMIT: %w", err)
	}
	db, err := sql.Open("sqlite", "file:"+os.Getenv("DB")+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := sqlstore.Migrate(ctx, db, sqlstore.SQLite); err != nil {
		return err
	}
	limiter, err := sqlstore.NewLimiter(db, sqlstore.SQLite, os.Getenv("T49_API_TOKEN"), fleet.WithRateLimits(terminal49.RateLimits{Default: limit}))
	if err != nil {
		return err
	}
	client, err := terminal49.NewFromEnv(terminal49.WithLimiter(limiter))
	if err != nil {
		return err
	}
	for _, id := range ids {
		switch container, err := client.Containers.Get(ctx, id, nil); {
		case errors.Is(err, context.DeadlineExceeded): // no slot is free in time
			fmt.Println("late", id)
		case err != nil:
			return err
		default:
			fmt.Println(container.Number)
		}
	}
	return nil
}
