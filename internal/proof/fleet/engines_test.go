package fleet_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

// token is the API key of all processes.
const token = "a-key-of-the-fleet"

// long reports whether the proof takes hours: windows are as long as those of the service,
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
type store struct {
	Driver string // of database/sql; "redis", "sentinel" or "cluster"
	Source string // a URL; of Sentinel and Cluster the address of one server
	Idle   int    // how many connections of a pool stay open; 0 means all
}

type engineCase struct {
	name  string
	start func(*testing.T) store
}

var engineList = []engineCase{
	{"Redis", func(t *testing.T) store { return redisAt(engines.StartRedis(t)) }},
	{"Postgres", func(t *testing.T) store {
		_, s := sharedDatabase(t)
		return s
	}},
	{"SQLite", func(t *testing.T) store { return migrated(t, sqliteIn(t.TempDir())) }},
}

func redisAt(r *engines.Redis) store { return store{Driver: "redis", Source: "redis://" + r.Addr()} }

func sqliteIn(folder string) store {
	return store{Driver: "sqlite", Source: "file:" + filepath.Join(folder, "fleet.db") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_txlock=immediate"}
}

// migrated returns s with the tables of sqlstore in it.
func migrated(t *testing.T, s store) store {
	db := s.database(t)
	defer db.Close()
	require.NoError(t, sqlstore.Migrate(t.Context(), db, s.dialect()))
	return s
}

// database returns the database for the test itself.
func (s store) database(t *testing.T) *sql.DB {
	db, err := sql.Open(s.Driver, s.Source)
	require.NoError(t, err)
	db.SetMaxOpenConns(poolSize)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (s store) dialect() sqlstore.Dialect {
	if s.Driver == "sqlite" {
		return sqlstore.SQLite
	}
	return sqlstore.Postgres
}

// host returns the address of a server that a line can stand in for, or "".
func (s store) host() string {
	u, err := url.Parse(s.Source)
	if err != nil {
		return ""
	}
	return u.Host
}

// through returns the store as seen through a line.
func (s store) through(l *line) store {
	s.Source = strings.Replace(s.Source, s.host(), l.Addr().String(), 1)
	return s
}

// as returns the store as seen by a user of Postgres.
func (s store) as(user string) store {
	s.Source = strings.Replace(s.Source, "postgres@", user+"@", 1)
	return s
}

// open returns the client of Redis, or else the database.
func (s store) open() (rdb redis.UniversalClient, db *sql.DB, err error) {
	switch s.Driver {
	case "sentinel":
		return redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "fleet", SentinelAddrs: []string{s.Source}}), nil, nil
	case "cluster":
		return redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{s.Source}}), nil, nil
	case "redis":
		o, err := redis.ParseURL(s.Source)
		if err != nil {
			return nil, nil, err
		}
		return redis.NewClient(o), nil, nil
	}
	if db, err = sql.Open(s.Driver, s.Source); err == nil && s.Driver == "pgx" {
		db.SetMaxOpenConns(poolSize)
		db.SetMaxIdleConns(or(s.Idle, poolSize))
	}
	return nil, db, err
}

func (s store) limiter(opts ...fleet.Option) (*fleet.Limiter, io.Closer, error) {
	rdb, db, err := s.open()
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", s.Driver, err)
	}
	if rdb != nil {
		l, err := redisstore.NewLimiter(rdb, token, opts...)
		return l, rdb, err
	}
	l, err := sqlstore.NewLimiter(db, s.dialect(), token, opts...)
	return l, db, err
}

func (s store) dedupe(namespace string) (webhook.DedupeStore, error) {
	rdb, db, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", s.Driver, err)
	}
	if rdb != nil {
		return redisstore.NewDedupe(rdb, namespace)
	}
	return sqlstore.NewDedupe(db, s.dialect(), namespace)
}
