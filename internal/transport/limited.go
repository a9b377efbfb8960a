package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Limiter keeps the client within the service's rate limits. [Window] is one; a
// fleet that shares a key can bring its own.
type Limiter interface {
	// Acquire waits until a request may enter bucket. release is called exactly
	// once, when the answer has arrived or the attempt has failed; if it was given
	// up on its way, as soon as it must have arrived.
	Acquire(ctx context.Context, bucket string) (release func(), err error)
	// Pause keeps everybody out of bucket for d, after the service asked for it.
	Pause(bucket string, d time.Duration)
}

// ErrLimited means that the limiter did not let an attempt through although its context was not over: the turn would
// come too late.
var ErrLimited = errors.New("rate limit")

// maxPause bounds how long a 429 closes a bucket, so that one absurd header cannot
// stop a client for a day.
const maxPause = time.Hour

// straggle is how long a request that was given up on its way may take to arrive. The service counts it when it does, so
// that its slot is released no sooner.
const straggle = 2 * time.Second

// limited asks l before every exchange. A 429 with Retry-After closes the bucket
// for every call; while it is closed for longer than a call would wait for a
// Retry-After of its own, calls fail at once.
func limited(l Limiter, next stage) stage {
	var pauses pauses
	return func(req *http.Request) (*Result, error) {
		ctx, at := req.Context(), attemptFrom(req.Context())
		at.answered, at.repay = func() {}, func(context.Context) {}
		if l == nil {
			at.passed = true
			return next(req)
		}
		if ctx.Err() != nil { // over before the limiter had a say
			at.final = true
			return nil, ended(ctx)
		}
		if left := pauses.left(at.Bucket); left > at.policy.MaxRetryAfter {
			at.final = true
			return nil, fmt.Errorf("%w: the service asked to wait another %v", ErrLimited, left.Round(time.Second))
		}
		start := time.Now()
		release, err := l.Acquire(ctx, at.Bucket)
		at.limiterWait = time.Since(start)
		if err != nil {
			at.final = true
			if ctx.Err() != nil {
				return nil, ended(ctx)
			}
			return nil, fmt.Errorf("%w: %w", ErrLimited, redact(err))
		}
		at.passed = true
		var held slots
		held.add(release)
		at.answered = held.release
		at.repay = func(ctx context.Context) {
			held.release() // first: with all slots in flight, the next one may be this one
			if release, err := l.Acquire(ctx, at.Bucket); err == nil {
				held.add(release)
			}
		}
		defer func() { // also when the exchange never got to an answer
			if at.straggles {
				time.AfterFunc(straggle, held.end)
			} else {
				held.end()
			}
		}()
		res, err := next(req)
		if err == nil && res.Status == http.StatusTooManyRequests && res.HasRetryAfter {
			pause := min(res.RetryAfter, maxPause)
			pauses.add(at.Bucket, pause)
			l.Pause(at.Bucket, pause)
		}
		return res, err
	}
}

// slots are what the limiter gave to an exchange. A transport that sends on goroutines of its own may take another one
// when the exchange is over, and nobody would give that back.
type slots struct {
	mu    sync.Mutex
	taken []func()
	over  bool
}

func (s *slots) add(release func()) {
	s.mu.Lock()
	s.taken = append(s.taken, release)
	over := s.over
	s.mu.Unlock()
	if over {
		s.release()
	}
}

func (s *slots) release() {
	s.mu.Lock()
	taken := s.taken
	s.taken = nil
	s.mu.Unlock()
	for _, release := range taken {
		if release != nil { // a limiter may give none
			release()
		}
	}
}

func (s *slots) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.release()
}

// pauses remembers until when the service closed each bucket. The limiter does too,
// but it can only make calls wait.
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
