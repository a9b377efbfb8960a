package mirror

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// From the service's change to the row, webhooks on: p99 10 s. The limit is the
// documented one, 100 requests a minute. The bubble's clock makes times exact.
func TestLag_WithWebhooks(t *testing.T) {
	t.Parallel()
	notified(t, func(w *world) {
		m := w.mirrorVia(far{w.srv.Transport(), 200 * time.Millisecond}, WithWebhook(hookURL))
		w.receive(m)
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		l := newLag(w.T, w.srv, m)
		l.spread(mirrortest.Scale(15, 60))
		require.NoError(w, stop())
		require.LessOrEqual(w, l.report(), 10*time.Second)
	}, terminal49test.WithSyntheticContainers(1000))
}

// TestMeasure_Lag measures the same with a real clock, sockets and durable databases, for three
// minutes each:
//
//	MIRROR_MEASURE=1 go test -run Measure_Lag -v ./mirror
func TestMeasure_Lag(t *testing.T) {
	measured(t, func(t *testing.T, db *sql.DB) {
		w := &world{T: t, db: db}
		var receiver http.Handler
		hook := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { receiver.ServeHTTP(rw, r) }))
		t.Cleanup(hook.Close)
		w.srv = terminal49test.NewServer(terminal49test.WithSyntheticContainers(1000), terminal49test.WithWebhookTransport(hook.Client().Transport))
		t.Cleanup(w.srv.Close)
		m := w.mirrorVia(http.DefaultTransport, WithWebhook(hook.URL))
		receiver = m.Receiver()
		require.NoError(t, m.Migrate(t.Context()))
		stop := w.start(m)
		require.Eventually(t, func() bool {
			s, err := m.Status(t.Context())
			return err == nil && !s.WholeWalk.IsZero()
		}, 5*time.Minute, time.Second)
		l := newLag(t, w.srv, m)
		l.spread(3)
		require.NoError(t, stop())
		l.report()
	})
}

// lag measures how long changes take from the service to a reader of the database.
type lag struct {
	*testing.T
	srv     *terminal49test.Server
	m       *Mirror
	ids     []string // of containers
	changes int
	unseen  map[string]func() time.Duration // since a change was made, by its text
	after   Position
	times   []time.Duration
}

func newLag(t *testing.T, srv *terminal49test.Server, m *Mirror) *lag {
	ids := m.strings(t, "select id from t49.containers order by id")
	require.NotEmpty(t, ids)
	return &lag{T: t, srv: srv, m: m, ids: ids, unseen: map[string]func() time.Duration{}}
}

// spread makes 20 changes a minute at uneven times, and 30 at once every ten minutes and at the
// end.
func (l *lag) spread(minutes int) {
	random := rand.New(rand.NewPCG(1, 1))
	for minute := range minutes {
		for range 20 {
			l.change()
			l.read(time.Duration(random.Int64N(int64(6 * time.Second))))
		}
		if minute%10 == 9 || minute == minutes-1 {
			for range 30 {
				l.change()
			}
		}
	}
	l.read(time.Minute)
}

// change changes a container that has not changed for a while.
func (l *lag) change() {
	l.changes++
	text := fmt.Sprintf("exam %d.", l.changes)
	l.srv.UpdateContainer(l.ids[l.changes*7%len(l.ids)], func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "customs", Description: text}}
	})
	l.unseen[text] = mirrortest.Stopwatch()
}

var changeText = regexp.MustCompile(`exam \d+\.`)

// read reads for a while what changes in the database.
func (l *lag) read(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); pass(100 * time.Millisecond) {
		for c, err := range l.m.Changes(l.Context(), l.after) {
			require.NoError(l, err)
			l.after = c.Position
			text := changeText.FindString(string(c.New))
			if took, unseen := l.unseen[text]; unseen {
				l.times = append(l.times, took())
				delete(l.unseen, text)
			}
		}
	}
}

// report logs how long changes took, and returns the 99th percentile.
func (l *lag) report() time.Duration {
	require.Empty(l, l.unseen)
	slices.Sort(l.times)
	l.Logf("%d changes: p50 %v, p99 %v, at most %v", len(l.times), at(l.times, 50), at(l.times, 99), l.times[len(l.times)-1])
	return at(l.times, 99)
}
