package terminal49

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Failed walks the notifications made since a moment that the service has given up delivering, with what they are
// about included. It has no filter for them, so all are read, as long as the list does not prove to be sorted. One whose
// creation time is missing or unreadable may be of that time, and is among them.
//
// API: GET /webhook_notifications. Rate bucket: default. Errors: ErrFeatureNotEnabled, ErrPagination.
func (s *WebhookNotificationsService) Failed(ctx context.Context, since time.Time, opts ...CallOption) iter.Seq2[*WebhookNotification, error] {
	params := &WebhookNotificationListParams{Include: []WebhookNotificationInclude{WebhookNotificationIncludeReferenceObject}}
	return func(yield func(*WebhookNotification, error) bool) {
		order := newestFirst{before: since.Unix()}
		for page, err := range s.Pages(ctx, params, opts...) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, n := range page.Items {
				if n.DeliveryStatus == DeliveryFailed && (n.CreatedAt.IsZero() || n.CreatedAt.seconds >= since.Unix()) && !yield(n, nil) {
					return
				}
			}
			if order.past(page.Items) {
				return
			}
		}
	}
}

// newestFirst watches whether a list is sorted that way, which the service does not promise.
type newestFirst struct {
	before       int64 // what is older is of no interest
	last         int64
	seen, sorted bool
	broken       bool
}

// past reports whether what follows these items can only be older.
func (o *newestFirst) past(items []*WebhookNotification) bool {
	older := len(items) > 0
	for _, n := range items {
		if n.CreatedAt.IsZero() { // it stands anywhere
			o.broken = true
		}
		at := n.CreatedAt.seconds
		if o.seen {
			o.broken = o.broken || at > o.last
			o.sorted = o.sorted || at < o.last
		}
		o.seen, o.last = true, at
		older = older && at < o.before
	}
	return older && o.sorted && !o.broken
}

// RecoverReport is what [WebhooksService.Recover] found and did.
type RecoverReport struct {
	// Inactive are the webhooks that are switched off, perhaps by the service after failures. What happens meanwhile is
	// not told later, and makes no notifications: read the resources you follow again, and switch the webhook on with
	// [WebhooksService.Update] or [WebhooksService.Ensure].
	Inactive []*Webhook
	Found    int // notifications whose delivery failed
	Handled  int // of them, those that were handled now or before
	// Unhandled are the others: with the same since they are tried again.
	Unhandled []RecoverFailure
}

// RecoverFailure is a notification that could not be recovered.
type RecoverFailure struct {
	NotificationID string
	Event          EventName
	Err            error
}

// Recover makes up for deliveries that failed since a moment, such as the beginning of an outage. For each it reads what
// the notification is about anew, and gives handle a [Notification] with Recovered set: of the same ID and event, in the
// order in which they came about (first those that do not tell), and with the container, shipment or tracking request as it is now. Give it
// [WebhookHandler.Handle], which leaves out what was handled before, so that it may be run at any time. With several
// webhooks on the account, WebhookID tells them apart.
//
// A failure of one does not keep the others from being tried; the error then tells how many there were.
//
// API: GET /webhooks, GET /webhook_notifications, then what Resolve does for each: GET /containers/{id} and the like. Rate bucket: default. Errors: *ArgumentError, ErrFeatureNotEnabled, *APIError.
func (s *WebhooksService) Recover(ctx context.Context, since time.Time, handle func(context.Context, *Notification) error, opts ...CallOption) (*RecoverReport, error) {
	if handle == nil {
		return nil, &ArgumentError{Op: "webhooks.recover", Field: "handle", Problem: "must not be nil; WebhookHandler.Handle will do"}
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
	slices.SortStableFunc(failed, func(a, b *WebhookNotification) int { return cmp.Compare(a.CreatedAt.seconds, b.CreatedAt.seconds) })
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
	n := &Notification{}
	n.tell(from)
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
