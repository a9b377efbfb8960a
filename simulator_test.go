package terminal49

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
)

// simulated runs test in a bubble, against a service of its own on the bubble's clock. The client must not do anything
// that the service does not document.
func simulated(t *testing.T, test func(*testing.T, *terminal49test.Server), opts ...terminal49test.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
		defer srv.Close()
		test(t, srv)
		srv.CheckViolations(t)
	})
}

// simClient is a client as a user makes it, but for strict decoding: of what the simulator says, everything must be
// understood.
func simClient(t testing.TB, srv *terminal49test.Server, opts ...Option) *Client {
	t.Helper()
	opts = append([]Option{WithBaseURL(srv.URL), WithHTTPClient(srv.HTTPClient()), WithStrictDecoding()}, opts...)
	client, err := New(srv.Token, opts...)
	require.NoError(t, err)
	return client
}

// received lists the requests of one operation.
func received(srv *terminal49test.Server, op string) []terminal49test.Request {
	return slices.DeleteFunc(srv.Requests(), func(r terminal49test.Request) bool { return r.Operation != op })
}

// gaps are the times between requests.
func gaps(requests []terminal49test.Request) []time.Duration {
	var list []time.Duration
	for i := 1; i < len(requests); i++ {
		list = append(list, requests[i].At.Sub(requests[i-1].At))
	}
	return list
}

// around makes an option of a function that may act before each attempt and pass it on.
func around(do func(req *http.Request, next http.RoundTripper) (*http.Response, error)) Option {
	return WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) { return do(req, next) })
	})
}

// before acts once, just before the first request of an operation is sent.
func before(op string, act func()) Option {
	return around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if info, _ := CallFromContext(req.Context()); info.Op == op && act != nil {
			act()
			act = nil
		}
		return next.RoundTrip(req)
	})
}

// Every call with everything that can be given to it is understood by the service, and every answer by the client.
func TestSimulator_EveryCall(t *testing.T) {
	for i, c := range everyCall() {
		if c.op == "documents.create" {
			continue // takes a file that was uploaded: see the tests of Upload
		}
		t.Run(c.op+"?"+c.query, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				addNamedResources(srv)
				require.NoError(t, c.do(t.Context(), simClient(t, srv)), "call %d", i)
				require.Len(t, received(srv, c.op), 1)
			})
		})
	}
}

// addNamedResources adds what the calls of everyCall ask for by id.
func addNamedResources(srv *terminal49test.Server) {
	srv.AddParty(terminal49test.Party{ID: partyID, CompanyName: "Ümlaut & Sons"})
	srv.AddShippingLine(terminal49test.ShippingLine{ID: lineID, SCAC: "ABCD", Name: "A Line", TracksBillsOfLading: true})
	srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123", ShippingLine: "MAEU", PortOfDischarge: "USLAX"})
	srv.AddContainer(terminal49test.Container{ID: containerID, Number: "MSCU1234566", Shipment: shipmentID})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: requestID, RequestNumber: "MAEU123", SCAC: "MAEU", Status: "created", Shipment: shipmentID})
	srv.AddDocument(terminal49test.Document{ID: documentID, FileName: "scan.png", ContentType: "image/png", Content: []byte("png")})
	srv.AddEmailSubmission(terminal49test.EmailSubmission{ID: emailID, Subject: "Papers"})
	addNamedPlaces(srv)
	addNamedFields(srv)
	addNamedWebhooks(srv)
}

// Each operation on offer is among the calls that are tried.
func TestSimulator_EveryOperationIsTried(t *testing.T) {
	var tried []string
	for _, c := range everyCall() {
		tried = append(tried, c.op)
	}
	for _, o := range operation.All() {
		require.Contains(t, tried, o.Name)
	}
}

func TestSimulator_Shipments(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), simClient(t, srv)
		id := srv.SeedDemo().Shipments[5] // by rail

		page, err := client.Shipments.List(ctx, &ShipmentListParams{Number: "COSU240377906"})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, id, page.Items[0].ID)

		shipment, err := client.Shipments.Update(ctx, id, ShipmentUpdate{ReferenceNumbers: Some([]string{"PO-1"}), Tags: Some([]string{"hot"})})
		require.NoError(t, err)
		require.Equal(t, []string{"PO-1"}, shipment.ReferenceNumbers)

		shipment, err = client.Shipments.StopTracking(ctx, id)
		require.NoError(t, err)
		require.Equal(t, StoppedCancelledByUser, shipment.LineTrackingStoppedReason)
		require.False(t, shipment.LineTrackingStoppedAt.IsZero())
		require.Equal(t, srv.UserID, shipment.LineTrackingStoppedByUser.ID())
		stopped, err := drain(client.Shipments.All(ctx, &ShipmentListParams{TrackingStopped: Some(true)}))
		require.NoError(t, err)
		require.Len(t, stopped, 1)

		shipment, err = client.Shipments.ResumeTracking(ctx, id)
		require.NoError(t, err)
		require.True(t, shipment.LineTrackingStoppedAt.IsZero())

		shipment, err = client.Shipments.Get(ctx, id, &ShipmentGetParams{Include: []ShipmentInclude{ShipmentIncludeDestination, "containers.pickup_facility"}})
		require.NoError(t, err)
		require.Equal(t, []string{"hot"}, shipment.Tags)
		place, ok := shipment.Destination.Value()
		require.True(t, ok)
		require.Equal(t, "Chicago", place.(*MetroArea).Name)
		boxes, complete := shipment.Containers.Values()
		require.True(t, complete)
		ramp, ok := boxes[0].PickupFacility.Value()
		require.True(t, ok)
		require.True(t, ramp.IsRail())
	})
}

func TestSimulator_Containers(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), simClient(t, srv)
		box := srv.ContainerIDs(srv.SeedDemo().Shipments[5])[0] // by rail

		want, _ := srv.Container(box)
		page, err := client.Containers.List(ctx, &ContainerListParams{Number: want.Number})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, box, page.Items[0].ID)

		for _, form := range []CallOption{nil, WithIDInPath()} {
			changed, err := client.Containers.Update(ctx, box, ContainerUpdate{ReferenceNumbers: Some([]string{"B-7"})}, form)
			require.NoError(t, err)
			require.Equal(t, []string{"B-7"}, changed.ReferenceNumbers)
		}
		message, err := client.Containers.Refresh(ctx, box)
		require.NoError(t, err)
		require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)

		got, err := client.Containers.Get(ctx, box, &ContainerGetParams{Include: []ContainerInclude{ContainerIncludeShipment, "shipment.port_of_lading"}})
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
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client, demo := t.Context(), simClient(t, srv), srv.SeedDemo()

		inference, err := client.TrackingRequests.Infer(ctx, demo.Untracked)
		require.NoError(t, err)
		require.Equal(t, NumberBillOfLading, inference.NumberType)

		customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
		made, err := client.TrackingRequests.Create(ctx, TrackingRequestCreate{
			RequestType: RequestBillOfLading, RequestNumber: demo.Untracked, SCAC: "HLCU",
			ReferenceNumbers: []string{"PO-9"}, ShipmentTags: []string{"spring"}, CustomerID: customer,
		})
		require.NoError(t, err)
		require.Equal(t, TrackingPending, made.Status)
		require.Equal(t, customer, made.Customer.ID())
		require.Equal(t, RelationshipNull, made.Shipment.State())

		made, err = client.TrackingRequests.Update(ctx, made.ID, TrackingRequestUpdate{ReferenceNumber: Some("PO-10")})
		require.NoError(t, err)
		require.Contains(t, made.ReferenceNumbers, "PO-10")

		time.Sleep(10 * time.Second)
		found, err := client.TrackingRequests.List(ctx, &TrackingRequestListParams{RequestNumber: demo.Untracked})
		require.NoError(t, err)
		require.Len(t, found.Items, 1)
		got, err := client.TrackingRequests.Get(ctx, made.ID, nil)
		require.NoError(t, err)
		require.Equal(t, TrackingCreated, got.Status)
		shipment, ok := got.Shipment.Value()
		require.True(t, ok, "always included")
		require.Equal(t, []string{"spring"}, shipment.Tags)
		require.Equal(t, "Quay Hardware", shipment.CustomerName)
	})
}

func TestSimulator_ShippingLines(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), simClient(t, srv)
		lines, err := client.ShippingLines.List(ctx)
		require.NoError(t, err)
		i := slices.IndexFunc(lines, func(l *ShippingLine) bool { return l.SCAC == "ZIMU" })
		require.NotEqual(t, -1, i)
		zim, err := client.ShippingLines.Get(ctx, lines[i].ID)
		require.NoError(t, err)
		require.True(t, zim.Supports(RequestBookingNumber))
		require.False(t, zim.Supports(RequestContainer))
	})
}

// The same over a real socket, where net/http adds what it adds and may reuse connections.
func TestSimulator_OverASocket(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := simClient(t, srv, WithHTTPClient(&http.Client{Transport: transport}), WithRetry(RetryPolicy{MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond}))
	demo := srv.SeedDemo()

	var response Response
	srv.Fault(terminal49test.Fault{Operation: "shipments.get", Kind: terminal49test.FaultDrop})
	_, err := client.Shipments.Get(t.Context(), demo.Shipments[0], nil, WithResponse(&response))
	require.NoError(t, err)
	require.Equal(t, 2, response.Attempts)

	srv.Fault(terminal49test.Fault{Operation: "shipments.stop_tracking", Kind: terminal49test.FaultTruncate})
	stopped, err := client.Shipments.StopTracking(t.Context(), demo.Shipments[0])
	require.NoError(t, err)
	require.Equal(t, StoppedCancelledByUser, stopped.LineTrackingStoppedReason)

	srv.Fault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
	_, err = client.TrackingRequests.Track(t.Context(), demo.Untracked, nil)
	require.True(t, IsOutcomeUnknown(err), "%v", err)
	require.Len(t, received(srv, "tracking_requests.create"), 1)

	srv.Fault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultGzip})
	shipments, err := drain(client.Shipments.All(t.Context(), nil))
	require.NoError(t, err)
	require.Len(t, shipments, 6)

	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	srv.Fault(terminal49test.Fault{Operation: "containers.list", Kind: terminal49test.FaultStallBody})
	start := time.Now()
	_, err = client.Containers.List(ctx, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(start), 5*time.Second, "a stalled body does not outlast the context")
	srv.CheckViolations(t)
}

// A base URL with a wrong path ends on the service's HTML page, which keeps its status.
func TestSimulator_UnknownAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		client := simClient(t, srv, WithBaseURL(strings.TrimSuffix(srv.URL, "/v2")))
		_, err := client.Shipments.List(t.Context(), nil)
		require.ErrorIs(t, err, ErrNotFound)
		var answer *APIError
		require.ErrorAs(t, err, &answer)
		require.Empty(t, answer.Errors)
		require.Contains(t, answer.Body, "<html")
		require.Len(t, srv.Violations(), 1, "the service has no such operation")
	})
}

func TestSimulator_WrongToken(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client, err := New("not-the-token", WithBaseURL(srv.URL), WithHTTPClient(srv.HTTPClient()))
		require.NoError(t, err)
		_, err = client.ShippingLines.List(t.Context())
		require.ErrorIs(t, err, ErrUnauthorized)
		require.NotContains(t, err.Error(), "not-the-token")
		require.Len(t, srv.Requests(), 1, "no retry mends a wrong token")
	})
}

func TestSimulator_RefreshWithoutTheFeature(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := simClient(t, srv).Containers.Refresh(t.Context(), containerID)
		require.ErrorIs(t, err, ErrFeatureNotEnabled)
		require.ErrorIs(t, err, ErrForbidden)
	}, terminal49test.WithoutRefresh())
}
