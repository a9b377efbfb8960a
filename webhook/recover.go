package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/text"
)

// RecoverReport is the result of [Recover].
type RecoverReport struct {
	// Inactive are the inactive webhooks, which the service may have deactivated after failures.
	// Their events create no notifications and cannot be recovered: fetch the resources you follow
	// again, and activate the webhook with client.Webhooks.Update or client.Webhooks.Ensure.
	Inactive []*terminal49.Webhook
	Found    int // notifications whose delivery failed
	Handled  int // those that were handled, now or earlier
	// Unhandled are the notifications that were not handled. Call Recover with the same time to try
	// them again.
	Unhandled []RecoverFailure
}

// RecoverFailure is a notification that could not be recovered.
type RecoverFailure struct {
	NotificationID string
	Event          terminal49.EventName
	Err            error
}

// Recover calls handle with each notification whose delivery has failed since the given time, such
// as the start of an outage: oldest first; notifications without a creation time come first. Each
// has Recovered set, its original ID and event, and the current state of its container, shipment or
// tracking request. Pass [Handler.Handle], which skips those handled before.
//
// After a failure the others are still tried, and the error reports how many failed. WebhookID
// identifies the webhook if the account has several.
//
// API: GET /webhooks, GET /webhook_notifications, then those of Resolve for each notification, such
// as GET /containers/{id}. Errors: *ArgumentError, ErrFeatureNotEnabled, *APIError.
func Recover(
	ctx context.Context, client *terminal49.Client, since time.Time,
	handle func(context.Context, *Notification) error, opts ...terminal49.CallOption,
) (*RecoverReport, error) {
	const op = "webhook.Recover"
	switch {
	case client == nil:
		return nil, nilClient(op)
	case handle == nil:
		return nil, invalid(op, "handle", "must not be nil; use the Handle method of a Handler")
	}
	report := &RecoverReport{}
	for w, err := range client.Webhooks.All(ctx, nil, opts...) {
		if err != nil {
			return report, err
		}
		if !w.Active {
			report.Inactive = append(report.Inactive, w)
		}
	}
	var failed []*terminal49.WebhookNotification
	for n, err := range client.WebhookNotifications.Failed(ctx, since, opts...) {
		if err != nil {
			return report, err
		}
		failed = append(failed, n)
	}
	slices.SortStableFunc(failed, func(a, b *terminal49.WebhookNotification) int { return a.CreatedAt.Compare(b.CreatedAt) })
	report.Found = len(failed)
	resolver := newResolver(client, opts)
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

func recoverOne(ctx context.Context, r *resolver, from *terminal49.WebhookNotification, handle func(context.Context, *Notification) error) error {
	n := &Notification{}
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
	return fmt.Errorf("terminal49: webhook.Recover: %d of %d notifications were not handled; the first, %s: %w",
		len(r.Unhandled), r.Found, text.Printable(r.Unhandled[0].NotificationID), r.Unhandled[0].Err)
}
