package mirror

import (
	"context"
	"errors"
	"net/url"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// WithWebhook makes [Mirror.Run] create the account's webhook for this public https address, and
// keep it enabled. [Mirror.Receiver] must serve the address. The default is none: the mirror polls.
func WithWebhook(address string) Option {
	return func(o *worker.Options) error {
		if parsed, err := url.Parse(address); err != nil || parsed.Scheme != "https" || parsed.Host == "" {
			return invalid("WithWebhook", "must be the https address of Receiver")
		}
		o.URL = address
		return nil
	}
}

// WithSecrets sets the secrets of webhooks that you manage yourself. [Mirror.Receiver] accepts
// deliveries signed with them, in addition to those of the webhook of [WithWebhook], whose secret
// the mirror reads from the service.
func WithSecrets(secrets ...terminal49.Secret) Option {
	return func(o *worker.Options) error {
		for _, secret := range secrets {
			if secret.IsZero() {
				return invalid("WithSecrets", "must not contain an empty secret")
			}
		}
		o.Secrets = append(o.Secrets, secrets...)
		return nil
	}
}

// ensureWebhook creates or repairs the webhook of WithWebhook, with all events that the account can
// subscribe to, and passes its secret to the receiver of this process. Every process calls it, at
// the start and every few minutes: the service deactivates a webhook that fails too often. It does
// nothing without WithWebhook.
func (m *Mirror) ensureWebhook(ctx context.Context) error {
	if m.opts.URL == "" {
		return nil
	}
	err := m.repairWebhook(ctx)
	if ctx.Err() == nil {
		m.receiver.setState(err)
	}
	return err
}

func (m *Mirror) repairWebhook(ctx context.Context) error {
	was, err := m.listedWebhook(ctx)
	if err != nil {
		return err
	}
	m.logWebhook(ctx, was)
	if was == nil || !was.Active || was.ID != m.receiver.Own() || was.Secret.IsZero() {
		if was, err = m.client.Webhooks.Ensure(ctx, m.opts.URL, nil); was == nil {
			return err
		}
	}
	m.receiver.setOwn(was.ID)
	return errors.Join(err, m.receiver.learn(was.Secret))
}

// listedWebhook returns the webhook with the address: the mirror's own one or else the first; nil
// if there is none.
func (m *Mirror) listedWebhook(ctx context.Context) (found *terminal49.Webhook, err error) {
	for w, err := range m.client.Webhooks.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if w.URL == m.opts.URL && (found == nil || w.ID == m.receiver.Own()) {
			found = w
		}
	}
	return found, nil
}

// logWebhook logs what has to be repaired.
func (m *Mirror) logWebhook(ctx context.Context, was *terminal49.Webhook) {
	switch own := m.receiver.Own(); {
	case was == nil && own != "":
		m.opts.Log.WarnContext(ctx, "mirror: the webhook was deleted; creating it again", "webhook", own)
	case was == nil:
		m.opts.Log.InfoContext(ctx, "mirror: creating the webhook")
	case !was.Active:
		m.opts.Log.WarnContext(ctx, "mirror: the webhook is switched off; switching it on. The service does not deliver later what "+
			"happened in the meantime: walks find the current state, but not each change", "webhook", was.ID)
	}
}
