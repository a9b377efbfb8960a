package terminal49

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// DedupeStore remembers which notifications were handled, so that each is handled once however often it is delivered.
// A [WebhookHandler] uses it in this order: Claim before the callbacks run, then Complete if they succeeded or Release
// if they failed. [MemoryDedupe] is enough for one process; several behind one URL need a store that they share.
//
// A notification is unknown, claimed until a moment, or done until a moment; both moments are on the store's clock, and
// past them it is unknown again. A process that dies between Claim and Complete therefore loses nothing: its claim
// expires, and the service's next try is handled.
//
// Each method must be atomic with regard to the others on the same id. In Redis that is a SET with NX and PX for Claim,
// and a script that compares the owner for Release; in SQL an INSERT ... ON CONFLICT DO UPDATE ... WHERE the row has
// expired for Claim, and a condition on the owner for Release.
type DedupeStore interface {
	// Claim takes an unknown notification for owner, for as long as lease, and returns DedupeClaimed. Otherwise it
	// changes nothing and returns DedupeDone or DedupeBusy. Owners are never used twice. With an error nothing must
	// have been lost: the delivery is refused, and the service tries again.
	Claim(ctx context.Context, id, owner string, lease time.Duration) (DedupeState, error)
	// Complete marks a notification as done for as long as keep, whoever has claimed it by now: it was handled.
	Complete(ctx context.Context, id, owner string, keep time.Duration) error
	// Release makes a notification unknown again if owner still has the claim; otherwise it does nothing.
	Release(ctx context.Context, id, owner string) error
}

// DedupeState is what a store says of a notification that somebody wants to handle.
type DedupeState uint8

const (
	DedupeBusy    DedupeState = iota // somebody else has it in hand; ask again later
	DedupeClaimed                    // it is yours
	DedupeDone                       // it was handled
)

// MemoryDedupe is a [DedupeStore] in the memory of one process. What was done is forgotten when the process ends: a
// notification that was handled just before and whose answer was lost is handled again.
type MemoryDedupe struct {
	mu      sync.Mutex
	limit   int
	claims  map[dedupeKey]claim
	done    map[dedupeKey]time.Time // until when
	order   []dedupeKey             // of done, oldest first, from first on
	first   int
	sweepAt time.Time
}

// dedupeKey is the hash of an id. The id itself could be as long as a delivery, and is mostly a piece of a longer text
// that would be kept along with it.
type dedupeKey [sha256.Size]byte

func dedupeKeyOf(id string) dedupeKey { return sha256.Sum256([]byte(id)) }

type claim struct {
	owner string
	until time.Time
}

// DefaultDedupeLimit is how many handled notifications a [MemoryDedupe] remembers unless told otherwise: about 15 MB.
const DefaultDedupeLimit = 100_000

// NewMemoryDedupe returns a store that remembers at most limit handled notifications, forgetting the oldest first; 0
// or less is DefaultDedupeLimit. Claims do not count: there are no more of them than deliveries in hand.
func NewMemoryDedupe(limit int) *MemoryDedupe {
	if limit <= 0 {
		limit = DefaultDedupeLimit
	}
	return &MemoryDedupe{limit: limit, claims: map[dedupeKey]claim{}, done: map[dedupeKey]time.Time{}}
}

// Claim implements [DedupeStore].
func (m *MemoryDedupe) Claim(_ context.Context, id, owner string, lease time.Duration) (DedupeState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key, now := dedupeKeyOf(id), time.Now()
	m.sweep(now)
	if until, ok := m.done[key]; ok && now.Before(until) {
		return DedupeDone, nil
	}
	if held, ok := m.claims[key]; ok && now.Before(held.until) {
		return DedupeBusy, nil
	}
	m.claims[key] = claim{owner, now.Add(lease)}
	return DedupeClaimed, nil
}

// Complete implements [DedupeStore].
func (m *MemoryDedupe) Complete(_ context.Context, id, _ string, keep time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := dedupeKeyOf(id)
	delete(m.claims, key)
	if _, known := m.done[key]; !known {
		m.order = append(m.order, key)
	}
	m.done[key] = time.Now().Add(keep)
	for len(m.done) > m.limit {
		m.forgetFirst()
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

// Len returns how many handled notifications are remembered.
func (m *MemoryDedupe) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.done)
}

func (m *MemoryDedupe) forgetFirst() {
	delete(m.done, m.order[m.first])
	if m.first++; m.first > len(m.order)/2 {
		m.order, m.first = append([]dedupeKey(nil), m.order[m.first:]...), 0
	}
}

// sweep takes out what has expired, now and then.
func (m *MemoryDedupe) sweep(now time.Time) {
	if now.Before(m.sweepAt) {
		return
	}
	m.sweepAt = now.Add(time.Minute)
	for m.first < len(m.order) && !now.Before(m.done[m.order[m.first]]) {
		m.forgetFirst()
	}
	for key, held := range m.claims {
		if !now.Before(held.until) {
			delete(m.claims, key)
		}
	}
}
