package board

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The oldest changes of a container are forgotten, an older reading is ignored, and a container
// that is not listed any more is gone.
func TestService_Keeps(t *testing.T) {
	now := time.Date(2024, time.July, 1, 0, 0, 0, 0, time.UTC)
	s := &service{clock: func() time.Time { return now }, kept: map[string]*kept{}}
	m := newModel()
	read := func(status terminal49.ContainerStatus, at time.Time) *terminal49.Container {
		c := &terminal49.Container{CurrentStatus: status}
		c.ID, c.AsOf = "1", at
		return c
	}
	for i := range mostChanges + 10 {
		status := []terminal49.ContainerStatus{terminal49.StatusAvailable, terminal49.StatusNotAvailable}[i%2]
		s.put(m, read(status, now.Add(time.Duration(i)*time.Second)), now, "")
	}
	s.put(m, read(terminal49.StatusNew, now), now, "")
	s.put(m, read(terminal49.StatusNew, s.kept["1"].container.AsOf), now.Add(-time.Hour), "asked for before a jump of the simulated clock")
	found, err := s.containers(t.Context(), []string{"1", "2"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, terminal49.StatusNotAvailable, found[0].CurrentStatus)
	require.Len(t, s.kept["1"].changes, mostChanges)
	require.Equal(t, "current_status", s.kept["1"].changes[0].Attribute)
	s.keepOnly(m, map[string]bool{}, false)
	require.False(t, m.has("1"))
	require.Empty(t, s.kept)
}

// A transport event changes no attribute, but where the container is.
func TestModel_NotifiesOfEvents(t *testing.T) {
	m := newModel()
	at := time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	c := &terminal49.Container{PODRailCarrierSCAC: "BNSF", PODArrivedAt: terminal49.NewTime(at.AddDate(0, 0, -3), "America/Los_Angeles")}
	c.ID = "1"
	m.put(newRow(c, at))
	changed, ok := m.listen(1)
	require.True(t, ok)
	defer changed.stop()
	m.put(newRow(c, at))
	require.Empty(t, changed.wake)
	c.TransportEvents = terminal49.IncludedAll(&terminal49.TransportEvent{
		Event: "container.transport.rail_departed", Timestamp: terminal49.NewTime(at, "America/Los_Angeles"),
	})
	m.put(newRow(c, at))
	<-changed.wake
	ids, many, version := changed.take()
	require.Equal(t, []string{"1"}, ids)
	require.False(t, many)
	require.Equal(t, m.view().version, version)
}

// A listener that does not read costs a bounded amount of memory, and nothing waits for it. There
// is a limit of listeners.
func TestModel_BoundsListeners(t *testing.T) {
	m := newModel()
	slow, ok := m.listen(1)
	require.True(t, ok)
	_, ok = m.listen(1)
	require.False(t, ok)
	for _, r := range someRows(mostIDs + 1) {
		m.put(r)
	}
	ids, many, _ := slow.take()
	require.Empty(t, ids)
	require.True(t, many)
	slow.stop()
	require.Zero(t, m.streams())
}

// someRows returns rows of the cases of verdicts, repeated.
func someRows(n int) (rows []*row) {
	cases := verdicttest.Cases()
	for i := range n {
		c := *cases[i%len(cases)].Container()
		c.ID = string(rune('a'+i%26)) + time.Duration(i).String()
		rows = append(rows, newRow(&c, cases[i%len(cases)].Now))
	}
	return rows
}

// The order of rows is that of their verdicts, also if the facts of some lie in the future.
func TestModel_OrdersLikeVerdicts(t *testing.T) {
	var verdicts []terminal49.Verdict
	var rows []*row
	for i, c := range verdicttest.Cases() {
		for _, days := range []int{0, -1, -4, -400, 9} {
			container, now := c.Container(), c.Now.AddDate(0, 0, days)
			container.ID = fmt.Sprint(i, days)
			verdicts = append(verdicts, terminal49.Assess(container, now, terminal49.VerdictOptions{}))
			rows = append(rows, newRow(container, now))
		}
	}
	future := 0
	for i := range verdicts {
		if v := &verdicts[i]; v.Since != v.Stored().Since {
			future++
		}
	}
	require.Greater(t, future, 50, "facts in the future")
	slices.SortFunc(verdicts, func(a, b terminal49.Verdict) int {
		return cmp.Or(a.Compare(b), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ContainerID, b.ContainerID))
	})
	slices.SortFunc(rows, compare)
	for i, v := range verdicts {
		require.Equal(t, v.ContainerID, rows[i].ID, v)
	}
}

// However rows come, change and go, the model has the order of sorting all.
func TestModel_MergesChanges(t *testing.T) {
	m, rows := newModel(), someRows(300)
	for i, r := range rows {
		m.put(r)
		if i%7 == 0 {
			moved := *rows[i/2]
			moved.order.rank = i % 3
			rows[i/2] = &moved
			m.put(&moved)
		}
		if i%11 == 0 {
			m.view()
		}
	}
	m.remove(rows[5].ID, rows[200].ID, "none")
	rows = slices.DeleteFunc(rows, func(r *row) bool { return !m.has(r.ID) })
	slices.SortFunc(rows, compare)
	require.Len(t, rows, 298)
	require.Equal(t, rows, m.view().rows)
}

// interrupted is a source whose container changes while it is read because of the clock.
type interrupted struct {
	source
	newer func()
}

func (i interrupted) containers(ctx context.Context, ids []string) ([]*terminal49.Container, error) {
	defer i.newer()
	return i.source.containers(ctx, ids)
}

func TestModel_KeepsWhatIsNewerThanTheClock(t *testing.T) {
	p := newPage(t)
	at := p.server.Now().AddDate(0, 0, 2)
	p.clock = func() time.Time { return at }
	const newer = "read meanwhile"
	require.NoError(t, p.site.model.reassess(t.Context(), interrupted{p.simulation, func() {
		for _, r := range p.site.model.view().rows {
			again := *r
			again.Text = newer
			p.site.model.put(&again)
		}
	}}))
	for _, r := range p.site.model.view().rows {
		require.Equal(t, newer, r.Text)
	}
}

// The verdict follows the clock without another reading: the days left, and a release that is too
// old to send a truck.
func TestModel_FollowsTheClock(t *testing.T) {
	p := newPage(t)
	at := p.server.Now()
	p.clock = func() time.Time { return at }
	before := p.get("/")
	require.Contains(t, before, "3 days over")
	ready := p.site.model.view().rows
	require.True(t, slices.ContainsFunc(ready, func(r *row) bool { return r.Situation == terminal49.SituationReady }))
	at = at.AddDate(0, 0, 2)
	require.NoError(t, p.site.model.reassess(t.Context(), p.simulation))
	after := p.get("/")
	require.Contains(t, after, "5 days over")
	require.NotContains(t, after, "3 days over")
	for _, r := range p.site.model.view().rows {
		found, err := p.containers(t.Context(), []string{r.ID})
		require.NoError(t, err)
		require.Equal(t, newRow(found[0], at).shown, r.shown)
	}
}
