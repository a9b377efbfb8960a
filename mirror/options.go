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
