package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
)

func TestEngine_KeepsItsContract(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		db := d.withTables(t).open(t)
		for name, test := range engineContract {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, newBucket(t, db, d.dialect), db)
			})
		}
	})
}

// The limit is that of the service: at most as many requests in any window (fleet.Engine).
func TestEngine_IsExactOverManyPools(t *testing.T) {
	eachDatabase(t, wantExact)
}

// If the default isolation is higher, one of two concurrent statements may be refused; it is
// repeated.
func TestEngine_IsExactWithHigherIsolation(t *testing.T) {
	for _, level := range []string{"repeatable%20read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			d := newPostgres(t)
			d.dsn += "&default_transaction_isolation=" + level
			wantExact(t, d)
		})
	}
}

func wantExact(t *testing.T, d database) {
	d.withTables(t)
	const limit, window, duration = 20, 400 * time.Millisecond, 2 * time.Second
	first := newBucket(t, d.open(t), d.dialect)
	var mu sync.Mutex
	var sent []time.Time
	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var processes sync.WaitGroup
	for range 4 {
		process := newBucket(t, d.open(t), d.dialect)
		process.Bucket = first.Bucket
		for range 8 {
			processes.Go(func() {
				for ctx.Err() == nil {
					r := fleet.Request{Bucket: process.Bucket, Owner: rand.Text(), Limit: limit, Top: limit, Hold: 30 * window}
					grant, err := process.engine.Take(t.Context(), r)
					if err != nil {
						t.Error(err)
						return
					}
					if !grant.Taken {
						time.Sleep(grant.Wait)
						continue
					}
					mu.Lock()
					sent = append(sent, time.Now())
					mu.Unlock()
					if _, err := process.engine.Keep(t.Context(), r.Bucket, []fleet.Slot{{Owner: r.Owner, For: window}}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	processes.Wait()
	slices.SortFunc(sent, time.Time.Compare)
	for i := limit; i < len(sent); i++ {
		if gap := sent[i].Sub(sent[i-limit]); gap < window {
			t.Fatalf("%d requests within %v", limit+1, gap)
		}
	}
	if len(sent) <= limit {
		t.Errorf("only %d requests were sent, want slots to come back", len(sent))
	}
}

func TestEngine_KeepsSlotsThroughAnImmediateStop(t *testing.T) {
	server := sqlstoretest.StartPostgres(t)
	d := postgresAt(server.DSN()).withTables(t)
	db := d.open(t)
	b := newBucket(t, db, d.dialect)
	owners := b.takeAll(nil)
	server.Stop()
	if _, err := b.engine.Take(t.Context(), b.request()); err == nil {
		t.Fatal("want an error while the server is down")
	}
	server.Start()
	for try := 0; ; try++ { // the pool notices by itself that its connections ended
		_, err := b.engine.Take(t.Context(), b.request())
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
	primary := sqlstoretest.StartPostgres(t)
	d := postgresAt(primary.DSN()).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	replica := primary.Replica()
	owners := b.takeAll(nil)
	second := bucket{t, newBucket(t, postgresAt(replica.DSN()).open(t), d.dialect).engine, b.Bucket}
	waitForReplica(t, second, postgresAt(replica.DSN()).open(t))
	primary.Stop()
	replica.Promote()
	second.wants(false)
	wantInt(t, "forgotten", second.keep(time.Hour, owners...), 0)
}

// waitForReplica waits until the replica has all five slots.
func waitForReplica(t *testing.T, b bucket, db *sql.DB) {
	t.Helper()
	for n, i := 0, 0; n < 5; i++ {
		if i > 200 {
			t.Fatal("the replica does not follow")
		}
		err := db.QueryRow("select count(*) from t49_slots where ns = $1 and owner <> ''", b.Namespace).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Only the engine's clock counts (fleet.Engine). If it jumps, a slot is free that much earlier or
// later.
func TestEngine_UsesItsOwnClock(t *testing.T) {
	server := sqlstoretest.StartPostgres(t)
	server.SetClock(time.Hour)
	d := postgresAt(server.DSN()).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	owners := b.takeAll(nil)
	b.keep(10*time.Minute, owners...)
	if wait := b.wants(false).Wait; wait > 10*time.Minute {
		t.Errorf("the wait is %v, want at most ten minutes", wait)
	}
	b.keep(50*time.Millisecond, owners...)
	time.Sleep(100 * time.Millisecond)
	wantInt(t, "slots", len(b.takeAll(nil)), 5)
	for _, step := range []struct {
		shift time.Duration
		taken bool // of a slot that is taken for an hour from +1h on
	}{{time.Hour, false}, {-30 * time.Minute, false}, {150 * time.Minute, true}} {
		server.SetClock(step.shift)
		bucket{t, newBucket(t, d.open(t), d.dialect).engine, b.Bucket}.wants(step.taken)
	}
}

func TestEngine_ReadsTheClockOfSQLiteWhenItHasTheLock(t *testing.T) {
	d := newSQLite(t).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	b.pause(0)                                        // makes the bucket
	other, err := d.open(t).BeginTx(t.Context(), nil) // immediate: takes the lock
	if err != nil {
		t.Fatal(err)
	}
	released := make(chan time.Time, 1)
	time.AfterFunc(300*time.Millisecond, func() {
		released <- time.Now()
		_ = other.Rollback()
	})
	r := b.request()
	r.Limit, r.Top = 1, 1
	if !b.take(r).Taken {
		t.Fatal("want a slot once the lock is free")
	}
	wait := b.take(r).Wait
	began := time.Now().Add(wait - r.Hold) // or earlier
	if at := <-released; began.Before(at.Add(-5 * time.Millisecond)) {
		t.Errorf("the hold began %v before the lock was free", at.Sub(began))
	}
}

func TestEngine_EndsSoonAfterItsContext(t *testing.T) {
	for name, start := range map[string]func(testing.TB) database{"Postgres": newPostgres, "SQLite": newSQLite} {
		t.Run(name, func(t *testing.T) {
			d := start(t).withTables(t)
			b := newBucket(t, d.open(t), d.dialect)
			b.wants(true)
			other, err := d.open(t).BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = other.Rollback() }()
			if d.dialect == sqlstore.Postgres {
				if _, err := other.Exec("lock table t49_slots"); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			began := time.Now()
			if _, err := b.engine.Take(ctx, b.request()); err == nil {
				t.Fatal("want an error")
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("Take ended after %v", took)
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
		_, fromTake := b.engine.Take(t.Context(), b.request())
		_, fromKeep := b.engine.Keep(t.Context(), b.Bucket, []fleet.Slot{{Owner: "x", For: time.Second}})
		_, fromClaim := dedupe.Claim(t.Context(), "id", "owner", time.Second)
		for _, err := range []error{fromTake, fromKeep, b.engine.Pause(t.Context(), b.Bucket, time.Second), fromClaim,
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
		_, fromTake := newBucket(t, db, sqlstore.Postgres).engine.Take(t.Context(), fleet.Request{Limit: 1, Top: 1})
		_, fromClaim := dedupe.Claim(t.Context(), "id", "owner", time.Second)
		for _, err := range []error{fromTake, fromClaim, sqlstore.Migrate(t.Context(), db, sqlstore.Postgres)} {
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
