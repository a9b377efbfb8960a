package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// receiver is what a program of your own would have: a server with one handler, and callbacks that do the work.
type receiver struct {
	client  *terminal49.Client
	log     *slog.Logger
	webhook *terminal49.WebhookHandler
	server  *http.Server

	mu    sync.Mutex
	ready map[string]bool // container numbers and whether they could be picked up when last heard of
}

func newReceiver(client *terminal49.Client, log *slog.Logger, secret terminal49.Secret, proxies []netip.Prefix) (*receiver, error) {
	r := &receiver{client: client, log: log, ready: map[string]bool{}}
	var err error
	r.webhook, err = terminal49.NewWebhookHandler(
		terminal49.WithWebhookSecrets(secret),
		terminal49.OnTrackingSucceeded(r.found),
		terminal49.OnTrackingFailed(r.failed),
		terminal49.OnMilestone(r.milestone),
		terminal49.OnLastFreeDayChanged(r.lastFreeDay),
		terminal49.OnContainerUpdated(r.updated),
		terminal49.OnUnknown(r.unknown),
		terminal49.OnDeadLetter(r.odd),
		terminal49.OnDelivery(r.note),
	)
	if err != nil {
		return nil, err
	}
	only, err := client.Webhooks.OnlyFromService(&terminal49.WebhookSourceParams{TrustedProxies: proxies})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/terminal49", only(r.webhook))
	r.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute,
	}
	return r, nil
}

// close stops taking deliveries in, finishes those in hand, and only then returns.
func (r *receiver) close(ctx context.Context) error {
	return errors.Join(r.server.Shutdown(ctx), r.webhook.Shutdown(ctx))
}

// updated decides whether the container can be picked up. A program of yours would tell the dispatcher.
func (r *receiver) updated(ctx context.Context, n *terminal49.Notification, p *terminal49.ContainerUpdatedPayload) error {
	container, included := n.Container.Value()
	if !included {
		full, err := r.client.Webhooks.Resolve(ctx, n)
		if err != nil {
			return err // the service delivers again
		}
		if container, included = full.Container.Value(); !included {
			r.log.WarnContext(ctx, "container is gone", "notification", n.ID)
			return nil
		}
	}
	readiness := terminal49.PickupReadiness(container)
	r.mu.Lock()
	r.ready[container.Number] = readiness.Ready()
	r.mu.Unlock()
	r.log.InfoContext(ctx, "container updated", "container", container.Number, "changed", p.Changes.Attributes(),
		"ready", readiness.Ready(), "reason", readiness.Reason())
	return nil
}

func (r *receiver) milestone(ctx context.Context, n *terminal49.Notification, p *terminal49.MilestonePayload) error {
	event, included := p.Milestone.Value()
	if !included {
		r.log.InfoContext(ctx, "milestone", "event", n.Event)
		return nil
	}
	r.log.InfoContext(ctx, "milestone", "event", n.Event, "container", number(n), "at", event.Timestamp, "place", event.LocationLOCODE)
	return nil
}

func (r *receiver) lastFreeDay(ctx context.Context, n *terminal49.Notification, p *terminal49.LastFreeDayPayload) error {
	day, known := p.LastFreeDay.Date()
	if !known {
		r.log.WarnContext(ctx, "last free day changed, to an unknown day", "source", p.Source)
		return nil
	}
	r.log.InfoContext(ctx, "last free day", "day", day, "source", p.Source)
	return nil
}

func (r *receiver) found(ctx context.Context, n *terminal49.Notification, p *terminal49.TrackingRequestPayload) error {
	if shipment, ok := n.Shipment.Value(); ok {
		r.log.InfoContext(ctx, "tracking", "bill_of_lading", shipment.BillOfLadingNumber, "eta", shipment.PODETA)
	}
	return nil
}

func (r *receiver) failed(ctx context.Context, _ *terminal49.Notification, p *terminal49.TrackingRequestPayload) error {
	if request, ok := p.Request.Value(); ok {
		r.log.WarnContext(ctx, "not found", "number", request.RequestNumber, "reason", request.FailedReason)
	}
	return nil
}

func (r *receiver) unknown(ctx context.Context, n *terminal49.Notification, _ *terminal49.UnknownPayload) error {
	r.log.WarnContext(ctx, "an event that is new to this program", "event", n.Event)
	return nil
}

func (r *receiver) odd(ctx context.Context, letter terminal49.DeadLetter) error {
	r.log.ErrorContext(ctx, "signed, but no notification", "bytes", len(letter.Body), "error", letter.Err)
	return nil
}

// note logs what is not as it should be; successes have been logged by the callbacks.
func (r *receiver) note(ctx context.Context, d terminal49.WebhookDelivery) {
	if d.Status >= http.StatusBadRequest {
		r.log.WarnContext(ctx, "delivery not handled", "outcome", d.Outcome, "status", d.Status, "event", d.Event, "error", d.Err)
	}
}

func number(n *terminal49.Notification) string {
	if container, ok := n.Container.Value(); ok {
		return container.Number
	}
	return n.Container.ID()
}
