package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// asked is what was asked for before it is due: by the poller, or by a call of Reconcile in any
// process.
type asked struct {
	turn      *turn
	activeNow chan struct{} // wakes the walks over what is tracked
	wholeNow  chan struct{} // wakes the walks over everything
	auditNow  chan struct{} // wakes the audit
	reconcile atomic.Int64  // the ticket of the latest call of Reconcile

	mu    sync.Mutex
	lists map[*plan.List]bool
}

func newAsked(t *turn) *asked {
	wake := func() chan struct{} { return make(chan struct{}, 1) }
	return &asked{turn: t, activeNow: wake(), wholeNow: wake(), auditNow: wake(), lists: map[*plan.List]bool{}}
}

// look reads whether Reconcile was called.
func (a *asked) look(ctx context.Context) error {
	ticket, err := a.turn.db.CursorNumber(ctx, store.CursorReconcileAsked)
	if err == nil && a.reconcile.Swap(ticket) < ticket {
		wake(a.wholeNow)
		wake(a.auditNow)
	}
	return err
}

// walk asks for a walk over a list.
func (a *asked) walk(list *plan.List) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lists[list] = true
	if list == plan.ActiveList {
		wake(a.activeNow)
	} else {
		wake(a.wholeNow)
	}
}

// makeDue makes the walks due that were asked for.
func (a *asked) makeDue(walks []*plan.Walk) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range walks {
		if a.lists[w.List] || a.isWanted(w, w.Last) {
			w.Due = time.Time{}
		}
	}
}

// isWanted reports whether Reconcile was called after a walk over a whole list began with a ticket.
func (a *asked) isWanted(w *plan.Walk, ticket int64) bool {
	return w.List.Whole && ticket < a.reconcile.Load()
}

// done forgets that a walk was asked for. If it did not show what it was asked for, it is asked for
// again.
func (a *asked) done(list *plan.List) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.lists, list)
}

// wake wakes a loop, if it is not about to run in any case.
func wake(loop chan<- struct{}) {
	select {
	case loop <- struct{}{}:
	default:
	}
}
