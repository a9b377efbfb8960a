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

// entry is what a table keeps of a notification.
type entry struct {
	owner string
	until time.Time
	done  bool
}

// table is the correct store: a map on one clock.
type table struct {
	mu      sync.Mutex
	entries map[[2]string]entry // by namespace and id
	away    bool
}

// store is one process that uses a table, with one bug.
type store struct {
	*table
	bug
	setup webhooktest.Setup
	own   map[string]string // what the process remembers by itself
}

// call is a call of a method.
type call struct {
	method, namespace, id, owner string
	d                            time.Duration
	now                          time.Time
}

// outcome is what a call stores and returns.
type outcome struct {
	entry
	state webhook.DedupeState
	err   error
}

// bug is one change of what a store does. A nil field changes nothing.
type bug struct {
	call    func(s *store, c *call, held entry)            // changes the call
	outcome func(s *store, c call, held entry, o *outcome) // changes what follows from what was held
	failed  func(c call, err error) error                  // changes the error of a call that could not be made
	gap     map[string]func()                              // by method: between reading and writing, without the lock
}

var errAway = errors.New("the engine is away")

// opened returns how processes open a store with a bug, and the faults of their engine.
func opened(b bug) (func(*testing.T, webhooktest.Setup) webhook.DedupeStore, webhooktest.Faults) {
	shared := &table{entries: map[[2]string]entry{}}
	set := func(change func()) {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		change()
	}
	return func(_ *testing.T, s webhooktest.Setup) webhook.DedupeStore {
			return &store{shared, b, s, map[string]string{}}
		}, webhooktest.Faults{
			Away: func() func() {
				set(func() { shared.away = true })
				return func() { set(func() { shared.away = false }) }
			},
			Lose: func() { set(func() { clear(shared.entries) }) },
		}
}

// held returns the entry of a notification now, zero if it is unknown.
func (s *store) held(c call) entry {
	e := s.entries[[2]string{c.namespace, c.id}]
	if !c.now.Before(e.until) {
		return entry{}
	}
	return e
}

func (s *store) put(c call, e entry) {
	key := [2]string{c.namespace, c.id}
	if s.entries[key] = e; e == (entry{}) {
		delete(s.entries, key)
	}
}

func (s *store) do(ctx context.Context, c call) outcome {
	c.namespace, c.now = s.setup.Namespace, time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	err := ctx.Err()
	if s.away {
		err = errAway
	}
	if err != nil && s.failed != nil {
		return outcome{err: s.failed(c, err)}
	}
	if err != nil {
		return outcome{err: err}
	}
	if s.call != nil {
		s.call(s, &c, s.held(c))
	}
	held := s.held(c)
	if gap := s.gap[c.method]; gap != nil {
		s.mu.Unlock()
		gap()
		s.mu.Lock()
	}
	o := c.follow(held)
	if s.outcome != nil {
		s.outcome(s, c, held, &o)
	}
	if o.entry != held {
		s.put(c, o.entry)
	}
	return o
}

// follow is the rule of [webhook.DedupeStore].
func (c call) follow(held entry) outcome {
	mine := held.owner == c.owner && !held.done && !held.until.IsZero()
	next := entry{c.owner, c.now.Add(c.d), c.method == "Complete"}
	switch {
	case c.method == "Complete" && !mine:
		return outcome{entry: next, err: webhook.ErrClaimLost}
	case c.method == "Complete":
		return outcome{entry: next}
	case c.method == "Release" && mine:
		return outcome{}
	case c.method == "Release":
		return outcome{entry: held}
	case held.done:
		return outcome{entry: held, state: webhook.DedupeDone}
	case held.until.IsZero() || mine:
		return outcome{entry: next, state: webhook.DedupeClaimed}
	}
	return outcome{entry: held, state: webhook.DedupeBusy}
}

func (s *store) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	o := s.do(ctx, call{method: "Claim", id: id, owner: owner, d: lease})
	return o.state, o.err
}

func (s *store) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	return s.do(ctx, call{method: "Complete", id: id, owner: owner, d: retention}).err
}

func (s *store) Release(ctx context.Context, id, owner string) error {
	return s.do(ctx, call{method: "Release", id: id, owner: owner}).err
}
