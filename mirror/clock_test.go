package mirror

import (
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

const year = 365 * 24 * time.Hour

// jumps are the sizes of the issue: minutes to years, in both directions.
var jumps = []time.Duration{3 * time.Minute, 45 * time.Minute, 71 * time.Hour, 4 * year, -3 * time.Minute, -71 * time.Hour, -4 * year}

// clock is a wall clock that jumps. Waits do not depend on it.
type clock struct{ by atomic.Int64 }

func (c *clock) jump(by time.Duration) { c.by.Store(int64(by)) }
func (c *clock) now() time.Time        { return time.Now().Round(0).Add(time.Duration(c.by.Load())) }

// option is the option that has a mirror use the clock.
func (c *clock) option(o *worker.Options) error {
	o.Now = c.now
	return nil
}

// clocked returns a mirror with a clock and short intervals.
func (w *world) clocked(c *clock) *Mirror {
	return w.mirror(c.option, WithActiveInterval(activeInterval), WithWholeInterval(wholeInterval))
}

const (
	activeInterval = time.Minute
	wholeInterval  = 5 * time.Minute
	walkTime       = 20 * time.Second // that a walk of the test takes at most
)

// unwalked returns the lists that were not walked over since a ticket.
func (w *world) unwalked(ticket int, lists ...*plan.List) (names []string) {
	for _, list := range lists {
		if w.count("select count(*) from walks where state = 'done' and scope = '"+list.Name+"' and id > "+strconv.Itoa(ticket)) == 0 {
			names = append(names, list.Name)
		}
	}
	return names
}

// requireWalks requires that each list is walked over within its interval, and so on: twice in two.
func (w *world) requireWalks() {
	w.Helper()
	for range 2 {
		ticket := w.count("select n from tickets")
		for at := time.Duration(0); at < wholeInterval; at += activeInterval {
			active := w.count("select n from tickets")
			mirrortest.Advance(activeInterval + walkTime)
			require.Empty(w, w.unwalked(active, plan.ActiveList), "in an interval")
		}
		require.Empty(w, w.unwalked(ticket, plan.WholeLists...), "in an interval")
	}
}

func (w *world) health(m *Mirror, c *clock) error {
	w.Helper()
	s, err := m.Status(w.Context())
	require.NoError(w, err)
	return s.Healthy(c.now())
}

// The clock jumps in a run, and is right again after a while.
func TestClock_JumpsInARun(t *testing.T) {
	t.Parallel()
	for _, by := range mirrortest.Scale([]time.Duration{3 * time.Minute, 4 * year, -71 * time.Hour}, jumps) {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) { jumpInARun(w, by) }, standing)
		})
	}
}

func jumpInARun(w *world, by time.Duration) {
	w.srv.SeedDemo()
	c := new(clock)
	m := w.clocked(c)
	stop := w.start(m)
	mirrortest.Advance(wholeInterval + walkTime)
	require.NoError(w, w.health(m, c))
	_, err := w.db.Exec("insert into inbox (id, event, received_at, source, state, body) values ('n1', 'test', ?, 'webhook', 'done', 'kept')", m.db.Time(c.now()))
	require.NoError(w, err)
	walks := w.count("select count(*) from walks")

	c.jump(by)
	w.requireWalksAfterAJump(by)
	direction := map[bool]string{true: "the clock went forward by ", false: "the clock went back by "}[by > 0]
	require.ErrorContains(w, w.health(m, c), direction+by.Abs().String())
	w.markAt(m, c.now().Add(5*time.Second))
	w.failedBefore(m, c.now())
	mirrortest.Advance(3 * time.Minute)

	c.jump(0)
	w.requireWalksAfterAJump(by)
	direction = map[bool]string{true: "the clock went back by ", false: "the clock went forward by "}[by > 0]
	require.ErrorContains(w, w.health(m, c), direction+by.Abs().String())
	require.Zero(w, w.count("select count(*) from dirty where kind = 'container'"), "a mark of the wrong time is read")
	w.requireWalks()
	require.Zero(w, w.count("select count(*) from inbox where state = 'new'"), "a notification of the wrong time is tried again")
	require.ErrorContains(w, w.health(m, c), direction)
	w.requireHealthAfter(m, c, by == -71*time.Hour || by == 4*year)
	require.NoError(w, stop())
	require.Greater(w, w.count("select count(*) from walks"), walks, "walks are kept")
	require.Equal(w, 1, w.count("select count(*) from inbox where id = 'n1' and body is not null"), "a body is kept")
	require.Zero(w, w.count("select count(*) from walks where state = 'running'"))
	w.requireRows("shipment", "container", "transport_event", "tracking_request")
}

// requireWalksAfterAJump waits a minute, in which everything is walked over if by the clock it is
// due, or was walked over in the future.
func (w *world) requireWalksAfterAJump(by time.Duration) {
	w.Helper()
	ticket := w.count("select n from tickets")
	mirrortest.Advance(time.Minute)
	if by.Abs() > wholeInterval+walkTime {
		require.Empty(w, w.unwalked(ticket, plan.WholeLists...), "in a minute")
	}
}

// requireHealthAfter requires that the status reports the clock for an hour, and nothing else.
func (w *world) requireHealthAfter(m *Mirror, c *clock, hour bool) {
	w.Helper()
	if s, err := m.Status(w.Context()); assert.NoError(w, err) && s.Clock != "" {
		s.Clock = ""
		require.NoError(w, s.Healthy(c.now()))
	}
	if hour {
		mirrortest.Advance(time.Hour)
		require.NoError(w, w.health(m, c))
	}
}

// markAt marks a container, to be read at a time, as if a notification had named it.
func (w *world) markAt(m *Mirror, due time.Time) {
	w.Helper()
	_, err := w.db.Exec(`insert into dirty (kind, id, ticket, due_at, not_before, attempts)
select 'container', (select min(id) from containers), n, ?1, ?1, 0 from tickets`, m.db.Time(due))
	require.NoError(w, err)
}

// failedBefore adds a notification that failed four times since it was received.
func (w *world) failedBefore(m *Mirror, received time.Time) {
	w.Helper()
	_, err := w.db.Exec("insert into inbox (id, event, received_at, source, state, attempts) values ('n2', 'test', ?, 'webhook', 'new', 4)",
		m.db.Time(received))
	require.NoError(w, err)
}

// The clock was wrong in an earlier run.
func TestClock_WasWrongInAnEarlierRun(t *testing.T) {
	t.Parallel()
	for _, by := range mirrortest.Scale([]time.Duration{3 * time.Minute, 4 * year, -71 * time.Hour}, jumps) {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) { wrongBefore(w, by) }, standing)
		})
	}
}

func wrongBefore(w *world, by time.Duration) {
	w.srv.SeedDemo()
	c := new(clock)
	c.jump(by)
	before := w.clocked(c)
	w.runFor(before, wholeInterval+walkTime)
	w.markAt(before, c.now().Add(5*time.Second))
	c.jump(0)
	m := w.clocked(c)
	if by > 0 {
		require.ErrorContains(w, w.health(m, c), "nothing has been written since the clock went back")
	}
	stop := w.start(m)
	mirrortest.Advance(time.Minute)
	if by > 0 {
		require.ErrorContains(w, w.health(m, c), "an earlier process's clock was ahead, or the clock went back before")
	}
	require.Zero(w, w.count("select count(*) from dirty where kind = 'container'"), "a mark of the wrong time is read")
	w.requireWalks()
	w.requireHealthAfter(m, c, by == -71*time.Hour || by == 4*year)
	require.NoError(w, stop())
}

// Status says at once that walks ended in the future, and a clock that is years ahead for a moment
// deletes no bodies.
func TestClock_DeletesNoBodies(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		c := new(clock)
		m := w.mirror(c.option, WithWholeInterval(time.Hour), WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)))
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		_, err := w.db.Exec("insert into inbox (id, event, received_at, source, state, body) values ('n1', 'test', ?, 'webhook', 'done', 'kept')", m.db.Time(c.now()))
		require.NoError(w, err)
		bodies := "select count(*) from inbox where id = 'n1' and body is not null"
		audits := "select count(*) from cursors where name = 'audit.whole' and value > '2003'"
		require.Zero(w, w.count(audits))
		c.jump(4 * year)
		mirrortest.Advance(10 * time.Minute)
		require.Equal(w, 1, w.count(audits), "everything was audited with the wrong clock")
		require.Equal(w, 1, w.count(bodies))
		c.jump(0)
		mirrortest.Advance(10 * time.Minute)
		require.Equal(w, 1, w.count(bodies))
		c.jump(store.BodyAge + time.Minute) // as if it had run until then
		mirrortest.Advance(125 * time.Minute)
		require.Zero(w, w.count(bodies), "they are deleted when they are old")
		require.NoError(w, stop())
	}, standing)
}
