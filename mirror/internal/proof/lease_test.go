//go:build unix

package proof

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// After kill -9, the next process writes within 3 seconds on the same machine, and within 15 on
// another one, whether it waited already or starts then: as soon as it tries the next time to take
// the lease, or the first time after the lease has run out. A busy machine may add to that, so the
// lease of a process on the same machine is renewed all the time: the next one takes it although it
// does not run out.
func TestLease_NextProcessAfterAKill(t *testing.T) {
	t.Parallel()
	require.Less(t, store.CompeteEvery, 3*time.Second)
	require.Less(t, store.LeaseTime+store.CompeteEvery, 15*time.Second)
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s, reader := newService(t, 21, 3), db.open(t)
		for _, c := range []struct {
			name           string
			waits, foreign bool
		}{
			{"it starts on the same machine", false, false},
			{"it waits on the same machine", true, false},
			{"it starts on another machine", false, true},
			{"it waits on another machine", true, true},
		} {
			took := takeOver(t, s, db, reader, c.waits, c.foreign)
			t.Logf("figure: %s: the next process writes %.1f s after kill -9: %s", name(db), took.Seconds(), c.name)
		}
	})
}

// takeOver kills a process and returns when the next one writes. A foreign one does not know the
// place of the one that was killed.
func takeOver(t *testing.T, s *service, db source, reader *stored, waits, foreign bool) time.Duration {
	t.Helper()
	reader.release(t)
	o := busy(s, db)
	one := start(t, o)
	writes(t, one)
	var next *process
	if waits {
		next = start(t, o)
		eventually(t, func() []string { return next.unlogged("another process has the lease") })
	}
	epoch := reader.count(t, "select epoch from t49.leases")
	one.kill()
	took := mirrortest.Stopwatch()
	if foreign {
		_, err := reader.Exec(reader.statement("update t49.leases set holder = 'on another machine' where epoch = $1"), epoch)
		require.NoError(t, err)
	}
	if !waits {
		next = start(t, o)
	}
	defer next.kill()
	renewed := mirrortest.Stopwatch()
	eventually(t, func() []string {
		if !foreign && renewed() >= store.RenewEvery {
			renewed = mirrortest.Stopwatch()
			if err := reader.renew(epoch); err != nil {
				return []string{err.Error()}
			}
		}
		return reader.notTaken(t, epoch)
	})
	return took()
}

// renew renews a lease as its holder would. A process takes it then only if the holder has ended.
func (s *stored) renew(epoch int) error {
	until := time.Now().Add(store.LeaseTime).UTC().Format(schema.SQLiteTime)
	_, err := s.Exec(s.statement("update t49.leases set expires_at = $1 where epoch = $2"), until, epoch)
	return err
}

// notTaken returns a problem as long as no process has taken the lease after the one of an epoch.
func (s *stored) notTaken(t testing.TB, epoch int) []string {
	t.Helper()
	if s.count(t, "select epoch from t49.leases") == epoch {
		return []string{"no process has taken over"}
	}
	return nil
}

// writes waits until a process has committed.
func writes(t *testing.T, p *process) {
	t.Helper()
	eventually(t, func() []string { return notPassed(p, "walk: after commit") })
}

// A process that is suspended has not ended: another one waits for its lease to run out, and takes
// it then. Neither does a long transaction lose the lease.
func TestLease_SuspendedHolder(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s, reader := newService(t, 22, 3), db.open(t)
		o := busy(s, db)
		o.StopAt = "send: after response"
		one := start(t, o)
		one.untilStopped(t)
		one.leaveTransaction(t, reader, "update t49.leases set epoch = epoch")
		epoch := reader.count(t, "select epoch from t49.leases")
		o.StopAt = ""
		took := mirrortest.Stopwatch()
		other := start(t, o)
		defer other.kill()
		eventually(t, func() []string { return reader.notTaken(t, epoch) })
		require.GreaterOrEqual(t, took(), store.LeaseTime, "it is not taken for one that has ended")
		one.kill()
	})
}

// The clock of a process jumps by minutes to years, forward and back again, in a run and between
// runs. The status says so, and every list is walked over within its interval afterwards.
func TestClock_Jumps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		s, reader := newService(t, 23, 6), db.open(t)
		stop := s.changeUntil(100 * time.Millisecond)
		defer stop()
		o := busy(s, db)
		o.Clock = filepath.Join(t.TempDir(), "clock")
		sizes := []time.Duration{71 * time.Hour, 3 * time.Minute, 4 * 365 * 24 * time.Hour}
		for _, by := range sizes[:amount(1, 1, 3)] {
			for _, ahead := range []time.Duration{by, -by} {
				jump(t, s, o, reader, ahead)
			}
		}
		stop()
		rest(t, s, db, reader)
	})
}

// jump has the clock jump in a run and back, and then be wrong in one run and right in the next.
func jump(t *testing.T, s *service, o order, reader *stored, by time.Duration) {
	t.Helper()
	set := func(ahead time.Duration) {
		require.NoError(t, os.WriteFile(o.Clock, []byte(ahead.String()), 0o600))
	}
	set(0)
	reader.release(t)
	p := start(t, o)
	s.receivers.set(p.address)
	reader.walked(t)
	there, back := "forward", "back"
	if by < 0 {
		there, back = back, there
	}
	set(by)
	reader.says(t, "the clock went "+there+" by "+by.Abs().String())
	reader.walked(t)
	set(0)
	reader.says(t, "the clock went "+back+" by "+by.Abs().String())
	reader.walked(t)
	set(by)
	reader.walked(t)
	p.kill()
	set(0)
	reader.release(t)
	p = start(t, o)
	defer p.kill()
	s.receivers.set(p.address)
	if by > 0 {
		reader.says(t, "an earlier process's clock was ahead")
	}
	reader.walked(t)
}

// says waits for what the status says about the clock.
func (s *stored) says(t testing.TB, words string) {
	t.Helper()
	eventually(t, func() []string {
		var text string
		_ = s.QueryRow(s.statement("select value from t49.cursors where name = 'clock'")).Scan(&text)
		if !strings.Contains(text, words) {
			return []string{"the status says " + strconv.Quote(text) + ", not " + strconv.Quote(words)}
		}
		return nil
	})
}

// walked waits until every list has been walked over twice: its interval is three seconds or less.
func (s *stored) walked(t testing.TB) {
	t.Helper()
	for range 2 {
		var since int
		_ = s.QueryRow(s.statement("select coalesce(max(id), 0) from t49.walks")).Scan(&since)
		eventually(t, func() (problems []string) {
			for _, list := range append([]*plan.List{plan.ActiveList}, plan.WholeLists...) {
				var n int
				_ = s.QueryRow(s.statement("select count(*) from t49.walks where state = 'done' and scope = $1 and id > $2"), list.Name, since).Scan(&n)
				if n == 0 {
					problems = append(problems, list.Name+" has not been walked over")
				}
			}
			return problems
		})
	}
}
