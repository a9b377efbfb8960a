package worker

import (
	"log/slog"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/notice"
)

// Options configure a mirror.
type Options struct {
	Log     *slog.Logger
	Share   float64 // of the rate limit, for walks
	URL     string  // of the webhook; "" without webhooks
	Secrets []terminal49.Secret
	Active  time.Duration // between walks over the shipments that are tracked
	Whole   time.Duration // between walks over everything
	Settle  time.Duration // between a notification and the read that it causes
	Keep    Retention
	Notices notice.Rules // which notices the feed has
	Schema  string       // of the tables in Postgres; "" for the default
	Now     func() time.Time
	Reached func(string) // is called at named points, unless nil; a test may end the process there
}

// Defaults are the options of a mirror that is not configured.
func Defaults() Options {
	return Options{
		Log: slog.New(slog.DiscardHandler), Share: 0.6,
		Active: 15 * time.Minute, Whole: 24 * time.Hour, Settle: 5 * time.Second,
		Now: time.Now,
	}
}

// Often is the time between two reads of lists such as the log of notifications.
func (o *Options) Often() time.Duration { return min(5*time.Minute, o.Active) }
