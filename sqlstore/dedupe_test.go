package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

func newDedupe(t *testing.T, d database, namespace string) *sqlstore.Dedupe {
	t.Helper()
	store, err := sqlstore.NewDedupe(d.open(t), d.dialect, namespace)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// claims fails the test unless Claim returns want.
func claims(t *testing.T, s *sqlstore.Dedupe, id, owner string, lease time.Duration, want webhook.DedupeState) {
	t.Helper()
	if got, err := s.Claim(t.Context(), id, owner, lease); got != want || err != nil {
		t.Fatalf("Claim of %.20q by %s: %v, %v, want %v", id, owner, got, err, want)
	}
}

func wantNil(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantLost(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, webhook.ErrClaimLost) {
		t.Fatalf("got %v, want webhook.ErrClaimLost", err)
	}
}

// Every expectation is a sentence of the documentation of webhook.DedupeStore.
func TestDedupe_KeepsItsContract(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		d.withTables(t)
		s, other := newDedupe(t, d, "a"), newDedupe(t, d, "b")
		ctx, id := t.Context(), strings.Repeat("an id of any length ", 1000)

		claims(t, s, id, "1", time.Hour, webhook.DedupeClaimed)
		claims(t, s, id, "2", time.Hour, webhook.DedupeBusy)
		claims(t, s, id, "1", time.Hour, webhook.DedupeClaimed) // renews it
		claims(t, other, id, "2", time.Hour, webhook.DedupeClaimed)

		wantNil(t, s.Release(ctx, id, "2")) // not its claim
		claims(t, s, id, "2", time.Hour, webhook.DedupeBusy)
		wantNil(t, s.Release(ctx, id, "1"))
		claims(t, s, id, "3", 100*time.Millisecond, webhook.DedupeClaimed)
		pass(150 * time.Millisecond) // its process has died
		claims(t, s, id, "4", time.Hour, webhook.DedupeClaimed)
		wantNil(t, s.Release(ctx, id, "3"))
		claims(t, s, id, "5", time.Hour, webhook.DedupeBusy)

		wantLost(t, s.Complete(ctx, id, "3", time.Hour)) // done, also if another owner has the claim
		claims(t, s, id, "5", time.Hour, webhook.DedupeDone)
		wantNil(t, s.Release(ctx, id, "4"))
		wantNil(t, s.Release(ctx, id, ""))
		claims(t, s, id, "5", time.Hour, webhook.DedupeDone)
		wantLost(t, s.Complete(ctx, id, "3", 50*time.Millisecond))
		pass(100 * time.Millisecond)
		claims(t, s, id, "5", time.Hour, webhook.DedupeClaimed)

		wantLost(t, s.Complete(ctx, "never claimed", "1", time.Hour))
		claims(t, s, "never claimed", "1", time.Hour, webhook.DedupeDone)

		claims(t, s, "renewed", "1", 50*time.Millisecond, webhook.DedupeClaimed)
		claims(t, s, "renewed", "1", time.Hour, webhook.DedupeClaimed)
		pass(100 * time.Millisecond)
		claims(t, s, "renewed", "2", time.Hour, webhook.DedupeBusy)
		for range 2 { // a reply may be lost
			wantNil(t, s.Complete(ctx, "renewed", "1", time.Hour))
		}
		claims(t, s, "renewed", "1", time.Hour, webhook.DedupeDone)

		claims(t, s, "expired", "1", 50*time.Millisecond, webhook.DedupeClaimed)
		pass(100 * time.Millisecond)
		wantLost(t, s.Complete(ctx, "expired", "1", time.Hour))
		claims(t, s, "expired", "1", time.Hour, webhook.DedupeDone)
	})
}

// SQLite counts milliseconds, and a claim is free in the first one after until. A lease with a part
// of a millisecond must not end before its time.
func TestDedupe_FractionsAreRoundedUp(t *testing.T) {
	d := newSQLite(t).withTables(t)
	s, db := newDedupe(t, d, "a"), d.open(t)
	ends := func(what, id string, began time.Time, period time.Duration) {
		t.Helper()
		var until int64
		wantNil(t, db.QueryRow("select max(until) from t49_notifications").Scan(&until))
		if free := time.UnixMicro(until).Truncate(time.Millisecond).Add(time.Millisecond); free.Before(began.Add(period)) {
			t.Errorf("%s %s for %v ends after %v", what, id, period, free.Sub(began))
		}
	}
	for i := range 40 {
		id, period := fmt.Sprint(i), time.Duration(i)*time.Minute+100*time.Millisecond+900*time.Microsecond
		began := time.Now()
		claims(t, s, id, "1", period, webhook.DedupeClaimed)
		ends("the claim", id, began, period)
		began = time.Now()
		wantNil(t, s.Complete(t.Context(), id, "1", period))
		ends("what is done", id, began, period)
	}
}

// All methods are atomic per id (webhook.DedupeStore).
func TestDedupe_LetsOneOfManyClaim(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		d.withTables(t)
		stores := []*sqlstore.Dedupe{newDedupe(t, d, "receivers"), newDedupe(t, d, "receivers"), newDedupe(t, d, "receivers")}
		for round := range 3 { // the later ones find a claim that has expired
			var mu sync.Mutex
			var claimed int
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					state, err := stores[i%3].Claim(t.Context(), "id", fmt.Sprint(round, i), time.Hour)
					mu.Lock()
					defer mu.Unlock()
					if err != nil || state == webhook.DedupeDone {
						t.Error(state, err)
					}
					if state == webhook.DedupeClaimed {
						claimed++
					}
				})
			}
			all.Wait()
			wantInt(t, "claims", claimed, 1)
			execute(t, d.open(t), "update t49_notifications set until = "+map[sqlstore.Dialect]string{sqlstore.Postgres: "'epoch'", sqlstore.SQLite: "0"}[d.dialect])
		}
	})
}

func TestDedupe_DeletesExpiredRows(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		db := d.withTables(t).open(t)
		for i := range 1203 {
			past := map[sqlstore.Dialect]string{sqlstore.Postgres: "'1', false, 'epoch'", sqlstore.SQLite: "'1', 0, 0"}[d.dialect]
			id := map[sqlstore.Dialect]string{sqlstore.Postgres: "'\\x%04d'", sqlstore.SQLite: "x'%04d'"}[d.dialect]
			execute(t, db, "insert into t49_notifications (ns, id, owner, done, until, format) values ('gone', "+fmt.Sprintf(id, i)+", "+past+", 1)")
		}
		s := newDedupe(t, d, "receivers")
		for i, want := range []int{704, 205, 3, 4} { // three batches of 500, then not for a minute
			wantLost(t, s.Complete(t.Context(), fmt.Sprint(i), "1", time.Hour))
			var rows int
			wantNil(t, db.QueryRow("select count(*) from t49_notifications").Scan(&rows))
			wantInt(t, "rows", rows, want)
		}
	})
}

// Issue 31, 6: a wrong version is ErrNotSetUp with what to do.
func TestDedupe_RefusesTablesOfAnotherFormat(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		d.withTables(t)
		s, db := newDedupe(t, d, "a"), d.open(t)
		if d.dialect == sqlstore.Postgres {
			execute(t, db, "alter table t49_notifications drop constraint t49_notifications_format_check")
			execute(t, db, "alter table t49_notifications add check (format = 2)")
		} else {
			execute(t, db, "drop table t49_notifications")
			execute(t, db, strings.Replace(sqlstore.Schema(d.dialect), "format = 1", "format = 2", 1))
		}
		_, err := s.Claim(t.Context(), "id", "1", time.Hour)
		for _, err := range []error{err, s.Complete(t.Context(), "id", "1", time.Hour)} {
			if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), "run one version") {
				t.Errorf("got %v", err)
			}
		}
	})
}
