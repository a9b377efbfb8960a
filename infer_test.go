package terminal49

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestInfer_Forms(t *testing.T) {
	boxNumber := terminal49test.ContainerNumber("MSKU", 718204)
	wrongDigit := boxNumber[:10] + string('0'+(boxNumber[10]-'0'+1)%10)
	candidate := func(scac, name string, confidence float64) CarrierCandidate {
		return CarrierCandidate{SCAC: scac, Name: name, Confidence: confidence}
	}
	maersk := candidate("MAEU", "Maersk", 0.98)

	for name, c := range map[string]struct {
		number string
		script *terminal49test.Inference
		want   Inference
		as     RequestType
	}{
		"a container by its owner code": {
			number: boxNumber, as: RequestContainer,
			want: Inference{
				NumberType: NumberContainer,
				Validation: NumberValidation{IsValid: Some(true), Type: "container", CheckDigitPassed: Some(true), ParsedNumber: boxNumber},
				Carrier:    CarrierInference{Decision: CarrierAutoSelect, Selected: Some(maersk), Candidates: []CarrierCandidate{maersk}},
			},
		},
		"an invalid number still comes with a guess": {
			number: wrongDigit, as: RequestContainer,
			want: Inference{
				NumberType: NumberContainer,
				Validation: NumberValidation{
					IsValid: Some(false), Type: "container", CheckDigitPassed: Some(false), ParsedNumber: wrongDigit,
					Reason: "The check digit does not match.",
				},
				Carrier: CarrierInference{Decision: CarrierAutoSelect, Selected: Some(maersk), Candidates: []CarrierCandidate{maersk}},
			},
		},
		"a bill of lading to confirm, best candidate first": {
			number: "SHA7781234", as: RequestBillOfLading,
			script: &terminal49test.Inference{
				SCAC: "ONEY", Confidence: 0.72, NumberType: "bill_of_lading",
				Others: []terminal49test.Candidate{{SCAC: "EGLV", Confidence: 0.81}, {SCAC: "QQQQ", Confidence: 0.1}},
			},
			want: Inference{
				NumberType: NumberBillOfLading,
				Validation: NumberValidation{IsValid: Null[bool](), Type: "shipment", CheckDigitPassed: Null[bool](), ParsedNumber: "SHA7781234"},
				Carrier: CarrierInference{
					Decision: CarrierNeedsConfirmation, Selected: Some(candidate("EGLV", "Evergreen", 0.81)),
					Candidates: []CarrierCandidate{
						candidate("EGLV", "Evergreen", 0.81), candidate("ONEY", "Ocean Network Express", 0.72), candidate("QQQQ", "QQQQ", 0.1),
					},
				},
			},
		},
		"candidates without a prediction": {
			number: "99887766", as: RequestBookingNumber,
			script: &terminal49test.Inference{SCAC: "YMLU", Confidence: 0.4},
			want: Inference{
				NumberType: NumberBooking,
				Validation: NumberValidation{IsValid: Null[bool](), Type: "shipment", CheckDigitPassed: Null[bool](), ParsedNumber: "99887766"},
				Carrier: CarrierInference{
					Decision: CarrierNoPrediction, Selected: Null[CarrierCandidate](),
					Candidates: []CarrierCandidate{candidate("YMLU", "Yang Ming", 0.4)},
				},
			},
		},
		"nothing is known": {
			number: "99887766", as: RequestBookingNumber,
			want: Inference{
				NumberType: NumberBooking,
				Validation: NumberValidation{IsValid: Null[bool](), Type: "shipment", CheckDigitPassed: Null[bool](), ParsedNumber: "99887766"},
				Carrier:    CarrierInference{Decision: CarrierNoPrediction, Selected: Null[CarrierCandidate](), Candidates: []CarrierCandidate{}},
			},
		},
		"a kind this version does not know": {
			number: "99887766",
			script: &terminal49test.Inference{NumberType: "house_bill"},
			want: Inference{
				NumberType: "house_bill",
				Validation: NumberValidation{IsValid: Null[bool](), Type: "shipment", CheckDigitPassed: Null[bool](), ParsedNumber: "99887766"},
				Carrier:    CarrierInference{Decision: CarrierNoPrediction, Selected: Null[CarrierCandidate](), Candidates: []CarrierCandidate{}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.Script(c.number, terminal49test.Journey{Infer: c.script})
				got, err := simClient(t, srv).TrackingRequests.Infer(t.Context(), c.number)
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
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		_, err := client.TrackingRequests.Infer(t.Context(), "??")
		require.ErrorIs(t, err, ErrInvalid)
		require.ErrorContains(t, err, "This reference number is not valid.", "the service's words, although it sends no title")

		_, err = client.TrackingRequests.Infer(t.Context(), " \t")
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "number", argument.Field)
		require.Len(t, srv.Requests(), 1, "the second was not sent")
	})
}

// Inferring is a POST that changes nothing, so it is repeated like a read.
func TestInfer_IsRetriedLikeARead(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Status: http.StatusServiceUnavailable})
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Acted: true})
		inference, err := simClient(t, srv).TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.NoError(t, err)
		require.Equal(t, CarrierAutoSelect, inference.Carrier.Decision)
		require.Len(t, srv.Requests(), 3)

		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Times: -1})
		_, err = simClient(t, srv, WithoutRetries()).TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.Error(t, err)
		require.False(t, IsOutcomeUnknown(err), "nothing was at stake")
	})
}

// Inferring has a budget of its own, twice the default one.
func TestInfer_HasItsOwnLimit(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv, WithLimits(Limits{PerSecond: 1000, Burst: 1000}))
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
