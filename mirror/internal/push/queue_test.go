package push

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// change returns a change of a container.
func change(seq int64, id string) (v store.Delivery) {
	v.Change.Seq, v.Change.Position = seq, fmt.Sprintf("%d-0123456789abcdef", seq)
	v.Change.Kind, v.Change.ID, v.Change.Attribute = "container", id, "pickup_lfd"
	return v
}

// history is a sender with a database and a receiver, which fail and are killed at random. The
// database keeps what was saved, and the receiver what it accepted.
type history struct {
	*testing.T
	rng  *rand.Rand
	feed []store.Delivery
	now  time.Time

	q        *queue
	read     int // changes of the feed that the queue has
	under    []*item
	begun    save
	accepted map[int64]bool     // by the receiver
	order    map[string][]int64 // in which it first accepted them, by container

	position int64 // saved
	rows     map[int64]store.Delivery
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{
		T: t, rng: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_000, 0), accepted: map[int64]bool{},
		order: map[string][]int64{}, rows: map[int64]store.Delivery{},
	}
	for i := range int64(20 + h.rng.IntN(150)) {
		h.feed = append(h.feed, change(i+1, "c"+strconv.Itoa(h.rng.IntN(6))))
	}
	h.start()
	return h
}

// start begins from what was saved.
func (h *history) start() {
	position := ""
	if h.position > 0 {
		position = h.feed[h.position-1].Change.Position
	}
	h.q, h.read, h.under = newQueue(4, position, h.now), int(h.position), nil
	h.q.latest = h.position
	for _, seq := range slices.Sorted(maps.Keys(h.rows)) {
		if v := h.rows[seq]; v.ParkedAt.IsZero() {
			h.q.restore(v)
		} else {
			h.q.skip[seq] = true
		}
	}
}

// step does something at random. With good, the receiver accepts everything and nothing is killed.
func (h *history) step(good bool) {
	switch h.rng.IntN(7) {
	case 0:
		h.now = h.now.Add(time.Duration(h.rng.IntN(3000)) * time.Millisecond)
	case 1:
		if h.read < len(h.feed) && h.q.room() > 0 {
			h.q.read(h.feed[h.read], h.feed[h.read].Change.Seq%5 != 0)
			h.read++
		}
	case 2, 3:
		if it := h.q.next(h.now); it != nil {
			h.under = append(h.under, it)
		}
	case 4:
		h.settle(good)
	case 5:
		h.save(good)
	case 6:
		if !good && h.rng.IntN(40) == 0 {
			h.start() // it was killed
		}
	}
}

func (h *history) settle(good bool) {
	if len(h.under) == 0 {
		return
	}
	i := h.rng.IntN(len(h.under))
	it := h.under[i]
	h.under = slices.Delete(h.under, i, i+1)
	r := result{accepted: good || h.rng.IntN(3) > 0}
	if !r.accepted {
		r = result{problem: "500", whole: h.rng.IntN(20) == 0}
	}
	if seq := it.Change.Seq; r.accepted && !h.accepted[seq] {
		h.accepted[seq] = true
		h.order[it.Change.ID] = append(h.order[it.Change.ID], seq)
	}
	h.q.settle(it, r, h.now, h.now)
}

// save does the two halves of a save, at different times.
func (h *history) save(good bool) {
	if !h.q.saving {
		if s, some := h.q.progress(h.now, h.now); some {
			h.q.begin(s)
			h.begun = s
		}
		return
	}
	ok := good || h.rng.IntN(5) > 0
	if ok {
		h.write(h.begun)
	}
	h.q.finish(h.begun, ok)
}

// write is the transaction of the database.
func (h *history) write(s save) {
	for _, v := range slices.Concat(s.Insert, s.Update) {
		require.NotContains(h, s.Accepted, v.Change.Seq)
		h.rows[v.Change.Seq] = v
	}
	for _, seq := range s.Accepted {
		require.Contains(h, h.rows, seq, "only what is there is deleted")
		delete(h.rows, seq)
	}
	if s.Position != "" {
		h.position, _ = strconv.ParseInt(s.Position[:len(s.Position)-17], 10, 64)
	}
	for _, v := range h.feed[:h.position] {
		seq := v.Change.Seq
		_, stored := h.rows[seq]
		require.True(h, seq%5 == 0 || h.accepted[seq] || stored, "%d is before the position, and neither accepted nor stored", seq)
	}
}

// Whatever fails, and whenever the sender is killed: every change is accepted or parked, and those
// of a container are accepted for the first time in their order, but for those that were parked.
func TestQueue_Histories(t *testing.T) {
	first := uint64(1)
	if text := os.Getenv("SEED"); text != "" {
		first, _ = strconv.ParseUint(text, 10, 64)
	}
	parked := 0
	for seed := first; seed < first+mirrortest.Scale[uint64](200, 3_000); seed++ {
		h := newHistory(t, seed)
		for range 3_000 {
			h.step(false)
		}
		for range 8_000 {
			h.step(true)
		}
		parked += h.check(seed)
	}
	require.Positive(t, parked)
}

func (h *history) check(seed uint64) (parked int) {
	require.EqualValues(h, len(h.feed), h.position, "seed %d", seed)
	for _, v := range h.rows {
		require.False(h, v.ParkedAt.IsZero(), "seed %d: %d is pending", seed, v.Change.Seq)
		require.Equal(h, 4, v.Attempts)
		parked++
	}
	for id, seqs := range h.order {
		require.True(h, slices.IsSorted(seqs), "seed %d: %s: %v", seed, id, seqs)
	}
	for _, v := range h.feed {
		_, stored := h.rows[v.Change.Seq]
		require.True(h, v.Change.Seq%5 == 0 || h.accepted[v.Change.Seq] || stored, "seed %d: %d is lost", seed, v.Change.Seq)
	}
	require.Zero(h, h.q.stored, "seed %d", seed)
	require.Empty(h, h.q.items, "seed %d", seed)
	return parked
}

// sendAll starts all that may be sent.
func sendAll(q *queue, now time.Time) (list []*item) {
	for it := q.next(now); it != nil; it = q.next(now) {
		list = append(list, it)
	}
	return list
}

// While the receiver answers 500 to everything, little is stored, nothing is parked, one request is
// sent at a time, and later and later. When it accepts again, everything is sent at once.
func TestQueue_ReceiverIsAway(t *testing.T) {
	now := time.Unix(1_000, 0)
	q := newQueue(3, "", now)
	for i := range int64(1_000) {
		q.read(change(i+1, strconv.Itoa(int(i))), true)
	}
	failed := result{problem: "500"}
	stored, sent := 0, 0
	for range 24 * 3600 {
		for _, it := range sendAll(q, now) {
			sent++
			q.settle(it, failed, now, now)
		}
		s, _ := q.progress(now, now)
		q.begin(s)
		q.finish(s, true)
		stored += len(s.Insert)
		now = now.Add(time.Second)
	}
	require.True(t, q.away)
	require.Zero(t, q.room(), "nothing more is read")
	require.LessOrEqual(t, stored, width)
	require.InDelta(t, 24*3600/22.5, sent, 1_500, "every 15 to 30 seconds")
	it := sendAll(q, now.Add(longestAway))
	require.Len(t, it, 1)
	q.settle(it[0], result{accepted: true}, now, now)
	require.Len(t, sendAll(q, now), width)
	for _, one := range q.items {
		require.True(t, one.ParkedAt.IsZero())
	}
}

// A container that the receiver never accepts is parked after the attempts, and holds up only its
// own changes.
func TestQueue_OneContainerFails(t *testing.T) {
	now := time.Unix(1_000, 0)
	q := newQueue(5, "", now)
	q.read(change(1, "bad"), true)
	q.read(change(2, "bad"), true)
	var attempts []time.Duration
	for seq := int64(3); len(attempts) < 5 && seq < 1_000; seq++ {
		q.read(change(seq, "good"), true)
		for _, it := range sendAll(q, now) {
			if it.Change.ID == "good" || it.Change.Seq == 2 {
				q.settle(it, result{accepted: true}, now, now)
				continue
			}
			attempts = append(attempts, now.Sub(time.Unix(1_000, 0)))
			q.settle(it, result{problem: "500"}, now, now)
		}
		now = now.Add(time.Second)
	}
	require.Len(t, attempts, 5)
	require.Less(t, attempts[4], 20*time.Second, "1, 2, 4 and 8 seconds, at most")
	require.Greater(t, attempts[4], 6*time.Second)
	s, _ := q.progress(now, now)
	parked := slices.IndexFunc(s.Insert, func(v store.Delivery) bool { return v.Change.Seq == 1 })
	require.Equal(t, 5, s.Insert[parked].Attempts)
	require.False(t, s.Insert[parked].ParkedAt.IsZero())
	require.Empty(t, sendAll(q, now), "the next one waits until that is stored")
	q.begin(s)
	q.finish(s, true)
	require.Len(t, sendAll(q, now), 1)
}

// A request that hangs does not hold up the position: after a second, what it is about is stored.
func TestQueue_PositionPassesWhatHangs(t *testing.T) {
	now := time.Unix(1_000, 0)
	q := newQueue(5, "", now)
	for seq := int64(1); seq <= 10; seq++ {
		q.read(change(seq, strconv.Itoa(int(min(seq, 2)))), true)
	}
	list := sendAll(q, now)
	require.Len(t, list, 2)
	for it := list[1]; it != nil; it = q.next(now) {
		q.settle(it, result{accepted: true}, now, now)
	}
	s, _ := q.progress(now, now)
	require.Empty(t, s.Position)
	s, _ = q.progress(now.Add(slow), now)
	require.Equal(t, "10-0123456789abcdef", s.Position)
	require.Len(t, s.Insert, 1)
}

// A wait that the receiver asks for holds for everything that is sent to it.
func TestQueue_RetryAfter(t *testing.T) {
	now := time.Unix(1_000, 0)
	q := newQueue(2, "", now)
	q.read(change(1, "a"), true)
	q.read(change(2, "b"), true)
	list := sendAll(q, now)
	q.settle(list[0], result{whole: true, after: time.Minute, problem: "429"}, now, now)
	q.settle(list[1], result{whole: true, after: time.Minute, problem: "429"}, now, now)
	require.Empty(t, sendAll(q, now.Add(59*time.Second)))
	require.Equal(t, now.Add(time.Minute), q.wake())
	require.Len(t, sendAll(q, now.Add(time.Minute)), 1)
	require.Zero(t, list[0].Attempts, "it does not count")
}
