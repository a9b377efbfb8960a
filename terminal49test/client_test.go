package terminal49test_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The service accepts every call with all its arguments, and the client decodes every response.
func TestSimulator_EveryCall(t *testing.T) {
	for i, c := range testkit.EveryCall() {
		if c.Op == "documents.create" {
			continue // takes a file that was uploaded: see the tests of Upload
		}
		t.Run(c.Op+"?"+c.Query, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				testkit.AddNamedResources(srv)
				require.NoError(t, c.Do(t.Context(), testkit.SimulatedClient(t, srv)), "call %d", i)
				require.Len(t, testkit.Received(srv, c.Op), 1)
			})
		})
	}
}

// A service without what later documents add (docs/service.md#later-documents), with the page of an
// unknown path (docs/service.md#error-bodies). It also refuses the include value and the event name
// that only those documents have.
func TestSimulator_EveryCallToAnOlderService(t *testing.T) {
	later := map[string]bool{}
	for _, o := range operation.All() {
		later[o.Name] = o.Recent
	}
	for i, c := range testkit.EveryCall() {
		if c.Op == "documents.create" {
			continue
		}
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			testkit.AddNamedResources(srv)
			err := c.Do(t.Context(), testkit.SimulatedClient(t, srv))
			switch {
			case later[c.Op]:
				require.ErrorIs(t, err, terminal49.ErrNotFound, c.Op)
			case strings.Contains(c.Query, "include=party_roles") || strings.Contains(c.Body, "document_representation."):
				require.ErrorIs(t, err, terminal49.ErrInvalid, "call %d of %s", i, c.Op)
			default:
				require.NoError(t, err, "call %d of %s", i, c.Op)
			}
		}, terminal49test.WithoutAutumn2026())
	}
}

// Every operation has a call.
func TestSimulator_EveryOperationIsTried(t *testing.T) {
	var tried []string
	for _, c := range testkit.EveryCall() {
		tried = append(tried, c.Op)
	}
	for _, o := range operation.All() {
		require.Contains(t, tried, o.Name)
	}
}

func TestSimulator_Shipments(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		id := srv.SeedDemo().Shipments[5] // by rail

		page, err := client.Shipments.List(ctx, &terminal49.ShipmentListParams{Number: "COSU240377906"})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, id, page.Items[0].ID)

		shipment, err := client.Shipments.Update(ctx, id,
			terminal49.ShipmentUpdate{ReferenceNumbers: terminal49.Some([]string{"PO-1"}),
				Tags: terminal49.Some([]string{"hot"})})
		require.NoError(t, err)
		require.Equal(t, []string{"PO-1"}, shipment.ReferenceNumbers)

		shipment, err = client.Shipments.StopTracking(ctx, id)
		require.NoError(t, err)
		require.Equal(t, terminal49.StoppedCancelledByUser, shipment.LineTrackingStoppedReason)
		require.False(t, shipment.LineTrackingStoppedAt.IsZero())
		require.Equal(t, srv.UserID, shipment.LineTrackingStoppedByUser.ID())
		stopped, err := testkit.Drain(client.Shipments.All(ctx,
			&terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(true)}))
		require.NoError(t, err)
		require.Len(t, stopped, 1)

		shipment, err = client.Shipments.ResumeTracking(ctx, id)
		require.NoError(t, err)
		require.True(t, shipment.LineTrackingStoppedAt.IsZero())

		shipment, err = client.Shipments.Get(ctx, id,
			&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeDestination,
				"containers.pickup_facility"}})
		require.NoError(t, err)
		require.Equal(t, []string{"hot"}, shipment.Tags)
		place, ok := shipment.Destination.Value()
		require.True(t, ok)
		require.Equal(t, "Chicago", place.(*terminal49.MetroArea).Name)
		boxes, complete := shipment.Containers.Values()
		require.True(t, complete)
		ramp, ok := boxes[0].PickupFacility.Value()
		require.True(t, ok)
		require.True(t, ramp.IsRail())
	})
}

func TestSimulator_Containers(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		box := srv.ContainerIDs(srv.SeedDemo().Shipments[5])[0] // by rail

		want, _ := srv.Container(box)
		page, err := client.Containers.List(ctx, &terminal49.ContainerListParams{Number: want.Number})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, box, page.Items[0].ID)

		changed, err := client.Containers.Update(ctx, box,
			terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"B-7"})})
		require.NoError(t, err)
		require.Equal(t, []string{"B-7"}, changed.ReferenceNumbers)
		message, err := client.Containers.Refresh(ctx, box)
		require.NoError(t, err)
		require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)

		got, err := client.Containers.Get(ctx, box,
			&terminal49.ContainerGetParams{Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment,
				"shipment.port_of_lading"}})
		require.NoError(t, err)
		shipment, ok := got.Shipment.Value()
		require.True(t, ok)
		port, ok := shipment.PortOfLading.Value()
		require.True(t, ok)
		require.Equal(t, "CNSHA", port.LOCODE)
		require.InDelta(t, 31.22, port.Latitude.Or(0), 1e-9, "sent as a string")
	})
}

func TestSimulator_TrackingRequests(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client, demo := t.Context(), testkit.SimulatedClient(t, srv), srv.SeedDemo()

		inference, err := client.TrackingRequests.Infer(ctx, demo.Untracked)
		require.NoError(t, err)
		require.Equal(t, "bill_of_lading", inference.NumberType)

		customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
		made, err := client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
			RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: demo.Untracked, SCAC: "HLCU",
			ReferenceNumbers: []string{"PO-9"}, ShipmentTags: []string{"spring"}, CustomerID: customer,
		})
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingPending, made.Status)
		require.Equal(t, customer, made.Customer.ID())
		require.Equal(t, terminal49.RelationshipNull, made.Shipment.State())

		made, err = client.TrackingRequests.Update(ctx, made.ID,
			terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("PO-10")})
		require.NoError(t, err)
		require.Contains(t, made.ReferenceNumbers, "PO-10")

		time.Sleep(10 * time.Second)
		found, err := client.TrackingRequests.List(ctx, &terminal49.TrackingRequestListParams{RequestNumber: demo.Untracked})
		require.NoError(t, err)
		require.Len(t, found.Items, 1)
		got, err := client.TrackingRequests.Get(ctx, made.ID, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingCreated, got.Status)
		shipment, ok := got.Shipment.Value()
		require.True(t, ok, "always included")
		require.Equal(t, []string{"spring"}, shipment.Tags)
		require.Equal(t, "Quay Hardware", shipment.CustomerName)

		account := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU555000112", SCAC: "MAEU", Customer: srv.AccountID})
		include := &terminal49.TrackingRequestGetParams{Include: []terminal49.TrackingRequestInclude{terminal49.TrackingRequestIncludeCustomer}}
		got, err = client.TrackingRequests.Get(ctx, account, include, terminal49.WithStrictDecoding())
		require.NoError(t, err)
		require.Equal(t, terminal49.Linked[*terminal49.Party]("account", srv.AccountID), got.Customer, "an included account is not read as a party")
	})
}

func TestSimulator_ShippingLines(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		lines, err := client.ShippingLines.List(ctx)
		require.NoError(t, err)
		i := slices.IndexFunc(lines, func(l *terminal49.ShippingLine) bool { return l.SCAC == "ZIMU" })
		require.NotEqual(t, -1, i)
		zim, err := client.ShippingLines.Get(ctx, lines[i].ID)
		require.NoError(t, err)
		require.True(t, zim.Supports(terminal49.RequestTypeBookingNumber))
		require.False(t, zim.Supports(terminal49.RequestTypeContainer))
	})
}

// The same over a real socket, where net/http adds headers and may reuse connections.
func TestSimulator_OverASocket(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := testkit.SimulatedClient(t, srv, terminal49.WithHTTPClient(&http.Client{Transport: transport}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond}))
	demo := srv.SeedDemo()

	var response terminal49.Response
	srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Kind: terminal49test.FaultDrop})
	_, err := client.Shipments.Get(t.Context(), demo.Shipments[0], nil, terminal49.WithResponse(&response))
	require.NoError(t, err)
	require.Equal(t, 2, response.Attempts)

	srv.AddFault(terminal49test.Fault{Operation: "shipments.stop_tracking", Kind: terminal49test.FaultTruncate})
	stopped, err := client.Shipments.StopTracking(t.Context(), demo.Shipments[0])
	require.NoError(t, err)
	require.Equal(t, terminal49.StoppedCancelledByUser, stopped.LineTrackingStoppedReason)

	srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
	_, err = client.TrackingRequests.Create(t.Context(), testkit.SureRequest())
	require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
	require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)

	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultGzip})
	shipments, err := testkit.Drain(client.Shipments.All(t.Context(), nil))
	require.NoError(t, err)
	require.Len(t, shipments, 6)

	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	srv.AddFault(terminal49test.Fault{Operation: "containers.list", Kind: terminal49test.FaultStallBody})
	start := time.Now()
	_, err = client.Containers.List(ctx, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(start), 20*time.Second, "a stalled body does not outlast the context")
	srv.CheckViolations(t)
}

// With a wrong path in the base URL the service responds with an HTML page, whose status is kept.
func TestSimulator_UnknownAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		client := testkit.SimulatedClient(t, srv, terminal49.WithBaseURL(strings.TrimSuffix(srv.URL, "/v2")))
		_, err := client.Shipments.List(t.Context(), nil)
		require.ErrorIs(t, err, terminal49.ErrNotFound)
		var answer *terminal49.APIError
		require.ErrorAs(t, err, &answer)
		require.Empty(t, answer.Errors)
		require.Contains(t, answer.Body, "<html")
		require.Len(t, srv.Violations(), 1, "the service has no such operation")
	})
}

func TestSimulator_WrongToken(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client, err := terminal49.New("not-the-token", terminal49.WithBaseURL(srv.URL),
			terminal49.WithHTTPClient(srv.HTTPClient()))
		require.NoError(t, err)
		_, err = client.ShippingLines.List(t.Context())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.NotContains(t, err.Error(), "not-the-token")
		require.Len(t, srv.Requests(), 1, "a wrong token is not retried")
	})
}

func TestSimulator_RefreshWithoutTheFeature(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Containers.Refresh(t.Context(), testkit.ContainerID)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
		require.ErrorIs(t, err, terminal49.ErrForbidden)
	}, terminal49test.WithoutRefresh())
}

// The first example of the package's page, asked for the verdict: what is set is known, also after
// a journey that said otherwise, unless it is set to be unknown.
func TestSimulator_AvailabilityThatIsSetIsKnown(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		situation := func(id string) terminal49.Situation {
			container, err := client.Containers.Get(t.Context(), id, nil)
			require.NoError(t, err)
			return terminal49.Assess(container, srv.Now(), terminal49.VerdictOptions{}).Situation
		}
		shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU"})
		id := srv.AddContainer(terminal49test.Container{
			Shipment: shipment, Number: "MSKU7182047", AvailableForPickup: terminal49test.Bool(true),
		})
		require.Equal(t, terminal49.SituationReady, situation(id))
		srv.UpdateContainer(id, func(c *terminal49test.Container) { c.AvailabilityKnown = terminal49test.Bool(false) })
		require.NotEqual(t, terminal49.SituationReady, situation(id))
		srv.UpdateContainer(id, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		require.Equal(t, terminal49.SituationReady, situation(id))

		late := srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "MSKU7182411"})
		require.NotEqual(t, terminal49.SituationReady, situation(late))
		srv.UpdateContainer(late, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		require.Equal(t, terminal49.SituationReady, situation(late), "of status new")
		old := srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "TGHU6578122", AvailableForPickup: terminal49test.Bool(false)})
		srv.Advance(48 * time.Hour)
		srv.UpdateContainer(old, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		require.Equal(t, terminal49.SituationReady, situation(old), "checked two days ago, and when it was released")
		srv.UpdateContainer(old, func(c *terminal49test.Container) {
			c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(true), "new"
		})
		require.Equal(t, terminal49.SituationStale, situation(old), "a status that is set contradicts it")
	})
}
