package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/sqlstore"
)

// All processes have pools of their own. A higher default isolation makes no difference: Postgres
// refuses none of two concurrent calls.
func TestEngine_Suite(t *testing.T) {
	eachDatabase(t, testEngine)
	for _, level := range []string{"repeatable%20read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			d := newPostgres(t)
			d.dsn += "&default_transaction_isolation=" + level
			testEngine(t, d)
		})
	}
}

func testEngine(t *testing.T, d database) {
	d.withTables(t)
	fleettest.TestEngine(t, func(t *testing.T) fleet.Engine { return newBucket(t, d.open(t), d.dialect).engine })
}

// fleet.ErrNotSetUp documents that another format is such an error.
func TestEngine_RefusesAnotherFormat(t *testing.T) {
	for d, statements := range map[database]map[string]string{
		newPostgres(t): {
			"update t49_buckets set format = 2":           "format 2",
			"alter table t49_slots alter until type text": "",
			"alter table t49_slots drop place":            "",
			"alter table t49_buckets add more int not null default 0; alter table t49_buckets alter more drop default": "",
			"alter table t49_buckets add more int, drop line":                                                          "",
			"alter table t49_buckets add check (paused < 0) not valid":                                                 "",
			"alter table t49_buckets alter born type text using 'long ago'":                                            "",
		},
		newSQLite(t): {
			"update t49_buckets set state = replace(state, '\"Format\":1', '\"Format\":2')": "format 2",
			"update t49_buckets set state = 'x'":                                            "format 0",
			"update t49_buckets set state = '{\"Slots\":1}'":                                "format 0",
		},
	} {
		for statement, want := range statements {
			b := newBucket(t, d.withTables(t).open(t), d.dialect)
			b.wants(true)
			execute(t, d.open(t), statement)
			_, err := b.engine.Serve(t.Context(), b.Call)
			if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: got %v", d.dialect, statement, err)
			}
			execute(t, d.open(t), "drop table t49_buckets; drop table t49_notifications; drop table t49_migrations")
			execute(t, d.open(t), "drop table if exists t49_slots")
		}
	}
}

func TestEngine_KeepsSlotsThroughAnImmediateStop(t *testing.T) {
	server := engines.StartPostgres(t)
	d := postgresAt(server.DSN()).withTables(t)
	db := d.open(t)
	b := newBucket(t, db, d.dialect)
	owners := b.takeAll()
	server.Stop()
	if _, err := b.engine.Serve(t.Context(), b.Call); err == nil {
		t.Fatal("want an error while the server is down")
	}
	server.Start()
	for try := 0; ; try++ { // the pool notices by itself that its connections ended
		_, err := b.engine.Serve(t.Context(), b.Call)
		if err == nil {
			break
		}
		if try == 20 {
			t.Fatal(err)
		}
	}
	b.wants(false)
	wantInt(t, "forgotten", b.keep(time.Hour, owners...), 0)
}

func TestEngine_KeepsSlotsOnAPromotedReplica(t *testing.T) {
	primary := engines.StartPostgres(t)
	d := postgresAt(primary.DSN()).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	replica := primary.Replica()
	owners := b.takeAll()
	second := bucket{t, newBucket(t, postgresAt(replica.DSN()).open(t), d.dialect).engine, b.Call}
	waitForReplica(t, second, postgresAt(replica.DSN()).open(t))
	primary.Stop()
	replica.Promote()
	second.wants(false)
	wantInt(t, "forgotten", second.keep(time.Hour, owners...), 0)
}

// waitForReplica waits until the replica has all five slots.
func waitForReplica(t *testing.T, b bucket, db *sql.DB) {
	t.Helper()
	until(t, "the replica has the slots", func() bool {
		n := 0
		err := db.QueryRow("select count(*) from t49_slots where ns = $1 and place = 0", b.Namespace).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n == 5
	})
}

// Only the engine's clock counts (fleet.Engine). If it jumps, a slot is free that much earlier or
// later.
func TestEngine_UsesItsOwnClock(t *testing.T) {
	server := engines.StartPostgres(t)
	server.SetClock(time.Hour)
	d := postgresAt(server.DSN()).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	owners := b.takeAll()
	b.keep(10*time.Minute, owners...)
	if wait := b.wants(false).Wait; wait > 10*time.Minute {
		t.Errorf("the wait is %v, want at most ten minutes", wait)
	}
	b.keep(50*time.Millisecond, owners...)
	pass(100 * time.Millisecond)
	wantInt(t, "slots", len(b.takeAll()), 5)
	for _, step := range []struct {
		shift time.Duration
		taken bool // of a slot that is taken for an hour from +1h on
	}{{time.Hour, false}, {-30 * time.Minute, false}, {150 * time.Minute, true}} {
		server.SetClock(step.shift)
		bucket{t, newBucket(t, d.open(t), d.dialect).engine, b.Call}.wants(step.taken)
	}
}

func TestEngine_ReadsTheClockOfSQLiteWhenItHasTheLock(t *testing.T) {
	d := newSQLite(t).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	other, err := d.open(t).BeginTx(t.Context(), nil) // immediate: takes the lock
	if err != nil {
		t.Fatal(err)
	}
	released := make(chan time.Time, 1)
	time.AfterFunc(300*time.Millisecond, func() {
		released <- time.Now()
		_ = other.Rollback()
	})
	r := b.serve(b.Call)
	if at := <-released; r.Now < at.Add(-5*time.Millisecond).UnixMicro() {
		t.Errorf("the clock was read %v before the lock was free", at.Sub(time.UnixMicro(r.Now)))
	}
}

// The lock is held until the test ends: a call that does not end with its context never does.
func TestEngine_EndsSoonAfterItsContext(t *testing.T) {
	for name, start := range map[string]func(testing.TB) database{"Postgres": newPostgres, "SQLite": newSQLite} {
		t.Run(name, func(t *testing.T) {
			d := start(t).patient().withTables(t)
			b := newBucket(t, d.open(t), d.dialect)
			b.wants(true)
			other, err := d.open(t).BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = other.Rollback() }()
			if d.dialect == sqlstore.Postgres {
				if _, err := other.Exec("lock table t49_buckets"); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := b.engine.Serve(ctx, b.Call)
				ended <- err
			}()
			select {
			case err := <-ended:
				if err == nil {
					t.Fatal("want an error")
				}
			case <-time.After(time.Minute):
				t.Fatal("Serve does not end")
			}
		})
	}
}

func TestEngine_ErrorsNameTheRemedyForMissingTables(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		b := newBucket(t, d.open(t), d.dialect)
		dedupe, err := sqlstore.NewDedupe(d.open(t), d.dialect, "receivers")
		if err != nil {
			t.Fatal(err)
		}
		_, fromServe := b.engine.Serve(t.Context(), b.Call)
		_, fromClaim := dedupe.Claim(t.Context(), "id", "owner", time.Second)
		for _, err := range []error{fromServe, fromClaim,
			dedupe.Complete(t.Context(), "id", "owner", time.Second), dedupe.Release(t.Context(), "id", "owner")} {
			if err == nil || !strings.Contains(err.Error(), "run sqlstore.Migrate or apply sqlstore.Schema") {
				t.Errorf("got %v", err)
			}
		}
	})
}

// pgx itself quotes the password of the second address, whose spaces libpq permits.
// A limiter without tables fails at once, with what to do (fleet.ErrNotSetUp).
func TestLimiter_FailsWithoutTables(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		l, err := sqlstore.NewLimiter(d.open(t), d.dialect, "key")
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Acquire(t.Context(), terminal49.BucketDefault)
		if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), "run sqlstore.Migrate") {
			t.Errorf("got %v", err)
		}
	})
}

func TestStore_KeepsPasswordsOutOfErrors(t *testing.T) {
	for _, dsn := range []string{"postgres://user:hunter2@127.0.0.1:1/db?sslmode=disable", "host=127.0.0.1 port=x password = hunter2"} {
		db := postgresAt(dsn).open(t)
		dedupe, err := sqlstore.NewDedupe(db, sqlstore.Postgres, "receivers")
		if err != nil {
			t.Fatal(err)
		}
		b := newBucket(t, db, sqlstore.Postgres)
		_, fromServe := b.engine.Serve(t.Context(), b.Call)
		_, fromClaim := dedupe.Claim(t.Context(), "id", "owner", time.Second)
		for _, err := range []error{fromServe, fromClaim, sqlstore.Migrate(t.Context(), db, sqlstore.Postgres)} {
			if err == nil || strings.Contains(fmt.Sprintf("%+v %#v", err, err), "hunter2") || !strings.HasPrefix(err.Error(), "sqlstore: ") {
				t.Errorf("got %#v", err)
			}
		}
	}
}

func TestNewLimiter_ChecksItsArguments(t *testing.T) {
	db := newSQLite(t).open(t)
	for _, d := range []sqlstore.Dialect{0, 9} {
		_, fromLimiter := sqlstore.NewLimiter(db, d, "token")
		_, fromEngine := sqlstore.NewEngine(db, d)
		_, fromDedupe := sqlstore.NewDedupe(db, d, "receivers")
		_, withoutNamespace := sqlstore.NewDedupe(db, sqlstore.SQLite, "")
		_, withNUL := sqlstore.NewDedupe(db, sqlstore.Postgres, "a\x00b")
		_, notUTF8 := sqlstore.NewDedupe(db, sqlstore.Postgres, "a\xff")
		_, withoutDB := sqlstore.NewLimiter(nil, sqlstore.SQLite, "token")
		for _, err := range []error{fromLimiter, fromEngine, fromDedupe, withoutNamespace, withNUL, notUTF8, withoutDB, sqlstore.Migrate(t.Context(), db, d)} {
			if argument := (*terminal49.ArgumentError)(nil); !errors.As(err, &argument) {
				t.Errorf("got %v, want an ArgumentError", err)
			}
		}
	}
}
