package webhooktest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/webhook"
)

// endedContextIsAnError calls with a context that has ended. Claim must return an error, after
// which the claim may have been made. Complete and Release must have done what they return nil for.
func (s *dedupeSuite) endedContextIsAnError() {
	a, b := s.process(0), s.process(0)
	ended := func(name string, call func(context.Context) error) error {
		err := a.within(a.patience(), func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return call(ctx)
		})
		if errors.Is(err, errHangs) {
			a.Errorf("%s with an ended context: %v", name, err)
		}
		return err
	}
	if err := ended("Claim", func(ctx context.Context) error {
		_, err := a.store.Claim(ctx, "id", "1", 20*time.Millisecond)
		return err
	}); err == nil {
		a.Errorf("Claim with an ended context returned no error")
	}
	a.takesOver("id", "2", longLease)
	if err := ended("Claim", func(ctx context.Context) error {
		_, err := a.store.Claim(ctx, "id", "2", longLease)
		return err
	}); err == nil {
		a.Errorf("a renewal with an ended context returned no error")
	}
	a.expect(webhook.DedupeClaimed, "an unknown notification", "completed", "1", longLease)
	if ended("Complete", func(ctx context.Context) error { return a.store.Complete(ctx, "completed", "1", longLease) }) == nil {
		b.expect(webhook.DedupeDone, "after Complete with an ended context, which returned nil", "completed", "2", longLease)
	}
	a.expect(webhook.DedupeClaimed, "an unknown notification", "released", "1", longLease)
	if ended("Release", func(ctx context.Context) error { return a.store.Release(ctx, "released", "1") }) == nil {
		b.expect(webhook.DedupeClaimed, "after Release with an ended context, which returned nil", "released", "2", longLease)
	}
}

// awayIsAnError calls while the engine is away. Each call must return an error within the patience
// after the end of its context. Afterwards the engine has its data.
func (s *dedupeSuite) awayIsAnError() {
	a, b := s.process(0), s.process(0)
	for _, id := range []string{"completed", "released", "renewed", "held", "done"} {
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", longLease)
	}
	a.complete("done", "owner", longLease)
	back := s.faults.Away()
	fails := func(name string, call func(context.Context) error) {
		for range 2 {
			err := a.within(300*time.Millisecond, call)
			if err == nil || errors.Is(err, errHangs) || errors.Is(err, webhook.ErrClaimLost) {
				a.Errorf("%s while the engine is away returned %v, want an error of the engine", name, err)
			}
		}
	}
	claim := func(p *dedupeProcess, id, owner string) func(context.Context) error {
		return func(ctx context.Context) error {
			state, err := p.store.Claim(ctx, id, owner, longLease)
			if err == nil && state == webhook.DedupeDone && id == "done" {
				return errors.New("it is done, which a store may know by itself")
			}
			return err
		}
	}
	fails("Claim of an unknown notification", claim(a, "unknown", "owner"))
	fails("Claim of a claimed notification", claim(b, "held", "other"))
	fails("Claim of what is done", claim(b, "done", "other"))
	fails("a renewal", claim(a, "renewed", "owner"))
	fails("Complete", func(ctx context.Context) error { return a.store.Complete(ctx, "completed", "owner", longLease) })
	fails("Release", func(ctx context.Context) error { return a.store.Release(ctx, "released", "owner") })
	back()
	if !a.recovers() || !b.recovers() {
		return
	}
	b.expect(webhook.DedupeBusy, "a notification that was claimed before the engine was away", "held", "other", longLease)
	a.expect(webhook.DedupeClaimed, "a renewal after the engine was away", "renewed", "owner", longLease)
	b.expect(webhook.DedupeDone, "a notification that was done before the engine was away", "done", "other", longLease)
	a.completeLost("completed", "owner", longLease)
	b.expect(webhook.DedupeDone, "after Complete was repeated", "completed", "other", longLease)
}

// recovers claims until the store works again.
func (p *dedupeProcess) recovers() bool {
	var err error
	for end := time.Now().Add(p.patience()); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		id := fmt.Sprint("probe-", time.Now().UnixNano())
		if err = p.within(time.Second, func(ctx context.Context) error {
			_, err := p.store.Claim(ctx, id, "owner", longLease)
			return err
		}); err == nil {
			return true
		}
	}
	p.Errorf("Claim still fails %v after the engine came back: %v", p.patience(), err)
	return false
}

// lostClaimIsNotRenewed deletes the data of the engine. Another process then claims what a first
// one had claimed, and the first one must find out.
func (s *dedupeSuite) lostClaimIsNotRenewed() {
	a, b := s.process(0), s.process(0)
	for _, id := range []string{"id", "renewed"} {
		a.expect(webhook.DedupeClaimed, "an unknown notification", id, "owner", longLease)
	}
	b.expect(webhook.DedupeBusy, "a notification that another process has claimed", "id", "other", longLease)
	s.faults.Lose()
	b.expect(webhook.DedupeClaimed, "a claim that the engine has lost", "id", "other", longLease)
	a.expect(webhook.DedupeBusy, "a renewal of a lost claim that another owner has", "id", "owner", longLease)
	a.release("id", "owner")
	b.expect(webhook.DedupeClaimed, "a renewal after Release by the owner who lost the claim", "id", "other", longLease)
	a.expect(webhook.DedupeClaimed, "a renewal of a lost claim that nobody has", "renewed", "owner", longLease)
	b.expect(webhook.DedupeBusy, "a claim that was lost and renewed", "renewed", "other", longLease)
	a.completeLost("id", "owner", longLease)
	b.expect(webhook.DedupeDone, "after Complete by an owner who lost the claim", "id", "third", longLease)
}
