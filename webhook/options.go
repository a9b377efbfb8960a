package webhook

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

// The defaults of a [Handler].
const (
	DefaultBodyLimit       = 1 << 20            // bytes; the largest known deliveries have a few dozen kilobytes
	DefaultTimeout         = 8 * time.Second    // for the callbacks; how long the service waits is undocumented
	DefaultClaimLease      = 30 * time.Second   // how long the claim of a process that died lasts
	DefaultDedupeRetention = 7 * 24 * time.Hour // how long a handled notification is remembered
)

// Option configures a [Handler]: a setting, or a callback such as [OnContainerUpdated].
//
// A callback returns nil once the notification is stored or queued, which acknowledges the
// delivery. After an error, a panic or the timeout, the service delivers the notification again and
// all its callbacks run again. Callbacks of a notification run in the order of the options until
// one fails; those of different notifications run concurrently. An event without a callback is
// acknowledged.
type Option interface{ apply(*config) error }

type optionFunc func(*config) error

func (o optionFunc) apply(c *config) error { return o(c) }

type config struct {
	secrets                   []terminal49.Secret
	bodyLimit                 int64
	timeout, lease, retention time.Duration
	store                     DedupeStore
	callbacks                 []callback
	onDeadLetter              func(context.Context, DeadLetter) error
	onDelivery                func(context.Context, Delivery)
}

// setting returns an option that calls set, or fails with the problem unless ok.
func setting(name, problem string, ok bool, set func(*config)) Option {
	return optionFunc(func(c *config) error {
		if !ok {
			return invalid(newHandlerOp, name, problem)
		}
		set(c)
		return nil
	})
}

// WithSecrets sets the secrets that deliveries are signed with: the Secret of each webhook that
// delivers to this handler and, during a rotation, the previous one. At least one is required. None
// may be empty, in quotes, or begin or end with white space, as the content of a file may.
func WithSecrets(secrets ...terminal49.Secret) Option {
	return optionFunc(func(c *config) error {
		c.secrets = append(c.secrets, secrets...)
		return checkSecrets(newHandlerOp, secrets)
	})
}

// WithBodyLimit sets the maximum size of a delivery in bytes. A larger one is answered 413. The
// default is [DefaultBodyLimit].
func WithBodyLimit(bytes int64) Option {
	return setting("WithBodyLimit", "must be at least 1", bytes > 0, func(c *config) { c.bodyLimit = bytes })
}

// WithTimeout sets how long the callbacks of a delivery may take; the default is [DefaultTimeout].
// It is the deadline of their context. After it the delivery is answered 500, so that the service
// delivers again, even if a callback continues. Queue long work: while a callback does not return,
// every delivery of its notification is answered 500, in all processes that share the store.
func WithTimeout(d time.Duration) Option {
	return setting("WithTimeout", "must be positive", d > 0, func(c *config) { c.timeout = d })
}

// WithDedupe sets the store that remembers handled notifications, and for how long. The default is
// a [MemoryDedupe] and [DefaultDedupeRetention]. webhooktest.TestDedupeStore tests a store of
// your own.
func WithDedupe(store DedupeStore, retention time.Duration) Option {
	problem := "must have a store and a positive retention"
	return setting("WithDedupe", problem, store != nil && retention > 0, func(c *config) {
		c.store, c.retention = store, retention
	})
}

// WithClaimLease sets how long a notification stays claimed after the process that handled it has
// died; the default is [DefaultClaimLease]. Until then its deliveries are answered 500. The handler
// renews a claim six times in each lease while a callback runs, so the lease does not limit
// callbacks. It must be from one second to one hour, and several times the delay of the store.
func WithClaimLease(d time.Duration) Option {
	return setting("WithClaimLease", "must be from one second to one hour", d >= time.Second && d <= time.Hour,
		func(c *config) { c.lease = d })
}
