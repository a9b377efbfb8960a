package proof

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// busy returns the order of a process that does everything all the time, so that each point is
// passed every second or so.
func busy(s *service, db source) order {
	return order{
		Database: db, API: s.URL, Token: s.Token,
		Settle: 200 * time.Millisecond, Active: time.Second, Whole: 3 * time.Second,
	}
}

// namedPoints returns the points that the source of package mirror names: those of points.Hit, and
// three for each transaction of apply.
func namedPoints(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../../*.go")
	require.NoError(t, err)
	hit := regexp.MustCompile(`points\.Hit\("([^"]+)"\)`)
	applied := regexp.MustCompile(`\.apply\([^"\n]*, "([^"]+)", func`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range hit.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
		for _, m := range applied.FindAllSubmatch(text, -1) {
			for _, moment := range []string{"before begin", "before commit", "after commit"} {
				names = append(names, string(m[1])+": "+moment)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A process is killed at each point, while the world changes. When nothing changes any more and a
// last process has come to rest, the tables equal the world, and every notification and every
// change is recorded once.
func TestKill_AtEachPoint(t *testing.T) {
	names := namedPoints(t)
	require.GreaterOrEqual(t, len(names), 25)
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s := newService(t, 1, 12)
		stop := s.changeUntil(30 * time.Millisecond)
		defer stop()
		reader, kills := db.open(t), 0
		for _, name := range names {
			o := busy(s, db)
			o.KillAt, o.KillAfter = name, rand.IntN(2)
			p := start(t, o)
			s.receivers.set(p.address)
			if !p.endedWithin(15 * time.Second) {
				t.Errorf("a process does not pass %q", name)
				p.kill()
			} else if !assert.True(t, p.wasKilled(), "the process ended by itself at %q:\n%s", name, p.lastLines()) {
				return
			}
			s.receivers.set()
			reader.release(t)
			kills++
		}
		stop()
		rest(t, s, db)
		t.Logf("figure: %s: killed at each of %d points: 0 lost, 0 wrong, 0 doubled; %s", name(db), kills, amounts(t, reader))
	})
}

// A process is killed at random moments.
func TestKill_AtRandom(t *testing.T) {
	kills := amount(5, 30, 1000)
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s := newService(t, 2, 12)
		stop := s.changeUntil(30 * time.Millisecond)
		defer stop()
		reader := db.open(t)
		for range kills {
			p := start(t, busy(s, db))
			s.receivers.set(p.address)
			if p.endedWithin(rand.N(900 * time.Millisecond)) {
				t.Fatalf("the process ended by itself:\n%s", p.lastLines())
			}
			p.kill()
			s.receivers.set()
			reader.release(t)
		}
		stop()
		rest(t, s, db)
		t.Logf("figure: %s: killed at %d random moments: 0 lost, 0 wrong, 0 doubled; %s", name(db), kills, amounts(t, reader))
	})
}

// rest lets a last process come to rest and compares what it has with the world.
func rest(t *testing.T, s *service, db source) {
	t.Helper()
	p := start(t, busy(s, db))
	defer p.kill()
	s.receivers.set(p.address)
	reader := db.open(t)
	defer func() {
		if t.Failed() {
			t.Log(p.lastLines())
		}
	}()
	eventually(t, 40*time.Second, func() []string {
		return slices.Concat(differences(t, reader, s.Server), inboxFaults(t, reader, s.Server), historyFaults(t, reader, s.Server))
	})
	requireSettled(t, s, reader)
}

// requireSettled fails if what is at rest changes again.
func requireSettled(t *testing.T, s *service, reader *stored) {
	t.Helper()
	const last = "select coalesce(max(seq), 0) from t49.changes"
	before := reader.count(t, last)
	time.Sleep(2 * time.Second)
	require.Equal(t, before, reader.count(t, last), "something is recorded as changed although nothing changes")
	requireEqual(t, reader, s.Server)
}

func name(s source) string {
	if s.isPostgres() {
		return "Postgres"
	}
	return "SQLite"
}

// amounts says how much was compared.
func amounts(t testing.TB, s *stored) string {
	return fmt.Sprintf("%d resources, %d changes, %d notifications",
		len(s.rows(t)), s.count(t, "select count(*) from t49.changes"), s.count(t, "select count(*) from t49.inbox"))
}
