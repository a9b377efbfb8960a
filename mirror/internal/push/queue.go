package push

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	width       = 32     // requests under way at a time
	again       = 16     // of them, repeated ones: what fails must not hold up the rest
	window      = 2_000  // changes that are read and neither accepted nor stored
	mostPending = 50_000 // deliveries that are stored, unless they are parked

	longestWait = 5 * time.Minute  // between two attempts of a change
	longestAway = 30 * time.Second // between two attempts while the receiver is away
	slow        = time.Second      // after which a request under way is stored

	awayLanes = 3               // lanes must have failed since the receiver accepted something
	awayRow   = 10              // and so many requests
	awayTime  = 5 * time.Second // or for so long
)

// queue is what a sender has to send. It is not safe for concurrent use, and does no I/O.
type queue struct {
	attempts int // after which a change is parked

	lanes   map[string]*lane
	fresh   []*lane // whose first change has not been tried
	repeats []*lane // whose first change is due again
	waiting laneHeap
	busy    map[*item]bool // under way
	trying  int            // of them, repeated ones
	items   map[int64]*item
	latest  int64          // seq of the latest change that was read
	skip    map[int64]bool // after it: deliveries that ended, which are not sent when they are read

	marks    []mark // what was read and is not saved, in order
	position string // saved
	stored   int    // deliveries in the table that are not parked
	accepted []int64
	toStore  map[*item]bool
	saving   bool

	sent, unsaved int64 // accepted ones: all, and those that are not saved
	sentAt        time.Time
	failed        map[string]bool // lanes that failed since the receiver accepted something
	row           int             // requests that failed since
	acceptedAt    time.Time       // on the clock that never jumps
	since         time.Time       // when the first of them failed

	away    bool
	resume  time.Time // when the next change is tried
	pauses  int
	problem string

	problems, savedProblems int // so far
}

// mark is a place in the feed; item is nil if the filter does not select what is there.
type mark struct {
	position string
	item     *item
}

// item is a change on its way.
type item struct {
	store.Delivery
	hasValues bool // Old and New are here
	stored    bool // it is in the table
	done      bool // accepted, forgotten, or stored as parked
	tries     int
	counted   int64 // sent, when its latest attempt failed
	begun     time.Time
}

// lane has the changes of a resource, in order. It is in fresh, repeats or waiting, unless its
// first change is under way or about to be stored as parked.
type lane struct {
	items []*item
	due   time.Time
}

func newQueue(attempts int, position string, now time.Time) *queue {
	return &queue{
		attempts: attempts, position: position, acceptedAt: now, lanes: map[string]*lane{}, busy: map[*item]bool{},
		items: map[int64]*item{}, skip: map[int64]bool{}, toStore: map[*item]bool{}, failed: map[string]bool{},
	}
}

// room returns how many changes may be read.
func (q *queue) room() int {
	if q.away {
		return 0
	}
	return max(0, window-len(q.marks))
}

// read appends a change of the feed; only its place, if it is not selected or is not sent again.
func (q *queue) read(v store.Delivery, selected bool) {
	q.latest = v.Change.Seq
	if !selected || q.skip[v.Change.Seq] {
		delete(q.skip, v.Change.Seq)
		if n := len(q.marks); n > 0 && q.marks[n-1].item == nil && !q.saving {
			q.marks = q.marks[:n-1]
		}
		q.marks = append(q.marks, mark{v.Change.Position, nil})
		return
	}
	it := q.items[v.Change.Seq]
	if it == nil {
		it = &item{Delivery: v, hasValues: true, counted: -1}
		q.put(it)
	}
	q.marks = append(q.marks, mark{v.Change.Position, it})
}

// restore appends a delivery of the table, unless it is here.
func (q *queue) restore(v store.Delivery) {
	if q.items[v.Change.Seq] == nil {
		q.put(&item{Delivery: v, stored: true, tries: v.Attempts, counted: int64(min(v.Attempts, 1) - 1)})
		q.stored++
	}
}

// put adds a change to its lane, in the order of seq.
func (q *queue) put(it *item) {
	q.items[it.Change.Seq] = it
	key := subject(it.Change.Kind, it.Change.ID)
	l := q.lanes[key]
	if l == nil {
		l = &lane{}
		q.lanes[key] = l
		defer q.enqueue(l)
	} else if first := l.items[0]; !it.stored && (first.stored || q.toStore[first]) {
		defer q.storeLane(l)
	}
	at := len(l.items)
	for first := 1; at > first && l.items[at-1].Change.Seq > it.Change.Seq; {
		at--
	}
	l.items = slices.Insert(l.items, at, it)
}

// enqueue puts a lane whose first change may be sent where it is found.
func (q *queue) enqueue(l *lane) {
	if l.items[0].tries == 0 {
		q.fresh = append(q.fresh, l)
	} else {
		q.repeats = append(q.repeats, l)
	}
}

// storeLane has all changes of a lane stored with the next save. Those that are stored or to be are
// always the first ones: after a crash, others are read from the feed, and come after them.
func (q *queue) storeLane(l *lane) {
	first := len(l.items)
	for first > 0 && !l.items[first-1].stored && !q.toStore[l.items[first-1]] {
		first--
	}
	for _, it := range l.items[first:] {
		if q.stored+len(q.toStore) >= mostPending {
			return
		}
		q.toStore[it] = true
	}
}

// next returns the change that is to be sent now; nil if there is none.
func (q *queue) next(now time.Time) *item {
	for len(q.waiting) > 0 && !q.waiting[0].due.After(now) {
		q.enqueue(heap.Pop(&q.waiting).(*lane))
	}
	var l *lane
	switch {
	case q.away:
		l = q.probe(now)
	case len(q.busy) >= width:
	case len(q.fresh) > 0:
		l = pop(&q.fresh)
	case len(q.repeats) > 0 && q.trying < again:
		l = pop(&q.repeats)
	}
	if l == nil {
		return nil
	}
	it := l.items[0]
	it.begun = now
	q.busy[it] = true
	if it.tries > 0 {
		q.trying++
	}
	return it
}

// probe returns the lane that shows whether the receiver is back.
func (q *queue) probe(now time.Time) *lane {
	switch {
	case len(q.busy) > 0 || now.Before(q.resume):
		return nil
	case len(q.fresh) > 0:
		return pop(&q.fresh)
	case len(q.repeats) > 0:
		return pop(&q.repeats)
	case len(q.waiting) > 0:
		return heap.Pop(&q.waiting).(*lane)
	}
	return nil
}

func pop(from *[]*lane) *lane {
	l := (*from)[0]
	(*from)[0] = nil
	*from = (*from)[1:]
	return l
}

// wake returns when next is to be asked again; zero if only a result or a change can matter.
func (q *queue) wake() (at time.Time) {
	switch {
	case q.away && len(q.busy) == 0 && len(q.lanes) > 0:
		return q.resume
	case !q.away && len(q.waiting) > 0:
		return q.waiting[0].due
	}
	return at
}

// settle records the result of sending a change.
func (q *queue) settle(it *item, r result, now, wall time.Time) {
	if it.tries > 0 {
		q.trying--
	}
	delete(q.busy, it)
	switch {
	case r.gone: // from the table
		it.stored = false
		q.stored--
		q.end(it)
	case r.accepted:
		q.accept(now, wall)
		q.end(it)
	case r.unsent:
		q.wait(it, now.Add(time.Second))
	default:
		q.fail(it, r, now, wall)
	}
}

// laneOf returns the lane of a change.
func (q *queue) laneOf(it *item) *lane { return q.lanes[subject(it.Change.Kind, it.Change.ID)] }

// wait has a change sent again at a time.
func (q *queue) wait(it *item, due time.Time) {
	l := q.laneOf(it)
	l.due = due
	heap.Push(&q.waiting, l)
}

// end takes a change out of its lane.
func (q *queue) end(it *item) {
	it.done = true
	delete(q.items, it.Change.Seq)
	delete(q.toStore, it)
	if it.Change.Seq > q.latest {
		q.skip[it.Change.Seq] = true
	}
	if it.stored && it.ParkedAt.IsZero() {
		q.accepted = append(q.accepted, it.Change.Seq)
		q.stored--
	}
	l := q.laneOf(it)
	l.items = l.items[1:]
	if len(l.items) == 0 {
		delete(q.lanes, subject(it.Change.Kind, it.Change.ID))
		return
	}
	q.enqueue(l)
}

// accept notes that the receiver works. If it was away, all that waits is due.
func (q *queue) accept(now, wall time.Time) {
	q.sent++
	q.unsaved++
	q.sentAt, q.acceptedAt = wall, now
	clear(q.failed)
	q.row, q.since = 0, time.Time{}
	if q.away {
		q.away, q.pauses = false, 0
		due := append(q.repeats, q.waiting...)
		q.repeats, q.waiting = nil, nil
		for _, l := range due {
			l.items[0].tries = 0
			q.enqueue(l)
		}
	}
}

// fail has a change tried again later, or parks it.
func (q *queue) fail(it *item, r result, now, wall time.Time) {
	it.tries++
	it.Problem, q.problem = r.problem, r.problem
	q.problems++
	q.failed[subject(it.Change.Kind, it.Change.ID)] = true
	q.row++
	if q.since.IsZero() {
		q.since = wall
	}
	if !r.whole && q.sent > it.counted {
		it.Attempts++
		it.counted = q.sent
	}
	q.noteAway(r, now)
	switch {
	case it.Attempts >= q.attempts:
		it.ParkedAt = wall
		if it.stored {
			q.stored--
		}
		q.toStore[it] = true
		return
	case it.stored:
		q.toStore[it] = true
	case !q.away:
		q.storeLane(q.laneOf(it))
	}
	q.wait(it, now.Add(max(r.after, jitter(plan.RetryAfter(it.tries, longestWait)))))
}

// noteAway finds out whether the receiver as a whole is away.
func (q *queue) noteAway(r result, now time.Time) {
	if !q.away && !r.whole && (len(q.failed) < awayLanes || q.row < awayRow && now.Sub(q.acceptedAt) < awayTime) {
		return
	}
	if q.away && now.Before(q.resume) { // it was under way
		q.resume = later(q.resume, now.Add(r.after))
		return
	}
	q.away = true
	q.pauses++
	q.resume = now.Add(max(r.after, jitter(plan.RetryAfter(q.pauses, longestAway))))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// jitter returns between half of a wait and the whole: senders must not come back together.
func jitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }

// laneHeap is a heap by due.
type laneHeap []*lane

func (h laneHeap) Len() int           { return len(h) }
func (h laneHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h laneHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *laneHeap) Push(l any)        { *h = append(*h, l.(*lane)) }
func (h *laneHeap) Pop() any {
	last := len(*h) - 1
	l := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return l
}
