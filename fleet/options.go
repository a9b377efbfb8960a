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

type config struct {
	namespace string
	limits    terminal49.RateLimits
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

// WithRateLimits sets the limits of the account. A zero field keeps its default. All processes
// share the budgets, so every process must set the same ones. PerSecond and Burst apply to each
// process alone.
func WithRateLimits(l terminal49.RateLimits) Option {
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

// WithFallback sets what happens while the engine is away: [Wait], the default, or [Fail].
func WithFallback(f Fallback) Option {
	return setting("WithFallback", "must be Wait() or Fail()", f != Fallback{}, func(c *config) { c.fallback = f })
}

// Fallback is what happens while the engine is away. The limits hold with each.
type Fallback struct{ waits, fails bool }

// Wait makes requests wait until the engine is back or their context ends. The error then matches
// [ErrEngineAway] and the context's error.
func Wait() Fallback { return Fallback{waits: true} }

// Fail makes requests fail at once with [ErrEngineAway].
func Fail() Fallback { return Fallback{fails: true} }

// WithSettling makes the engine grant nothing until it has lost no slots for one hold, which is one
// and a half windows. The limits then hold even after the engine has lost slots. The first use of
// each bucket waits that long too.
func WithSettling() Option {
	return optionFunc(func(c *config) error {
		c.settling = true
		return nil
	})
}
