package fleet_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/redisstore/redisstoretest"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
	"github.com/go-freight/terminal49/webhook"
)

// long reports whether the proof takes half an hour: windows are as long as those of the service,
// and there are more notifications.
func long() bool { return os.Getenv("T49_FLEET") == "long" }

// scale returns how much of a proof runs: a sample, or all of it with PROOF=whole.
func scale(sample, all int) int {
	if os.Getenv("PROOF") == "whole" {
		return all
	}
	return sample
}

// store is where processes keep what they share.
type store struct{ Driver, Source string }

type engineCase struct {
	name  string
	start func(*testing.T) store
}

var engineList = []engineCase{
	{"Redis", func(t *testing.T) store { return store{"redis", redisstoretest.StartRedis(t).Addr()} }},
	{"Postgres", func(t *testing.T) store { return migrated(t, store{"pgx", sqlstoretest.StartPostgres(t).DSN()}) }},
	{"SQLite", func(t *testing.T) store { return migrated(t, sqliteIn(t.TempDir())) }},
}

func sqliteIn(folder string) store {
	return store{"sqlite", "file:" + filepath.Join(folder, "fleet.db") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_txlock=immediate"}
}

// migrated returns s with the tables of sqlstore in it.
func migrated(t *testing.T, s store) store {
	db, err := sql.Open(s.Driver, s.Source)
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, sqlstore.Migrate(t.Context(), db, s.dialect()))
	return s
}

func (s store) dialect() sqlstore.Dialect {
	if s.Driver == "sqlite" {
		return sqlstore.SQLite
	}
	return sqlstore.Postgres
}

func (s store) redis() redis.UniversalClient {
	return redis.NewClient(&redis.Options{Addr: s.Source, MaxRetries: -1})
}

func (s store) limiter(_ context.Context, opts ...fleet.Option) (*fleet.Limiter, error) {
	if s.Driver == "redis" {
		return redisstore.NewLimiter(s.redis(), "", opts...)
	}
	db, err := sql.Open(s.Driver, s.Source)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", s.Driver, err)
	}
	return sqlstore.NewLimiter(db, s.dialect(), "", opts...)
}

func (s store) dedupe(_ context.Context, namespace string) (webhook.DedupeStore, error) {
	if s.Driver == "redis" {
		return redisstore.NewDedupe(s.redis(), namespace)
	}
	db, err := sql.Open(s.Driver, s.Source)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", s.Driver, err)
	}
	return sqlstore.NewDedupe(db, s.dialect(), namespace)
}
