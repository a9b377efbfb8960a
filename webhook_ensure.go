package terminal49

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Ensure makes sure that there is a webhook for a URL which is active and called for exactly these events, and returns
// it with its Secret. Run it at every start: it creates the webhook the first time, changes it when the events differ
// or the service has switched it off, and otherwise only looks. Its headers stay as they are.
//
// If several webhooks have the URL, the oldest is meant: one that tells no time of creation before all others, and of
// those made in the same second the one with the smaller ID. Programs that start together may each create one. So
// whoever creates looks again two seconds later, when every rival of the same second can be seen, and deletes its own
// unless it is the oldest: all who create settle on one. That rests on the service listing a webhook within these two
// seconds, and is not promised beyond. Nor is it to a program that creates none, but looks within these two seconds: it
// may be given one that is about to go. With an error after the creation, ctx's for instance, both may stay; the
// webhook is returned beside it, and what is too much is left for you to delete.
//
// API: GET /webhooks, then POST /webhooks or PATCH /webhooks/{id} or DELETE /webhooks/{id}. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Ensure(ctx context.Context, url string, events []EventName, opts ...CallOption) (*Webhook, error) {
	create := WebhookCreate{URL: url, Events: events}
	if err := create.attributes().validate(); err != nil {
		return nil, withOp(err, "webhooks.ensure")
	}
	found, err := s.oldestFor(ctx, url, opts)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return s.createOnce(ctx, create, opts)
	}
	return s.adjust(ctx, found, events, opts)
}

// adjust makes what was found what is wanted.
func (s *WebhooksService) adjust(ctx context.Context, found *Webhook, events []EventName, opts []CallOption) (*Webhook, error) {
	var err error
	if !found.Active || !sameEvents(found.Events, events) {
		found, err = s.Update(ctx, found.ID, WebhookUpdate{Events: Some(events), Active: Some(true)}, opts...)
	}
	if err == nil && found.Secret.IsZero() {
		return s.Get(ctx, found.ID, opts...) // lists may leave it out
	}
	return found, err
}

// rivalPause is how long after creating a webhook it is looked for others. The service tells whole seconds: after more
// than one, whatever is created yet is younger for everybody.
const rivalPause = 2 * time.Second

// createOnce looks again afterwards: somebody else may have created one meanwhile.
func (s *WebhooksService) createOnce(ctx context.Context, create WebhookCreate, opts []CallOption) (*Webhook, error) {
	made, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, rivalPause); err != nil {
		return made, fmt.Errorf("terminal49: webhooks.ensure: waiting for others who create the same: %w", err)
	}
	oldest, err := s.oldestFor(ctx, create.URL, opts)
	if err != nil || oldest == nil || oldest.ID == made.ID || !made.CreatedAt.IsZero() && byAge(made, oldest) < 0 { // or the list lacks it
		return made, err
	}
	if err := s.Delete(ctx, made.ID, opts...); err != nil {
		return oldest, err
	}
	return s.adjust(ctx, oldest, create.Events, opts)
}

func (s *WebhooksService) oldestFor(ctx context.Context, url string, opts []CallOption) (*Webhook, error) {
	all, err := collectAll(s.All(ctx, nil, opts...))
	all = slices.DeleteFunc(all, func(w *Webhook) bool { return w.URL != url })
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return slices.MinFunc(all, byAge), nil
}

func byAge(a, b *Webhook) int {
	return cmp.Or(cmp.Compare(a.CreatedAt.seconds, b.CreatedAt.seconds), cmp.Compare(a.ID, b.ID))
}

func sameEvents(a, b []EventName) bool { return maps.Equal(setOf(a), setOf(b)) }

func setOf(events []EventName) map[EventName]bool {
	set := make(map[EventName]bool, len(events))
	for _, event := range events {
		set[event] = true
	}
	return set
}
