package plan_test

import (
	"container/heap"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// A history is the life of one container: the service changes it, notifies at once, late, twice or
// out of order, and answers reads that overlap, some of them from a replica that lags. The
// histories apply the rules alone, without a database, a request or a clock.
type history struct {
	*rand.Rand
	now    time.Duration
	events events
	n      int // of events

	left    int             // changes that will be made
	changes []time.Duration // when the service changed it
	untold  int             // notifications on their way
	settle  time.Duration
	lagging float64 // the part of the reads from a replica
	dense   bool
	lossy   bool          // half of the changes are not notified
	skew    time.Duration // of the clock that reads, against the one that marked

	tickets int64
	row     *plan.Row
	mark    *plan.Mark
	polling bool
	polls   int
	newest  int // version that a reading has shown
	rests   int // how often nothing was marked
}

type event struct {
	at time.Duration
	n  int
	do func()
}

// events is a heap, by time.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].n < e[j].n
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// epoch is when histories begin.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// versions are the states of the container.
var versions = func() (all [20]*model.Resource) {
	for i := range all {
		res, err := model.Parse(fmt.Appendf(nil, `{"type":"container","id":"C","attributes":{"location_at_pod_terminal":"%d"}}`, i))
		if err != nil {
			panic(err)
		}
		all[i] = res
	}
	return all
}()

func (h *history) after(d time.Duration, do func()) {
	h.n++
	heap.Push(&h.events, event{h.now + d, h.n, do})
}

// between draws a duration.
func (h *history) between(from, to time.Duration) time.Duration {
	return from + time.Duration(h.Int64N(int64(to-from)))
}

// newHistory prepares a history. Three in four are dense, with what is dangerous: changes right
// after the service made a response, which is still under way, and many walks. They have no
// replicas, so that only tickets put reads in order, or many. The others have the terms of an
// ordinary day. In some of both, half of the changes are not notified, or another process, whose
// clock is ahead, reads.
func newHistory(seed uint64) *history {
	h := &history{Rand: rand.New(rand.NewPCG(seed, 49)), settle: time.Millisecond, dense: seed%4 != 0}
	h.left = 3 + h.IntN(10)
	if seed%4 < 2 {
		h.settle, h.lagging = 5*time.Second, 0.3
	} else {
		h.lossy = h.IntN(3) == 0
		if h.IntN(3) == 0 {
			h.skew = time.Hour
		}
	}
	h.changeAfter(h.between(0, time.Second))
	walks := 3
	if h.dense {
		walks = 25
	}
	for range walks {
		h.after(h.between(0, time.Duration(walks)*2*time.Second), func() { h.read("walk") })
	}
	return h
}

// changeAfter changes the container at a later time, and then again.
func (h *history) changeAfter(d time.Duration) {
	h.after(d, func() {
		if !h.change() {
			return
		}
		switch gap := h.IntN(3); {
		case gap == 0:
			h.changeAfter(h.between(0, 400*time.Millisecond))
		case gap == 1 && !h.dense:
			h.changeAfter(h.between(time.Minute, 10*time.Minute))
		default:
			h.changeAfter(h.between(500*time.Millisecond, 20*time.Second))
		}
	})
}

// change changes the container, and notifies it: one time in ten twice.
func (h *history) change() bool {
	if h.left == 0 {
		return false
	}
	h.left--
	h.changes = append(h.changes, h.now)
	if h.lossy && h.IntN(2) == 0 {
		return true
	}
	delays := []time.Duration{200 * time.Millisecond, 2 * time.Second, time.Minute, time.Hour}
	if h.dense {
		delays = delays[:3]
	}
	h.untold++
	h.after(h.between(0, delays[h.IntN(len(delays))]), func() {
		h.untold--
		h.markAt(h.now + h.settle)
	})
	if h.IntN(10) == 0 {
		h.after(h.between(time.Second, 10*time.Minute), func() { h.markAt(h.now + h.settle) })
	}
	return true
}

// way is how long a request or a response is under way.
func (h *history) way() time.Duration {
	if h.dense && h.IntN(4) > 0 {
		return h.between(50*time.Millisecond, 200*time.Millisecond)
	}
	return h.between(50*time.Millisecond, 1500*time.Millisecond)
}

// version is what the service has at a time.
func (h *history) version(at time.Duration) (n int) {
	for _, c := range h.changes {
		if c <= at {
			n++
		}
	}
	return n
}

func (h *history) ticket() int64 {
	h.tickets++
	return h.tickets
}

// markAt marks the container, and lets it be read.
func (h *history) markAt(notBefore time.Duration) {
	var m plan.Mark
	if h.mark == nil {
		m = plan.Mark{Ticket: h.ticket(), Due: epoch.Add(notBefore), NotBefore: epoch.Add(notBefore)}
	} else {
		m = h.mark.Again(h.ticket(), epoch.Add(notBefore))
	}
	h.mark = &m
	h.after(max(m.Due.Sub(epoch)-h.now, 0), h.poll)
}

// poll reads the container if it is marked and due, and not read already.
func (h *history) poll() {
	if h.mark == nil || h.polling || h.mark.Due.After(epoch.Add(h.now)) {
		return
	}
	h.polling = true
	h.polls++
	h.read("poll")
}

// read sends a request. The service makes its response on the way. It may wait after it has
// arrived.
func (h *history) read(source string) {
	r := plan.Reading{Ticket: h.ticket(), Sent: epoch.Add(h.now + h.skew), Source: source}
	h.after(h.way(), func() {
		lag := time.Duration(0)
		if h.Float64() < h.lagging {
			lag = h.between(0, 3*time.Second)
		}
		seen := h.version(h.now - lag)
		if h.dense && h.IntN(2) == 0 {
			h.after(h.between(0, 100*time.Millisecond), func() { h.change() })
		}
		h.after(h.way(), func() {
			r.Until = h.tickets
			wait := time.Duration(0)
			if h.IntN(3) == 0 { // such as for the page before
				wait = h.between(0, 3*time.Second)
			}
			h.after(wait, func() { h.arrived(r, seen) })
		})
	})
}

// arrived stores a reading.
func (h *history) arrived(r plan.Reading, version int) {
	h.store(r, version)
	if r.Source == "poll" {
		h.polling = false
	}
	if h.mark != nil {
		h.after(max(h.mark.Due.Sub(epoch)-h.now, 100*time.Millisecond), h.poll)
	}
}

// store applies the rules.
func (h *history) store(r plan.Reading, version int) {
	h.newest = max(h.newest, version)
	row := h.row
	digest := strconv.Itoa(version)
	if row != nil && row.Digest == digest {
		same := *row
		same.Raw = nil
		row = &same
	}
	d := plan.Decide(row, r, versions[version], digest)
	switch d.Action {
	case plan.Store:
		h.row = &plan.Row{Digest: d.Digest, Ticket: d.Ticket, Until: d.Until, Raw: d.Resource.Raw}
	default:
		h.row.Ticket, h.row.Until = d.Ticket, d.Until
	}
	if h.mark != nil {
		switch r.AnswerTo(*h.mark) {
		case plan.Answered:
			h.mark = nil
		case plan.Postponed:
			h.mark.Due = h.mark.NotBefore
		}
	}
	if d.Doubtful {
		h.markAt(h.now)
	}
}

// rest returns what is wrong when nothing is marked. If every change has been notified, the row is
// what the service has. Without replicas, it is never older than what a reading has shown.
func (h *history) rest() error {
	if h.mark != nil || h.row == nil {
		return nil
	}
	h.rests++
	version, _ := strconv.Atoi(h.row.Digest)
	switch {
	case h.untold == 0 && !h.lossy && version != len(h.changes):
		return fmt.Errorf("the row has version %d, ticket %d; the service has %d", version, h.row.Ticket, len(h.changes))
	case h.lagging == 0 && version < h.newest:
		return fmt.Errorf("the row went back to version %d after %d", version, h.newest)
	}
	return nil
}

// run lives the history, and returns what is wrong at rest.
func (h *history) run() error {
	for len(h.events) > 0 {
		next := heap.Pop(&h.events).(event)
		h.now = next.at
		next.do()
		if h.polls > 1000 {
			return errors.New("it is read again and again")
		}
		if err := h.rest(); err != nil {
			return err
		}
	}
	if h.mark != nil || h.row == nil {
		return fmt.Errorf("the mark %v stays", h.mark)
	}
	return nil
}

// At rest no row is wrong, in any order of notifications, reads and replicas. SEED=17 runs
// that history alone.
func TestHistories_OfTheRules(t *testing.T) {
	if text := os.Getenv("SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		require.NoError(t, newHistory(seed).run())
		return
	}
	const all = 40_000
	took := mirrortest.Stopwatch()
	wrong, polls, rests := 0, 0, 0
	for seed := range uint64(all) {
		h := newHistory(seed)
		if err := h.run(); err != nil {
			if wrong++; wrong < 5 {
				t.Errorf("SEED=%d: %v", seed, err)
			}
		}
		polls, rests = polls+h.polls, rests+h.rests
	}
	t.Logf("figure: histories of the rules: %d with %d polls, seen at rest %d times, %d wrong; %.0f histories/s",
		all, polls, rests, wrong, all/took().Seconds())
	assert.Zero(t, wrong)
	assert.Greater(t, rests, all)
}
