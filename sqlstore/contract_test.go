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
	fleet.Call
}

// newBucket returns a bucket with five slots, which are taken for an hour.
func newBucket(t *testing.T, db *sql.DB, d sqlstore.Dialect) bucket {
	t.Helper()
	engine, err := sqlstore.NewEngine(db, d)
	if err != nil {
		t.Fatal(err)
	}
	return bucket{t, engine, fleet.Call{
		Bucket: fleet.Bucket{Namespace: rand.Text(), Name: "default"}, Limit: 5, Window: 40 * time.Minute,
	}}
}

func (b bucket) serve(c fleet.Call) fleet.Reply {
	b.t.Helper()
	r, err := b.engine.Serve(b.t.Context(), c)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// take asks for a slot, and gives up its place if none is free.
func (b bucket) take(owner string) fleet.Grant {
	b.t.Helper()
	c := b.Call
	c.Places = []fleet.Place{{Owner: owner, Top: c.Limit}}
	g := b.serve(c).Grants[0]
	if !g.Taken {
		b.keep(0, owner)
	}
	return g
}

// takeAll takes slots until there are none, and returns their owners.
func (b bucket) takeAll() (owners []string) {
	b.t.Helper()
	for {
		owner := rand.Text()
		if len(owners) > 100 || !b.take(owner).Taken {
			return owners
		}
		owners = append(owners, owner)
	}
}

func (b bucket) keep(d time.Duration, owners ...string) (lost int) {
	b.t.Helper()
	c := b.Call
	for _, owner := range owners {
		c.Slots = append(c.Slots, fleet.Slot{Owner: owner, For: d})
	}
	return b.serve(c).Lost
}

// wants takes a slot and fails the test unless the grant has the given Taken.
func (b bucket) wants(taken bool) fleet.Grant {
	b.t.Helper()
	grant := b.take(rand.Text())
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
