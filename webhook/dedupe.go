package webhook

import (
	"container/list"
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// DedupeStore remembers which notifications were handled, so that each is handled once however
// often it is delivered. A [Handler] calls Claim before the callbacks, then Complete if they
// succeed or Release if they fail. [MemoryDedupe] serves one process; several behind one URL must
// share a store.
//
// A notification is unknown, claimed until a time, or done until a time, by the store's clock, and
// then unknown again. A store may round these times up, by less than two seconds, and never down.
// While callbacks run, the handler renews the claim. If a process dies, its claim expires and the
// service's next delivery is handled; see [WithClaimLease]. Methods must be atomic per id, and
// compare whole ids and owners. webhooktest.TestDedupeStore tests a store.
type DedupeStore interface {
	// Claim marks an unknown notification as claimed by owner, for the lease from now on, and returns
	// DedupeClaimed. A Claim by the owner that has the claim renews it, for the lease from now on,
	// and returns DedupeClaimed. Otherwise Claim changes nothing and returns DedupeDone or
	// DedupeBusy. Every delivery has an owner of its own, a UUID. After an error the delivery is
	// answered 500.
	Claim(ctx context.Context, id, owner string, lease time.Duration) (DedupeState, error)
	// Complete marks a notification as done for the retention from now on, also if owner does not
	// have the claim: the work is done. It may report the latter with an error that matches
	// [ErrClaimLost]. Any other error means that the notification may not be marked.
	Complete(ctx context.Context, id, owner string, retention time.Duration) error
	// Release makes a notification unknown if owner has the claim. Otherwise it does nothing. An
	// error means that the claim may last until its lease ends.
	Release(ctx context.Context, id, owner string) error
}

// DedupeState is the result of [DedupeStore].Claim.
type DedupeState uint8

// The states of a notification that a handler tries to claim.
const (
	DedupeBusy    DedupeState = iota // claimed by another owner; claim again later
	DedupeClaimed                    // claimed by this owner
	DedupeDone                       // handled
)

// MemoryDedupe is a [DedupeStore] in the memory of one process. It forgets everything when the
// process ends: a notification that was handled just before, and whose response was lost, is
// handled again. Create it with [NewMemoryDedupe].
type MemoryDedupe struct {
	mu      sync.Mutex
	limit   int
	claims  map[dedupeKey]claim
	done    map[dedupeKey]*list.Element // in order
	order   list.List                   // of handled, the oldest first
	sweepAt time.Time
}

// handled is a notification that is done.
type handled struct {
	key   dedupeKey
	until time.Time
}

// dedupeKey is the hash of an id. An id may be as long as a delivery, and it usually is a substring
// that would keep the whole delivery in memory.
type dedupeKey [sha256.Size]byte

func dedupeKeyOf(id string) dedupeKey { return sha256.Sum256([]byte(id)) }

type claim struct {
	owner string
	until time.Time
}

// DefaultDedupeLimit is how many handled notifications a [MemoryDedupe] remembers by default. They
// take about 20 MB.
const DefaultDedupeLimit = 100_000

// NewMemoryDedupe returns a store that remembers at most limit handled notifications and forgets
// the oldest first. A limit of 0 or less means [DefaultDedupeLimit]. Claims do not count towards
// it: there are at most as many as callbacks in progress.
func NewMemoryDedupe(limit int) *MemoryDedupe {
	if limit <= 0 {
		limit = DefaultDedupeLimit
	}
	return &MemoryDedupe{limit: limit, claims: map[dedupeKey]claim{}, done: map[dedupeKey]*list.Element{}}
}

// Claim implements [DedupeStore].
func (m *MemoryDedupe) Claim(ctx context.Context, id, owner string, lease time.Duration) (DedupeState, error) {
	if err := ctx.Err(); err != nil {
		return DedupeBusy, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key, now := dedupeKeyOf(id), time.Now()
	m.sweep(now)
	if entry, ok := m.done[key]; ok && now.Before(entry.Value.(*handled).until) {
		return DedupeDone, nil
	}
	if held, ok := m.claims[key]; ok && held.owner != owner && now.Before(held.until) {
		return DedupeBusy, nil
	}
	m.claims[key] = claim{owner, now.Add(lease)}
	return DedupeClaimed, nil
}

// Complete implements [DedupeStore].
func (m *MemoryDedupe) Complete(_ context.Context, id, owner string, retention time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key, now := dedupeKeyOf(id), time.Now()
	held := m.claims[key]
	delete(m.claims, key)
	if before := m.done[key]; before != nil {
		m.order.Remove(before)
	}
	m.done[key] = m.order.PushBack(&handled{key, now.Add(retention)})
	if len(m.done) > m.limit {
		m.forgetOldest()
	}
	if held.owner != owner || !now.Before(held.until) {
		return ErrClaimLost
	}
	return nil
}

// Release implements [DedupeStore].
func (m *MemoryDedupe) Release(_ context.Context, id, owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if key := dedupeKeyOf(id); m.claims[key].owner == owner {
		delete(m.claims, key)
	}
	return nil
}

// Len returns the number of handled notifications that are remembered.
func (m *MemoryDedupe) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.done)
}

func (m *MemoryDedupe) forgetOldest() {
	oldest := m.order.Remove(m.order.Front()).(*handled)
	delete(m.done, oldest.key)
}

// sweep removes what has expired, at most once a minute.
func (m *MemoryDedupe) sweep(now time.Time) {
	if now.Before(m.sweepAt) {
		return
	}
	m.sweepAt = now.Add(time.Minute)
	for e := m.order.Front(); e != nil && !now.Before(e.Value.(*handled).until); e = m.order.Front() {
		m.forgetOldest()
	}
	for key, held := range m.claims {
		if !now.Before(held.until) {
			delete(m.claims, key)
		}
	}
}
