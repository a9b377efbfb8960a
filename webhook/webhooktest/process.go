package webhooktest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// dedupeSuite is one run of a check.
type dedupeSuite struct {
	*suite.Findings
	config
	open      openDedupe
	namespace string
	advanced  time.Duration // the clock of the engine
	failed    atomic.Bool   // a call failed; no other is made, because each may take as long
}

// process opens the store of a process whose clock is wrong by off.
func (s *dedupeSuite) process(off time.Duration) *dedupeProcess {
	return s.processIn(s.namespace, off)
}

func (s *dedupeSuite) processIn(namespace string, off time.Duration) *dedupeProcess {
	return &dedupeProcess{s, s.open(s.T, Setup{Namespace: namespace, Clock: suite.Clock(off), Context: s.Ctx})}
}

// now returns the present by a clock that is advanced like that of the engine.
func (s *dedupeSuite) now() time.Time { return time.Now().Add(s.advanced) }

// pass lets a time pass.
func (s *dedupeSuite) pass(d time.Duration) {
	if s.fakeTime || s.advance == nil || d < time.Second {
		time.Sleep(d)
		return
	}
	d = d.Truncate(time.Second)
	s.advance(d)
	s.advanced += d
}

// patience is how long a call may take, and how much longer after the end of its context.
func (s *dedupeSuite) patience() time.Duration {
	if s.fakeTime {
		return time.Minute
	}
	return 10 * time.Second
}

// either returns how many in fake time, or in real time.
func (s *dedupeSuite) either(inFakeTime, inRealTime int) int {
	if s.fakeTime {
		return inFakeTime
	}
	return inRealTime
}

// dedupeProcess is one process that receives notifications. Its methods record the errors of its
// store.
type dedupeProcess struct {
	*dedupeSuite
	store webhook.DedupeStore
}

// noState is returned instead of a state after an error.
const noState = webhook.DedupeState(255)

var errHangs = errors.New("it did not return")

// within calls the store with a context that ends after d. The call must then return.
func (p *dedupeProcess) within(d time.Duration, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(p.Ctx, d)
	defer cancel()
	returned := make(chan error, 1)
	go func() { returned <- call(ctx) }()
	late := time.NewTimer(d + p.patience())
	defer late.Stop()
	select {
	case err := <-returned:
		return err
	case <-late.C:
		return errHangs
	}
}

// call calls the store, which must not fail. It reports whether the store returned nil.
func (p *dedupeProcess) call(call func(context.Context) error, format string, args ...any) bool {
	if p.failed.Load() {
		return false
	}
	err := p.within(p.patience(), call)
	if err != nil {
		p.failed.Store(true)
		p.Errorf(format+": %v", append(args, err)...)
	}
	return err == nil
}

func (p *dedupeProcess) claim(id, owner string, lease time.Duration) webhook.DedupeState {
	state := noState
	if !p.call(func(ctx context.Context) (err error) {
		got, err := p.store.Claim(ctx, id, owner, lease)
		if err == nil {
			state = got
		}
		return err
	}, "Claim(%.40q, %q, %v)", id, owner, lease) {
		return noState
	}
	return state
}

// complete must return nil: owner has the claim.
func (p *dedupeProcess) complete(id, owner string, retention time.Duration) {
	p.call(func(ctx context.Context) error { return p.store.Complete(ctx, id, owner, retention) },
		"Complete(%.40q, %q, %v) by the owner", id, owner, retention)
}

// completeLost may return ErrClaimLost: owner has no claim.
func (p *dedupeProcess) completeLost(id, owner string, retention time.Duration) {
	p.call(func(ctx context.Context) error {
		if err := p.store.Complete(ctx, id, owner, retention); !errors.Is(err, webhook.ErrClaimLost) {
			return err
		}
		return nil
	}, "Complete(%.40q, %q, %v)", id, owner, retention)
}

func (p *dedupeProcess) release(id, owner string) {
	p.call(func(ctx context.Context) error { return p.store.Release(ctx, id, owner) }, "Release(%.40q, %q)", id, owner)
}

// expect calls Claim and reports a result other than want.
func (p *dedupeProcess) expect(want webhook.DedupeState, when, id, owner string, lease time.Duration) {
	if got := p.claim(id, owner, lease); got != want && got != noState {
		p.Errorf("%s: Claim(%.40q, %q) returned %s, want %s", when, id, owner, dedupeStateName(got), dedupeStateName(want))
	}
}

func dedupeStateName(s webhook.DedupeState) string {
	switch s {
	case webhook.DedupeBusy:
		return "DedupeBusy"
	case webhook.DedupeClaimed:
		return "DedupeClaimed"
	case webhook.DedupeDone:
		return "DedupeDone"
	}
	return "an unknown state"
}
