package mirror

import (
	"log/slog"
	"time"

	"github.com/go-freight/terminal49"
)

// Option configures a [Mirror].
type Option func(*options) error

type options struct {
	log     *slog.Logger
	share   float64 // of the rate limit, for walks
	url     string  // of the webhook; "" without webhooks
	secrets []terminal49.Secret
	active  time.Duration // between walks over the shipments that are tracked
	whole   time.Duration // between walks over everything
	settle  time.Duration // between a notification and the read that it causes
}

func defaults() options {
	return options{
		log: slog.New(slog.DiscardHandler), share: 0.6,
		active: 15 * time.Minute, whole: 24 * time.Hour, settle: 5 * time.Second,
	}
}

// WithShare sets which part of the rate limit walks over lists may use, above 0 to 1. The default
// is 0.6. Reads of what has just changed, and other calls of the same client, go first.
func WithShare(part float64) Option {
	return func(o *options) error {
		if !(part > 0 && part <= 1) { // true for NaN too
			return invalid("WithShare", "must be above 0 and at most 1")
		}
		o.share = part
		return nil
	}
}

// WithActiveInterval sets the time between the starts of two walks over the shipments that are
// tracked, with their containers. The default is 15 minutes. Without webhooks it is how old rows
// get; a walk costs a request for every 100 shipments.
func WithActiveInterval(d time.Duration) Option {
	return interval("WithActiveInterval", d, func(o *options) { o.active = d })
}

// WithWholeInterval sets the time between the starts of two walks over everything, which also find
// what was deleted. The default is 24 hours.
func WithWholeInterval(d time.Duration) Option {
	return interval("WithWholeInterval", d, func(o *options) { o.whole = d })
}

// WithSettle sets the time between a notification and the read that it causes. The default is 5
// seconds: the service may answer a read from a copy of its data that does not have the change yet.
func WithSettle(d time.Duration) Option {
	return interval("WithSettle", d, func(o *options) { o.settle = d })
}

func interval(name string, d time.Duration, set func(*options)) Option {
	return func(o *options) error {
		if d <= 0 {
			return invalid(name, "must be more than zero")
		}
		set(o)
		return nil
	}
}

// WithLogger sets where the mirror reports what it does. The default is nowhere.
func WithLogger(log *slog.Logger) Option {
	return func(o *options) error {
		if log == nil {
			return invalid("WithLogger", "must not be nil")
		}
		o.log = log
		return nil
	}
}
