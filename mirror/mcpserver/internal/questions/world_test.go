package questions

import (
	"context"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// The account is mirrored from begin on, and asked about at now: a Thursday in New York and in UTC,
// and still Wednesday in Chicago and in Los Angeles.
var (
	begin = time.Date(2000, 1, 10, 12, 0, 0, 0, time.UTC)
	now   = time.Date(2000, 1, 27, 5, 30, 0, 0, time.UTC)
)

// looks are when the mirror reads the account, as times before now. Between two of them, it sees
// nothing, so a change is first recorded by the next.
var looks = []time.Duration{
	15 * day, 14 * day, 12 * day, 10 * day, 8 * day, 7*day + time.Hour, 6 * day, 5 * day, 4 * day, 3*day + 2*time.Hour,
	2 * day, 31 * time.Hour, 29 * time.Hour, 25 * time.Hour, 21 * time.Hour, 12 * time.Hour, 7 * time.Hour, 5 * time.Hour, 0,
}

const day = 24 * time.Hour

// world is a simulated account and its mirror.
type world struct {
	*testing.T
	srv      *terminal49test.Server
	client   *terminal49.Client
	db       *sql.DB
	mirror   *mirror.Mirror
	position string // of the feed, from the answer to question 73
	kept     bool   // the mirror has read everything in an earlier run; see scale

	seen  []view                 // what the service had at each look of the mirror
	cases map[string]string      // ids of containers, by what they are for
	plan  map[time.Time][]func() // what happens at a time
	boxes []*box                 // at the end, by number
	byID  map[string]*box

	journeys map[string]int // how many boxes have a number
}

// view is what the service had from one look of the mirror to the next.
type view struct {
	at, until time.Time // the mirror read it within this time
	boxes     map[string]seenBox
}

// seenBox is a container with its shipment, as they were.
type seenBox struct {
	terminal49test.Container
	shipment terminal49test.Shipment
}

// newWorld simulates about n shipments and their past. It runs in a bubble, which begins in 2000.
func newWorld(t *testing.T, n int) *world {
	w := &world{T: t, cases: map[string]string{}, plan: map[time.Time][]func(){}, byID: map[string]*box{}, journeys: map[string]int{}}
	mirrortest.Advance(time.Until(begin))
	w.srv = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(0),
		terminal49test.WithLog(100))
	t.Cleanup(w.srv.Close)
	var err error
	w.client, err = terminal49.New(w.srv.Token, terminal49.WithBaseURL(w.srv.URL), terminal49.WithHTTPClient(w.srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mirror.db")
	if data, err := os.ReadFile(os.Getenv("QUESTIONS_DB")); err == nil {
		w.kept = true
		require.NoError(t, os.WriteFile(file, data, 0o600))
	}
	w.db, err = sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.db.Close() })
	w.mirror, err = mirror.New(w.client, w.db)
	require.NoError(t, err)
	w.srv.SeedTraffic(n)
	w.addCases()
	w.look()
	w.live()
	w.read() // again: that a container is gone is certain after two walks
	w.readAll()
	w.keep()
	return w
}

// keep keeps the database for another run.
func (w *world) keep() {
	if file := os.Getenv("QUESTIONS_DB"); file != "" && !w.kept {
		_, err := w.db.Exec("vacuum into '" + file + "'")
		require.NoError(w, err)
	}
}

// on plans what happens some time before now.
func (w *world) on(before time.Duration, do func()) {
	at := now.Add(-before)
	w.plan[at] = append(w.plan[at], do)
}

// live lets the time pass until now.
func (w *world) live() {
	for _, before := range looks {
		w.on(before, w.look)
	}
	for _, at := range slices.SortedFunc(maps.Keys(w.plan), time.Time.Compare) {
		w.passUntil(at)
		for _, do := range w.plan[at] {
			do()
		}
	}
}

func (w *world) passUntil(at time.Time) {
	mirrortest.Advance(time.Until(at))
	w.srv.Advance(at.Sub(w.srv.Now()))
}

// look has the mirror read the account, while it stands still.
func (w *world) look() {
	w.srv.Advance(mirrortest.Elapsed(w.srv.Now()))
	w.checkTerminals()
	v := view{at: w.srv.Now(), boxes: map[string]seenBox{}}
	for r := range w.srv.Snapshot("shipment") {
		s, _ := w.srv.Shipment(r.ID)
		for _, id := range w.srv.ContainerIDs(r.ID) {
			c, _ := w.srv.Container(id)
			v.boxes[id] = seenBox{c, s}
		}
	}
	w.read()
	v.until = v.at.Add(5 * time.Minute)
	w.seen = append(w.seen, v)
}

// read has the mirror read the account.
func (w *world) read() {
	if !w.kept {
		require.NoError(w, w.mirror.Reconcile(context.Background()))
	}
}

// checkTerminals has the service ask the terminals about the containers there, except for a few.
func (w *world) checkTerminals() {
	at := w.srv.Now()
	for r := range w.srv.Snapshot("container") {
		c, _ := w.srv.Container(r.ID)
		landed := !c.PODArrivedAt.IsZero() && c.PODFullOutAt.IsZero() && c.FinalDestinationFullOutAt.IsZero()
		if !landed || w.cases["old"] == r.ID || at.Sub(c.TerminalCheckedAt) < 6*time.Hour || c.Number[len(c.Number)-2] == '7' && c.Number[len(c.Number)-3] == '3' {
			continue
		}
		s, _ := w.srv.Shipment(c.Shipment)
		if s.LineTrackingStoppedAt.IsZero() {
			w.srv.UpdateContainer(r.ID, func(c *terminal49test.Container) { c.TerminalCheckedAt = at.Add(-20 * time.Minute) })
		}
	}
}

// readAll reads the containers as they are now.
func (w *world) readAll() {
	for c, err := range w.client.Containers.All(context.Background(), &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}) {
		require.NoError(w, err)
		raw, _ := w.srv.Container(c.ID)
		s, _ := c.Shipment.Value()
		b := &box{w: w, c: c, s: s, raw: raw, verdict: terminal49.Assess(c, now, terminal49.VerdictOptions{})}
		w.boxes, w.byID[c.ID] = append(w.boxes, b), b
		w.journeys[c.Number]++
	}
	slices.SortFunc(w.boxes, func(a, b *box) int { return byNumber(a, b) })
}
