package terminal49

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// Ensure makes sure that there is a webhook for a URL which is active and called for exactly these events, and returns
// it with its Secret. Run it at every start: it creates the webhook the first time, changes it when the events differ
// or the service has switched it off, and otherwise only looks. Its headers stay as they are.
//
// If several webhooks have the URL, the oldest is meant. Two programs that start at the same moment may each create
// one; both then settle on the older one, and whoever made the younger deletes it again.
//
// API: GET /webhooks, then POST /webhooks or PATCH /webhooks/{id} or DELETE /webhooks/{id}. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Ensure(ctx context.Context, url string, events []EventName, opts ...CallOption) (*Webhook, error) {
	create := WebhookCreate{URL: url, Events: events}
	if err := create.attributes().validate(); err != nil {
		return nil, named(err, "webhooks.ensure")
	}
	found, err := s.oldestFor(ctx, url, opts)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return s.createOnce(ctx, create, opts)
	case !found.Active || !sameEvents(found.Events, events):
		found, err = s.Update(ctx, found.ID, WebhookUpdate{Events: Some(events), Active: Some(true)}, opts...)
	}
	if err == nil && found.Secret.IsZero() {
		return s.Get(ctx, found.ID, opts...) // lists may leave it out
	}
	return found, err
}

// createOnce looks again afterwards: somebody else may have created one meanwhile.
func (s *WebhooksService) createOnce(ctx context.Context, create WebhookCreate, opts []CallOption) (*Webhook, error) {
	made, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, err
	}
	oldest, err := s.oldestFor(ctx, create.URL, opts)
	if err != nil || oldest == nil || oldest.ID == made.ID {
		return made, err
	}
	return oldest, s.Delete(ctx, made.ID, opts...)
}

func (s *WebhooksService) oldestFor(ctx context.Context, url string, opts []CallOption) (*Webhook, error) {
	all, err := collect(s.All(ctx, nil, opts...))
	all = slices.DeleteFunc(all, func(w *Webhook) bool { return w.URL != url })
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return slices.MinFunc(all, func(a, b *Webhook) int {
		return cmp.Or(cmp.Compare(a.CreatedAt.seconds, b.CreatedAt.seconds), cmp.Compare(a.ID, b.ID))
	}), nil
}

func sameEvents(a, b []EventName) bool { return maps.Equal(setOf(a), setOf(b)) }

func setOf(events []EventName) map[EventName]bool {
	set := make(map[EventName]bool, len(events))
	for _, event := range events {
		set[event] = true
	}
	return set
}
