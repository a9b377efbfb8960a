package webhooktest_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// entry is what a mapEngine keeps of a notification.
type entry struct {
	owner string
	until time.Time
	done  bool
}

// mapEngine is the reference: a map on one clock.
type mapEngine struct {
	mu      sync.Mutex
	entries map[string]entry
	order   []string // of the keys, for engines that forget the first
	away    bool
}

var errAway = errors.New("the engine is away")

// faults are those of the engine.
func (e *mapEngine) faults() webhooktest.Faults {
	set := func(away bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.away = away
	}
	return webhooktest.Faults{
		Away: func() func() { set(true); return func() { set(false) } },
		Lose: func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			clear(e.entries)
		},
	}
}

// mapStore is one process. bug says what is wrong with it.
type mapStore struct {
	*mapEngine
	bug
	setup webhooktest.Setup
	local map[string]string // what this process remembers by itself
}

// bug is what is wrong with a mapStore. A nil field is right.
type bug struct {
	key              func(namespace, id string) string
	same             func(held, owner string) bool // of owners
	lease, retention func(time.Duration) time.Duration
	clock            func(webhooktest.Setup) time.Time
	gap              func() // between reading and writing, without the lock
	limit            int    // of entries
	claim            func(m *mapStore, held entry, id, owner string, now time.Time, lease time.Duration) (webhook.DedupeState, bool)
	complete         func(m *mapStore, held entry, known bool, id, owner string, now time.Time, retention time.Duration) (error, bool)
	release          func(m *mapStore, held entry, id, owner string) bool
	failed           func(call string, err error) error // what a call returns after an error
	noContext        bool
}

// sharedMap returns how processes open a store on one engine, and the faults of the engine.
func sharedMap(b bug) (func(*testing.T, webhooktest.Setup) webhook.DedupeStore, webhooktest.Faults) {
	shared := &mapEngine{entries: map[string]entry{}}
	return func(_ *testing.T, s webhooktest.Setup) webhook.DedupeStore {
		return &mapStore{shared, b, s, map[string]string{}}
	}, shared.faults()
}

func (m *mapStore) now() time.Time {
	if m.clock != nil {
		return m.clock(m.setup)
	}
	return time.Now()
}

func (m *mapStore) keyOf(id string) string {
	if m.key != nil {
		return m.key(m.setup.Namespace, id)
	}
	return m.setup.Namespace + "\x00" + id
}

func (m *mapStore) isSame(held, owner string) bool {
	if m.same != nil {
		return m.same(held, owner)
	}
	return held == owner
}

func apply(change func(time.Duration) time.Duration, d time.Duration) time.Duration {
	if change == nil {
		return d
	}
	return change(d)
}

// reach returns an error of the engine or of ctx, unless a bug hides it.
func (m *mapStore) reach(ctx context.Context, call string) error {
	err := ctx.Err()
	if m.noContext {
		err = nil
	}
	m.mu.Lock()
	if m.away {
		err = errAway
	}
	m.mu.Unlock()
	return err
}

// fails returns what a call returns after an error.
func (m *mapStore) fails(call string, err error) error {
	if m.failed != nil {
		return m.failed(call, err)
	}
	return err
}

// pause lets others write between a read and a write.
func (m *mapStore) pause() {
	if m.gap != nil {
		m.mu.Unlock()
		m.gap()
		m.mu.Lock()
	}
}

func (m *mapStore) put(id string, e entry) {
	key := m.keyOf(id)
	if _, known := m.entries[key]; !known {
		m.order = append(m.order, key)
	}
	m.entries[key] = e
	if m.limit > 0 && len(m.order) > m.limit {
		delete(m.entries, m.order[0])
		m.order = m.order[1:]
	}
}

// held returns what is known of a notification now.
func (m *mapStore) held(id string) (entry, time.Time) {
	now := m.now()
	held := m.entries[m.keyOf(id)]
	if !now.Before(held.until) {
		return entry{}, now
	}
	return held, now
}

func (m *mapStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	if err := m.reach(ctx, "Claim"); err != nil {
		return webhook.DedupeBusy, m.fails("Claim", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	held, now := m.held(id)
	m.pause()
	if m.claim != nil {
		if state, decided := m.claim(m, held, id, owner, now, lease); decided {
			return state, nil
		}
	}
	switch {
	case held.done:
		return webhook.DedupeDone, nil
	case !held.until.IsZero() && !m.isSame(held.owner, owner):
		return webhook.DedupeBusy, nil
	}
	m.put(id, entry{owner, now.Add(apply(m.lease, lease)), false})
	return webhook.DedupeClaimed, nil
}

func (m *mapStore) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	if err := m.reach(ctx, "Complete"); err != nil {
		return m.fails("Complete", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	held, now := m.held(id)
	if m.complete != nil {
		_, known := m.entries[m.keyOf(id)]
		if err, decided := m.complete(m, held, known, id, owner, now, retention); decided {
			return err
		}
	}
	m.put(id, entry{owner, now.Add(apply(m.retention, retention)), true})
	if !m.isSame(held.owner, owner) {
		return webhook.ErrClaimLost
	}
	return nil
}

func (m *mapStore) Release(ctx context.Context, id, owner string) error {
	if err := m.reach(ctx, "Release"); err != nil {
		return m.fails("Release", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	held, _ := m.held(id)
	if m.release != nil && m.release(m, held, id, owner) {
		return nil
	}
	if m.isSame(held.owner, owner) && !held.done {
		m.pause()
		delete(m.entries, m.keyOf(id))
	}
	return nil
}
