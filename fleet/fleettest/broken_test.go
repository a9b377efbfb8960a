package fleettest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit"
)

const never = 1e6 // windows

// limited returns a bug that changes the limits.
func limited(change func(l *terminal49.RateLimits)) bug {
	return bug{setup: func(s *fleettest.Setup) { change(&s.Limits) }}
}

// everyLimit returns a bug that changes each limit.
func everyLimit(change func(int) int) bug {
	return limited(func(l *terminal49.RateLimits) {
		l.Default, l.Create, l.Infer, l.Refresh = change(l.Default), change(l.Create), change(l.Infer), change(l.Refresh)
	})
}

// named returns a bug that changes the namespace.
func named(change func(namespace string) string) bug {
	return bug{setup: func(s *fleettest.Setup) { s.Namespace = change(s.Namespace) }}
}

// without returns a bug that removes characters from namespaces.
func without(characters string) bug {
	return named(func(n string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(characters, r) {
				return -1
			}
			return r
		}, n)
	})
}

// asked returns a bug that changes a call before the engine applies it.
func asked(change func(p *process, s *fleet.State, c *fleet.Call)) bug { return bug{before: change} }

// slots returns a bug that changes or drops the slots that a process reports: those that are
// released, or those in flight, which are renewed.
func slots(change func(p *process, s *fleet.State, c *fleet.Call, slot *fleet.Slot) (keep bool)) bug {
	return asked(func(p *process, s *fleet.State, c *fleet.Call) {
		kept := c.Slots[:0]
		for _, slot := range c.Slots {
			if change(p, s, c, &slot) {
				kept = append(kept, slot)
			}
		}
		c.Slots = kept
	})
}

func isRenewal(c *fleet.Call, slot *fleet.Slot) bool { return slot.For > c.Window+time.Second }
func isRelease(c *fleet.Call, slot *fleet.Slot) bool { return slot.For > 0 && !isRenewal(c, slot) }

// released returns a bug in which a slot is free some windows after its release.
func released(windows float64) bug {
	return slots(func(_ *process, _ *fleet.State, c *fleet.Call, slot *fleet.Slot) bool {
		if isRelease(c, slot) {
			slot.For = time.Duration(float64(slot.For) * windows)
		}
		return true
	})
}

// renewed returns a bug that drops renewals unless a condition holds.
func renewed(keep func(p *process, s *fleet.State, c *fleet.Call, owner string) bool) bug {
	return slots(func(p *process, s *fleet.State, c *fleet.Call, slot *fleet.Slot) bool {
		return !isRenewal(c, slot) || keep(p, s, c, slot.Owner)
	})
}

// held returns a bug in which a slot in flight is held for some windows after its renewal, and a
// place for some windows longer.
func held(slot, place float64) bug {
	return bug{after: func(p *process, s *fleet.State, c fleet.Call, _ *fleet.Reply) {
		for owner, e := range s.Slots {
			if e.Place > 0 && e.Until < s.Last+p.windows(place).Microseconds() {
				e.Until += p.windows(place).Microseconds()
			}
			taken := slices.ContainsFunc(c.Places, func(p fleet.Place) bool { return p.Owner == owner })
			renewed := slices.ContainsFunc(c.Slots, func(s fleet.Slot) bool { return s.Owner == owner && isRenewal(&c, &s) })
			if e.Place == 0 && slot > 0 && (taken || renewed) {
				e.Until += p.windows(slot - 1.5).Microseconds()
			}
			s.Slots[owner] = e
		}
	}}
}

// acquires returns a bug that replaces Acquire.
func acquires(acquire func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error)) bug {
	return bug{acquire: acquire}
}

// withContext returns a bug that changes the context of Acquire.
func withContext(change func(ctx context.Context, p *process) (context.Context, context.CancelFunc)) bug {
	return acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		ctx, cancel := change(ctx, p)
		defer cancel()
		return p.limiter.Acquire(ctx, b)
	})
}

// polls returns a bug in which a call does not wait in line but asks again after a time.
func polls(again func(p *process) time.Duration) bug {
	return acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		for {
			short, cancel := context.WithTimeout(ctx, p.windows(0.005))
			free, err := p.limiter.Acquire(short, b)
			if cancel(); err == nil || ctx.Err() != nil {
				return free, err
			}
			select {
			case <-ctx.Done():
			case <-p.setup.Context.Done():
				return nil, errDead
			case <-time.After(again(p)):
			}
		}
	})
}

// fails returns a bug that does something after Acquire has failed.
func fails(then func(ctx context.Context, p *process, b terminal49.Bucket)) bug {
	return acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		free, err := p.limiter.Acquire(ctx, b)
		if err != nil && p.setup.Context.Err() == nil {
			then(ctx, p, b)
		}
		return free, err
	})
}

// pauses returns a bug that changes how long a pause is.
func pauses(change func(p *process, d time.Duration) time.Duration) bug {
	return bug{pause: func(p *process, b terminal49.Bucket, d time.Duration) { p.limiter.Pause(b, change(p, d)) }}
}

// frees returns a bug that lets requests pass while a condition holds.
func frees(when func(p *process) bool) bug {
	return acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if ctx.Err() == nil && when(p) {
			return func() {}, nil
		}
		return p.limiter.Acquire(ctx, b)
	})
}

// anySlot sets until when one of the slots is taken whose owner is another, and returns its owner.
// It is the slot that is taken longest, so that its request is in flight.
func anySlot(s *fleet.State, owner string, until int64) (other string) {
	for o, e := range s.Slots {
		if o != owner && e.Place == 0 && e.Until > s.Slots[other].Until {
			other = o
		}
	}
	if e, ok := s.Slots[other]; ok {
		e.Until = until
		s.Slots[other] = e
	}
	return other
}

// distant returns a bug with an engine whose calls take 0.6 seconds, so that slots are granted
// before they are free.
func distant(b bug) bug {
	b.starts = func(p *process) { p.set(func() { p.delay = 600 * time.Millisecond }) }
	return b
}

func taken(s *fleet.State) {
	for owner, e := range s.Slots {
		if e.Place == 0 {
			delete(s.Slots, owner)
		}
	}
}

// noDeadline is a context that does not report its deadline.
type noDeadline struct{ context.Context }

func (noDeadline) Deadline() (end time.Time, ok bool) { return end, false }

var inLine sync.Map // by process: one call at a time

// brokenLimiters are the correct limiter with one bug each, and the check that finds it.
var brokenLimiters = []struct {
	name, caughtBy string
	bug            bug
}{
	{"one slot too many", "Limit", everyLimit(func(n int) int { return n + 1 })},
	{"one slot too many for refresh", "Limit", limited(func(l *terminal49.RateLimits) { l.Refresh++ })},
	{"create with twice its limit", "Limit", limited(func(l *terminal49.RateLimits) { l.Create *= 2 })},
	{"refresh with the default's limit", "Limit", limited(func(l *terminal49.RateLimits) { l.Refresh = l.Default })},
	{"slots free at release", "Limit", counting(func(c *count, limit int, window time.Duration, _ time.Time) time.Duration {
		if c.n >= limit {
			return window / 50
		}
		c.n++
		return 0
	}, func(c *count) { c.n-- })},
	{"free 0.98 windows after release", "Limit", released(0.98)},
	{"free a window after Acquire", "Limit", bug{
		before: slots(func(_ *process, _ *fleet.State, _ *fleet.Call, slot *fleet.Slot) bool { return slot.For <= 0 }).before,
		after:  held(1, 0).after,
	}},
	{"a limit for each process", "Limit", named(func(n string) string { return fmt.Sprint(n[:min(len(n), 40)], rand.Uint64()) })},
	{"a new process empties the engine", "Limit", bug{starts: func(p *process) { p.faults().Lose() }}},
	{"the end of a context releases", "Limit", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		free, err := p.limiter.Acquire(ctx, b)
		if err == nil {
			context.AfterFunc(ctx, free)
		}
		return free, err
	})},
	{"a pause frees slots", "Limit", asked(func(_ *process, s *fleet.State, c *fleet.Call) {
		if c.Pause > 0 {
			taken(s)
		}
	})},
	{"calls fail if they have to wait", "Limit", withContext(func(ctx context.Context, p *process) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, p.windows(0.01))
	})},
	{"calls need a deadline", "Limit", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if _, ok := ctx.Deadline(); !ok {
			return nil, errors.New("a deadline is required")
		}
		return p.limiter.Acquire(ctx, b)
	})},
	{"GCRA", "Limit", counting(func(c *count, limit int, window time.Duration, now time.Time) time.Duration {
		if c.tat.Before(now) {
			c.tat = now
		}
		if wait := c.tat.Sub(now) - window + window/time.Duration(limit); wait > 0 {
			return wait
		}
		c.tat = c.tat.Add(window / time.Duration(limit))
		return 0
	})},
	{"a count for each window of the clock", "Limit", counting(func(c *count, limit int, window time.Duration, now time.Time) time.Duration {
		if begin := now.Truncate(window); !begin.Equal(c.since) {
			c.since, c.n = begin, 0
		}
		if c.n++; c.n > limit {
			return c.since.Add(window).Sub(now)
		}
		return 0
	})},
	{"a weighted count of two windows", "Limit", counting(func(c *count, limit int, window time.Duration, now time.Time) time.Duration {
		if begin := now.Truncate(window); !begin.Equal(c.since) {
			c.previous = c.n
			if begin.Sub(c.since) > window {
				c.previous = 0
			}
			c.since, c.n = begin, 0
		}
		left := 1 - float64(now.Sub(c.since))/float64(window)
		if c.n+int(left*float64(c.previous)) >= limit {
			return window / 50
		}
		c.n++
		return 0
	})},
	{"forgets when it was idle for 0.6 windows", "Limit", asked(func(p *process, s *fleet.State, _ *fleet.Call) {
		if time.Now().UnixMicro()-s.Last > p.windows(0.6).Microseconds() {
			*s = fleet.State{}
		}
	})},
	{"one more after long idle time", "Limit", asked(func(p *process, s *fleet.State, c *fleet.Call) {
		if s.Last > 0 && time.Now().UnixMicro()-s.Last > p.windows(50).Microseconds() {
			p.memory.notes[fmt.Sprint(c.Bucket)]++
		}
		if p.memory.notes[fmt.Sprint(c.Bucket)] > 0 {
			for i := range c.Places {
				c.Places[i].Top++
			}
			c.Limit++
		}
	})},
	{"one slot too few", "Use", everyLimit(func(n int) int { return max(n-1, 1) })},
	{"half of the slots", "Use", everyLimit(func(n int) int { return n/2 + n%2 })},
	{"128 slots at most", "Use", everyLimit(func(n int) int { return min(n, 128) })},
	{"free 1.1 windows after release", "Use", released(1.1)},
	{"releases after the context's end are lost", "Use", bug{free: func(ctx context.Context, _ *process, free func()) {
		if ctx.Err() == nil {
			free()
		}
	}}},
	{"asks every half window", "Use", polls(func(p *process) time.Duration { return p.windows(0.5) })},
	{"500 waiters at most", "Use", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if p.waiting.Load() > 250 { // in each process
			return nil, errors.New("too many calls are waiting")
		}
		return p.limiter.Acquire(ctx, b)
	})},
	{"large limits overflow", "Use", everyLimit(func(n int) int { return max(n%512, 1) })},
	{"slots are not renewed", "Requests", renewed(func(*process, *fleet.State, *fleet.Call, string) bool { return false })},
	{"60 renewals", "Requests", renewed(func(p *process, _ *fleet.State, _ *fleet.Call, owner string) bool { return p.note(owner) <= 60 })},
	{"64 slots renewed at once", "Requests", renewed(func(p *process, _ *fleet.State, c *fleet.Call, owner string) bool {
		return slices.IndexFunc(c.Slots, func(s fleet.Slot) bool { return s.Owner == owner }) < 64
	})},
	{"one slot for calls with one context", "Requests", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if p.note(fmt.Sprintf("%p %s", ctx, b)) > 1 {
			return func() {}, nil
		}
		return p.limiter.Acquire(ctx, b)
	})},
	{"a request ends two windows after its context", "Requests", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		free, err := p.limiter.Acquire(ctx, b)
		if err == nil {
			context.AfterFunc(ctx, func() { time.AfterFunc(p.windows(1), free) })
		}
		return free, err
	})},
	{"releasing twice frees two", "Requests", bug{
		before: renewed(func(p *process, _ *fleet.State, _ *fleet.Call, owner string) bool { return p.memory.notes[owner] == 0 }).before,
		acquire: func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
			free, err := p.limiter.Acquire(ctx, b)
			var releases atomic.Int64
			return func() {
				if free(); releases.Add(1) > 1 {
					p.set(func() {
						s := p.state(fleet.Bucket{Namespace: p.setup.Namespace, Name: string(b)})
						p.memory.notes[anySlot(s, "", s.Last+p.setup.Window.Microseconds())]++
					})
				}
			}, err
		},
	}},
	{"dead slots never return", "Deaths", held(never, 0)},
	{"dead slots return after 10 windows", "Deaths", held(10, 0)},
	{"dead slots return 1.05 windows after a renewal", "Deaths", held(1.05, 0)},
	{"dead slots return after half a window", "Deaths", held(0.5, 0)},
	{"a renewal adds to the time of a slot", "Deaths", slots(func(p *process, s *fleet.State, c *fleet.Call, slot *fleet.Slot) bool {
		if e, ok := s.Slots[slot.Owner]; ok && isRenewal(c, slot) {
			slot.For = time.Duration(e.Until-s.Last)*time.Microsecond + p.windows(0.5)
		}
		return true
	})},
	{"a dead process frees its slots", "Deaths", bug{starts: func(p *process) {
		context.AfterFunc(p.setup.Context, func() {
			p.set(func() {
				for id, s := range p.states {
					if id.Namespace == p.setup.Namespace {
						taken(s)
					}
				}
			})
		})
	}}},
	{"places of dead waiters stay", "Deaths", held(0, never)},
	{"a pause of one process", "Pauses", asked(func(_ *process, s *fleet.State, c *fleet.Call) { c.Pause, s.Paused = 0, 0 })},
	{"a pause without an end", "Pauses", pauses(func(_ *process, d time.Duration) time.Duration { return d + 100*time.Hour })},
	{"a pause of at most 1.5 windows", "Pauses", pauses(func(p *process, d time.Duration) time.Duration { return min(d, p.windows(1.5)) })},
	{"a pause of at most 59 minutes", "Pauses", pauses(func(_ *process, d time.Duration) time.Duration { return min(d, 59*time.Minute) })},
	{"a pause that waiters do not see", "Pauses", bug{pause: func(p *process, b terminal49.Bucket, d time.Duration) {
		if p.waiting.Load() == 0 {
			p.limiter.Pause(b, d)
		}
	}}},
	{"a pause shortens an earlier one", "Pauses", asked(func(_ *process, s *fleet.State, c *fleet.Call) {
		if c.Pause > 0 {
			s.Paused = 0
		}
	})},
	{"pauses are added", "Pauses", asked(func(_ *process, s *fleet.State, c *fleet.Call) {
		if c.Pause > 0 && s.Paused > s.Last {
			c.Pause += time.Duration(s.Paused-s.Last) * time.Microsecond
		}
	})},
	{"a pause is lost when it is idle", "Pauses", asked(func(p *process, s *fleet.State, _ *fleet.Call) {
		if time.Now().UnixMicro()-s.Last > p.setup.Window.Microseconds() {
			s.Paused = 0
		}
	})},
	{"no renewals during a pause", "Pauses", renewed(func(_ *process, s *fleet.State, _ *fleet.Call, _ string) bool {
		return s.Paused <= time.Now().UnixMicro()
	})},
	{"the deadline is ignored until it passes", "Deadlines", withContext(func(ctx context.Context, _ *process) (context.Context, context.CancelFunc) {
		return noDeadline{ctx}, func() {}
	})},
	{"fails if the wait exceeds half of the deadline", "Deadlines", withContext(func(ctx context.Context, _ *process) (context.Context, context.CancelFunc) {
		if end, ok := ctx.Deadline(); ok {
			return context.WithTimeout(ctx, time.Until(end)/2)
		}
		return ctx, func() {}
	})},
	{"an ended context is ignored", "Deadlines", withContext(func(_ context.Context, p *process) (context.Context, context.CancelFunc) {
		return p.setup.Context, func() {}
	})},
	{"refused calls take slots", "Leaving", fails(func(ctx context.Context, p *process, b terminal49.Bucket) {
		go func() { _, _ = p.limiter.Acquire(p.setup.Context, b) }()
	})},
	{"cancelled waiters take slots", "Leaving", fails(func(ctx context.Context, p *process, b terminal49.Bucket) {
		if errors.Is(ctx.Err(), context.Canceled) {
			go func() { _, _ = p.limiter.Acquire(p.setup.Context, b) }()
		}
	})},
	{"Acquire hangs", "Leaving", acquires(func(_ context.Context, p *process, _ terminal49.Bucket) (func(), error) {
		<-p.setup.Context.Done()
		return nil, errDead
	})},
	{"cancelled waiters stay in line", "Leaving", bug{
		before: slots(func(_ *process, s *fleet.State, _ *fleet.Call, slot *fleet.Slot) bool {
			return slot.For > 0 || s.Slots[slot.Owner].Place == 0
		}).before,
		after: held(0, never).after,
	}},
	{"slots that were not used stay taken", "Leaving", distant(slots(func(_ *process, s *fleet.State, _ *fleet.Call, slot *fleet.Slot) bool {
		return slot.For > 0 || s.Slots[slot.Owner].Place > 0
	}))},
	{"a slot that was not used frees another", "Leaving", distant(slots(func(_ *process, s *fleet.State, _ *fleet.Call, slot *fleet.Slot) bool {
		if e, ok := s.Slots[slot.Owner]; ok && e.Place == 0 && slot.For <= 0 {
			anySlot(s, slot.Owner, s.Last)
		}
		return true
	}))},
	{"anyone first", "Order", polls(func(p *process) time.Duration { return rand.N(p.windows(0.02)) })},
	{"last come, first served between processes", "Order", asked(func(_ *process, s *fleet.State, c *fleet.Call) {
		s.Line -= int64(2 * len(c.Places))
	})},
	{"places are lost when they ask again", "Order", asked(func(_ *process, s *fleet.State, c *fleet.Call) {
		for _, p := range c.Places {
			if s.Slots[p.Owner].Place > 0 {
				delete(s.Slots, p.Owner)
			}
		}
	})},
	{"one limit for all buckets", "Buckets", acquires(func(ctx context.Context, p *process, _ terminal49.Bucket) (func(), error) {
		return p.limiter.Acquire(ctx, terminal49.BucketDefault)
	})},
	{"infer counts as create", "Buckets", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if b == terminal49.BucketInfer {
			b = terminal49.BucketCreate
		}
		return p.limiter.Acquire(ctx, b)
	})},
	{"a pause is of all buckets", "Buckets", bug{pause: func(p *process, _ terminal49.Bucket, d time.Duration) {
		for _, b := range []terminal49.Bucket{terminal49.BucketDefault, terminal49.BucketCreate, terminal49.BucketInfer, terminal49.BucketRefresh} {
			p.limiter.Pause(b, d)
		}
	}}},
	{"default and create are swapped", "Buckets", limited(func(l *terminal49.RateLimits) { l.Create, l.Default = l.Default, l.Create })},
	{"the service's limits, always", "Buckets", limited(func(l *terminal49.RateLimits) { *l = terminal49.DefaultRateLimits() })},
	{"the service's minute, always", "Buckets", bug{setup: func(s *fleettest.Setup) { s.Window = time.Minute }}},
	{"nine of ten slots, rounded down", "Buckets", everyLimit(func(n int) int { return max(n*9/10, 1) })},
	{"two slots at least", "Buckets", everyLimit(func(n int) int { return max(n, 2) })},
	{"an unknown bucket has no limit", "Buckets", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		if limitOf(p.setup.Limits, b) == 0 {
			return func() {}, nil
		}
		return p.limiter.Acquire(ctx, b)
	})},
	{"one namespace", "Namespaces", named(func(string) string { return "one" })},
	{"namespaces of 63 characters", "Namespaces", named(func(n string) string { return n[:min(len(n), 63)] })},
	{"namespaces in any letter case", "Namespaces", named(strings.ToLower)},
	{"namespaces without punctuation", "Namespaces", without(".-:_")},
	{"a pause is of all namespaces", "Namespaces", bug{pause: func(p *process, _ terminal49.Bucket, d time.Duration) {
		p.set(func() {
			for _, s := range p.states {
				s.Paused = time.Now().Add(d).UnixMicro()
			}
		})
	}}},
	{"the clock of the process", "Clocks", bug{clock: func(s fleettest.Setup) time.Time { return s.Clock() }}},
	{"limits out of range", "Refusals", bug{refuses: func(terminal49.RateLimits) error { return nil }}},
	{"shares are ignored", "Shares", asked(func(_ *process, _ *fleet.State, c *fleet.Call) {
		for i := range c.Places {
			c.Places[i].Top = c.Limit
		}
	})},
	{"a share allows one more", "Shares", asked(func(_ *process, _ *fleet.State, c *fleet.Call) {
		for i := range c.Places {
			c.Places[i].Top = min(c.Places[i].Top+1, c.Limit)
		}
	})},
	{"a share allows one less", "Shares", asked(func(_ *process, _ *fleet.State, c *fleet.Call) {
		for i, p := range c.Places {
			if p.Top < c.Limit {
				c.Places[i].Top = max(p.Top-1, 1)
			}
		}
	})},
	{"all requests count against a share", "Shares", bug{after: func(_ *process, s *fleet.State, c fleet.Call, _ *fleet.Reply) {
		for owner, e := range s.Slots {
			if e.Place == 0 {
				e.Top = 1
				s.Slots[owner] = e
			}
		}
	}}},
	{"calls with any share are in one line", "Shares", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		line, _ := inLine.LoadOrStore(p, make(chan struct{}, 1))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case line.(chan struct{}) <- struct{}{}:
			defer func() { <-line.(chan struct{}) }()
			return p.limiter.Acquire(ctx, b)
		}
	})},
	{"no limit while the engine is away", "Outages", frees(func(p *process) bool { away, _ := p.isAway(); return away })},
	{"calls fail while the engine is away", "Outages", bug{options: []fleet.Option{fleet.WithFallback(fleet.Fail())}}},
	{"releases are lost while the engine is away", "Outages", bug{free: func(_ context.Context, p *process, free func()) {
		if away, _ := p.isAway(); !away {
			free()
		}
	}}},
	{"releases wait until the engine is back", "Outages", bug{free: func(_ context.Context, p *process, free func()) {
		if away, _ := p.isAway(); away {
			select {
			case <-p.setup.Context.Done():
			case <-time.After(p.windows(10)):
			}
		}
		free()
	}}},
	{"a pause is lost while the engine is away", "Outages", bug{pause: func(p *process, b terminal49.Bucket, d time.Duration) {
		if away, _ := p.isAway(); !away {
			p.limiter.Pause(b, d)
		}
	}}},
	{"an outage ends renewals", "Outages", renewed(func(p *process, _ *fleet.State, _ *fleet.Call, owner string) bool {
		return p.away && p.note("ended "+owner) > 0 || p.notes["ended "+owner] == 0
	})},
	{"slots released just before an outage are free after it", "Outages", slots(func(p *process, _ *fleet.State, c *fleet.Call, slot *fleet.Slot) bool {
		switch {
		case !isRelease(c, slot):
		case p.away:
			p.note("free " + slot.Owner)
		case p.notes["free "+slot.Owner] > 0:
			slot.For = 0
		}
		return true
	})},
	{"waiters from before an outage wait for another call", "Outages", acquires(func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		_, before := p.isAway()
		free, err := p.limiter.Acquire(ctx, b)
		if _, outages := p.isAway(); err != nil || outages == before {
			return free, err
		}
		for calls := p.calls.Load(); p.calls.Load() == calls; {
			select {
			case <-ctx.Done():
				free()
				return nil, ctx.Err()
			case <-time.After(p.windows(0.02)):
			}
		}
		return free, err
	})},
	{"slots are not renewed while the engine is slow", "Slowness", renewed(func(p *process, _ *fleet.State, _ *fleet.Call, _ string) bool { return p.delay == 0 })},
	{"slots that were not used stay taken, slowly", "Slowness", slots(func(p *process, s *fleet.State, _ *fleet.Call, slot *fleet.Slot) bool {
		return slot.For > 0 || s.Slots[slot.Owner].Place > 0 || p.delay == 0
	})},
	{"no limit for two windows after a loss", "Losses", frees(func(p *process) (lost bool) {
		p.set(func() { lost = testkit.Elapsed(p.lostAt) < p.windows(2) })
		return lost
	})},
	{"lost slots are not taken again", "Losses", renewed(func(_ *process, s *fleet.State, _ *fleet.Call, owner string) bool {
		_, known := s.Slots[owner]
		return known
	})},
}
