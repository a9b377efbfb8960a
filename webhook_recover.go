package terminal49

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// RecoverReport is the result of [WebhooksService.Recover].
type RecoverReport struct {
	// Inactive are the inactive webhooks, which the service may have deactivated after failures.
	// Their events create no notifications and cannot be recovered: fetch the resources you follow
	// again, and activate the webhook with [WebhooksService.Update] or [WebhooksService.Ensure].
	Inactive []*Webhook
	Found    int // notifications whose delivery failed
	Handled  int // those that were handled, now or earlier
	// Unhandled are the notifications that were not handled. Call Recover with the same time to try
	// them again.
	Unhandled []RecoverFailure
}

// RecoverFailure is a notification that could not be recovered.
type RecoverFailure struct {
	NotificationID string
	Event          EventName
	Err            error
}

// Recover calls handle with each notification whose delivery has failed since the given time, such
// as the start of an outage: oldest first; notifications without a creation time come first. Each
// has Recovered set, its original ID and event, and the current state of its container, shipment or
// tracking request. Pass the Handle method of a webhook.Handler, which skips those handled before.
//
// After a failure the others are still tried, and the error reports how many failed. WebhookID
// identifies the webhook if the account has several.
//
// API: GET /webhooks, GET /webhook_notifications, then those of Resolve for each notification, such
// as GET /containers/{id}. Errors: *ArgumentError, ErrFeatureNotEnabled, *APIError.
func (s *WebhooksService) Recover(ctx context.Context, since time.Time, handle func(context.Context, *Notification) error, opts ...CallOption) (*RecoverReport, error) {
	if handle == nil {
		problem := "must not be nil; use the Handle method of a webhook.Handler"
		return nil, &ArgumentError{Op: "webhooks.recover", Field: "handle", Problem: problem}
	}
	report := &RecoverReport{}
	for w, err := range s.All(ctx, nil, opts...) {
		if err != nil {
			return report, err
		}
		if !w.Active {
			report.Inactive = append(report.Inactive, w)
		}
	}
	failed, err := collectAll(s.client.WebhookNotifications.Failed(ctx, since, opts...))
	if err != nil {
		return report, err
	}
	slices.SortStableFunc(failed, func(a, b *WebhookNotification) int {
		return cmp.Compare(a.CreatedAt.seconds, b.CreatedAt.seconds)
	})
	report.Found = len(failed)
	resolver := s.resolver(opts)
	for _, n := range failed {
		if err := recoverOne(ctx, resolver, n, handle); err != nil {
			report.Unhandled = append(report.Unhandled, RecoverFailure{n.ID, n.Event, err})
			if ctx.Err() != nil {
				return report, ctx.Err()
			}
			continue
		}
		report.Handled++
	}
	return report, report.err()
}

func recoverOne(ctx context.Context, r *resolver, from *WebhookNotification, handle func(context.Context, *Notification) error) error {
	n := &Notification{AsOf: from.AsOf}
	n.fill(from)
	full, err := r.complete(ctx, n)
	if err != nil {
		return err
	}
	full.Recovered = true
	return handle(ctx, full)
}

func (r *RecoverReport) err() error {
	if len(r.Unhandled) == 0 {
		return nil
	}
	return fmt.Errorf("terminal49: webhooks.recover: %d of %d notifications were not handled; the first, %s: %w",
		len(r.Unhandled), r.Found, printable(r.Unhandled[0].NotificationID), r.Unhandled[0].Err)
}
