package terminal49

import (
	"context"
	"time"
)

// The defaults of a [WebhookHandler].
const (
	DefaultWebhookBodyLimit = 1 << 20            // bytes; the largest known deliveries are a few dozen kilobytes
	DefaultWebhookTimeout   = 8 * time.Second    // for the callbacks; how long the service waits is not documented
	DefaultWebhookMemory    = 7 * 24 * time.Hour // how long a handled notification is remembered
)

// leaseMargin is how long a claim outlives its callbacks' deadline, for those that are slow to notice it.
const leaseMargin = time.Minute

type webhookConfig struct {
	secrets    []Secret
	bodyLimit  int64
	timeout    time.Duration
	store      DedupeStore
	keep       time.Duration
	callbacks  []callback
	deadLetter func(context.Context, DeadLetter) error
	observe    func(context.Context, WebhookDelivery)
}

func setting(name, problem string, ok bool, set func(*webhookConfig)) WebhookOption {
	return webhookOption(func(c *webhookConfig) error {
		if !ok {
			return &ArgumentError{Field: name, Problem: problem}
		}
		set(c)
		return nil
	})
}

// WithWebhookSecrets sets what deliveries are signed with: the Secret of each webhook that calls this handler and, while
// one is being replaced, the old one too. It must be given, and none may be empty.
func WithWebhookSecrets(secrets ...Secret) WebhookOption {
	return webhookOption(func(c *webhookConfig) error {
		c.secrets = append(c.secrets, secrets...)
		return checkSecrets(secrets)
	})
}

// WithWebhookBodyLimit sets the most bytes that are read of a delivery; a larger one is answered 413. It is
// DefaultWebhookBodyLimit unless set.
func WithWebhookBodyLimit(bytes int64) WebhookOption {
	return setting("WithWebhookBodyLimit", "must be 1 or more", bytes > 0, func(c *webhookConfig) { c.bodyLimit = bytes })
}

// WithWebhookTimeout sets how long the callbacks of one delivery may take. It is the deadline of their context; past it
// the delivery is answered 500, so that the service tries again, even if a callback goes on. It is
// DefaultWebhookTimeout unless set. Put long work in a queue of your own: a callback that never returns holds its
// notification in this process until the process ends, and every delivery of it is answered 500.
func WithWebhookTimeout(d time.Duration) WebhookOption {
	return setting("WithWebhookTimeout", "must be positive", d > 0, func(c *webhookConfig) { c.timeout = d })
}

// WithWebhookDedupe sets where it is remembered which notifications were handled, and for how long. It is a
// [MemoryDedupe] and DefaultWebhookMemory unless set.
func WithWebhookDedupe(store DedupeStore, keep time.Duration) WebhookOption {
	return setting("WithWebhookDedupe", "must have a store and a positive time", store != nil && keep > 0, func(c *webhookConfig) {
		c.store, c.keep = store, keep
	})
}

// DeadLetter is a delivery that the service signed and that is no notification.
type DeadLetter struct {
	Body []byte // as delivered
	Err  error  // why it is none: an [ErrNotNotification]
}

// OnDeadLetter is called with deliveries that are signed but no notification. They are acknowledged: delivering one
// again would not mend it, and the service switches webhooks off that fail too often. Keep the letter to look into it;
// without this callback all that remains is what [OnDelivery] tells.
//
// Other than a notification, a letter is acknowledged too when the callback returned an error, panicked or was late: it
// does not come again. [OnDelivery] is then told of both errors, with the outcome WebhookDeadLettered. Only when the
// [DedupeStore] failed, so that the callback was not called, or after Shutdown, is the service made to try again.
func OnDeadLetter(f func(context.Context, DeadLetter) error) WebhookOption {
	return setting("OnDeadLetter", "must not be nil; leave it out instead", f != nil, func(c *webhookConfig) { c.deadLetter = f })
}

// WebhookOutcome is what became of a delivery.
type WebhookOutcome string

const (
	WebhookHandled      WebhookOutcome = "handled"      // 200: the callbacks returned nil
	WebhookIgnored      WebhookOutcome = "ignored"      // 200: there is no callback for the event
	WebhookDuplicate    WebhookOutcome = "duplicate"    // 200: it was handled before, or while this one waited
	WebhookDeadLettered WebhookOutcome = "dead_letter"  // 200: signed, but no notification, whatever [OnDeadLetter] came to
	WebhookFailed       WebhookOutcome = "failed"       // 500: see Err; the service delivers it again
	WebhookClosing      WebhookOutcome = "closing"      // 503: Shutdown was called; the service delivers it again
	WebhookUnauthorized WebhookOutcome = "unauthorized" // 401: the signature
	WebhookRefused      WebhookOutcome = "refused"      // 400, 405, 413: no delivery of the service
)

// WebhookDelivery is what [OnDelivery] is told, for logs and counters. It holds nothing of the body.
type WebhookDelivery struct {
	NotificationID string    // "" unless the signature is good and it is a notification
	Event          EventName // "" like NotificationID
	Outcome        WebhookOutcome
	Status         int           // as answered
	Err            error         // why it was not handled; also what the store or OnDeadLetter's callback said of what was acknowledged
	Duration       time.Duration // from the request's arrival to its answer
}

// OnDelivery is told of every request once it is decided how to answer it. It must not block. If it panics, the
// request is answered all the same, and the panic goes no further.
func OnDelivery(f func(context.Context, WebhookDelivery)) WebhookOption {
	return setting("OnDelivery", "must not be nil; leave it out instead", f != nil, func(c *webhookConfig) { c.observe = f })
}
