package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// patience is how long a command that waits is silent on a terminal without --verbose.
const patience = 5 * time.Second

// traffic prints what the client does, to standard error.
type traffic struct {
	note     func(format string, values ...any)
	requests bool          // print them
	patience time.Duration // no shorter wait is announced
}

// traffic returns the options that have the client report what it does: all with --verbose, and
// what takes long on a terminal.
func (a *app) traffic() []terminal49.Option {
	t := &traffic{note: a.note, requests: a.verbose, patience: patience}
	switch {
	case a.verbose:
		t.patience = time.Second
	case !a.attended:
		return nil
	}
	limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
	if err != nil {
		panic(err) // the defaults are valid
	}
	return []terminal49.Option{
		terminal49.WithLimiter(announce(limiter, t)), terminal49.WithMiddleware(t.middleware),
		terminal49.WithHooks(terminal49.Hooks{OnCall: t.call, OnAttempt: t.attempt, OnRetry: t.retry}),
	}
}

// addressKey is the key of the address of a call's latest request, a *string, in the context.
type addressKey struct{}

func (t *traffic) call(ctx context.Context, _ terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
	return context.WithValue(ctx, addressKey{}, new(string)), nil
}

// middleware keeps the addresses, which have no token, and announces a slow response.
func (t *traffic) middleware(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if address, ok := r.Context().Value(addressKey{}).(*string); ok {
			*address = r.URL.Redacted()
		}
		late := time.AfterFunc(patience, func() { t.note("%s %s: no response yet", r.Method, r.URL.Path) })
		defer late.Stop()
		return next.RoundTrip(r)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// attempt prints a request and its outcome.
func (t *traffic) attempt(ctx context.Context, a terminal49.Attempt) {
	if !t.requests {
		return
	}
	address, outcome := a.Route, fmt.Sprint(a.StatusCode)
	if kept, ok := ctx.Value(addressKey{}).(*string); ok {
		address = cmp.Or(*kept, a.Route)
	}
	if a.Err != nil {
		outcome = "failed"
	}
	t.note("%s %s  %s  %.3f s  attempt %d", a.Method, address, outcome, a.Duration.Seconds(), a.Attempt)
}

// retry announces another attempt.
func (t *traffic) retry(_ context.Context, r terminal49.Retry) {
	if r.Wait < t.patience && !t.requests {
		return
	}
	cause := fmt.Sprintf("status %d", r.StatusCode)
	if r.StatusCode == http.StatusTooManyRequests {
		cause += ", the service's rate limit"
	} else if r.Err != nil {
		cause = r.Err.Error()
	}
	t.note("%s: %s; waiting %s before attempt %d", r.Op, cause, inSeconds(r.Wait), r.Attempt+1)
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3g s", d.Seconds()) }

// announcing is a limiter that announces long waits, whose lengths it estimates: the wrapped one
// frees a slot a minute after its response.
type announcing struct {
	terminal49.Limiter
	traffic *traffic
	mu      sync.Mutex
	ended   map[terminal49.Bucket][]time.Time // the latest requests, as many as the limit
}

func announce(l terminal49.Limiter, t *traffic) *announcing {
	return &announcing{Limiter: l, traffic: t, ended: map[terminal49.Bucket][]time.Time{}}
}

// Acquire implements terminal49.Limiter.
func (l *announcing) Acquire(ctx context.Context, bucket terminal49.Bucket) (func(), error) {
	if wait := time.Until(l.free(bucket)); wait >= l.traffic.patience {
		l.traffic.note("waiting %s for the rate limit of %d requests a minute", inSeconds(wait.Round(time.Second)), limitOf(bucket))
	}
	release, err := l.Limiter.Acquire(ctx, bucket)
	if err != nil {
		return nil, err
	}
	return func() { release(); l.end(bucket) }, nil
}

// free returns when a slot is free.
func (l *announcing) free(bucket terminal49.Bucket) (at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if latest := l.ended[bucket]; len(latest) == limitOf(bucket) {
		at = latest[0].Add(time.Minute)
	}
	return at
}

func (l *announcing) end(bucket terminal49.Bucket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	latest := append(l.ended[bucket], time.Now())
	l.ended[bucket] = latest[max(0, len(latest)-limitOf(bucket)):]
}
