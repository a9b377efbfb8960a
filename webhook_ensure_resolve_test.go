package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestEnsure_CreatesOrUpdates(t *testing.T) {
	events := []terminal49.EventName{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		other, err := client.Webhooks.Create(ctx,
			terminal49.WebhookCreate{URL: "https://elsewhere.example/", Events: events})
		require.NoError(t, err)

		made, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, events)
		require.NoError(t, err)
		require.NotEmpty(t, made.Secret.Reveal())
		require.Equal(t, events, made.Events)
		require.NotEqual(t, other.ID, made.ID)

		again, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, []terminal49.EventName{events[1], events[0]})
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, made.Secret.Reveal(), again.Secret.Reveal())
		require.Empty(t, testkit.Received(srv, "webhooks.update"), "the order of events does not matter")

		more := append(events, terminal49.EventVesselArrived)
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, more, again.Events)

		srv.UpdateWebhook(made.ID, func(w *terminal49test.Webhook) {
			w.Inactive, w.Headers = true, []terminal49test.WebhookHeader{{Name: "X-Key", Value: testkit.HeaderValue}}
		})
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.True(t, again.Active)
		require.Equal(t, testkit.HeaderValue, again.Headers[0].Value.Reveal(), "headers are not changed")
		require.Len(t, testkit.Received(srv, "webhooks.create"), 2)

		time.Sleep(time.Second)
		srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: testkit.EventTexts(more)})
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID, "the oldest is used")
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var argument *terminal49.ArgumentError
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), "http://a.example", events)
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "webhooks.ensure", argument.Op)
		_, err = testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{})
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests())
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, events)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

// A program that finds an older webhook after creating one deletes its own and uses the older.
func TestEnsure_PrefersAnOlderWebhook(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var theirs string
		client := testkit.SimulatedClient(t, srv, testkit.Before("webhooks.create", func() {
			theirs = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL,
				Events: []string{"container.updated"}, CreatedAt: srv.Now().Add(-time.Second)})
		}))
		w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL,
			[]terminal49.EventName{terminal49.EventContainerUpdated})
		require.NoError(t, err)
		require.Equal(t, theirs, w.ID)
		require.NotEmpty(t, w.Secret.Reveal())
		page, err := client.Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// Two programs that create a webhook in the same second agree on one, in any order.
func TestEnsure_RivalsAgreeOnOneWebhook(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var both, done sync.WaitGroup
		both.Add(2)
		got := make([]*terminal49.Webhook, 2)
		for i := range got {
			client := testkit.SimulatedClient(t, srv, testkit.Before("webhooks.create", func() {
				both.Done()
				both.Wait()
				time.Sleep(time.Duration(i) * 300 * time.Millisecond)
			}))
			done.Go(func() {
				got[i], _ = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL,
					[]terminal49.EventName{terminal49.EventContainerUpdated})
			})
		}
		done.Wait()
		require.Equal(t, got[0].ID, got[1].ID)
		page, err := testkit.SimulatedClient(t, srv).Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// service-facts 14.8: one version of the service has the older names of the document events,
// another the newer ones. Ensure gets the webhook from either, and leaves it alone afterwards.
func TestEnsure_TriesTheOtherNameOfDocumentEvents(t *testing.T) {
	const (
		older, newer = terminal49.EventDocumentExtracted, terminal49.EventDocumentRepresentationCreated
		failed       = terminal49.EventDocumentRepresentationFailed
		updated      = terminal49.EventContainerUpdated
	)
	for name, c := range map[string]struct{ asked, want []terminal49.EventName }{
		"newer":    {[]terminal49.EventName{newer, updated, failed}, []terminal49.EventName{older, updated, terminal49.EventDocumentExtractionFailed}},
		"both":     {[]terminal49.EventName{older, newer}, []terminal49.EventName{older}},
		"accepted": {[]terminal49.EventName{older, updated}, []terminal49.EventName{older, updated}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				client := testkit.SimulatedClient(t, srv)
				made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, c.asked)
				require.NoError(t, err)
				require.Equal(t, c.want, made.Events)
				require.NotEmpty(t, made.Secret.Reveal())

				time.Sleep(time.Hour)
				again, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, c.asked)
				require.NoError(t, err)
				require.Equal(t, made.ID, again.ID)
				require.Equal(t, c.want, again.Events)
				require.Equal(t, made.Secret.Reveal(), again.Secret.Reveal())
			}, terminal49test.WithoutAutumn2026())
		})
	}
	// The other way round: a service that knows only the newer names.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			if req.Method == http.MethodPost {
				body, err := req.GetBody()
				require.NoError(t, err)
				text, err := io.ReadAll(body)
				require.NoError(t, err)
				if strings.Contains(string(text), string(older)) {
					return testkit.Answer(422, `{"errors":[{"detail":"events is not included in the list"}]}`)(req)
				}
			}
			return next.RoundTrip(req)
		}))
		made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{older})
		require.NoError(t, err)
		require.Equal(t, []terminal49.EventName{newer}, made.Events)
	})
	// An event that is refused under both names: the first error, which is about what was asked.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{newer})
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.ErrorContains(t, err, string(newer))
	}, terminal49test.WithoutWebhookEvents(string(older)))
	// Other events have one name.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{updated})
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.Len(t, testkit.Received(srv, "webhooks.create"), 1)
	}, terminal49test.WithoutWebhookEvents(string(updated)))
}

// The doc comment of Ensure: nil means all events of GET /webhooks/events (service-facts 14.8: a
// document event may have either name), and WithoutRivalCheck takes no time.
func TestEnsure_AllEventsWithoutAWait(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithoutRivalCheck())
		categories, err := client.Webhooks.Events(t.Context())
		require.NoError(t, err)
		available := map[terminal49.EventName]bool{}
		for _, category := range categories {
			for _, event := range category.Events {
				available[event.Name] = true
			}
		}
		start := time.Now()
		made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		for _, event := range made.Events {
			require.True(t, available[event], event)
		}
		require.Contains(t, made.Events, terminal49.EventContainerUpdated)
		require.NotEmpty(t, made.Secret.Reveal())
		again, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Empty(t, testkit.Received(srv, "webhooks.update"))
		require.Zero(t, time.Since(start))
		_, err = client.Webhooks.Ensure(t.Context(), "http://a.example", nil)
		require.ErrorAs(t, err, new(*terminal49.ArgumentError))
		require.Len(t, testkit.Received(srv, "webhooks.events"), 3)
	})
}

// addWorld adds a shipment, its container and a webhook for all events.
func addWorld(t *testing.T, srv *terminal49test.Server) (shipment, container, hook string) {
	t.Helper()
	shipment = srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU", PortOfDischarge: "USLAX", PODTerminal: "WBCT",
		PODVessel: "9708851",
	})
	container = srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "MSCU1234566"})
	hook = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: testkit.EventTexts(terminal49.WebhookEvents())})
	return shipment, container, hook
}

// transportEvents returns the event names of transport events.
func transportEvents() []terminal49.EventName {
	return slices.DeleteFunc(terminal49.WebhookEvents(), func(e terminal49.EventName) bool {
		return !strings.HasPrefix(string(e), "container.transport.") && !strings.HasPrefix(string(e), "container.pickup_")
	})
}

// linkedOnly returns a notification of the simulator as a delivery that includes nothing.
func linkedOnly(t *testing.T, srv *terminal49test.Server, i int) *terminal49.Notification {
	t.Helper()
	n := srv.WebhookNotifications()[i]
	body, err := json.Marshal(map[string]any{"data": map[string]any{
		"id": n.ID, "type": "webhook_notification",
		"attributes": map[string]any{"event": n.Event, "created_at": n.CreatedAt},
		"relationships": map[string]any{"reference_object": map[string]any{"data": map[string]any{"id": n.ReferenceID,
			"type": n.ReferenceType}}},
	}})
	require.NoError(t, err)
	return testkit.ParsedDelivery(t, body)
}

// From a delivery that includes nothing, Resolve reaches the container, the shipment, the location,
// the terminal and the vessel.
func TestResolve_CompletesALinkedNotification(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		shipment, container, _ := addWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.available", Container: container, Location: "USLAX", Terminal: "WBCT",
			Vessel: "9708851",
		})
		client := testkit.SimulatedClient(t, srv)
		minimal := linkedOnly(t, srv, 0)
		n, err := client.Webhooks.Resolve(t.Context(), minimal)
		require.NoError(t, err)
		milestone, ok := n.Payload.(*terminal49.MilestonePayload).Milestone.Value()
		require.True(t, ok)
		require.Equal(t, terminal49.EventAvailable, milestone.Event)
		box, ok := n.Container.Value()
		require.True(t, ok)
		require.Equal(t, container, box.ID)
		bill, ok := n.Shipment.Value()
		require.True(t, ok)
		require.Equal(t, shipment, bill.ID)
		terminal, ok := n.Terminal.Value()
		require.True(t, ok)
		require.Equal(t, "WBCT", terminal.Nickname)
		place, ok := n.Location.Value()
		require.True(t, ok)
		require.Equal(t, "USLAX", place.(*terminal49.Port).LOCODE)
		vessel, ok := n.Vessel.Value()
		require.True(t, ok)
		require.Equal(t, "9708851", vessel.IMO)
		require.Equal(t, terminal49.RelationshipAbsent, minimal.Container.State(), "the argument is not modified")
		require.Equal(t, terminal49.RelationshipLinked, minimal.Payload.(*terminal49.MilestonePayload).Milestone.State())

		sentSoFar := len(srv.Requests())
		again, err := client.Webhooks.Resolve(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, n.Container, again.Container)
		require.Len(t, srv.Requests(), sentSoFar, "nothing is missing")
	})
}

// Every event of the simulator leads to a shipment.
func TestResolve_EveryFamily(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := addWorld(t, srv)
		require.Len(t, transportEvents(), 33)
		for _, event := range transportEvents() {
			srv.AddTransportEvent(terminal49test.TransportEvent{
				Event: string(event), Container: container, Location: "USCHI", Value: "2024-07-11T07:00:00Z",
			})
		}
		request := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSCU555000222", SCAC: "MSCU"})
		time.Sleep(time.Minute)
		client := testkit.SimulatedClient(t, srv)
		for i, sent := range srv.WebhookNotifications() {
			n, err := client.Webhooks.Resolve(t.Context(), linkedOnly(t, srv, i))
			require.NoError(t, err, sent.Event)
			require.Equal(t, terminal49.RelationshipIncluded, n.Shipment.State(), sent.Event)
			switch p := n.Payload.(type) {
			case *terminal49.TrackingRequestPayload:
				require.Equal(t, request, p.Request.ID())
				require.Equal(t, terminal49.RelationshipIncluded, p.Request.State())
			case *terminal49.LastFreeDayPayload:
				require.False(t, p.LastFreeDay.IsZero(), sent.Event)
			case *terminal49.EstimatePayload:
				require.Equal(t, n.Event == terminal49.EventShipmentEstimatedArrival,
					n.Container.State() == terminal49.RelationshipAbsent)
			case *terminal49.MilestonePayload:
				area, ok := n.Location.Value()
				require.True(t, ok)
				_, inland := area.(*terminal49.MetroArea)
				require.Equal(t, n.Container.ID() == container, inland)
			}
		}
	})
}

func TestResolve_Failures(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := addWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container})
		minimal := linkedOnly(t, srv, 0)
		var argument *terminal49.ArgumentError
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Resolve(t.Context(), nil)
		require.ErrorAs(t, err, &argument)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = testkit.SimulatedClient(t, srv).Webhooks.Resolve(ctx, minimal)
		require.ErrorIs(t, err, context.Canceled)

		srv.Fault(terminal49test.Fault{Kind: terminal49test.FaultStatus, Operation: "containers.get", Status: 404, Times: 1})
		n, err := testkit.SimulatedClient(t, srv).Webhooks.Resolve(t.Context(), minimal)
		require.NoError(t, err)
		require.Equal(t, terminal49.RelationshipLinked, n.Container.State(), "a missing container stays linked")
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		n := testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventAvailable, "transport_event", "", ""))
		n.ID = testkit.NotificationID
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Resolve(t.Context(), n)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

func failAll(srv *terminal49test.Server) {
	for _, n := range srv.WebhookNotifications() {
		srv.UpdateWebhookNotification(n.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
	}
}

func TestRecover_HandlesFailedNotifications(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, hook := addWorld(t, srv)
		client := testkit.SimulatedClient(t, srv)
		srv.UpdateContainer(container,
			func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(false) })
		failAll(srv) // before the outage
		time.Sleep(time.Hour)
		since := time.Now()
		for i, event := range []terminal49.EventName{terminal49.EventVesselArrived, terminal49.EventVesselDischarged} {
			time.Sleep(time.Minute)
			srv.AddTransportEvent(terminal49test.TransportEvent{Event: string(event), Container: container,
				Location: "USLAX"})
			require.Len(t, srv.WebhookNotifications(), i+2)
		}
		srv.UpdateContainer(container,
			func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		failAll(srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: container}) // arrives
		time.Sleep(time.Minute)
		srv.UpdateWebhook(hook, func(w *terminal49test.Webhook) { w.Inactive = true })

		var got []terminal49.EventName
		fail := true
		h := testkit.NewHandler(t, webhook.OnAny(func(_ context.Context, n *terminal49.Notification) error {
			require.True(t, n.Recovered)
			require.Equal(t, hook, n.WebhookID)
			box, ok := n.Container.Value()
			require.True(t, ok)
			require.Equal(t, terminal49.Some(true), box.AvailableForPickup, "as it is now")
			if n.Event == terminal49.EventVesselDischarged && fail {
				return errors.New("not yet")
			}
			got = append(got, n.Event)
			return nil
		}))
		report, err := client.Webhooks.Recover(t.Context(), since, h.Handle)
		require.ErrorContains(t, err, "1 of 3 notifications")
		require.Equal(t, []terminal49.EventName{terminal49.EventVesselArrived, terminal49.EventContainerUpdated}, got,
			"in order, and a failure does not stop the others")
		require.Len(t, report.Inactive, 1)
		require.Equal(t, hook, report.Inactive[0].ID)
		require.Equal(t, 3, report.Found)
		require.Equal(t, 2, report.Handled)
		require.Len(t, report.Unhandled, 1)
		require.Equal(t, terminal49.EventVesselDischarged, report.Unhandled[0].Event)
		require.Len(t, testkit.Received(srv, "containers.get"), 1, "the container is read once")

		fail, got = false, nil
		report, err = client.Webhooks.Recover(t.Context(), since, h.Handle)
		require.NoError(t, err)
		require.Equal(t, []terminal49.EventName{terminal49.EventVesselDischarged}, got, "the others were handled before")
		require.Equal(t, 3, report.Handled)

		_, err = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, terminal49.WebhookEvents())
		require.NoError(t, err)
		report, err = client.Webhooks.Recover(t.Context(), time.Now(), h.Handle)
		require.NoError(t, err)
		require.Equal(t, &terminal49.RecoverReport{}, report)
	})
	var argument *terminal49.ArgumentError
	_, err := testkit.NewClient(t, testkit.Answer(200, "{}")).Webhooks.Recover(t.Context(), time.Now(), nil)
	require.ErrorAs(t, err, &argument)
	_, err = testkit.NewClient(t, testkit.Answer(500, "{}")).Webhooks.Recover(t.Context(), time.Now(),
		func(context.Context, *terminal49.Notification) error { return nil })
	require.ErrorIs(t, err, terminal49.ErrServer)
}
