package mirror

import (
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Option configures a [Mirror].
type Option func(*worker.Options) error

// WithRateLimitShare sets which part of the rate limit walks over lists may use, above 0 to 1. The
// default is 0.6. Reads of what has just changed, and other calls of the same client, go first.
func WithRateLimitShare(part float64) Option {
	return func(o *worker.Options) error {
		if !(part > 0 && part <= 1) { // true for NaN too
			return invalid("WithRateLimitShare", "must be above 0 and at most 1")
		}
		o.Share = part
		return nil
	}
}

// WithActiveInterval sets the time between the starts of two walks over the shipments that are
// tracked, with their containers. The default is 15 minutes. Without webhooks it is how old rows
// get; a walk costs a request for every 100 shipments.
func WithActiveInterval(d time.Duration) Option {
	return interval("WithActiveInterval", d, math.MaxInt64, func(o *worker.Options) { o.Active = d })
}

// WithWholeInterval sets the time between the starts of two walks over everything, which also find
// what was deleted. The default is 24 hours.
func WithWholeInterval(d time.Duration) Option {
	return interval("WithWholeInterval", d, math.MaxInt64, func(o *worker.Options) { o.Whole = d })
}

// WithSettle sets the time between a notification and the read that it causes. The default is 5
// seconds, the most one hour: the service may answer a read from a copy of its data that does not
// have the change yet.
func WithSettle(d time.Duration) Option {
	return interval("WithSettle", d, time.Hour, func(o *worker.Options) { o.Settle = d })
}

// interval refuses one that is too short for a loop of requests, or so long that doubling it after
// failures would overflow.
func interval(name string, d, most time.Duration, set func(*worker.Options)) Option {
	return func(o *worker.Options) error {
		if d < time.Millisecond || d > most {
			return invalid(name, fmt.Sprintf("must be from 1 ms to %v", most))
		}
		set(o)
		return nil
	}
}

// WithSchema sets the schema of the tables in Postgres, which [Mirror.Run] creates. The default is
// t49. DataSync's views are in the schema datasync, or NAME_datasync for another name. Mirrors of
// several accounts work in one database, and in one process, if each has its own schema. SQLite has
// no schemas: use a file for each account.
func WithSchema(name string) Option {
	return func(o *worker.Options) error {
		if problem := schema.NameProblem(name); problem != "" {
			return invalid("WithSchema", problem)
		}
		o.Schema = name
		return nil
	}
}

// WithLogger sets where the mirror reports what it does. The default is nowhere.
func WithLogger(log *slog.Logger) Option {
	return func(o *worker.Options) error {
		if log == nil {
			return invalid("WithLogger", "must not be nil")
		}
		o.Log = log
		return nil
	}
}
