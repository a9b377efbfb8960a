package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Ensure returns the active webhook for exactly this URL and these events, with its Secret. Run it
// at every start: it creates the webhook the first time, and updates it if its events differ or the
// service has deactivated it. It does not change the headers. If events is nil, it uses all events
// of [WebhooksService.Events]. If the service rejects the events, it tries document events under
// their other names. If several webhooks share the URL, it uses the oldest; one without a creation
// time sorts first. So that programs that start together end with one webhook, Ensure checks for
// rivals; see [UnstableNoRivalCheck]. If this check fails after a creation, it returns the webhook
// and the error.
//
// API: GET /webhooks, then POST /webhooks or PATCH /webhooks/{id} or DELETE /webhooks/{id}. Errors:
// *ArgumentError, ErrFeatureNotEnabled, ErrInvalid.
func (s *WebhooksService) Ensure(ctx context.Context, url string, events []EventName, opts ...CallOption) (*Webhook, error) {
	create := WebhookCreate{URL: url, Events: events}
	if events == nil {
		create.Events = WebhookEvents() // to check the URL before the first request
	}
	if err := create.attributes().validate(); err != nil {
		return nil, withOp(err, "webhooks.ensure")
	}
	if events == nil {
		available, err := s.available(ctx, opts)
		if err != nil {
			return nil, err
		}
		create.Events, events = available, available
	}
	made, err := s.ensure(ctx, create, opts)
	for name := range 2 {
		other := create
		other.Events = documentEventsNamed(name, events)
		if !errors.Is(err, ErrInvalid) || sameEvents(other.Events, events) {
			continue
		}
		if renamed, again := s.ensure(ctx, other, opts); !errors.Is(again, ErrInvalid) {
			made, err = renamed, again
		}
	}
	return made, err
}

// available returns the events of the account, each once and each document event under one name. An
// event may be in two categories.
func (s *WebhooksService) available(ctx context.Context, opts []CallOption) (events []EventName, err error) {
	categories, err := s.Events(ctx, opts...)
	for _, category := range categories {
		for _, event := range category.Events {
			if event.Name != "" && !slices.Contains(events, event.Name) {
				events = append(events, event.Name)
			}
		}
	}
	for _, names := range documentEvents {
		if slices.Contains(events, names[0]) {
			events = slices.DeleteFunc(events, func(e EventName) bool { return e == names[1] })
		}
	}
	return events, err
}

// documentEventsNamed returns events with the document events under their first or second name.
func documentEventsNamed(name int, events []EventName) []EventName {
	var list []EventName
	for _, event := range events {
		for _, names := range documentEvents {
			if slices.Contains(names[:], event) {
				event = names[name]
			}
		}
		if !slices.Contains(list, event) {
			list = append(list, event)
		}
	}
	return list
}

func (s *WebhooksService) ensure(ctx context.Context, create WebhookCreate, opts []CallOption) (*Webhook, error) {
	found, err := s.settled(ctx, create.URL, opts)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return s.createOnce(ctx, create, opts)
	}
	return s.adjust(ctx, found, create.Events, opts)
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

// rivalWait is the time between creating or finding a new webhook and listing the webhooks again.
// Creation times are in whole seconds, so a webhook created more than a second later is younger for
// every program. The service is assumed to list a new webhook within the remaining second.
const rivalWait = 2 * time.Second

// settledAge is far above rivalWait, because a list may be older than the Date of its response.
const settledAge = time.Minute

// settled returns the oldest webhook for a URL, or nil. It waits until no program can delete it in
// favour of an older one: a webhook that is still the oldest after rivalWait stays the oldest.
func (s *WebhooksService) settled(ctx context.Context, url string, opts []CallOption) (*Webhook, error) {
	call, err := s.client.options("webhooks.ensure", opts)
	if err != nil {
		return nil, err
	}
	list := cmp.Or(call.response, &Response{}) // the caller's, if there is one
	opts = append(slices.Clip(opts), WithResponse(list))
	for seen := ""; ; {
		start := time.Now()
		found, err := s.oldestFor(ctx, url, opts)
		if err != nil || found == nil || found.ID == seen || call.noRivals || isSettled(found, list, start) {
			return found, err
		}
		if err := awaitRivals(ctx); err != nil {
			return nil, err
		}
		seen = found.ID
	}
}

// isSettled compares two times of the service. Only without a Date it trusts the local clock.
func isSettled(w *Webhook, list *Response, now time.Time) bool {
	if date, err := http.ParseTime(list.Header.Get("Date")); err == nil {
		now = date
	}
	created, ok := w.CreatedAt.Instant()
	return ok && now.Sub(created) >= settledAge
}

func awaitRivals(ctx context.Context) error {
	if err := sleep(ctx, rivalWait); err != nil {
		return fmt.Errorf("terminal49: webhooks.ensure: waiting for other programs that create the webhook: %w", err)
	}
	return nil
}

// createOnce creates a webhook and lists them again, because another program may have created one
// too. Of those created in the same second, the one with the smaller ID is the oldest.
func (s *WebhooksService) createOnce(ctx context.Context, create WebhookCreate, opts []CallOption) (*Webhook, error) {
	call, err := s.client.options("webhooks.ensure", opts)
	if err != nil {
		return nil, err
	}
	made, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, err
	}
	if call.noRivals {
		return made, nil
	}
	if err := awaitRivals(ctx); err != nil {
		return made, err
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
	all, err := Collect(s.All(ctx, nil, opts...))
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

func setOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}
