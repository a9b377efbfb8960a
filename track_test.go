package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

const (
	unsureNumber  = "SHA7781234" // the service prefers Evergreen without certainty
	unknownNumber = "99887766"   // a booking of an unknown carrier
)

// withDoubts scripts the numbers above.
func withDoubts(srv *terminal49test.Server) {
	srv.Script(unsureNumber, terminal49test.Journey{Inference: &terminal49test.Inference{
		SCAC: "EGLV", Confidence: 0.81, NumberType: "bill_of_lading",
		OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.6}},
	}})
	srv.Script(unknownNumber, terminal49test.Journey{Inference: &terminal49test.Inference{
		SCAC: "YMLU", Confidence: 0.3, NumberType: "booking",
	}})
}

func confirm(scac string, err error) func(context.Context, *terminal49.Inference) (string, error) {
	return func(context.Context, *terminal49.Inference) (string, error) { return scac, err }
}

func TestTrack_Decisions(t *testing.T) {
	for name, c := range map[string]struct {
		number    string
		params    *terminal49.TrackParams
		wantSCAC  string
		wantType  terminal49.RequestType
		wantInfer int
	}{
		"the service is sure": {testkit.SureNumber, nil, "MAEU", terminal49.RequestTypeBillOfLading, 1},
		"spaces around the number": {"  " + testkit.SureNumber + "\n", nil, "MAEU",
			terminal49.RequestTypeBillOfLading, 1},
		"nobody is asked when it is sure": {testkit.SureNumber,
			&terminal49.TrackParams{Confirm: confirm("", errors.New("asked"))}, "MAEU", terminal49.RequestTypeBillOfLading, 1},
		"confirmed": {unsureNumber,
			&terminal49.TrackParams{Confirm: confirm("EGLV", nil)}, "EGLV", terminal49.RequestTypeBillOfLading, 1},
		"corrected": {unsureNumber,
			&terminal49.TrackParams{Confirm: confirm("ONEY", nil)}, "ONEY", terminal49.RequestTypeBillOfLading, 1},
		"chosen without a prediction": {unknownNumber,
			&terminal49.TrackParams{Confirm: confirm("YMLU", nil)}, "YMLU", terminal49.RequestTypeBookingNumber, 1},
		"the line is known": {unknownNumber, &terminal49.TrackParams{SCAC: "YMLU"}, "YMLU",
			terminal49.RequestTypeBookingNumber, 1},
		"the kind is known": {testkit.SureNumber,
			&terminal49.TrackParams{RequestType: terminal49.RequestTypeBookingNumber}, "MAEU",
			terminal49.RequestTypeBookingNumber, 1},
		"line and kind are known": {unknownNumber,
			&terminal49.TrackParams{SCAC: "HDMU", RequestType: terminal49.RequestTypeBillOfLading}, "HDMU",
			terminal49.RequestTypeBillOfLading, 0},
		"the service detects the line": {unknownNumber,
			&terminal49.TrackParams{AutoDetectSCAC: true, RequestType: terminal49.RequestTypeBillOfLading}, "",
			terminal49.RequestTypeBillOfLading, 0},
		"a container": {terminal49test.ContainerNumber("MSKU", 1), nil, "MAEU",
			terminal49.RequestTypeContainer, 1},
		"an invalid number, on the caller's own": {"ABCDEFG", &terminal49.TrackParams{AcceptInvalid: true, SCAC: "MAEU",
			RequestType: terminal49.RequestTypeBookingNumber}, "MAEU", terminal49.RequestTypeBookingNumber, 0},
	} {
		decide := func(t *testing.T, srv *terminal49test.Server) {
			withDoubts(srv)
			made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
			require.NoError(t, err)
			require.Equal(t, terminal49.TrackResultCreated, made.Result)
			require.Equal(t, terminal49.TrackingPending, made.Request.Status)
			require.Equal(t, c.wantSCAC, made.Request.SCAC)
			require.Equal(t, c.wantType, made.Request.RequestType)
			require.Len(t, testkit.Received(srv, "tracking_requests.infer"), c.wantInfer)
			require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)
		}
		t.Run(name, func(t *testing.T) { testkit.Simulated(t, decide) })
		t.Run(name+", without ids", func(t *testing.T) { testkit.Simulated(t, decide, terminal49test.WithoutInferenceIDs()) })
	}
}

func TestTrack_SendsItsParams(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
		made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), testkit.SureNumber,
			&terminal49.TrackParams{
				ReferenceNumbers: []string{"PO-1"}, ShipmentTags: []string{"hot"}, CustomerID: customer,
				InitialCustomFields: terminal49.InitialCustomFields{Shipment: []terminal49.InitialCustomField{{APISlug: "owner", Value: terminal49.CustomText("Ann")}}},
			})
		require.NoError(t, err)
		require.Equal(t, []string{"PO-1"}, made.Request.ReferenceNumbers)
		require.Equal(t, []string{"hot"}, made.Request.ShipmentTags)
		require.Equal(t, customer, made.Request.Customer.ID())
		inside, _ := srv.TrackingRequest(made.Request.ID)
		require.Equal(t, []terminal49test.InitialCustomField{{Entity: "shipment", APISlug: "owner", Value: "Ann"}},
			inside.InitialCustomFields)
	})
}

// Nothing is created for an undecided line, and the error has the candidates.
func TestTrack_Undecided(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		params *terminal49.TrackParams
		want   []string
	}{
		"to be confirmed, nobody to ask": {unsureNumber, nil, []string{"EGLV", "ONEY"}},
		"none of them": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("", nil)},
			[]string{"EGLV", "ONEY"}},
		"no prediction":        {unknownNumber, &terminal49.TrackParams{}, []string{"YMLU"}},
		"no candidates at all": {"55443322", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				var undecided *terminal49.CarrierUndecidedError
				require.ErrorAs(t, err, &undecided)
				var scacs []string
				for _, candidate := range undecided.Candidates() {
					scacs = append(scacs, candidate.SCAC)
					require.ErrorContains(t, err, candidate.SCAC)
					require.ErrorContains(t, err, candidate.Name)
				}
				require.Equal(t, c.want, scacs)
				require.Equal(t, c.want == nil, strings.Contains(err.Error(), "candidates: none"), "%v", err)
				require.Equal(t, c.number, undecided.Number)
				require.ErrorContains(t, err, "TrackParams.SCAC", "it says what to do")
				require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
			})
		})
	}
	many := strings.Fields("CMDU COSU EGLV HDMU HLCU MAEU MSCU ONEY OOLU SUDU WHLC YMLU ZIMU")
	_, err := testkit.NewClient(t, inferring(offering("needs_confirmation", many...))).TrackingRequests.Track(t.Context(), "MSCU6639870", nil)
	require.ErrorContains(t, err, many[9]+" (Line, 97 %), ...; set", "the text has ten")
}

func TestTrack_Refuses(t *testing.T) {
	nobody := errors.New("the desk is not staffed")
	for name, c := range map[string]struct {
		number string
		params *terminal49.TrackParams
		check  func(*testing.T, error)
	}{
		"an invalid number": {"MSKU0000010", nil, func(t *testing.T, err error) {
			var invalid *terminal49.InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, "MSKU0000010", invalid.Number)
			require.Contains(t, invalid.Reason, "check digit")
			require.Equal(t, terminal49.CarrierAutoSelect, invalid.Inference.Carrier.Decision)
			require.ErrorIs(t, err, terminal49.ErrInvalid)
		}},
		"garbage": {"?", nil, func(t *testing.T, err error) {
			var answer *terminal49.APIError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
			require.ErrorIs(t, err, terminal49.ErrInvalid)
		}},
		"garbage that the caller insists on": {"?", &terminal49.TrackParams{AcceptInvalid: true},
			func(t *testing.T, err error) {
				require.ErrorIs(t, err, terminal49.ErrInvalid, "the service refused to infer at all")
			}},
		"a test number without a type": {"TEST-TR-SUCCEEDED", &terminal49.TrackParams{SCAC: "TEST"}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, terminal49.ErrInvalid)
			require.ErrorContains(t, err, "set both its SCAC and its type")
		}},
		"a kind that is new": {"house77", nil, func(t *testing.T, err error) {
			var invalid *terminal49.InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.ErrorContains(t, err, `"house_bill"`)
			require.ErrorContains(t, err, "TrackParams.RequestType")
		}},
		"Confirm returns an error": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("EGLV", nobody)}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, nobody)
		}},
		"Confirm returns an invalid SCAC": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("evergreen", nil)}, func(t *testing.T, err error) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "Confirm", argument.Field)
			require.ErrorContains(t, err, `"evergreen"`)
		}},
		"the inferred name of a kind": {unknownNumber, &terminal49.TrackParams{SCAC: "YMLU", RequestType: "booking"}, func(t *testing.T, err error) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.ErrorContains(t, err, `"booking_number"`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				srv.Script("house77", terminal49test.Journey{Inference: &terminal49test.Inference{SCAC: "MAEU",
					Confidence: 1, NumberType: "house_bill"}})
				made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				require.Nil(t, made.Request)
				c.check(t, err)
				require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
			})
		})
	}
}

// Confirm receives the service's inference and the caller's context.
func TestTrack_ConfirmReceivesTheInference(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		withDoubts(srv)
		type desk struct{}
		ctx := context.WithValue(t.Context(), desk{}, "import desk")
		_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(ctx, unsureNumber, &terminal49.TrackParams{
			Confirm: func(ctx context.Context, i *terminal49.Inference) (string, error) {
				require.Equal(t, "import desk", ctx.Value(desk{}))
				require.Equal(t, terminal49.CarrierNeedsConfirmation, i.Carrier.Decision)
				return i.Carrier.Candidates[1].SCAC, nil
			},
		})
		require.NoError(t, err)
	})
}

// eachTracker calls f with Track and TrackAll, which track one row.
func eachTracker(t *testing.T, f func(t *testing.T, srv *terminal49test.Server, track func(trackingRow) terminal49.TrackOutcome)) {
	t.Helper()
	for name, track := range map[string]func(context.Context, *terminal49.Client, trackingRow) terminal49.TrackOutcome{
		"Track": func(ctx context.Context, c *terminal49.Client, row trackingRow) terminal49.TrackOutcome {
			outcome, err := c.TrackingRequests.Track(ctx, row.RequestNumber, &terminal49.TrackParams{
				SCAC: row.SCAC, RequestType: row.RequestType, ReferenceNumbers: row.ReferenceNumbers, ShipmentTags: row.ShipmentTags,
				InitialCustomFields: row.InitialCustomFields, CustomerID: row.CustomerID, AutoDetectSCAC: row.AutoDetectSCAC,
			})
			require.Equal(t, err, outcome.Err)
			return outcome
		},
		"TrackAll": func(ctx context.Context, c *terminal49.Client, row trackingRow) terminal49.TrackOutcome {
			return slices.Collect(c.TrackingRequests.TrackAll(ctx, slices.Values([]trackingRow{row}), nil))[0]
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				client := testkit.SimulatedClient(t, srv)
				f(t, srv, func(row trackingRow) terminal49.TrackOutcome { return track(t.Context(), client, row) })
				srv.CheckViolations(t)
			}, terminal49test.WithTrackingDelay(time.Hour))
		})
	}
}

// The service is assumed to track a container a second time (docs/service.md#repeated-requests). A
// journey is open until the container is returned or its tracking stops; only an open one makes a
// request unnecessary.
func TestTrack_ContainerOnABillOfLading(t *testing.T) {
	type journey struct {
		shipment  terminal49test.Shipment
		container terminal49test.Container
	}
	ago := time.Now().Add(-10 * 24 * time.Hour)
	number := sheet(1)[0]
	for name, c := range map[string]struct {
		journeys []journey
		row      trackingRow
		found    int // the journey that is found; -1 for none
	}{
		"at sea":              {[]journey{{container: terminal49test.Container{CurrentStatus: "on_ship"}}}, trackingRow{}, 0},
		"nothing known yet":   {[]journey{{}}, trackingRow{}, 0},
		"picked up":           {[]journey{{container: terminal49test.Container{PODFullOutAt: ago}}}, trackingRow{}, 0},
		"in another spelling": {[]journey{{}}, trackingRow{RequestNumber: " " + number[:4] + "-" + number[4:]}, 0},
		"of the row's line":   {[]journey{{}}, trackingRow{SCAC: "maeu", RequestType: terminal49.RequestTypeContainer}, 0},
		"to be detected":      {[]journey{{}}, trackingRow{AutoDetectSCAC: true, RequestType: terminal49.RequestTypeContainer}, 0},
		"a new voyage after an old one": {
			[]journey{{container: terminal49test.Container{EmptyTerminatedAt: ago}}, {}}, trackingRow{}, 1,
		},
		"returned":           {[]journey{{container: terminal49test.Container{EmptyTerminatedAt: ago}}}, trackingRow{}, -1},
		"returned by status": {[]journey{{container: terminal49test.Container{CurrentStatus: "empty_returned"}}}, trackingRow{}, -1},
		"tracking stopped": {
			[]journey{{shipment: terminal49test.Shipment{LineTrackingStoppedAt: ago, LineTrackingStoppedReason: "past_arrival_window"}}},
			trackingRow{}, -1,
		},
		"two old voyages": {
			[]journey{{container: terminal49test.Container{EmptyTerminatedAt: ago}}, {shipment: terminal49test.Shipment{LineTrackingStoppedAt: ago}}},
			trackingRow{}, -1,
		},
		"of another line":                       {[]journey{{}}, trackingRow{SCAC: "HLCU", RequestType: terminal49.RequestTypeContainer}, -1},
		"with a reference, which would be lost": {[]journey{{}}, trackingRow{ReferenceNumbers: []string{"PO-1"}}, -1},
		"with a tag, which would be lost":       {[]journey{{}}, trackingRow{ShipmentTags: []string{"hot"}}, -1},
		"with a custom field, which would be lost": {[]journey{{}}, trackingRow{InitialCustomFields: terminal49.InitialCustomFields{
			Containers: []terminal49.InitialCustomField{{APISlug: "owner", Value: terminal49.CustomText("Ann")}},
		}}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			eachTracker(t, func(t *testing.T, srv *terminal49test.Server, track func(trackingRow) terminal49.TrackOutcome) {
				var ids []string
				for _, j := range c.journeys {
					j.shipment.ShippingLine, j.container.Number = "MAEU", number
					j.container.Shipment = srv.AddShipment(j.shipment)
					ids = append(ids, srv.AddContainer(j.container))
				}
				row := c.row
				if row.RequestNumber == "" {
					row.RequestNumber = number
				}
				outcome := track(row)
				require.NoError(t, outcome.Err)
				require.Equal(t, row.RequestNumber, outcome.Number)
				if c.found < 0 {
					require.Equal(t, terminal49.TrackResultCreated, outcome.Result)
					require.Nil(t, outcome.Container)
					require.Equal(t, number, outcome.Request.RequestNumber)
					return
				}
				require.Equal(t, terminal49.TrackResultContainerTracked, outcome.Result)
				require.Nil(t, outcome.Request)
				require.Equal(t, ids[c.found], outcome.Container.ID)
				_, included := outcome.Container.Shipment.Value()
				require.True(t, included)
				require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
				require.Empty(t, testkit.Received(srv, "tracking_requests.infer"))
			})
		})
	}
	t.Run("with a customer, who would be lost", func(t *testing.T) {
		eachTracker(t, func(t *testing.T, srv *terminal49test.Server, track func(trackingRow) terminal49.TrackOutcome) {
			addContainers(srv, []string{number})
			customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
			require.Equal(t, terminal49.TrackResultCreated, track(trackingRow{RequestNumber: number, CustomerID: customer}).Result)
		})
	})
	t.Run("a bill of lading with such a number", func(t *testing.T) {
		eachTracker(t, func(t *testing.T, srv *terminal49test.Server, track func(trackingRow) terminal49.TrackOutcome) {
			addContainers(srv, []string{number})
			row := trackingRow{RequestNumber: number, RequestType: terminal49.RequestTypeBillOfLading, SCAC: "MAEU"}
			require.Equal(t, terminal49.TrackResultCreated, track(row).Result)
			require.Empty(t, testkit.Received(srv, "containers.list"))
		})
	})
}

// Services ignore filters that they do not know (docs/service.md#filters). Then it is not known
// whether the container is tracked already, so nothing is created.
func TestTrack_IgnoredFilter(t *testing.T) {
	for name, track := range trackers() {
		api := inferring(offering("auto_select", "MSCU"))
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"TCLU0000001"}}],
			"links":{"next":"/x?page[number]=2"}}`)
		var ignored *terminal49.FilterIgnoredError
		require.ErrorAs(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "MSCU6639870", nil), &ignored, name)
		require.Equal(t, "1", ignored.ResourceID)
		require.Empty(t, created(api))
		lists := slices.DeleteFunc(api.Requests(), func(s testkit.Sent) bool { return s.Info.Op != "containers.list" })
		require.Len(t, lists, 1, name)
	}
}

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

// A request may exist under the number as checked or as typed, because Create sends it as given.
func TestTrack_FindsAContainerInBothSpellings(t *testing.T) {
	wanted := terminal49.TrackingRequestCreate{RequestNumber: "mscu 663987-0", RequestType: terminal49.RequestTypeContainer, SCAC: "MSCU"}
	params := &terminal49.TrackParams{RequestType: terminal49.RequestTypeContainer}
	for _, spelling := range []string{"MSCU6639870", "mscu 663987-0"} {
		api := testkit.NewFakeAPI()
		api.OnPages(requestsPath, map[string]string{
			"filter[request_number]=MSCU6639870&page[size]=100":   `{"data":[]}`,
			"filter[request_number]=mscu 663987-0&page[size]=100": `{"data":[]}`,
			"filter[request_number]=" + spelling + "&page[size]=100": `{"data":[{"id":"` + testkit.RequestID + `","type":"tracking_request",
				"attributes":{"request_number":"` + spelling + `","request_type":"container","scac":"MSCU","status":"created"}}]}`,
		})
		service := testkit.NewClient(t, api).TrackingRequests
		found, result, err := trackRequest(t.Context(), service, wanted)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultExisting, result)
		require.Equal(t, spelling, found.RequestNumber)
		outcome, err := service.Track(t.Context(), wanted.RequestNumber, params)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackResultExisting, outcome.Result)
		require.Equal(t, spelling, outcome.Request.RequestNumber)
	}
}

// A list may lag behind (docs/service.md#lagging-lists). That it lacks a request does not prove
// that there is none.
func TestTrack_BelievesNoListThatLags(t *testing.T) {
	request := terminal49.TrackingRequestCreate{RequestNumber: "MSCU6639870", RequestType: terminal49.RequestTypeContainer, SCAC: "MSCU"}
	const duplicate = `{"errors":[{"status":"422","title":"Duplicate","code":"duplicate","source":{"pointer":"/data/attributes/request_number"}}]}`
	for status, body := range map[int]string{422: duplicate, 201: `{"data":`, 504: ""} {
		api := inferring(bareInference)
		api.On("POST", requestsPath, status, body)
		found, result, err := trackRequest(t.Context(), testkit.NewClient(t, api).TrackingRequests, request)
		require.Nil(t, found)
		require.Equal(t, status == 422, result == terminal49.TrackResultExisting)
		require.Equal(t, status == 422, errors.Is(err, terminal49.ErrDuplicate), "%d: %v", status, err)
		require.Equal(t, status != 422, terminal49.IsOutcomeUnknown(err), "%d: %v", status, err)
	}
}

func queryOf(t *testing.T, api *testkit.FakeAPI, i int) url.Values {
	t.Helper()
	query, err := url.ParseQuery(api.Requests()[i].Query)
	require.NoError(t, err)
	return query
}
