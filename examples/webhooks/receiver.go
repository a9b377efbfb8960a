package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// receiver is a server with one handler, whose callbacks do the work.
type receiver struct {
	client  *terminal49.Client
	now     func() time.Time
	log     *slog.Logger
	handler *webhook.Handler
	server  *http.Server
}

func newReceiver(
	client *terminal49.Client, now func() time.Time, log *slog.Logger, secret terminal49.Secret, proxies []netip.Prefix,
) (*receiver, error) {
	r := &receiver{client: client, now: now, log: log}
	var err error
	r.handler, err = webhook.NewHandler(
		webhook.WithSecrets(secret),
		webhook.OnTrackingSucceeded(r.found),
		webhook.OnTrackingFailed(r.failed),
		webhook.OnMilestone(r.milestone),
		webhook.OnLastFreeDayChanged(r.lastFreeDay),
		webhook.OnContainerUpdated(r.updated),
		webhook.OnUnknown(r.unknown),
		webhook.OnDeadLetter(r.deadLetter),
		webhook.OnDelivery(r.delivery),
	)
	if err != nil {
		return nil, err
	}
	only, err := webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{TrustedProxies: proxies})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/terminal49", only(r.handler))
	r.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute,
	}
	return r, nil
}

// close refuses new deliveries and waits for the callbacks in progress.
func (r *receiver) close(ctx context.Context) error {
	return errors.Join(r.server.Shutdown(ctx), r.handler.Shutdown(ctx))
}

// updated reads the container and logs where it is and what to do. A real program would notify the
// dispatcher. The notification's own copy may be older, and has no places and no events.
func (r *receiver) updated(ctx context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
	id := n.Container.ID()
	if id == "" { // the delivery has the event alone
		full, err := webhook.Resolve(ctx, r.client, n)
		if err != nil {
			return err // the service delivers again
		}
		id = full.Container.ID()
	}
	container, err := r.client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: related})
	if errors.Is(err, terminal49.ErrNotFound) {
		r.log.WarnContext(ctx, "the container no longer exists", "notification", n.ID)
		return nil
	}
	if err != nil {
		return err
	}
	verdict := terminal49.Assess(container, r.now(), terminal49.VerdictOptions{})
	r.log.InfoContext(ctx, "container updated", "container", container.Number, "changed", p.Changeset.Attributes(),
		"situation", verdict.Situation, "do", verdict.String())
	return nil
}

// related lists what a verdict needs in addition to the container.
var related = terminal49.AssessIncludes()

func (r *receiver) milestone(ctx context.Context, n *webhook.Notification, p *webhook.MilestonePayload) error {
	event, included := p.Milestone.Value()
	if !included {
		r.log.InfoContext(ctx, "milestone", "event", n.Event)
		return nil
	}
	r.log.InfoContext(ctx, "milestone", "event", n.Event, "container", number(n),
		"at", event.Timestamp, "place", event.LocationLOCODE)
	return nil
}

func (r *receiver) lastFreeDay(ctx context.Context, n *webhook.Notification, p *webhook.LastFreeDayPayload) error {
	day, ok := p.LastFreeDay.Date()
	if !ok {
		r.log.WarnContext(ctx, "last free day changed to an unknown day", "source", p.Source)
		return nil
	}
	r.log.InfoContext(ctx, "last free day", "day", day, "source", p.Source)
	return nil
}

func (r *receiver) found(ctx context.Context, n *webhook.Notification, p *webhook.TrackingRequestPayload) error {
	if shipment, ok := n.Shipment.Value(); ok {
		r.log.InfoContext(ctx, "tracking", "bill_of_lading", shipment.BillOfLadingNumber, "eta", shipment.PODETA)
	}
	return nil
}

func (r *receiver) failed(ctx context.Context, _ *webhook.Notification, p *webhook.TrackingRequestPayload) error {
	if request, ok := p.Request.Value(); ok {
		r.log.WarnContext(ctx, "not found", "number", request.RequestNumber, "reason", request.FailedReason)
	}
	return nil
}

func (r *receiver) unknown(ctx context.Context, n *webhook.Notification, _ *webhook.UnknownPayload) error {
	r.log.WarnContext(ctx, "an event that this program does not know", "event", n.Event)
	return nil
}

func (r *receiver) deadLetter(ctx context.Context, letter webhook.DeadLetter) error {
	r.log.ErrorContext(ctx, "signed, but not a notification", "bytes", len(letter.Body), "error", letter.Err)
	return nil
}

// delivery logs failures; the callbacks have logged the successes.
func (r *receiver) delivery(ctx context.Context, d webhook.Delivery) {
	if d.StatusCode >= http.StatusBadRequest {
		r.log.WarnContext(ctx, "delivery not handled",
			"outcome", d.Outcome, "status", d.StatusCode, "event", d.Event, "error", d.Err)
	}
}

func number(n *webhook.Notification) string {
	if container, ok := n.Container.Value(); ok {
		return container.Number
	}
	return n.Container.ID()
}
