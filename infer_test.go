package terminal49_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestInfer_Forms(t *testing.T) {
	boxNumber := terminal49test.ContainerNumber("MSKU", 718204)
	wrongDigit := boxNumber[:10] + string('0'+(boxNumber[10]-'0'+1)%10)
	candidate := func(scac, name string, confidence float64) terminal49.CarrierCandidate {
		return terminal49.CarrierCandidate{SCAC: scac, Name: name, Confidence: confidence}
	}
	maersk := candidate("MAEU", "Maersk", 0.98)

	for name, c := range map[string]struct {
		number string
		script *terminal49test.Inference
		want   terminal49.Inference
		as     terminal49.RequestType
	}{
		"a container by its owner code": {
			number: boxNumber, as: terminal49.RequestContainer,
			want: terminal49.Inference{
				NumberType: terminal49.NumberContainer,
				Validation: terminal49.NumberValidation{IsValid: terminal49.Some(true), Type: "container",
					CheckDigitPassed: terminal49.Some(true), ParsedNumber: boxNumber},
				Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierAutoSelect,
					Selected: terminal49.Some(maersk), Candidates: []terminal49.CarrierCandidate{maersk}},
			},
		},
		"an invalid number still comes with a guess": {
			number: wrongDigit, as: terminal49.RequestContainer,
			want: terminal49.Inference{
				NumberType: terminal49.NumberContainer,
				Validation: terminal49.NumberValidation{
					IsValid: terminal49.Some(false), Type: "container", CheckDigitPassed: terminal49.Some(false),
					ParsedNumber: wrongDigit,
					Reason:       "The check digit does not match.",
				},
				Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierAutoSelect,
					Selected: terminal49.Some(maersk), Candidates: []terminal49.CarrierCandidate{maersk}},
			},
		},
		"a bill of lading to confirm, best candidate first": {
			number: "SHA7781234", as: terminal49.RequestBillOfLading,
			script: &terminal49test.Inference{
				SCAC: "ONEY", Confidence: 0.72, NumberType: "bill_of_lading",
				OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "EGLV", Confidence: 0.81},
					{SCAC: "QQQQ", Confidence: 0.1}},
			},
			want: terminal49.Inference{
				NumberType: terminal49.NumberBillOfLading,
				Validation: terminal49.NumberValidation{IsValid: terminal49.Null[bool](), Type: "shipment",
					CheckDigitPassed: terminal49.Null[bool](), ParsedNumber: "SHA7781234"},
				Carrier: terminal49.CarrierInference{
					Decision: terminal49.CarrierNeedsConfirmation,
					Selected: terminal49.Some(candidate("EGLV", "Evergreen", 0.81)),
					Candidates: []terminal49.CarrierCandidate{
						candidate("EGLV", "Evergreen", 0.81), candidate("ONEY", "Ocean Network Express", 0.72),
						candidate("QQQQ", "QQQQ", 0.1),
					},
				},
			},
		},
		"candidates without a prediction": {
			number: "99887766", as: terminal49.RequestBookingNumber,
			script: &terminal49test.Inference{SCAC: "YMLU", Confidence: 0.4},
			want: terminal49.Inference{
				NumberType: terminal49.NumberBooking,
				Validation: terminal49.NumberValidation{IsValid: terminal49.Null[bool](), Type: "shipment",
					CheckDigitPassed: terminal49.Null[bool](), ParsedNumber: "99887766"},
				Carrier: terminal49.CarrierInference{
					Decision: terminal49.CarrierNoPrediction, Selected: terminal49.Null[terminal49.CarrierCandidate](),
					Candidates: []terminal49.CarrierCandidate{candidate("YMLU", "Yang Ming", 0.4)},
				},
			},
		},
		"nothing is known": {
			number: "99887766", as: terminal49.RequestBookingNumber,
			want: terminal49.Inference{
				NumberType: terminal49.NumberBooking,
				Validation: terminal49.NumberValidation{IsValid: terminal49.Null[bool](), Type: "shipment",
					CheckDigitPassed: terminal49.Null[bool](), ParsedNumber: "99887766"},
				Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierNoPrediction,
					Selected: terminal49.Null[terminal49.CarrierCandidate](), Candidates: []terminal49.CarrierCandidate{}},
			},
		},
		"a kind this version does not know": {
			number: "99887766",
			script: &terminal49test.Inference{NumberType: "house_bill"},
			want: terminal49.Inference{
				NumberType: "house_bill",
				Validation: terminal49.NumberValidation{IsValid: terminal49.Null[bool](), Type: "shipment",
					CheckDigitPassed: terminal49.Null[bool](), ParsedNumber: "99887766"},
				Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierNoPrediction,
					Selected: terminal49.Null[terminal49.CarrierCandidate](), Candidates: []terminal49.CarrierCandidate{}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.Script(c.number, terminal49test.Journey{Inference: c.script})
				got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Infer(t.Context(), c.number)
				require.NoError(t, err)
				require.Regexp(t, "^req_[0-9a-f-]{36}$", got.ID)
				c.want.Resource = got.Resource
				require.Equal(t, &c.want, got)
				kind, ok := got.RequestType()
				require.Equal(t, c.as, kind)
				require.Equal(t, c.as != "", ok)
			})
		})
	}
}

func TestInfer_OfGarbage(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		_, err := client.TrackingRequests.Infer(t.Context(), "??")
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.ErrorContains(t, err, "This reference number is not valid.",
			"the service's words, although it sends no title")

		_, err = client.TrackingRequests.Infer(t.Context(), " \t")
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "number", argument.Field)
		require.Len(t, srv.Requests(), 1, "the second was not sent")
	})
}

// Inferring is a POST that changes nothing, so it is repeated like a read.
func TestInfer_IsRetriedLikeARead(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Status: http.StatusServiceUnavailable})
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Acted: true})
		inference, err := testkit.SimulatedClient(t, srv).TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.NoError(t, err)
		require.Equal(t, terminal49.CarrierAutoSelect, inference.Carrier.Decision)
		require.Len(t, srv.Requests(), 3)

		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Times: -1})
		_, err = testkit.SimulatedClient(t, srv, terminal49.WithoutRetries()).TrackingRequests.Infer(t.Context(),
			"MAEU240711002")
		require.Error(t, err)
		require.False(t, terminal49.IsOutcomeUnknown(err), "nothing was at stake")
	})
}

// Inferring has a budget of its own, twice the default one.
func TestInfer_HasItsOwnLimit(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithLimits(terminal49.Limits{PerSecond: 1000, Burst: 1000}))
		start := time.Now()
		for range 200 {
			_, err := client.TrackingRequests.Infer(t.Context(), "MAEU240711002")
			require.NoError(t, err)
		}
		require.Zero(t, time.Since(start))
		_, err := client.TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.NoError(t, err)
		require.Equal(t, time.Minute, time.Since(start))
	})
}

func TestSearch_Requests(t *testing.T) { testkit.TestCalls(t, testkit.SearchCalls()) }

func TestSearch_ForNothingIsRefusedBeforeSending(t *testing.T) {
	testkit.RequireArgument(t,
		testkit.First(testkit.NewClient(t, testkit.NewFakeAPI()).Search.Query(t.Context(), " ")), "text")
}

func TestSearch_Decode(t *testing.T) {
	const hits = `{"data":[
		{"id":"s","type":"search_result","attributes":{"entity_type":"shipment","number":"MEDUA1234567","shipment_id":null,"scac":"MSCU",
			"port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,"tracking_stopped":true,
			"tracking_stopped_reason":"cancelled_by_user","status":null,"failed_reason":null,"ref_numbers":["PO-1"],
			"created_at":"2026-01-15T10:30:00.000Z","updated_at":"2026-03-01T14:22:00.250Z"}},
		{"id":"c","type":"search_result","attributes":{"entity_type":"cargo","number":"MSCU1234567","shipment_id":"s","scac":null,
			"containers_count":null,"tracking_stopped":null,"ref_numbers":[]}},
		{"id":"r","type":"search_result","attributes":{"entity_type":"tracking_request","number":"X1","status":"failed","failed_reason":"not_found"}}],
		"links":{"self":"https://x.test/v2/search?query=m","current":"https://x.test/v2/search?query=m","next":"https://x.test/v2/search?query=m&page=2"}}`
	found, err := testkit.NewClient(t, testkit.Answer(200, hits)).Search.Query(t.Context(), "m",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Len(t, found, 3)

	s, c, r := found[0], found[1], found[2]
	require.Equal(t, terminal49.SearchShipment, s.Kind())
	require.Equal(t, "s", s.ID)
	s.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.SearchHit{
		EntityType: terminal49.SearchShipment, Number: "MEDUA1234567", SCAC: "MSCU", PortOfLadingName: "Shanghai",
		PortOfDischargeName: "Los Angeles", ContainersCount: terminal49.Some(3), TrackingStopped: terminal49.Some(true),
		TrackingStoppedReason: terminal49.StoppedCancelledByUser, ReferenceNumbers: []string{"PO-1"},
		CreatedAt: terminal49.NewTime(time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC), ""),
		UpdatedAt: terminal49.NewTime(time.Date(2026, 3, 1, 14, 22, 0, 250e6, time.UTC), ""),
	}, s)
	require.Equal(t, terminal49.SearchContainer, c.Kind())
	require.Equal(t, "s", c.ShipmentID)
	require.True(t, c.ContainersCount.IsNull())
	require.Equal(t, terminal49.SearchTrackingRequest, r.Kind())
	require.Equal(t, terminal49.TrackingFailed, r.Status)
	require.Equal(t, terminal49.FailedNotFound, r.FailedReason)
}

// The documentation has the kind in the resource type; the live service has it in the entity type.
func TestSearch_HitKind(t *testing.T) {
	for _, c := range []struct {
		entity terminal49.SearchKind
		typ    string
		want   terminal49.SearchKind
		known  bool
	}{
		{"cargo", "search_result", terminal49.SearchContainer, true},
		{"", "cargo", terminal49.SearchContainer, true},
		{"container", "search_result", terminal49.SearchContainer, true},
		{"", "shipment", terminal49.SearchShipment, true},
		{"tracking_request", "shipment", terminal49.SearchTrackingRequest, true},
		{"booking", "search_result", "booking", false},
	} {
		hit := terminal49.SearchHit{EntityType: c.entity, Resource: terminal49.Resource{Type: c.typ}}
		require.Equal(t, c.want, hit.Kind())
		require.Equal(t, c.known, hit.Kind().Known())
	}
}
