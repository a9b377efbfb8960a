//go:build unix

package proof

import (
	"cmp"
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

	"github.com/go-freight/terminal49/terminal49test"
)

// busy returns the order of a process that does everything all the time, so that each point is
// passed every second or so.
func busy(s *service, db source) order {
	return order{
		Database: db.child(), API: s.URL, Token: s.Token,
		Settle: 200 * time.Millisecond, Active: time.Second, Whole: 3 * time.Second,
	}
}

// namedPoints returns the points of Run that the source of the mirror names: those of Reach, and
// three for each transaction.
func namedPoints(t testing.TB) (names []string) {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../../*.go", "../store/*.go", "../worker/*.go"} {
		some, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, some...)
	}
	hit := regexp.MustCompile(`\.Reach\("([^"]+)"\)`)
	applied := regexp.MustCompile(`\.(?:Apply|write)\([^"\n]*, "([^"]+)", func`)
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
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		step, _, _ := strings.Cut(name, ":")
		return slices.Contains([]string{"forget", "rebuild", "restored", "confirm", "repair", "prune", "prune begin"}, step) // Run does none, or not by default
	})
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(once(b), once(a)) })
	return names
}

// once returns 1 for a point that only the first process passes.
func once(point string) int {
	if strings.HasPrefix(point, "identity") {
		return 1
	}
	return 0
}

// A process is killed at each point, while the world changes. When nothing changes any more and a
// last process has come to rest, the tables equal the world, and every notification and every
// change is recorded once.
func TestKill_AtEachPoint(t *testing.T) {
	t.Parallel()
	every := amount(6, 1, 1)
	names := namedPoints(t)
	require.GreaterOrEqual(t, len(names), 25)
	names = slices.Collect(func(yield func(string) bool) {
		for i := rand.IntN(every); i < len(names) && yield(names[i]); i += every {
		}
	})
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s, reader := newService(t, 1, 12), db.open(t)
		stop := s.changeUntil(60 * time.Millisecond)
		defer stop()
		for _, point := range names {
			o := busy(s, db)
			o.KillAt, o.KillAfter = point, afterPassing(point)
			cause(t, point, s, reader)
			p := start(t, o)
			s.receivers.set(p.address)
			if !p.endedWithin(5 * time.Minute) {
				t.Errorf("a process does not pass %q", point)
				p.kill()
			} else if !assert.True(t, p.wasKilled(), "the process ended by itself at %q:\n%s", point, p.lastLines()) {
				return
			}
			s.receivers.set()
			s.ClearFaults()
			reader.release(t)
		}
		stop()
		rest(t, s, db, reader)
		t.Logf("figure: %s: killed at each of %d points: 0 lost, 0 wrong, 0 doubled; %s", name(db), len(names), amounts(t, reader))
	})
}

// afterPassing returns how often a process passes a point before it is killed there. The account is
// stored once, all containers are queued once, an idle poll is noted every half minute, the state
// of the webhook when it changes, and one container is missing.
func afterPassing(point string) int {
	if once(point) == 1 || strings.HasPrefix(point, "situations begin") || strings.HasPrefix(point, "poll end") || strings.HasPrefix(point, "missing") || strings.HasPrefix(point, "webhook") {
		return 0
	}
	return rand.IntN(2)
}

// cause sees to it that a point is passed that is not part of what goes well.
func cause(t testing.TB, point string, s *service, reader *stored) {
	t.Helper()
	switch step, _, _ := strings.Cut(point, ":"); step {
	case "inbox alone", "inbox fail":
		reader.poison(t)
	case "missing":
		s.RemoveContainer(s.ids("container")[0])
	case "poll delay":
		s.AddFault(terminal49test.Fault{Operation: "shipments.get", Times: -1, Status: 500})
		s.AddFault(terminal49test.Fault{Operation: "containers.get", Times: -1, Status: 500})
	case "situations begin":
		reader.otherNumbers(t)
	case "walk fail", "walk failures":
		s.AddFault(terminal49test.Fault{Operation: "containers.list", Times: -1, Status: 500})
	}
}

// poison puts a notification into the inbox that cannot be applied, and others beside it.
func (s *stored) poison(t testing.TB) {
	t.Helper()
	id := fmt.Sprint("poison-", rand.Int64())
	_, err := s.Exec(s.statement(`insert into t49.inbox (id, event, received_at, source, state, body)
select $1 || id, event, received_at, source, 'new', body from t49.inbox where state = 'done' order by id limit 3`), id)
	require.NoError(t, err)
	_, err = s.Exec(s.statement(`insert into t49.inbox (id, event, received_at, source, state, body)
values ($1, 'test', '2026-11-22T15:00:00.000000Z', 'webhook', 'new', $2)`), id, []byte("{"))
	require.NoError(t, err)
}

// otherNumbers makes the next process assess all containers.
func (s *stored) otherNumbers(t testing.TB) {
	t.Helper()
	if s.hasTables() {
		_, err := s.Exec(s.statement("delete from t49.cursors where name = 'situations.notices'"))
		require.NoError(t, err)
	}
}

// A process is killed at random moments. The copy is compared after every 50 kills, near the cause
// of a fault, and the next process goes on with the same database.
func TestKill_AtRandom(t *testing.T) {
	t.Parallel()
	const round = 50
	kills := amount(5, 30, 1000)
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s, reader := newService(t, 2, 12), db.open(t)
		for done := 0; done < kills; {
			n := min(round, kills-done)
			killAtRandom(t, n, s, db, reader)
			done += n
			t.Logf("figure: %s: killed at %d random moments: 0 lost, 0 wrong, 0 doubled; %s", name(db), done, amounts(t, reader))
		}
	})
}

// killAtRandom kills n processes one after another while the world changes, and then compares.
func killAtRandom(t *testing.T, n int, s *service, db source, reader *stored) {
	t.Helper()
	stop := s.changeUntil(60 * time.Millisecond)
	defer stop()
	reader.release(t) // what the process had that came to rest before
	for range n {
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
	rest(t, s, db, reader)
}

// rest lets a last process come to rest and compares what it has with the world.
func rest(t *testing.T, s *service, db source, reader *stored) {
	t.Helper()
	p := start(t, busy(s, db))
	defer p.kill()
	s.receivers.set(p.address)
	defer func() {
		if t.Failed() {
			t.Log(p.lastLines())
		}
	}()
	eventually(t, func() []string { return append(s.pending(), faults(t, reader, s.Server)...) })
	requireSettled(t, s, reader)
}

// requireSettled fails if what is at rest changes again while a process reads everything again.
func requireSettled(t *testing.T, s *service, reader *stored) {
	t.Helper()
	before := reader.count(t, lastChange)
	reader.walked(t)
	require.Equal(t, before, reader.count(t, lastChange), "something is recorded as changed although nothing changes")
	requireNone(t, faults(t, reader, s.Server))
}

// faults compares everything that a mirror has with the service.
func faults(t testing.TB, s *stored, srv *terminal49test.Server) []string {
	t.Helper()
	if !s.hasTables() {
		return []string{"there are no tables"}
	}
	return slices.Concat(differences(t, s, srv), columnFaults(t, s, srv), inboxFaults(t, s, srv), historyFaults(t, s, srv), situationFaults(t, s))
}

func name(s source) string {
	if s.isPostgres() {
		return "Postgres"
	}
	return "SQLite"
}

// amounts returns how much was compared.
func amounts(t testing.TB, s *stored) string {
	return fmt.Sprintf("%d resources, %d changes, %d notifications",
		len(s.rows(t)), s.count(t, "select count(*) from t49.changes"), s.count(t, "select count(*) from t49.inbox"))
}
