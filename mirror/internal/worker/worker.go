// Package worker is what the process that has the lease does: it walks over lists, reads what is
// marked, applies notifications and compares the log of notifications.
package worker

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Hook is the part of the webhook's state that a worker needs.
type Hook interface {
	Own() string   // id of the mirror's own webhook; "" without one
	State() string // "active", or what is wrong with it; "" without one
}

// Worker is the work of a process from when it takes the lease until it loses it or ends. Each part
// holds only what it needs.
type Worker struct {
	opts    Options
	account *account
	asked   *asked
	Walks   *schedule
	polls   *poller
	Inbox   *applier
	updates *updates
	Audits  *auditor
	prunes  *pruner
	watch   *watch
	Assess  *assessor
}

// New returns the work of the process that has a lease.
func New(client *terminal49.Client, db *store.Store, opts Options, hook Hook, lease *store.Lease) *Worker {
	t := &turn{db: db, Lease: lease, log: opts.Log}
	from := &Service{Client: client, Store: db, Log: opts.Log}
	asked := newAsked(t)
	w := &Worker{opts: opts, asked: asked}
	w.account = &account{turn: t, service: from, hook: hook, hasHook: opts.URL != ""}
	w.Walks = &schedule{
		turn: t, service: from, opts: &w.opts, asked: asked, ready: make(chan struct{}),
		changed: &changedFilter{turn: t, service: from, share: opts.Share, every: opts.Whole},
	}
	w.polls = &poller{turn: t, service: from, asked: asked, settle: opts.Settle}
	w.Inbox = &applier{Turn: t, hook: hook, settle: opts.Settle, Resolver: &resolver{turn: t, service: from, settle: opts.Settle}}
	w.watch = newWatch(t, asked, opts.Settle)
	w.updates = &updates{turn: t, service: from, share: opts.Share}
	w.Audits = &auditor{
		turn: t, service: from, hook: hook, asked: asked, every: opts.Whole, has: opts.URL != "" || len(opts.Secrets) > 0,
	}
	w.Assess = &assessor{turn: t, rules: opts.Notices}
	w.prunes = &pruner{turn: t, keep: opts.Keep}
	return w
}

const (
	lookEvery   = time.Second
	assessEvery = 10 * time.Second // what is due by the clock; what is written wakes the loop
)

// Run does everything that keeps the copy equal, until ctx ends or the lease is lost.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.account.identify(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	if err := w.watch.begin(ctx); err != nil && w.account.turn.isOver(ctx, err) {
		return err
	} else if err != nil {
		w.account.turn.complain("comparing the clock with stored times", err)
	}
	g := NewGroup(ctx)
	g.Start(w.Walks.walkActive)
	g.Start(w.Walks.walkWhole)
	for _, l := range []loop{
		{"watching the clock", watchEvery, nil, w.watch.look},
		{"reading what is marked", lookEvery, nil, w.polls.poll},
		{"looking for calls of Reconcile", lookEvery, nil, w.asked.look},
		{"applying notifications", lookEvery, w.Inbox.Turn.db.Arrived, w.Inbox.applyAll},
		{"assessing containers", assessEvery, w.Assess.turn.db.Queued, w.Assess.Round},
		{"reading new tracking requests", min(time.Minute, w.opts.Active), nil, w.updates.read},
		{"reading the log of notifications", w.opts.Often(), w.asked.auditNow, w.Audits.auditLog},
		{"finding out the account", time.Minute, nil, w.account.identifyAgain},
	} {
		g.Start(func(ctx context.Context) error { return w.account.turn.every(ctx, l) })
	}
	if w.opts.Keep != (Retention{}) {
		l := loop{"deleting old rows", store.PruneEvery, nil, w.prunes.prune}
		g.Start(func(ctx context.Context) error { return w.account.turn.every(ctx, l) })
	}
	return g.Wait()
}
