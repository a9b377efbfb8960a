package fleet

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/go-freight/terminal49"
)

// Option configures a [Limiter].
type Option interface{ apply(*config) error }

type optionFunc func(*config) error

func (o optionFunc) apply(c *config) error { return o(c) }

// DefaultLocalShare is the part of each bucket that a process uses while the engine is away, unless
// [WithFallback] sets another fallback.
const DefaultLocalShare = 0.1

type config struct {
	namespace string
	limits    terminal49.Limits
	window    time.Duration
	fallback  Fallback
	settling  bool
	events    func(Event) // may be nil
}

// setting returns an option that calls set, or fails with the problem unless ok.
func setting(name, problem string, ok bool, set func(*config)) Option {
	return optionFunc(func(c *config) error {
		if !ok {
			return invalid(name, problem)
		}
		set(c)
		return nil
	})
}

func invalid(field, problem string) error {
	return &terminal49.ArgumentError{Op: "fleet.New", Field: field, Problem: problem}
}

var namespaces = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// WithNamespace sets the namespace of the slots in the engine, instead of a hash of the token.
// Processes with the same engine and the same namespace share their limits. Use it for two keys of
// one account if the service counts them together. A name has 1 to 64 letters, digits, ".", "_",
// ":" or "-".
func WithNamespace(name string) Option {
	return setting("WithNamespace", `must be 1 to 64 letters, digits, ".", "_", ":" or "-"`,
		namespaces.MatchString(name), func(c *config) { c.namespace = name })
}

// WithLimits sets the limits of the account. A zero field keeps its default. All processes share
// the budgets, so every process must set the same ones. PerSecond and Burst apply to each process
// alone.
func WithLimits(l terminal49.Limits) Option {
	return optionFunc(func(c *config) error {
		if _, err := terminal49.NewLimiter(l); err != nil {
			var argument *terminal49.ArgumentError
			if errors.As(err, &argument) {
				argument.Op = "fleet.New"
			}
			return err
		}
		for _, f := range []struct{ set, to *int }{
			{&c.limits.Default, &l.Default}, {&c.limits.Create, &l.Create}, {&c.limits.Infer, &l.Infer},
			{&c.limits.Refresh, &l.Refresh}, {&c.limits.Burst, &l.Burst},
		} {
			if *f.to != 0 {
				*f.set = *f.to
			}
		}
		if l.PerSecond != 0 {
			c.limits.PerSecond = l.PerSecond
		}
		return nil
	})
}

// WithWindow sets the rolling period in which requests are counted, from 10 ms to one hour. It is
// for tests: the default is the service's, one minute. Every process must set the same.
func WithWindow(d time.Duration) Option {
	return setting("WithWindow", "must be from 10 ms to one hour", d >= 10*time.Millisecond && d <= time.Hour, func(c *config) { c.window = d })
}

// WithFallback sets what happens while the engine is away: [LocalShare], [Wait] or [Fail]. The
// default is LocalShare(DefaultLocalShare).
func WithFallback(f Fallback) Option {
	return setting("WithFallback", "must be LocalShare with a part above 0 and at most 1, Wait or Fail",
		f.mode != 0 && (f.mode != local || f.part > 0 && f.part <= 1), func(c *config) { c.fallback = f })
}

// Fallback is what happens while the engine is away.
type Fallback struct {
	mode mode
	part float64 // of local
}

type mode int

const (
	local mode = iota + 1
	wait
	fail
)

// LocalShare lets each process use this part of every bucket until the engine is back, rounded down
// but at least one request per window. part must be above 0 and at most 1. Requests that the
// process sent within the last window count. Choose one divided by the number of processes: the
// limits then hold, except in the first window if the processes sent unevenly before.
func LocalShare(part float64) Fallback { return Fallback{local, part} }

// Wait makes requests wait until the engine is back or their context ends.
func Wait() Fallback { return Fallback{mode: wait} }

// Fail makes requests fail at once with [ErrEngineAway].
func Fail() Fallback { return Fallback{mode: fail} }

// WithSettling makes the engine grant nothing until it has lost no slots for one hold, which is one
// and a half windows. The limits then hold even after the engine has lost slots. The first use of
// each bucket waits that long too.
func WithSettling() Option {
	return optionFunc(func(c *config) error {
		c.settling = true
		return nil
	})
}

// WithEvents sets a function that is called once for each [Event]. Calls are made one after
// another, on a goroutine of the limiter; the function must return quickly. It may use the limiter.
// Its panic is discarded.
func WithEvents(f func(Event)) Option {
	return setting("WithEvents", "must not be nil; leave the option out for no events", f != nil,
		func(c *config) { c.events = f })
}

// Event is a change of the engine or of the slots in it, for logs and alerts.
type Event struct {
	Kind   EventKind
	Bucket terminal49.Bucket // of SlotsLost and SlotsExpired
	Slots  int               // how many, of SlotsLost and SlotsExpired
	Err    error             // of EngineAway, on one line, without addresses and passwords
}

// EventKind is the kind of an [Event].
type EventKind string

// The events.
const (
	// EngineAway means that a call of the engine failed. The fallback is used from then on.
	EngineAway EventKind = "engine away"
	// EngineBack means that the engine responds again. LocalShare is used for up to 6 seconds more,
	// until every process has noticed.
	EngineBack EventKind = "engine back"
	// SlotsLost means that the engine lost slots of this process, for example in a restart
	// without a disk. They were taken again, but slots of processes that have ended may be lost: for
	// one window the limits may be exceeded, unless WithSettling is set.
	SlotsLost EventKind = "slots lost"
	// SlotsExpired means that requests in flight outlived the hold of their slots, because the engine
	// was away or the process was suspended. Other processes may have taken the slots.
	SlotsExpired EventKind = "slots expired"
)

// String returns the event as one line for a log.
func (e Event) String() string {
	s := "fleet: " + string(e.Kind)
	if e.Bucket != "" {
		s += fmt.Sprintf(": %d of bucket %s", e.Slots, e.Bucket)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}
