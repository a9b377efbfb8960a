package webhooktest_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// dedupeFaults are the bugs of a dedupeEngine.
type dedupeFaults struct {
	recordBeforeWork, notAtomic                         bool
	strangersRelease, ownersFolded, releasesDone        bool
	leaseCut, leaseHalved, leaseEndless, leaseOverflows bool
	completeByOwnerOnly, completeForgets                bool
	completeKeepsFirst, completeKeepsLease              bool
	retentionCut, retentionEndless                      bool
	folded, trimmed, short, endsAtNUL                   bool
	namespaceIgnored, namespaceJoined                   bool
	processClock, contextIgnored                        bool
}

// dedupeEngine is the reference: a map on one clock.
type dedupeEngine struct {
	dedupeFaults
	mu      sync.Mutex
	entries map[string]dedupeEntry
}

type dedupeEntry struct {
	owner string
	until time.Time
	done  bool
}

// sharedMap returns how processes open a store on one engine with these faults.
func sharedMap(f dedupeFaults) func(*testing.T, webhooktest.Setup) webhook.DedupeStore {
	shared := &dedupeEngine{dedupeFaults: f, entries: map[string]dedupeEntry{}}
	return func(_ *testing.T, s webhooktest.Setup) webhook.DedupeStore { return &mapStore{shared, s} }
}

// mapStore is one process.
type mapStore struct {
	*dedupeEngine
	setup webhooktest.Setup
}

func (m *mapStore) now() time.Time {
	if m.processClock {
		return m.setup.Clock()
	}
	return time.Now()
}

func (m *mapStore) key(id string) string {
	switch {
	case m.folded:
		id = strings.ToLower(id)
	case m.trimmed:
		id = strings.TrimRight(id, " ")
	case m.short:
		id = id[:min(len(id), 255)]
	case m.endsAtNUL:
		id, _, _ = strings.Cut(id, "\x00")
	}
	switch {
	case m.namespaceIgnored:
		return id
	case m.namespaceJoined:
		return m.setup.Namespace + ":" + id
	}
	return m.setup.Namespace + "\x00" + id
}

// lasting returns how long a lease or retention lasts.
func lasting(d time.Duration, cut, endless bool) time.Duration {
	switch {
	case cut:
		return d.Truncate(time.Millisecond)
	case endless:
		return d + 1000*time.Hour
	}
	return d
}

func (m *mapStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	if err := ctx.Err(); err != nil && !m.contextIgnored {
		return webhook.DedupeBusy, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if held, ok := m.entries[m.key(id)]; ok && now.Before(held.until) {
		if held.done {
			return webhook.DedupeDone, nil
		}
		return webhook.DedupeBusy, nil
	}
	if m.notAtomic {
		m.mu.Unlock()
		time.Sleep(time.Microsecond)
		m.mu.Lock()
	}
	until := now.Add(lasting(lease, m.leaseCut, m.leaseEndless))
	if m.leaseHalved {
		until = now.Add(lease / 2)
	}
	if m.leaseOverflows {
		until = time.Unix(0, now.UnixNano()+int64(lease))
	}
	m.entries[m.key(id)] = dedupeEntry{owner, until, m.recordBeforeWork}
	return webhook.DedupeClaimed, nil
}

func (m *mapStore) Complete(_ context.Context, id, owner string, retention time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, ok := m.entries[m.key(id)]
	until := m.now().Add(lasting(retention, m.retentionCut, m.retentionEndless))
	switch {
	case m.completeForgets:
		delete(m.entries, m.key(id))
		return nil
	case m.completeByOwnerOnly && ok && held.owner != owner, m.completeKeepsFirst && held.done:
		return nil
	case m.completeKeepsLease && ok:
		until = held.until
	}
	m.entries[m.key(id)] = dedupeEntry{owner, until, true}
	return nil
}

func (m *mapStore) Release(_ context.Context, id, owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := m.entries[m.key(id)]
	same := held.owner == owner || m.strangersRelease || m.ownersFolded && strings.EqualFold(held.owner, owner)
	if same && (!held.done || m.releasesDone || m.recordBeforeWork) {
		delete(m.entries, m.key(id))
	}
	return nil
}
