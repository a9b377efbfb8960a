package webhooktest

import (
	"context"
	"errors"
	"sync"
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
	failed    atomic.Bool   // no other call is made, because each may fail, and take as long

	mu    sync.Mutex
	known map[[2]string]*notification // by namespace and id
}

// dedupeProcess is one process that receives notifications.
type dedupeProcess struct {
	*dedupeSuite
	namespace string
	store     webhook.DedupeStore
}

// process opens the store of a process whose clock is wrong by off.
func (s *dedupeSuite) process(off time.Duration) *dedupeProcess {
	return s.processIn(s.namespace, off)
}

func (s *dedupeSuite) processIn(namespace string, off time.Duration) *dedupeProcess {
	return &dedupeProcess{s, namespace, s.open(s.T, Setup{Namespace: namespace, Clock: suite.Clock(off), Context: s.Ctx})}
}

func (p *dedupeProcess) notification(id string) *notification {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]string{p.namespace, id}
	if p.known[key] == nil {
		p.known[key] = &notification{}
	}
	return p.known[key]
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

// either returns how many in fake time, where time costs nothing, or in real time.
func (s *dedupeSuite) either(inFakeTime, inRealTime int) int {
	if s.fakeTime {
		return inFakeTime
	}
	return inRealTime
}

// patience is how long a call may take, and how much longer after the end of its context.
func (s *dedupeSuite) patience() time.Duration { return time.Duration(s.either(60, 10)) * time.Second }

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
	if err != nil && p.failed.CompareAndSwap(false, true) {
		p.Errorf(format+": %v", append(args, err)...)
	}
	return err == nil
}
