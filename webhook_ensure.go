package terminal49

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Ensure returns the active webhook for exactly this URL and these events, with its Secret. Run it
// at every start: it creates the webhook the first time and updates it when its events differ or
// the service has deactivated it. Its headers are not changed.
//
// If several webhooks share the URL, Ensure uses the oldest; one without a creation time sorts
// first. Programs that start together may each create one. A program that has created one therefore
// checks the list 2 seconds later and deletes its own unless it is the oldest. After an error
// during that check, Ensure also returns the webhook it created.
//
// API: GET /webhooks, then POST /webhooks or PATCH /webhooks/{id} or DELETE /webhooks/{id}. Errors:
// *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
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

// adjust activates a webhook and sets its events, if necessary.
func (s *WebhooksService) adjust(ctx context.Context, found *Webhook, events []EventName, opts []CallOption) (*Webhook, error) {
	var err error
	if !found.Active || !sameEvents(found.Events, events) {
		found, err = s.Update(ctx, found.ID, WebhookUpdate{Events: Some(events), Active: Some(true)}, opts...)
	}
	if err == nil && found.Secret.IsZero() {
		return s.Get(ctx, found.ID, opts...) // a list may omit it
	}
	return found, err
}

// rivalWait is the time between creating a webhook and listing the webhooks again. Creation times
// are in whole seconds, so a webhook created more than a second later is younger for every program.
// The service is assumed to list a new webhook within this time. A program that only lists during
// it may get a webhook that is about to be deleted.
const rivalWait = 2 * time.Second

// createOnce creates a webhook and lists them again, because another program may have created one
// too. Of those created in the same second, the one with the smaller ID is the oldest.
func (s *WebhooksService) createOnce(ctx context.Context, create WebhookCreate, opts []CallOption) (*Webhook, error) {
	made, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, err
	}
	if err := sleep(ctx, rivalWait); err != nil {
		return made, fmt.Errorf("terminal49: webhooks.ensure: waiting for other programs that create the webhook: %w", err)
	}
	oldest, err := s.oldestFor(ctx, create.URL, opts)
	if err != nil || oldest == nil || oldest.ID == made.ID {
		return made, err
	}
	if !made.CreatedAt.IsZero() && byAge(made, oldest) < 0 { // the list does not have it yet
		return made, nil
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
