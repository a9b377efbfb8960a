package main

import (
	"database/sql"
	"log"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

// engine is where the processes keep what they share. Without a kind they share nothing.
type engine struct {
	Kind    string // "redis", "postgres" or "sqlite"
	Address string // of Redis, or the data source name
}

// limiter returns a limiter that is shared by all processes with this engine and this token.
func (e engine) limiter(token string) (terminal49.Limiter, error) {
	switch e.Kind {
	case "redis":
		return redisstore.NewLimiter(redis.NewClient(&redis.Options{Addr: e.Address}), token, fleet.WithEvents(report))
	case "postgres", "sqlite":
		db, dialect, err := e.open()
		if err != nil {
			return nil, err
		}
		return sqlstore.NewLimiter(db, dialect, token, fleet.WithEvents(report))
	}
	return terminal49.NewLimiter(terminal49.DefaultRateLimits())
}

// report logs the events of the limiter.
func report(e fleet.Event) { log.Print(e) }

// dedupe returns a store that is shared by all receivers with this engine.
func (e engine) dedupe() (webhook.DedupeStore, error) {
	switch e.Kind {
	case "redis":
		return redisstore.NewDedupe(redis.NewClient(&redis.Options{Addr: e.Address}), "fleet")
	case "postgres", "sqlite":
		db, dialect, err := e.open()
		if err != nil {
			return nil, err
		}
		return sqlstore.NewDedupe(db, dialect, "fleet")
	}
	return webhook.NewMemoryDedupe(0), nil
}

func (e engine) open() (*sql.DB, sqlstore.Dialect, error) {
	driver, dialect := "pgx", sqlstore.Postgres
	if e.Kind == "sqlite" {
		driver, dialect = "sqlite", sqlstore.SQLite
	}
	db, err := sql.Open(driver, e.Address)
	return db, dialect, err
}
