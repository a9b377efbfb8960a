package sqlstore_test

import (
	"crypto/rand"
	"database/sql"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
)

// bucket is one bucket of an engine; every test has a namespace of its own.
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

// request returns a request for one of five slots, for an hour.
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

// wants calls Take and fails the test unless it returns the given Taken.
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
	"Take takes as many slots as the limit, then returns how long to wait": func(t *testing.T, b bucket, _ *sql.DB) {
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
	"Keep sets how long a slot stays taken": func(t *testing.T, b bucket, _ *sql.DB) {
		owners := b.takeAll(nil)
		wantInt(t, "forgotten", b.keep(10*time.Minute, owners[0], owners[3]), 0)
		if wait := b.wants(false).Wait; wait <= 0 || wait > 10*time.Minute {
			t.Errorf("the wait is %v, want at most ten minutes", wait)
		}
		b.keep(50*time.Millisecond, owners[0], owners[3])
		time.Sleep(100 * time.Millisecond)
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
	"Keep does not change a slot that another process has taken since": func(t *testing.T, b bucket, _ *sql.DB) {
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
			t.Error("Keep changed a slot of another process")
		}
	},
	"requests with a share take only their part of the slots": func(t *testing.T, b bucket, _ *sql.DB) {
		share := func(r *fleet.Request) { r.Top = 3 }
		wantInt(t, "slots of the share", len(b.takeAll(share)), 3)
		wantInt(t, "slots left", len(b.takeAll(nil)), 2)
	},
	"requests without a share use the slots of the share last": func(t *testing.T, b bucket, _ *sql.DB) {
		b.wants(true)
		b.wants(true)
		wantInt(t, "slots of the share", len(b.takeAll(func(r *fleet.Request) { r.Top = 3 })), 3)
	},
	"Pause makes Take grant nothing and is never shortened": func(t *testing.T, b bucket, _ *sql.DB) {
		b.pause(50 * time.Millisecond) // the bucket's first use
		time.Sleep(100 * time.Millisecond)
		b.wants(true)
		b.pause(time.Hour)
		b.pause(time.Millisecond)
		if wait := b.wants(false).Wait; wait < 50*time.Minute || wait > time.Hour {
			t.Errorf("the wait is %v, want the rest of an hour", wait)
		}
	},
	"Born changes only when rows are lost": func(t *testing.T, b bucket, db *sql.DB) {
		first := b.wants(true)
		if second := b.wants(true); first.Born == 0 || second.Born != first.Born {
			t.Fatalf("born %d, then %d", first.Born, second.Born)
		}
		wantInt(t, "slots of a process with that Born", len(b.takeAll(func(r *fleet.Request) { r.Born = first.Born })), 3)
		for _, table := range []string{"t49_slots", "t49_buckets"} {
			time.Sleep(5 * time.Millisecond) // SQLite's clock counts milliseconds
			execute(t, db, "delete from "+table+" where ns = '"+b.Namespace+"'")
			r := b.request()
			r.Born = first.Born
			lost := b.take(r)
			if lost.Taken || lost.Born <= first.Born {
				t.Fatalf("after %s was emptied: %+v", table, lost)
			}
			r.Born = lost.Born
			if !b.take(r).Taken {
				t.Fatal("want a slot for a process with the new Born")
			}
			first = lost
		}
	},
	"Take grants nothing until Born is Settle ago": func(t *testing.T, b bucket, _ *sql.DB) {
		r := b.request()
		r.Settle = time.Hour
		if grant := b.take(r); grant.Taken || grant.Wait <= 0 || grant.Wait > r.Settle {
			t.Fatalf("got %+v, want a wait of at most %v", grant, r.Settle)
		}
		r.Settle = 50 * time.Millisecond
		time.Sleep(100 * time.Millisecond)
		if !b.take(r).Taken {
			t.Error("want a slot after the time to settle")
		}
	},
	"a larger limit adds slots and keeps Born": func(t *testing.T, b bucket, _ *sql.DB) {
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
