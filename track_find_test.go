package terminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// trackRequest tracks a number whose type and line are known.
func trackRequest(ctx context.Context, s *terminal49.TrackingRequestsService, r trackingRow) (*terminal49.TrackingRequest, terminal49.TrackResult, error) {
	outcome, err := s.Track(ctx, r.RequestNumber, &terminal49.TrackParams{SCAC: r.SCAC, RequestType: r.RequestType})
	return outcome.Request, outcome.Result, err
}

func TestTrack_CreatesOnce(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		made, result, err := trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultCreated, result)
		for range 2 {
			found, result, err := trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
			require.NoError(t, err)
			require.Equal(t, terminal49.TrackResultExisting, result)
			require.Equal(t, made.ID, found.ID)
			testkit.Advance(time.Minute) // the second time it has led to a shipment
		}
		require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)
	})
}

// The matching request may be on a later page.
func TestTrack_ReadsAllPages(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		now := time.Now()
		old := terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU",
			Status: "awaiting_manifest", CreatedAt: now.Add(-time.Hour)}
		want := srv.AddTrackingRequest(old)
		for i := range 230 {
			status := []string{"failed", "tracking_stopped"}[i%2]
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU",
				Status: status, CreatedAt: now})
		}
		found, result, err := trackRequest(t.Context(), testkit.SimulatedClient(t, srv).TrackingRequests, testkit.SureRequest())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultExisting, result)
		require.Equal(t, want, found.ID)
		require.Len(t, testkit.Received(srv, "tracking_requests.list"), 3)
		require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
	})
}

// Requests that the service does not count as duplicates do not match.
func TestTrack_IgnoresEndedAndDifferentRequests(t *testing.T) {
	for name, other := range map[string]terminal49test.TrackingRequest{
		"failed":        {RequestNumber: testkit.SureNumber, SCAC: "MAEU", Status: "failed", FailedReason: "not_found"},
		"stopped":       {RequestNumber: testkit.SureNumber, SCAC: "MAEU", Status: "tracking_stopped"},
		"another line":  {RequestNumber: testkit.SureNumber, SCAC: "MSCU", Status: "created"},
		"other numbers": {RequestNumber: testkit.SureNumber + "1", SCAC: "MAEU", Status: "created"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := srv.AddTrackingRequest(other)
				made, result, err := trackRequest(t.Context(), testkit.SimulatedClient(t, srv).TrackingRequests, testkit.SureRequest())
				require.NoError(t, err)
				require.Equal(t, terminal49.TrackResultCreated, result)
				require.NotEqual(t, id, made.ID)
			})
		})
	}
}

// Another client creates the same request between the search and the creation.
func TestTrack_LosesARace(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var theirs string
		client := testkit.SimulatedClient(t, srv, testkit.Before("tracking_requests.create", func() {
			theirs = srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU"})
		}))
		found, result, err := trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultExisting, result)
		require.Equal(t, theirs, found.ID)
	})
}

// Of many concurrent calls exactly one creates the request, and all return the same one.
func TestTrack_ManyAtOnce(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		type outcome struct {
			id     string
			result terminal49.TrackResult
			err    error
		}
		outcomes := make(chan outcome)
		for range 8 {
			go func() {
				found, result, err := trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
				o := outcome{result: result, err: err}
				if found != nil {
					o.id = found.ID
				}
				outcomes <- o
			}()
		}
		ids, creations := map[string]bool{}, 0
		for range 8 {
			o := <-outcomes
			require.NoError(t, o.err)
			ids[o.id] = true
			if o.result == terminal49.TrackResultCreated {
				creations++
			}
		}
		require.Len(t, ids, 1)
		require.Equal(t, 1, creations)
	})
}

// The creation was carried out and its response was lost.
func TestTrack_AfterALostResponse(t *testing.T) {
	for _, f := range []terminal49test.Fault{
		{Kind: terminal49test.FaultDrop, Acted: true},
		{Kind: terminal49test.FaultTruncate},
		{Kind: terminal49test.FaultStallHeaders, Acted: true},
		{Status: http.StatusBadGateway, Shape: terminal49test.ShapeHTML, Acted: true},
	} {
		t.Run(fmt.Sprint(f.Kind, f.Status), func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				f.Operation = "tracking_requests.create"
				srv.AddFault(f)
				found, result, err := trackRequest(t.Context(), testkit.SimulatedClient(t, srv).TrackingRequests, testkit.SureRequest())
				require.NoError(t, err)
				require.Equal(t, terminal49.TrackResultFoundAfterUnknown, result, "another client may have created it")
				require.Equal(t, testkit.SureNumber, found.RequestNumber)
				require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1, "sent once")
			})
		})
	}
}

// The creation was lost before the service acted: nothing is found, and it is not sent again.
func TestTrack_AfterALostRequest(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop})
		client := testkit.SimulatedClient(t, srv)
		found, result, err := trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
		require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
		require.Equal(t, terminal49.TrackResultFailed, result)
		require.Nil(t, found)

		_, result, err = trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultCreated, result, "repeating it is safe")
	})
}

func TestTrack_ReturnsErrors(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		_, _, err := trackRequest(t.Context(), client.TrackingRequests, terminal49.TrackingRequestCreate{RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: testkit.SureNumber, SCAC: "MAERSK"})
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests(), "not searched for")

		request := testkit.SureRequest()
		request.SCAC = "QQQQ"
		_, result, err := trackRequest(t.Context(), client.TrackingRequests, request)
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.Equal(t, terminal49.TrackResultInvalid, result)

		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.list", Status: http.StatusForbidden})
		_, _, err = trackRequest(t.Context(), client.TrackingRequests, testkit.SureRequest())
		require.ErrorIs(t, err, terminal49.ErrForbidden)
		require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1, "a number that cannot be searched for is not created")
	})
}

// The service treats another spelling or type of a number as a duplicate, so the search must find
// it.
func TestTrack_OfTheSameNumberInAnotherForm(t *testing.T) {
	for name, change := range map[string]func(*terminal49.TrackingRequestCreate){
		"spaces around it": func(r *terminal49.TrackingRequestCreate) { r.RequestNumber = " " + testkit.SureNumber + " " },
		"small letters":    func(r *terminal49.TrackingRequestCreate) { r.RequestNumber = "maeu240711002" },
		"another kind":     func(r *terminal49.TrackingRequestCreate) { r.RequestType = terminal49.RequestTypeBookingNumber },
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				want := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber,
					SCAC: "MAEU", Status: "created"})
				request := testkit.SureRequest()
				change(&request)
				found, result, err := trackRequest(t.Context(), testkit.SimulatedClient(t, srv).TrackingRequests, request)
				require.NoError(t, err)
				require.Equal(t, terminal49.TrackResultExisting, result)
				require.Equal(t, want, found.ID)
			})
		})
	}
}

func TestTrack_InfersOnlyIfNecessary(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		demo := srv.SeedDemo()
		client := testkit.SimulatedClient(t, srv)
		first, err := client.TrackingRequests.Track(t.Context(), " "+demo.Untracked+" ", nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultCreated, first.Result)
		again, err := client.TrackingRequests.Track(t.Context(), demo.Untracked, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultExisting, again.Result)
		require.Equal(t, first.Request.ID, again.Request.ID)
		require.Len(t, testkit.Received(srv, "tracking_requests.infer"), 1)
		require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)

		_, err = client.TrackingRequests.Track(t.Context(), " ", nil)
		var bad *terminal49.ArgumentError
		require.ErrorAs(t, err, &bad)
		require.Len(t, testkit.Received(srv, "tracking_requests.infer"), 1)
	})
}
