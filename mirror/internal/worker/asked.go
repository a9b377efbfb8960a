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
	jumps     atomic.Int64  // how often the clock has jumped

	mu    sync.Mutex
	lists map[*plan.List]bool
}

func newAsked(t *turn) *asked {
	wake := func() chan struct{} { return make(chan struct{}, 1) }
	return &asked{turn: t, activeNow: wake(), wholeNow: wake(), auditNow: wake(), lists: map[*plan.List]bool{}}
}

// look checks whether Reconcile was called.
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

// jumped makes the walks and the audit due that the clock now says are due.
func (a *asked) jumped() {
	a.jumps.Add(1)
	wake(a.activeNow)
	wake(a.wholeNow)
	wake(a.auditNow)
}

// makeDue makes the requested walks due.
func (a *asked) makeDue(walks []*plan.Walk) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range walks {
		if a.lists[w.List] || a.isWanted(w, w.Last) {
			w.Due = time.Time{}
		}
	}
}

// isWanted reports whether w walks over a whole list and Reconcile was called after ticket was
// drawn.
func (a *asked) isWanted(w *plan.Walk, ticket int64) bool {
	return w.List.Whole && ticket < a.reconcile.Load()
}

// done clears the request for a walk. If the walk did not show the expected resources, the poller
// requests it again.
func (a *asked) done(list *plan.List) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.lists, list)
}

// wake wakes a loop, unless a wake-up is already pending.
func wake(loop chan<- struct{}) {
	select {
	case loop <- struct{}{}:
	default:
	}
}
