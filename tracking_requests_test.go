package terminal49_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

func TestTrackingRequests_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.TrackingRequestCalls())
}

func TestTrackingRequests_ParamsAreNotChanged(t *testing.T) {
	params, create := testkit.AllRequestParams(), testkit.FullCreate()
	client := testkit.NewClient(t, testkit.Answer(200, testkit.SomeRequest))
	_, err := testkit.Drain(client.TrackingRequests.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.TrackingRequests.Create(t.Context(), create)
	require.NoError(t, err)
	require.Equal(t, testkit.AllRequestParams(), params)
	require.Equal(t, testkit.FullCreate(), create)
}

func TestTrackingRequests_CreateIsCheckedBeforeSending(t *testing.T) {
	for _, test := range []struct {
		name, field, want string
		change            func(*terminal49.TrackingRequestCreate)
	}{
		{"no number", "RequestNumber", "must not be empty",
			func(r *terminal49.TrackingRequestCreate) { r.RequestNumber = " \t" }},
		{"no type", "RequestType", "RequestBillOfLading", func(r *terminal49.TrackingRequestCreate) { r.RequestType = "" }},
		{"unknown type", "RequestType", "RequestBillOfLading",
			func(r *terminal49.TrackingRequestCreate) { r.RequestType = "house_bill" }},
		{"booking", "RequestType", `"booking_number"`,
			func(r *terminal49.TrackingRequestCreate) { r.RequestType = "booking" }},
		{"a carrier and none", "SCAC", "AutoDetectSCAC",
			func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "MSCU", true }},
		{"no carrier", "SCAC", "AutoDetectSCAC",
			func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "", false }},
		{"short SCAC", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "ONE" }},
		{"blank SCAC", "SCAC", "must be set", func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = " \t", false }},
		{"SCAC with a space", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "MA U" }},
		{"small letter of another alphabet", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "mſcu" }},
		{"four bytes, not four letters", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "ÄÖ" }},
		{"shipment field without slug", "InitialCustomFields.Shipment", "APISlug",
			func(r *terminal49.TrackingRequestCreate) {
				r.InitialCustomFields.Shipment[0].APISlug = ""
			}},
		{"container field without slug", "InitialCustomFields.Containers", "APISlug",
			func(r *terminal49.TrackingRequestCreate) {
				r.InitialCustomFields.Containers[1].APISlug = ""
			}},
		{"value that JSON cannot hold", "InitialCustomFields.Shipment", "JSON", func(r *terminal49.TrackingRequestCreate) {
			r.InitialCustomFields.Shipment[0].Value = terminal49.CustomJSON([]byte("{"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, api := testkit.FullCreate(), testkit.NewFakeAPI()
			test.change(&request)
			_, err := testkit.NewClient(t, api).TrackingRequests.Create(t.Context(), request)
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "tracking_requests.create", argument.Op)
			require.Equal(t, test.field, argument.Field)
			require.Contains(t, argument.Problem, test.want)
			require.Empty(t, api.Requests())
		})
	}
}

func TestFailedReason_Temporary(t *testing.T) {
	temporary := map[terminal49.FailedReason]bool{
		terminal49.FailedUnrecognizedResponse: true, terminal49.FailedShippingLineUnreachable: true,
		terminal49.FailedInternalProcessingError: true, terminal49.FailedAwaitingManifest: true,
	}
	for _, reason := range append(terminal49.FailedReasons(), "something_new", "") {
		require.Equal(t, temporary[reason], reason.Temporary(), reason)
	}
}

// An empty or unknown reason is neither permanent nor temporary.
func TestTrackingFailedError_ClaimsOnlyWhatIsDocumented(t *testing.T) {
	const never, later = "will fail again", "may succeed later"
	for _, reason := range append([]terminal49.FailedReason{"", "volcano"}, terminal49.FailedReasons()...) {
		err := &terminal49.TrackingFailedError{Request: &terminal49.TrackingRequest{RequestNumber: "MAEU1",
			FailedReason: reason}}
		require.Equal(t, reason.Known(), reason.Permanent() != reason.Temporary(),
			"%q: every known reason is one of the two, no other is", reason)
		require.Equal(t, reason.Permanent(), strings.Contains(err.Error(), never), err)
		require.Equal(t, reason.Temporary(), strings.Contains(err.Error(), later), err)
	}
	require.EqualError(t, &terminal49.TrackingFailedError{Request: &terminal49.TrackingRequest{RequestNumber: "MAEU1"}},
		`terminal49: tracking "MAEU1" failed: the service gave no reason`)
}

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
			number: boxNumber, as: terminal49.RequestTypeContainer,
			want: terminal49.Inference{
				NumberType: "container",
				Validation: terminal49.NumberValidation{IsValid: terminal49.Some(true), Type: "container",
					CheckDigitPassed: terminal49.Some(true), ParsedNumber: boxNumber},
				Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierAutoSelect,
					Selected: terminal49.Some(maersk), Candidates: []terminal49.CarrierCandidate{maersk}},
			},
		},
		"an invalid number still comes with a guess": {
			number: wrongDigit, as: terminal49.RequestTypeContainer,
			want: terminal49.Inference{
				NumberType: "container",
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
			number: "SHA7781234", as: terminal49.RequestTypeBillOfLading,
			script: &terminal49test.Inference{
				SCAC: "ONEY", Confidence: 0.72, NumberType: "bill_of_lading",
				OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "EGLV", Confidence: 0.81},
					{SCAC: "QQQQ", Confidence: 0.1}},
			},
			want: terminal49.Inference{
				NumberType: "bill_of_lading",
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
			number: "99887766", as: terminal49.RequestTypeBookingNumber,
			script: &terminal49test.Inference{SCAC: "YMLU", Confidence: 0.4},
			want: terminal49.Inference{
				NumberType: "booking",
				Validation: terminal49.NumberValidation{IsValid: terminal49.Null[bool](), Type: "shipment",
					CheckDigitPassed: terminal49.Null[bool](), ParsedNumber: "99887766"},
				Carrier: terminal49.CarrierInference{
					Decision: terminal49.CarrierNoPrediction, Selected: terminal49.Null[terminal49.CarrierCandidate](),
					Candidates: []terminal49.CarrierCandidate{candidate("YMLU", "Yang Ming", 0.4)},
				},
			},
		},
		"nothing is known": {
			number: "99887766", as: terminal49.RequestTypeBookingNumber,
			want: terminal49.Inference{
				NumberType: "booking",
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
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Status: http.StatusServiceUnavailable})
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Acted: true})
		inference, err := testkit.SimulatedClient(t, srv).TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.NoError(t, err)
		require.Equal(t, terminal49.CarrierAutoSelect, inference.Carrier.Decision)
		require.Len(t, srv.Requests(), 3)

		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultDrop, Times: -1})
		_, err = testkit.SimulatedClient(t, srv, terminal49.WithMaxAttempts(1)).TrackingRequests.Infer(t.Context(),
			"MAEU240711002")
		require.Error(t, err)
		require.False(t, terminal49.IsOutcomeUnknown(err), "nothing was at stake")
	})
}

// Inferring has a budget of its own, twice the default one.
func TestInfer_HasItsOwnLimit(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 1000, Burst: 1000}))
		start := time.Now()
		for range 200 {
			_, err := client.TrackingRequests.Infer(t.Context(), "MAEU240711002")
			require.NoError(t, err)
		}
		require.Zero(t, testkit.Elapsed(start))
		_, err := client.TrackingRequests.Infer(t.Context(), "MAEU240711002")
		require.NoError(t, err)
		require.Equal(t, time.Minute, testkit.Elapsed(start))
	})
}

const inferPath, requestsPath = "/tracking_requests/infer_number", "/tracking_requests"

// bareInference is a response of the form that the guide shows: attributes without id and type
// (docs/service-tracking.md#inference).
const bareInference = `{"data":{"attributes":{"number_type":"container",
	"validation":{"is_valid":true,"type":"container","check_digit_passed":true},
	"shipping_line":{"decision":"auto_select","selected":{"scac":"MSCU","name":"MSC","confidence":0.98},
		"candidates":[{"scac":"MSCU","name":"MSC","confidence":0.98}]}}}}`

// inferring returns a fake service that infers with this response, lists no requests and accepts
// every new one.
func inferring(response string) *testkit.FakeAPI {
	api := testkit.NewFakeAPI()
	api.On("POST", inferPath, 200, response)
	api.On("GET", requestsPath, 200, `{"data":[]}`)
	api.On("GET", "/containers", 200, `{"data":[]}`)
	api.On("POST", requestsPath, 201, testkit.OneRequest)
	return api
}

// The guide's form of a response is {data: {attributes: {...}}}
// (docs/service-tracking.md#inference).
func TestInfer_WithoutIDAndType(t *testing.T) {
	client := testkit.NewClient(t, inferring(bareInference), terminal49.WithStrictDecoding())
	inference, err := client.TrackingRequests.Infer(t.Context(), "MSCU6639870")
	require.NoError(t, err)
	require.Empty(t, inference.ID)
	require.Equal(t, "container", inference.NumberType)
	require.Equal(t, terminal49.CarrierAutoSelect, inference.Carrier.Decision)
	for name, track := range trackers() {
		api := inferring(bareInference)
		require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "mscu 663987-0", nil), name)
		require.Equal(t, []string{asContainer("MSCU6639870", "MSCU")}, created(api), name)
	}
}

// A response that infers nothing is not an answer, with or without an id. Other resources need one.
func TestInfer_WithoutAttributesIsADecodeError(t *testing.T) {
	var unread *terminal49.DecodeError
	for _, body := range []string{`{"data":{}}`, `{"data":{"attributes":null}}`, `{"data":{"attributes":{}}}`,
		`{"data":{"id":"req_1","type":"infer_number_results"}}`, `{"data":null}`, `{"data":[]}`} {
		_, err := testkit.NewClient(t, inferring(body)).TrackingRequests.Infer(t.Context(), "MSCU6639870")
		require.ErrorAs(t, err, &unread, body)
	}
	api := testkit.NewFakeAPI()
	api.On("POST", requestsPath, 201, `{"data":{"type":"tracking_request","attributes":{"status":"pending"}}}`)
	request := terminal49.TrackingRequestCreate{RequestNumber: "1", RequestType: terminal49.RequestTypeContainer, SCAC: "MSCU"}
	_, err := testkit.NewClient(t, api).TrackingRequests.Create(t.Context(), request)
	require.ErrorAs(t, err, &unread)
	require.ErrorContains(t, err, "without an id")
}

// The simulator answers in both forms.
func TestInfer_SimulatedInBothForms(t *testing.T) {
	for want, opts := range map[bool][]terminal49test.Option{true: nil, false: {terminal49test.WithoutInferenceIDs()}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			client := testkit.SimulatedClient(t, srv)
			inference, err := client.TrackingRequests.Infer(t.Context(), testkit.SureNumber)
			require.NoError(t, err)
			require.Equal(t, want, inference.ID != "")
			require.NoError(t, testkit.First(client.TrackingRequests.Track(t.Context(), testkit.SureNumber, nil)))
		}, opts...)
	}
}
