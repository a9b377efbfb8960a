//go:build unix

package proof

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// A process that writes is stopped before a transaction for longer than its lease, and another one
// takes over. When the first wakes up, it writes nothing, and lets the other go on.
func TestZombie_WritesNothing(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"walk: before begin", "inbox: before begin", "send: after response"} {
		t.Run(strings.NewReplacer(" ", "_", ":", "").Replace(point), func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, db source) { stopAt(t, db, point) })
		})
	}
}

// stopAt stops a process at a point.
func stopAt(t *testing.T, db source, point string) {
	t.Parallel()
	s, reader := newService(t, 4, 12), db.open(t)
	stop := s.changeUntil(60 * time.Millisecond)
	defer stop()
	o := busy(s, db)
	o.StopAt, o.Trace = point, true
	zombie := start(t, o)
	s.receivers.set(zombie.address)
	zombie.untilStopped(t)

	zombie.leaveDatabase(t, reader)
	o.StopAt = ""
	other := start(t, o)
	s.receivers.set(other.address)
	eventually(t, func() []string { return notPassed(other, "walk: after commit", "inbox: after commit") })
	epoch := reader.count(t, "select epoch from t49.leases")
	passed := len(zombie.passed())
	zombie.signal(t, syscall.SIGCONT)
	eventually(t, func() []string {
		return zombie.unlogged("another process has taken over", "another process has the lease")
	})
	reader.walked(t) // by the other one; meanwhile it would write again and again
	require.Equal(t, epoch, reader.count(t, "select epoch from t49.leases"), "the lease has changed hands")
	for _, name := range zombie.passed()[passed:] { // a commit may have been under way when it was stopped
		if strings.HasSuffix(name, ": before commit") && !strings.HasPrefix(name, "receive") {
			t.Errorf("the zombie passed %q", name)
		}
	}
	zombie.kill()
	other.kill()
	reader.release(t)
	stop()
	rest(t, s, db, reader)
}

// leaveDatabase expires the lease of a process that is stopped, outside of its transactions.
func (p *process) leaveDatabase(t testing.TB, s *stored) {
	t.Helper()
	p.leaveTransaction(t, s, "update t49.leases set holder = ''")
}

// leaveTransaction executes a statement while a process is stopped. If it was stopped within a
// transaction, it first lets it go on for a moment, and each time for longer: it has much to do
// after a stop, one transaction after the other.
func (p *process) leaveTransaction(t testing.TB, s *stored, statement string) {
	t.Helper()
	moment := 20 * time.Millisecond
	eventually(t, func() []string {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := s.ExecContext(ctx, s.statement(statement))
		if err == nil {
			return nil
		}
		p.signal(t, syscall.SIGCONT)
		pass(moment)
		p.signal(t, syscall.SIGSTOP)
		moment = min(2*moment, 2*time.Second)
		return []string{"the process is always within a transaction: " + err.Error()}
	})
}

// untilStopped waits until the process has stopped itself.
func (p *process) untilStopped(t testing.TB) {
	t.Helper()
	eventually(t, func() []string {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat")
		if err == nil && strings.Contains(string(stat), ") T ") {
			return nil
		}
		return []string{"the process is not stopped: " + string(stat), strings.Join(unique(p.passed()), ", "), p.lastLines()}
	})
}

func notPassed(p *process, names ...string) []string {
	passed := p.passed()
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(passed, name) })
}

// acknowledged keeps the ids of the notifications that receivers acknowledged.
type acknowledged struct {
	mu  sync.Mutex
	ids []string
}

// add adds the notification of a delivery.
func (a *acknowledged) add(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = append(a.ids, id)
}

// count returns how many there are.
func (a *acknowledged) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.ids)
}

// missing returns those that an inbox does not have.
func (a *acknowledged) missing(t testing.TB, s *stored) (list []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range a.ids {
		if s.count(t, "select count(*) from t49.inbox where id = $1", id) != 1 {
			list = append(list, "acknowledged and not in the inbox: "+id)
		}
	}
	return list
}

// Postgres stops at once and starts again, several times, while two processes mirror. Nothing that
// was acknowledged is missing, even before any audit, and the copy is equal afterwards.
func TestPostgres_IsStoppedAtOnce(t *testing.T) {
	t.Parallel()
	p := engines.StartPostgres(t)
	db := databaseIn(t, p)
	s := newService(t, 5, 12)
	stop := s.changeUntil(30 * time.Millisecond)
	defer stop()
	o := busy(s, db)
	one, two := start(t, o), start(t, o)
	s.receivers.set(one.address, two.address)
	for range amount(2, 3, 30) {
		before := s.acknowledged.count()
		eventually(t, func() []string {
			if n := s.acknowledged.count(); n < before+10 {
				return []string{strconv.Itoa(n-before) + " deliveries were acknowledged since the last stop"}
			}
			return nil
		})
		p.Restart()
		requireNone(t, s.acknowledged.missing(t, db.open(t)))
	}
	eventually(t, func() []string {
		if n := s.acknowledged.count(); n <= 50 {
			return []string{strconv.Itoa(n) + " deliveries were acknowledged"}
		}
		return nil
	})
	stop()
	requireNone(t, s.acknowledged.missing(t, db.open(t)))
	eventually(t, func() []string { return faults(t, db.open(t), s.Server) })
	t.Logf("figure: Postgres stopped at once: %d acknowledged, 0 missing; %s", s.acknowledged.count(), amounts(t, db.open(t)))
}

// A mirror works through PgBouncer in transaction mode, where each transaction may have another
// connection.
func TestPgBouncer_InTransactionMode(t *testing.T) {
	t.Parallel()
	p := engines.StartPostgres(t)
	direct := databaseIn(t, p)
	b := p.StartPgBouncer(t)
	pooled := source{Driver: "pgx", DSN: b.Through(direct.DSN)}
	s, reader := newService(t, 6, 12), direct.open(t)
	stop := s.changeUntil(60 * time.Millisecond)
	defer stop()
	for range amount(2, 4, 20) {
		c := start(t, busy(s, pooled))
		s.receivers.set(c.address)
		require.False(t, c.endedWithin(2*time.Second), c.lastLines())
		c.kill()
		reader.release(t)
	}
	stop()
	rest(t, s, pooled, reader)
	t.Logf("figure: through PgBouncer: 0 lost, 0 wrong, 0 doubled; %s", amounts(t, reader))
}

func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
