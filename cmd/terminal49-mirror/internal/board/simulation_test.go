package board

import (
	"context"
	"database/sql"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// late is a handler that is set later.
type late struct{ http.Handler }

// newOwnOf returns a mirror of a service, in memory.
func newOwnOf(t *testing.T, client *terminal49.Client, opts ...mirror.Option) Own {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	m, err := mirror.New(client, db, opts...)
	require.NoError(t, err)
	return Own{m, db, client}
}

// newSimulated returns a simulated account with shipments under way and those of the demo.
func newSimulated(t *testing.T, shipments int, speed float64) (*simulation, terminal49test.Demo) {
	t.Helper()
	var receiver late
	server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(0),
		terminal49test.WithWebhookHandler(&receiver))
	t.Cleanup(server.Close)
	o := newOwnOf(t, newClient(t, server, terminal49.WithoutRateLimits()), mirror.WithWebhook("https://board.example/"), mirror.WithSettle(200*time.Millisecond))
	receiver.Handler = o.Mirror.Receiver()
	server.SeedTraffic(shipments)
	demo := server.SeedDemo()
	return newSimulation(o, server, speed), demo
}

// following runs a source until stop is called.
func following(t *testing.T, s source, m *model) (stop func()) {
	t.Helper()
	m.news.clock = s.now
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx, s, m) }()
	return func() {
		t.Helper()
		cancel()
		require.NoError(t, <-ended)
	}
}

// The simulated service checks a terminal every six hours, without a notification if nothing has
// changed. So no released container is stale, however fast the clock runs and after a jump.
func TestSimulation_ReadsWhenTheTerminalWasChecked(t *testing.T) {
	for name, speed := range map[string]float64{"the default": 600, "an hour a second": 3600, "only by jumps": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := newSimulated(t, 60, speed)
				m := newModel()
				stop := following(t, s, m)
				situations := func() map[terminal49.Situation]int {
					n := map[terminal49.Situation]int{}
					for _, r := range allRows(t, s, m) {
						n[r.Situation]++
					}
					return n
				}
				for range 2 {
					time.Sleep(time.Minute)
					require.Zero(t, situations()[terminal49.SituationStale])
					require.NotZero(t, situations()[terminal49.SituationReady])
				}
				require.NoError(t, s.turn("", "24"))
				time.Sleep(5 * time.Second)
				require.Zero(t, situations()[terminal49.SituationStale], "after a jump")
				stop()
			})
		})
	}
}

// A change is on the page of its container within two seconds, at the time of the simulated clock.
func TestSimulation_ShowsWhenSomethingChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, demo := newSimulated(t, 5, 600)
		m := newModel()
		stop := following(t, s, m)
		require.True(t, s.state().Partial, "until everything was read")
		time.Sleep(time.Minute)
		require.Regexp(t, `^The whole list was read .*, and a webhook reports each change\.$`, s.state().Age)
		require.Empty(t, s.state().Problem)
		require.False(t, s.state().Partial)
		id := s.server.ContainerIDs(demo.Shipments[1])[0]
		require.NoError(t, s.turn("0", ""))
		require.NoError(t, s.turn("", "24"))
		require.True(t, s.server.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "freight"}} }))
		time.Sleep(2 * time.Second)
		changed := s.now()
		require.NoError(t, s.turn("86400", ""))
		time.Sleep(time.Second)
		found, err := s.containers(t.Context(), []string{id})
		require.NoError(t, err)
		d, err := s.details(t.Context(), found[0])
		require.NoError(t, err)
		require.Equal(t, "Changes since the board was started", d.since)
		require.NotEmpty(t, d.events)
		require.NotEmpty(t, d.changes)
		for _, c := range d.changes {
			require.Contains(t, []string{"hold", "fee", "last free day", "arrival at the port of discharge", "arrival at the destination", "arrival by rail"}, c.Attribute)
			if c.Attribute == "hold" && c.Has() {
				require.WithinDuration(t, changed, c.At, 0, "the clock stood still")
			}
		}
		all, _ := m.changesSince(changed)
		require.NotEmpty(t, all, "the news are of the same clock")
		stop()
	})
}
