package fleet

import (
	"errors"
	"regexp"
	"time"

	"github.com/go-freight/terminal49"
)

// Option configures a [Limiter].
type Option interface{ apply(*config) error }

type optionFunc func(*config) error

func (o optionFunc) apply(c *config) error { return o(c) }

// DefaultLocalShare is the part of each bucket that a process uses while the engine is away, unless
// [WithFallback] says otherwise.
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

// WithNamespace sets the name under which the engine keeps the slots, instead of a hash of the
// token. Processes share their limits if they use the same engine and the same namespace. Use it
// for two keys of one account, if the service counts them together.
func WithNamespace(name string) Option {
	return setting("WithNamespace", `must be 1 to 64 letters, digits and ".", "_", ":" or "-"`,
		namespaces.MatchString(name), func(c *config) { c.namespace = name })
}

// WithLimits sets the limits of the account; a zero field keeps its default. Budgets are shared, so
// every process must have the same. The pace is that of one process.
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

// WithWindow sets the rolling period in which requests are counted, for tests. The default is the
// service's, one minute. Every process must have the same.
func WithWindow(d time.Duration) Option {
	return setting("WithWindow", "must be at least 10 ms", d >= 10*time.Millisecond, func(c *config) { c.window = d })
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

// LocalShare gives each process this part of every bucket, rounded down but at least one request
// per window, until the engine is back. What the process sent within the last window counts. Choose
// one divided by the number of processes: then the limits hold, but for what the processes sent
// unevenly in the window before.
func LocalShare(part float64) Fallback { return Fallback{local, part} }

// Wait makes requests wait until the engine is back or their context ends.
func Wait() Fallback { return Fallback{mode: wait} }

// Fail makes requests fail at once with [ErrEngineAway].
func Fail() Fallback { return Fallback{mode: fail} }

// WithSettling makes the engine grant nothing until it has remembered everything for one hold, one
// and a half windows, so the limits hold even after the engine lost its memory. The first start of
// all waits too.
func WithSettling() Option {
	return optionFunc(func(c *config) error {
		c.settling = true
		return nil
	})
}

// WithEvents sets a function that is called once for every change of the engine's state. Calls are
// made one after another, on a goroutine of the limiter; it must return quickly.
func WithEvents(f func(Event)) Option {
	return setting("WithEvents", "must not be nil; leave the option out for no events", f != nil,
		func(c *config) { c.events = f })
}

// Event is a change that an operator should know about.
type Event struct {
	Kind   EventKind
	Bucket terminal49.Bucket // empty if the engine is away or back
	Slots  int               // of SlotsForgotten and SlotsOutlived
	Err    error             // of EngineAway, without addresses and passwords
}

// EventKind is the kind of an [Event].
type EventKind string

// The events.
const (
	// EngineAway means that a call of the engine failed. The fallback is used from here on.
	EngineAway EventKind = "engine away"
	// EngineBack means that the engine answers again.
	EngineBack EventKind = "engine back"
	// SlotsForgotten means that the engine lost slots of this process, for example because its memory
	// was emptied. They were taken again, but slots of processes that ended may be lost: for one
	// window the limits may be exceeded, unless WithSettling is set.
	SlotsForgotten EventKind = "slots forgotten"
	// SlotsOutlived means that slots of requests in flight could not be renewed until their hold
	// ended, for example because the engine was away or the process was stopped. Others may have
	// taken them.
	SlotsOutlived EventKind = "slots outlived their hold"
)
