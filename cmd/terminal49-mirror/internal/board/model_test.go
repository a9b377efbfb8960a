package board

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
	"github.com/go-freight/terminal49/worklist"
)

// A transport event changes no attribute, but where the container is.
func TestModel_NotifiesOfEvents(t *testing.T) {
	m := newModel()
	at := time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	c := &terminal49.Container{PODRailCarrierSCAC: "BNSF", PODArrivedAt: terminal49.NewTime(at.AddDate(0, 0, -3), "America/Los_Angeles")}
	c.ID = "1"
	m.put(at, c)
	changed, ok := m.listen(1)
	require.True(t, ok)
	defer changed.stop()
	m.put(at, c)
	require.Empty(t, changed.wake)
	c.TransportEvents = terminal49.IncludedAll(&terminal49.TransportEvent{
		Event: "container.transport.rail_departed", Timestamp: terminal49.NewTime(at, "America/Los_Angeles"),
	})
	m.put(at, c)
	<-changed.wake
	ids, many, version := changed.take()
	require.Equal(t, []string{"1"}, ids)
	require.False(t, many)
	require.Equal(t, m.version(), version)
}

// A listener that does not read costs a bounded amount of memory, and nothing waits for it. There
// is a limit of listeners.
func TestModel_BoundsListeners(t *testing.T) {
	m := newModel()
	slow, ok := m.listen(1)
	require.True(t, ok)
	_, ok = m.listen(1)
	require.False(t, ok)
	now, some := someContainers(mostIDs + 1)
	m.put(now, some...)
	ids, many, _ := slow.take()
	require.Empty(t, ids)
	require.True(t, many)
	slow.stop()
	require.Zero(t, m.streams())
}

// someContainers returns a time, and containers of the cases of verdicts, repeated.
func someContainers(n int) (now time.Time, all []*terminal49.Container) {
	cases := verdicttest.Cases()
	for i := range n {
		c := *cases[i%len(cases)].Container()
		c.ID = string(rune('a'+i%26)) + time.Duration(i).String()
		all = append(all, &c)
	}
	return cases[0].Now, all
}

// The verdict follows the clock without another reading: the days left, and a release that is too
// old to send a truck.
func TestModel_FollowsTheClock(t *testing.T) {
	p := newPage(t)
	at := p.server.Now()
	p.clock = func() time.Time { return at }
	before := p.get("/")
	require.Contains(t, before, "3 days over")
	require.Contains(t, p.get("/?situation=ready"), `<tr id="c-`)
	at = at.AddDate(0, 0, 2)
	changed, ok := p.site.model.listen(mostStreams)
	require.True(t, ok)
	defer changed.stop()
	p.site.model.reassess(at)
	<-changed.wake
	after := p.get("/")
	require.Contains(t, after, "5 days over")
	require.NotContains(t, after, "3 days over")
	require.NotContains(t, p.get("/?situation=ready"), `<tr id="c-`)
	require.Contains(t, p.get("/changes?what=situation"), `<td data-label="Before">ready</td><td data-label="Now">check again</td>`)
	p.site.model.reassess(at)
	_, _, version := changed.take()
	p.site.model.reassess(at)
	require.Equal(t, version, p.site.model.version(), "nothing has changed since")
}

// A row that the clock alone changes is another one for those who look at the page.
func TestClock_CoversWhatARowShows(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		v := terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{})
		standing := &worklist.NewRecord(c.Container(), &v).Standing
		for at := c.Now; at.Before(c.Now.AddDate(0, 0, 10)); at = at.Add(6 * time.Hour) {
			later := at.Add(6 * time.Hour)
			if clockOf(standing, at) == clockOf(standing, later) {
				require.Equal(t, rowOf(c.Container(), at).shown, rowOf(c.Container(), later).shown, "%s: %v", c.Name, at)
			}
		}
	}
}

// allRows returns the rows of all containers, the most urgent first.
func allRows(t interface {
	require.TestingT
	Context() context.Context
}, from source, m *model) []*row {
	of, err := m.ask(from.now(), worklist.Filter{})
	require.NoError(t, err)
	list, err := of.List(worklist.ListOptions{})
	require.NoError(t, err)
	all, err := rows(t.Context(), from, list)
	require.NoError(t, err)
	return all
}
