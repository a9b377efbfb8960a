package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

const (
	commitWait = 2 * time.Millisecond // how long a delivery waits for others
	CommitRows = 200                  // in one commit
	// CommitTimeout is shorter than the callback timeout of a webhook.Handler.
	CommitTimeout = 7 * time.Second
)

// commits stores notifications that arrive at nearly the same time in one commit, because every
// commit waits for the disk. The first arrival of a batch writes it; more join while it waits for
// the previous commit.
type commits struct {
	mu   sync.Mutex
	open *batch // takes more arrivals; nil if there is none

	writing sync.Mutex // held during a commit, in Postgres
}

type batch struct {
	list []Arrival
	full chan struct{} // closed when it has CommitRows
	done chan struct{} // closed once err is final
	err  error
}

// Receive stores a notification, and returns nil after the commit.
func (d *Store) Receive(ctx context.Context, a Arrival) error {
	b, first := d.commits.join(a)
	if first {
		d.commit(ctx, b)
	}
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *commits) join(a Arrival) (b *batch, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first = c.open == nil; first {
		c.open = &batch{full: make(chan struct{}), done: make(chan struct{})}
	}
	b = c.open
	if b.list = append(b.list, a); len(b.list) == CommitRows {
		c.open = nil
		close(b.full)
	}
	return b, first
}

// close closes b to further arrivals.
func (c *commits) close(b *batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == b {
		c.open = nil
	}
}

var errNotCommitted = errors.New("mirror: the commit did not end")

func (d *Store) commit(ctx context.Context, b *batch) {
	b.err = errNotCommitted // for the others, if this panics
	defer close(b.done)
	// The batch is stored even if the sender of its first delivery disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), CommitTimeout)
	defer cancel()
	defer d.commits.close(b)
	timer := time.NewTimer(commitWait)
	select {
	case <-timer.C:
	case <-b.full:
		timer.Stop()
	}
	if b.err = d.Ask(ctx); b.err != nil {
		return
	}
	turn := &d.commits.writing
	if d.Dialect == sqlstore.SQLite {
		turn = &d.writing // it has one writer
	}
	turn.Lock()
	defer turn.Unlock()
	d.commits.close(b)
	d.Reach("receive: before commit")
	_, err := d.Arrive(ctx, d.Now(), b.list)
	d.Reach("receive: after commit")
	if b.err = d.noteFailure(err); err == nil {
		b.err = d.InPlace() // nothing is acknowledged that is in a file which was deleted
	}
	select {
	case d.Arrived <- struct{}{}:
	default: // a signal is already pending
	}
}
