package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/engines"
	"github.com/go-freight/terminal49/sqlstore"
)

// bucket is one of an engine in a test; every test has a namespace of its own.
type bucket struct {
	t      *testing.T
	engine fleet.Engine
	fleet.Bucket
}

func newBucket(t *testing.T, db *sql.DB, d sqlstore.Dialect) bucket {
	t.Helper()
	engine, err := sqlstore.NewEngine(db, d)
	if err != nil {
		t.Fatal(err)
	}
	return bucket{t, engine, fleet.Bucket{Namespace: rand.Text(), Name: "default"}}
}

// request asks for one of five slots, for an hour.
func (b bucket) request() fleet.Request {
	return fleet.Request{Bucket: b.Bucket, Owner: rand.Text(), Limit: 5, Top: 5, Hold: time.Hour}
}

func (b bucket) take(r fleet.Request) fleet.Grant {
	b.t.Helper()
	grant, err := b.engine.Take(b.t.Context(), r)
	if err != nil {
		b.t.Fatal(err)
	}
	return grant
}

// takeAll takes slots until there are none, and returns their owners.
func (b bucket) takeAll(change func(*fleet.Request)) (owners []string) {
	b.t.Helper()
	for {
		r := b.request()
		if change != nil {
			change(&r)
		}
		if len(owners) > 100 || !b.take(r).Taken {
			return owners
		}
		owners = append(owners, r.Owner)
	}
}

func (b bucket) keep(d time.Duration, owners ...string) (forgotten int) {
	b.t.Helper()
	slots := make([]fleet.Slot, len(owners))
	for i, owner := range owners {
		slots[i] = fleet.Slot{Owner: owner, For: d}
	}
	forgotten, err := b.engine.Keep(b.t.Context(), b.Bucket, slots)
	if err != nil {
		b.t.Fatal(err)
	}
	return forgotten
}

func (b bucket) pause(d time.Duration) {
	b.t.Helper()
	if err := b.engine.Pause(b.t.Context(), b.Bucket, d); err != nil {
		b.t.Fatal(err)
	}
}

// wants fails the test unless a slot can be taken or not, as wanted.
func (b bucket) wants(taken bool) fleet.Grant {
	b.t.Helper()
	grant := b.take(b.request())
	if grant.Taken != taken {
		b.t.Fatalf("got %+v, want Taken %v", grant, taken)
	}
	return grant
}

func wantInt(t *testing.T, what string, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %d, want %d", what, got, want)
	}
}

// Every expectation is a sentence of the documentation of fleet.Engine.
var engineContract = map[string]func(t *testing.T, b bucket, db *sql.DB){
	"Take takes as many slots as the limit, then says when to ask again": func(t *testing.T, b bucket, _ *sql.DB) {
		wantInt(t, "slots", len(b.takeAll(nil)), 5)
		if wait := b.wants(false).Wait; wait < 50*time.Minute || wait > time.Hour {
			t.Errorf("the wait is %v, want nearly the hold, which is an hour", wait)
		}
	},
	"buckets and namespaces do not share slots": func(t *testing.T, b bucket, _ *sql.DB) {
		b.takeAll(nil)
		other := b
		other.Name = "infer"
		wantInt(t, "slots of another bucket", len(other.takeAll(nil)), 5)
		other.Namespace += "2"
		wantInt(t, "slots of another namespace", len(other.takeAll(nil)), 5)
	},
	"a slot is free when its hold has passed": func(t *testing.T, b bucket, _ *sql.DB) {
		b.takeAll(func(r *fleet.Request) { r.Hold = 300 * time.Millisecond })
		time.Sleep(b.take(b.request()).Wait + 10*time.Millisecond)
		b.wants(true)
	},
	"Keep sets for how long a slot stays taken": func(t *testing.T, b bucket, _ *sql.DB) {
		owners := b.takeAll(nil)
		wantInt(t, "forgotten", b.keep(200*time.Millisecond, owners[0], owners[3]), 0)
		if wait := b.wants(false).Wait; wait <= 0 || wait > 200*time.Millisecond {
			t.Errorf("the wait is %v, want at most 200ms", wait)
		}
		time.Sleep(250 * time.Millisecond)
		wantInt(t, "slots", len(b.takeAll(nil)), 2)
	},
	"a slot kept for zero or less is free at once": func(t *testing.T, b bucket, _ *sql.DB) {
		owners := b.takeAll(nil)
		wantInt(t, "forgotten", b.keep(0, owners[1])+b.keep(-time.Second, owners[2]), 0)
		wantInt(t, "slots", len(b.takeAll(nil)), 2)
	},
	"an unknown slot kept for zero is not counted": func(t *testing.T, b bucket, _ *sql.DB) {
		b.takeAll(nil)
		wantInt(t, "forgotten", b.keep(0, "stranger"), 0)
		b.wants(false)
	},
	"a forgotten slot is counted and taken again": func(t *testing.T, b bucket, _ *sql.DB) {
		b.wants(true)
		wantInt(t, "forgotten", b.keep(time.Hour, "one", "two"), 2)
		wantInt(t, "forgotten the second time", b.keep(time.Hour, "one", "two"), 0)
		wantInt(t, "slots", len(b.takeAll(nil)), 2)
		wantInt(t, "forgotten while none is free", b.keep(time.Hour, "three"), 1)
	},
	"Keep of known and forgotten slots does not take a slot twice": func(t *testing.T, b bucket, _ *sql.DB) {
		r := b.request()
		r.Hold = time.Millisecond
		if !b.take(r).Taken {
			t.Fatal("want a slot")
		}
		time.Sleep(10 * time.Millisecond)
		wantInt(t, "forgotten", b.keep(time.Hour, r.Owner, "one", "two"), 2)
		wantInt(t, "slots", len(b.takeAll(nil)), 2)
	},
	"a slot whose hold has passed is another's once it was taken": func(t *testing.T, b bucket, _ *sql.DB) {
		first, second, third := b.request(), b.request(), b.request()
		first.Hold = 50 * time.Millisecond
		for _, r := range []*fleet.Request{&first, &second, &third} {
			r.Limit, r.Top = 1, 1
		}
		b.take(first)
		time.Sleep(60 * time.Millisecond)
		if !b.take(second).Taken {
			t.Fatal("want the slot")
		}
		wantInt(t, "forgotten", b.keep(time.Millisecond, first.Owner), 1)
		time.Sleep(10 * time.Millisecond)
		if b.take(third).Taken {
			t.Error("a stranger changed a slot")
		}
	},
	"requests with a share take only so many slots": func(t *testing.T, b bucket, _ *sql.DB) {
		share := func(r *fleet.Request) { r.Top = 3 }
		wantInt(t, "slots of the share", len(b.takeAll(share)), 3)
		wantInt(t, "slots left", len(b.takeAll(nil)), 2)
	},
	"requests without a share leave the share alone as long as they can": func(t *testing.T, b bucket, _ *sql.DB) {
		b.wants(true)
		b.wants(true)
		wantInt(t, "slots of the share", len(b.takeAll(func(r *fleet.Request) { r.Top = 3 })), 3)
	},
	"Pause makes Take grant nothing and is never shortened": func(t *testing.T, b bucket, _ *sql.DB) {
		b.pause(500 * time.Millisecond) // the bucket's first use
		b.pause(time.Millisecond)
		if wait := b.wants(false).Wait; wait < 100*time.Millisecond || wait > 500*time.Millisecond {
			t.Errorf("the wait is %v, want the rest of 500ms", wait)
		}
		time.Sleep(550 * time.Millisecond)
		b.wants(true)
	},
	"a bucket remembers since when it does": func(t *testing.T, b bucket, db *sql.DB) {
		first := b.wants(true)
		if second := b.wants(true); first.Born == 0 || second.Born != first.Born {
			t.Fatalf("born %d, then %d", first.Born, second.Born)
		}
		wantInt(t, "slots of one who knows that", len(b.takeAll(func(r *fleet.Request) { r.Born = first.Born })), 3)
		for _, table := range []string{"t49_slots", "t49_buckets"} {
			execute(t, db, "delete from "+table+" where ns = '"+b.Namespace+"'")
			r := b.request()
			r.Born = first.Born
			lost := b.take(r)
			if lost.Taken || lost.Born <= first.Born {
				t.Fatalf("after %s was emptied: %+v", table, lost)
			}
			r.Born = lost.Born
			if !b.take(r).Taken {
				t.Fatal("want a slot for one who knows of the loss")
			}
			first = lost
		}
	},
	"an engine must have remembered for as long as the request says": func(t *testing.T, b bucket, _ *sql.DB) {
		r := b.request()
		r.Settle = 400 * time.Millisecond
		if grant := b.take(r); grant.Taken || grant.Wait <= 0 || grant.Wait > r.Settle {
			t.Fatalf("got %+v, want a wait of at most %v", grant, r.Settle)
		}
		time.Sleep(450 * time.Millisecond)
		if !b.take(r).Taken {
			t.Error("want a slot after the time to settle")
		}
	},
	"a limit that grows brings slots and no loss": func(t *testing.T, b bucket, _ *sql.DB) {
		born := b.wants(true).Born
		b.takeAll(nil)
		r := b.request()
		r.Limit, r.Top = 7, 7
		if grant := b.take(r); !grant.Taken || grant.Born != born {
			t.Fatalf("got %+v, want a slot and Born %d", grant, born)
		}
		b.wants(false)
	},
}

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

// Two statements at once may be refused if the default isolation is higher: they are repeated.
func TestEngine_IsExactIfTransactionsAreIsolated(t *testing.T) {
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
					r := fleet.Request{Bucket: process.Bucket, Owner: rand.Text(), Limit: limit, Top: limit, Hold: 3 * window}
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

func TestEngine_RemembersOverAnImmediateStop(t *testing.T) {
	server := engines.StartPostgres(t)
	d := postgresAt(server.DSN()).withTables(t)
	db := d.open(t)
	b := newBucket(t, db, d.dialect)
	owners := b.takeAll(nil)
	server.Stop()
	if _, err := b.engine.Take(t.Context(), b.request()); err == nil {
		t.Fatal("want an error while the server is down")
	}
	server.Start()
	b = bucket{t, newBucket(t, d.open(t), d.dialect).engine, b.Bucket}
	b.wants(false)
	wantInt(t, "forgotten", b.keep(time.Hour, owners...), 0)
}

func TestEngine_RemembersOnAPromotedReplica(t *testing.T) {
	primary := engines.StartPostgres(t)
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

// waitForReplica waits until all five slots are taken there, too.
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
	server := engines.StartPostgresClock(t, "+1h")
	d := postgresAt(server.DSN()).withTables(t)
	b := newBucket(t, d.open(t), d.dialect)
	owners := b.takeAll(nil)
	b.keep(300*time.Millisecond, owners...)
	if wait := b.wants(false).Wait; wait > 300*time.Millisecond {
		t.Errorf("the wait is %v, want at most 300ms", wait)
	}
	time.Sleep(350 * time.Millisecond)
	wantInt(t, "slots", len(b.takeAll(nil)), 5)
	for _, step := range []struct {
		shift string
		taken bool // of a slot that is taken for an hour from +1h on
	}{{"+1h", false}, {"-30m", false}, {"+150m", true}} {
		server.SetClock(step.shift)
		server.Restart()
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
	time.AfterFunc(300*time.Millisecond, func() { _ = other.Rollback() })
	r := b.request()
	r.Hold, r.Limit, r.Top = 200*time.Millisecond, 1, 1
	if !b.take(r).Taken {
		t.Fatal("want a slot once the lock is free")
	}
	if r.Owner = "second"; b.take(r).Taken {
		t.Error("the hold began before the lock was free")
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

func TestEngine_SaysWhatToDoAboutMissingTables(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		b := newBucket(t, d.open(t), d.dialect)
		dedupe, err := sqlstore.NewDedupe(d.open(t), d.dialect, "")
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

func TestEngine_KeepsPasswordsOutOfErrors(t *testing.T) {
	d := postgresAt("postgres://user:hunter2@127.0.0.1:1/db?sslmode=disable")
	_, err := newBucket(t, d.open(t), d.dialect).engine.Take(t.Context(), fleet.Request{Limit: 1, Top: 1})
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.HasPrefix(err.Error(), "sqlstore: take a slot: ") {
		t.Errorf("got %v", err)
	}
}

func TestNew_ChecksItsArguments(t *testing.T) {
	db := newSQLite(t).open(t)
	for _, d := range []sqlstore.Dialect{0, 9} {
		_, fromLimiter := sqlstore.NewLimiter(db, d, "token")
		_, fromEngine := sqlstore.NewEngine(db, d)
		_, fromDedupe := sqlstore.NewDedupe(db, d, "")
		_, withoutDB := sqlstore.NewLimiter(nil, sqlstore.SQLite, "token")
		for _, err := range []error{fromLimiter, fromEngine, fromDedupe, withoutDB, sqlstore.Migrate(t.Context(), db, d)} {
			if argument := (*terminal49.ArgumentError)(nil); !errors.As(err, &argument) {
				t.Errorf("got %v, want an ArgumentError", err)
			}
		}
	}
}
