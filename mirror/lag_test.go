package mirror

import (
	"fmt"
	"math/rand/v2"
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
	for end := time.Now().Add(d); time.Now().Before(end); mirrortest.Advance(100 * time.Millisecond) {
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
	p99 := l.times[len(l.times)*99/100]
	l.Logf("%d changes: p50 %v, p99 %v, at most %v", len(l.times), l.times[len(l.times)/2], p99, l.times[len(l.times)-1])
	return p99
}
