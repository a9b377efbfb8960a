package mirror

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
)

// walkRow is a row of walks.
type walkRow struct {
	id             int64
	scope, state   string
	seen           int64
	total          any
	problem        any
	started, paged time.Time
}

func (m *Mirror) insertWalk(t *testing.T, w walkRow) {
	t.Helper()
	_, err := m.db.Pool.ExecContext(t.Context(), m.db.SQL(`
insert into t49.walks (id, scope, page, size, seen, total, state, problem, started_at, page_at) values ($1, $2, 3, 100, $3, $4, $5, $6, $7, $8)`),
		w.id, w.scope, w.seen, w.total, w.state, w.problem, m.db.Time(w.started), m.db.Time(w.paged))
	require.NoError(t, err)
}

func TestStatus_HasWhatTheDatabaseHas(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		s, err := m.Status(t.Context())
		require.NoError(t, err)
		require.ErrorContains(t, s.Healthy(time.Now()), "is the mirror running?")

		at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
		m.insertWalk(t, walkRow{1, plan.ActiveList.Name, "done", 250, 250, nil, at, at.Add(time.Minute)})
		m.insertWalk(t, walkRow{2, plan.ActiveList.Name, "running", 100, nil, nil, at.Add(time.Hour), at.Add(2 * time.Hour)})
		m.insertWalk(t, walkRow{3, "shipments", "stopped", 9, 9, "30 of 100 rows are missing", at, at})
		require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error {
			if err := tx.Mark(t.Context(), model.Ref{Type: "container", ID: "c1"}, at); err != nil {
				return err
			}
			if err := tx.Note(t.Context(), "webhook", "active"); err != nil {
				return err
			}
			return tx.NoteDone(t.Context(), store.CursorPolled)
		}))
		s, err = m.Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, at, s.Since)
		require.Equal(t, at.Add(time.Minute), s.ActiveWalk)
		require.Zero(t, s.WholeWalk)
		require.WithinDuration(t, time.Now(), s.Poll, time.Minute)
		require.Equal(t, []string{"shipments: 30 of 100 rows are missing"}, s.Problems)
		require.Equal(t, "active", s.Webhook)
		require.EqualValues(t, 1, s.Marked)
		require.Contains(t, s.Rows, "containers")
		require.Equal(t, WalkStatus{
			Scope: plan.ActiveList.Name, State: "running", Started: at.Add(time.Hour), PageAt: at.Add(2 * time.Hour), Page: 3,
			Seen: 100, Total: -1, Ended: at.Add(time.Minute),
		}, s.walk(plan.ActiveList.Name))
	})
}

// /healthz fails on age, not on errors; the limits are those of the options.
func TestStatus_HealthyFailsOnAge(t *testing.T) {
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	o := worker.Defaults()
	healthy := func() Status {
		return Status{
			Since: ago(240 * time.Hour), Poll: ago(time.Minute), ActiveWalk: ago(20 * time.Minute), WholeWalk: ago(25 * time.Hour),
			Audit: ago(6 * time.Minute), limits: limitsOf(&o),
		}
	}
	for name, c := range map[string]struct {
		change func(*Status)
		want   []string
	}{
		"all done":          {func(*Status) {}, nil},
		"errors, but young": {func(s *Status) { s.Problems, s.Quarantined, s.Webhook = []string{"shipments: missing"}, 9, "inactive" }, nil},
		"nothing written":   {func(s *Status) { s.Written = ago(75 * time.Second) }, []string{"nothing has been written for 1m15s"}},
		"written just now":  {func(s *Status) { s.Written = ago(44 * time.Second) }, nil},
		"stopped": {func(s *Status) {
			s.Walks = []WalkStatus{{Scope: "containers", State: "stopped", Problem: "403 Forbidden"}}
		}, []string{"the walk over containers was stopped: 403 Forbidden"}},
		"optional stopped": {func(s *Status) {
			s.Walks = []WalkStatus{{Scope: "documents", State: "stopped", Problem: "403 Forbidden"}}
		}, nil},
		"failing": {func(s *Status) {
			s.Walks = []WalkStatus{{Scope: "containers", State: "running", Problem: "at db.internal", Failures: 8}}
		}, []string{"the walk over containers has failed 8 times in a row;"}},
		"failed some times": {func(s *Status) {
			s.Walks = []WalkStatus{{Scope: "containers", State: "running", Problem: "at db.internal", Failures: 7}}
		}, nil},
		"ended in the future": {func(s *Status) {
			s.Walks = []WalkStatus{{Scope: "shipments", State: "done", Ended: ago(-71 * time.Hour)}}
		},
			[]string{"the walk over shipments ended 71h0m0s in the future: the clock went back, or an earlier process's clock was ahead"}},
		"began in the future": {func(s *Status) { s.Poll, s.begun = ago(6*time.Minute), ago(-time.Hour) }, []string{"read of changed resources"}},
		"old poll":            {func(s *Status) { s.Poll = ago(6 * time.Minute) }, []string{"read of changed resources", "6m0s ago", "limit is 5m0s"}},
		"old active walk":     {func(s *Status) { s.ActiveWalk = ago(2 * time.Hour) }, []string{"active shipments", "2h0m0s ago", "limit is 1h0m0s"}},
		"old whole walk":      {func(s *Status) { s.WholeWalk = ago(60 * time.Hour) }, []string{"everything", "60h0m0s ago", "limit is 54h0m0s"}},
		"never a whole walk":  {func(s *Status) { s.WholeWalk = time.Time{} }, []string{"not once"}},
		"first walk runs": {func(s *Status) {
			s.WholeWalk, s.Walks = time.Time{}, []WalkStatus{{Scope: "shipments", State: "running", PageAt: ago(time.Minute)}}
		}, nil},
		"no audit without webhooks":   {func(s *Status) { s.Audit = ago(99 * time.Hour) }, nil},
		"audit too old with webhooks": {func(s *Status) { s.Audit, s.limits.audit = ago(time.Hour), 30*time.Minute }, []string{"audit", "1h0m0s ago", "limit is 30m0s"}},
		"two at once": {func(s *Status) { s.Poll, s.ActiveWalk = time.Time{}, ago(3*time.Hour) },
			[]string{"read of changed resources was not once", "active shipments was last 3h0m0s"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := healthy()
			c.change(&s)
			err := s.Healthy(now)
			if c.want == nil {
				require.NoError(t, err)
			}
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// An account may lack documents. The rest is everything then.
func TestStatus_WholeWalkWithoutARefusedList(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer()
	defer srv.Close()
	m, _ := stored(t, sqliteMemory(t), srv)
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for i, scope := range plan.WholeLists {
		state := "done"
		if scope.Name == "documents" {
			state = "stopped"
		}
		m.insertWalk(t, walkRow{int64(i + 1), scope.Name, state, 1, 1, nil, at, at.Add(time.Duration(9-i) * time.Minute)})
	}
	s, err := m.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, at.Add(3*time.Minute), s.WholeWalk, "the earliest end")
}

func TestStatus_NamesTheTables(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer()
	defer srv.Close()
	m, _ := stored(t, sqliteMemory(t), srv)
	s, err := m.Status(context.Background())
	require.NoError(t, err)
	require.Len(t, s.Rows, len(schema.Tables))
}

// Status reports from the start that the mirror has a webhook, which is not set up yet, or is
// active; one without a webhook has none, even if an earlier process had one.
func TestStatus_WebhookFromTheStart(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		w.srv.SeedDemo()
		w.srv.AddFault(terminal49test.Fault{Operation: "webhooks.list", Kind: terminal49test.FaultSlow, Delay: 20 * time.Second, Times: 1})
		m := w.hooked()
		stop := w.start(m)
		state := func() string {
			s, err := m.Status(w.Context())
			require.NoError(w, err)
			return s.Webhook
		}
		mirrortest.Advance(5 * time.Second)
		require.Equal(w, "not set up yet", state())
		mirrortest.Advance(25 * time.Second)
		require.Equal(w, "active", state())
		require.NoError(w, stop())
		w.runFor(w.mirror(), 5*time.Second)
		require.Empty(w, state())
	}, standing)
}

// /healthz fails on age. A mirror that begins again after days has the time of a step
// to do it in; one that does not run has not.
func TestStatus_HealthyAfterAPause(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m := w.mirror()
		w.runFor(m, 10*time.Minute)
		mirrortest.Advance(100 * time.Hour)
		healthy := func() error {
			s, err := m.Status(w.Context())
			require.NoError(w, err)
			return s.Healthy(s.At)
		}
		require.ErrorContains(w, healthy(), "a read of changed resources was last")
		w.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: -1, Status: 500})
		stop := w.start(m)
		mirrortest.Advance(10 * time.Second)
		require.NoError(w, healthy())
		mirrortest.Advance(50 * time.Minute)
		require.ErrorContains(w, healthy(), "the walk over shipments.active has failed")
		require.NotContains(w, healthy().Error(), "a walk over the active shipments was")
		mirrortest.Advance(15 * time.Minute)
		require.ErrorContains(w, healthy(), "a walk over the active shipments")
		require.NoError(w, stop())
	}, standing)
}

// Without changes each minute has a search, so a mirror knows when it last heard from the service.
func TestStatus_SilenceOfTheService(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m, _ := w.settled()
		stop := w.start(m)
		silence := func() time.Duration {
			s, err := m.Status(w.Context())
			require.NoError(w, err)
			return s.At.Sub(s.Heard)
		}
		for range 8 {
			mirrortest.Advance(time.Minute)
			require.LessOrEqual(w, silence(), 90*time.Second)
		}
		w.srv.AddFault(terminal49test.Fault{Times: -1, Status: 503})
		mirrortest.Advance(5 * time.Minute)
		require.GreaterOrEqual(w, silence(), 5*time.Minute)
		w.srv.ClearFaults()
		mirrortest.Advance(3 * time.Minute)
		require.LessOrEqual(w, silence(), 2*time.Minute)
		require.NoError(w, stop())
	}, standing)
}
