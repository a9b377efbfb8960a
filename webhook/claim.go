package webhook

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

const (
	minClaimWait = 50 * time.Millisecond  // between claims while another process has the notification
	maxClaimWait = 500 * time.Millisecond // upper bound of these waits
	renewals     = 6                      // in one lease, so that the store may fail for a while
)

// ownClaim is the claim of a notification for one call of the callbacks.
type ownClaim struct {
	*group
	key, owner string
	end        time.Time   // of the lease, or earlier: it counts from the time of asking
	lost       func(error) // reports a loss
	loss       error       // the first one
}

func (g *group) newClaim(key string, lost func(error)) *ownClaim {
	return &ownClaim{group: g, key: key, owner: uuid.NewString(), lost: lost}
}

// wait claims again and again while another process has the notification, in case that process
// fails. It sets busy then.
func (c *ownClaim) wait(ctx context.Context, busy *atomic.Bool) (DedupeState, error) {
	for wait := minClaimWait; ; wait = min(2*wait, maxClaimWait) {
		state, err := c.ask(ctx)
		if err != nil {
			return state, fmt.Errorf("%w: %w", errNotClaimed, err)
		}
		if state != DedupeBusy {
			return state, nil
		}
		busy.Store(true)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return state, errBusy
		}
	}
}

// ask claims the notification, or renews the claim.
func (c *ownClaim) ask(ctx context.Context) (DedupeState, error) {
	asked := time.Now()
	state, err := c.store.Claim(ctx, c.key, c.owner, c.lease)
	if err == nil && state == DedupeClaimed {
		c.end = asked.Add(c.lease)
	}
	return state, err
}

// keep renews the claim until stop is called, which then waits for a renewal in progress: a later
// one would follow Release. A lost claim is asked for again, because the callback may still run.
func (c *ownClaim) keep(ctx context.Context) (stop func()) {
	stopped := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticks := time.NewTicker(c.lease / renewals)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				c.renew(ctx)
			case <-stopped:
				return
			}
		}
	})
	return func() {
		close(stopped)
		renewing.Wait()
	}
}

func (c *ownClaim) renew(ctx context.Context) {
	returned := false
	defer func() {
		if v := recover(); !returned {
			c.lose(fmt.Errorf("%w: %w: it panicked or ended its goroutine: %v", ErrClaimLost, errStore, v))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, c.lease/3)
	defer cancel()
	asked, end := time.Now(), c.end
	state, err := c.ask(ctx)
	returned = true
	switch {
	case err == nil && state != DedupeClaimed:
		c.lose(fmt.Errorf("%w: another owner claimed the notification", ErrClaimLost))
	case err == nil && !asked.Before(end):
		c.lose(fmt.Errorf("%w: its lease of %v ended before it was renewed", ErrClaimLost, c.lease))
	case err != nil && !time.Now().Before(end):
		c.lose(fmt.Errorf("%w: its lease of %v ended while %w: %w", ErrClaimLost, c.lease, errStore, err))
	}
}

// lose reports the first loss.
func (c *ownClaim) lose(err error) {
	if c.loss == nil {
		c.loss = err
		c.lost(err)
	}
}
