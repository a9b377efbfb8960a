package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Limiter keeps the client within the service's rate limits. Acquire finds the call's share of the
// bucket with [InfoFromContext].
type Limiter interface {
	// Acquire waits until a request may enter bucket. release is called exactly once: when the
	// response header has arrived or the attempt has failed, or, if the request was abandoned on
	// its way, as soon as it must have arrived.
	Acquire(ctx context.Context, bucket string) (release func(), err error)
	// Pause closes bucket for d, after the service asked for it.
	Pause(bucket string, d time.Duration)
}

// ErrLimited means that the limiter refused an attempt although its context had not ended, because
// its turn would come too late.
var ErrLimited = errors.New("rate limit")

// maxPause is the longest time for which a 429 closes a bucket, so that one absurd header cannot
// stop a client for a day.
const maxPause = time.Hour

// arrivalDelay is how long an abandoned request may take to arrive. The service counts a request
// when it arrives, so its slot is released no sooner.
const arrivalDelay = 2 * time.Second

// limited acquires a slot from l before every exchange. A 429 with Retry-After closes the bucket
// for every call; while it is closed for longer than a call would wait for a Retry-After of its
// own, calls fail at once.
func limited(l Limiter, next stage) stage {
	if l == nil {
		return func(a attempt) outcome {
			out := next(a)
			out.sent = max(out.sent, 1)
			return out
		}
	}
	return (&limiterStage{limiter: l, next: next}).send
}

type limiterStage struct {
	limiter Limiter
	next    stage
	pauses  pauses
}

func (s *limiterStage) send(a attempt) (out outcome) {
	var err error
	if a.slot, err = s.acquire(a); err != nil {
		return outcome{err: err, final: true}
	}
	defer func() { a.slot.close(out.mayStillArrive) }() // deferred because middleware may panic
	out = s.next(a)
	out.sent = max(out.sent, 1)
	if r := out.result; r != nil && r.Status == http.StatusTooManyRequests && r.HasRetryAfter {
		d := min(r.RetryAfter, maxPause)
		s.pauses.add(a.info.Bucket, d)
		s.limiter.Pause(a.info.Bucket, d)
	}
	return out
}

// acquire waits for a slot of the attempt's bucket.
func (s *limiterStage) acquire(a attempt) (*slot, error) {
	ctx, bucket := a.ctx, a.info.Bucket
	if ctx.Err() != nil {
		return nil, ContextError(ctx)
	}
	if left := s.pauses.left(bucket); left > a.policy.MaxRetryAfter {
		return nil, fmt.Errorf("%w: the service asked to wait another %v", ErrLimited, left.Round(time.Second))
	}
	start := time.Now()
	release, err := s.limiter.Acquire(ctx, bucket)
	switch {
	case err == nil:
		got := &slot{limiter: s.limiter, bucket: bucket, waited: time.Since(start)}
		got.held = append(got.first[:0], release)
		return got, nil
	case ctx.Err() != nil:
		return nil, ContextError(ctx)
	}
	return nil, fmt.Errorf("%w: %w", ErrLimited, redact(err))
}

// slot is the part of the rate limit that one exchange holds. Without a limiter it is nil, and its
// methods do nothing.
//
// It may be renewed after the exchange has ended, by a transport that sends on goroutines of its
// own. What is acquired then is released at once.
type slot struct {
	limiter Limiter
	bucket  string
	waited  time.Duration // for the first acquisition

	mu     sync.Mutex
	held   []func()  // the releases that are still to be called; an element may be nil
	first  [1]func() // the first element of held, to save an allocation
	closed bool
}

// limiterWait returns how long the exchange waited for the limiter.
func (s *slot) limiterWait() time.Duration {
	if s == nil {
		return 0
	}
	return s.waited
}

// release releases what is held.
func (s *slot) release() {
	if s == nil {
		return
	}
	s.mu.Lock()
	held := s.held
	s.held = nil
	s.mu.Unlock()
	for _, release := range held {
		if release != nil { // a limiter may return none
			release()
		}
	}
}

// renew acquires another slot, for a request that net/http is about to repeat. It releases the
// first one before, because with all slots in flight the next one to be freed may be this one.
func (s *slot) renew(ctx context.Context) {
	if s == nil {
		return
	}
	s.release()
	release, err := s.limiter.Acquire(ctx, s.bucket)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.held = append(s.held, release)
	closed := s.closed
	s.mu.Unlock()
	if closed {
		s.release()
	}
}

// close ends the use of the slot and releases what is held, later if the request may still arrive.
// A second call releases nothing.
func (s *slot) close(mayStillArrive bool) {
	switch {
	case s == nil:
		return
	case mayStillArrive:
		time.AfterFunc(arrivalDelay, func() {
			defer func() { _ = recover() }() // a panic of the limiter must not end the process
			s.close(false)
		})
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.release()
}

// pauses records the time until which the service closed each bucket. The limiter does so too, but
// it can only make calls wait.
type pauses struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (p *pauses) add(bucket string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until == nil {
		p.until = map[string]time.Time{}
	}
	if end := time.Now().Add(d); end.After(p.until[bucket]) {
		p.until[bucket] = end
	}
}

func (p *pauses) left(bucket string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.until[bucket])
}
