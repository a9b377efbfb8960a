package terminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

func TestTrackingRequests_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.CallsOf("tracking_requests"))
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

// offering is an inference with this decision and these SCACs. It selects the first.
func offering(decision string, scacs ...string) string {
	var candidates []string
	for _, scac := range scacs {
		candidates = append(candidates, `{"scac":"`+scac+`","name":"Line","confidence":0.97}`)
	}
	selected := "null"
	if len(candidates) > 0 {
		selected = candidates[0]
	}
	return `{"data":{"attributes":{"number_type":"container","validation":{"is_valid":true},"shipping_line":{"decision":"` +
		decision + `","selected":` + selected + `,"candidates":[` + strings.Join(candidates, ",") + `]}}}}`
}

// selected may be missing without a prediction (docs/service-tracking.md#inference), and a SCAC has
// four characters. Without one there is nothing to use without confirmation.
func TestTrack_AutoSelectWithoutASCACIsUndecided(t *testing.T) {
	const missing = `{"data":{"attributes":{"number_type":"container","shipping_line":{"decision":"auto_select",
		"selected":{"name":"Line"},"candidates":[{"scac":"MSCU","name":"MSC","confidence":0.4}]}}}}`
	for _, body := range []string{offering("auto_select", ""), offering("auto_select"), offering("auto_select", " "), missing} {
		for name, track := range trackers() {
			api := inferring(body)
			err := track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "MSCU6639870", nil)
			var undecided *terminal49.CarrierUndecidedError
			require.ErrorAs(t, err, &undecided, "%s: %s", name, body)
			require.Empty(t, created(api))
		}
		service := testkit.NewClient(t, inferring(body)).TrackingRequests
		for outcome := range service.TrackAll(t.Context(), terminal49.NumbersToTrack("MSCU6639870"), nil) {
			require.Equal(t, terminal49.TrackResultNeedsConfirmation, outcome.Result)
		}
		api := inferring(body)
		params := &terminal49.TrackParams{Confirm: confirm("MAEU", nil)}
		require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "MSCU6639870", params)))
		require.Equal(t, []string{asContainer("MSCU6639870", "MAEU")}, created(api))
	}
}

// The sample of the auto-detect guide offers "ONE", although a SCAC has four characters
// (docs/service-tracking.md#carrier-codes). The service decides about what it offered.
func TestTrack_AcceptsTheSCACThatTheServiceOffered(t *testing.T) {
	for name, c := range map[string]struct {
		decision string
		params   terminal49.TrackParams
	}{
		"selected by the service": {"auto_select", terminal49.TrackParams{}},
		"chosen by Confirm":       {"needs_confirmation", terminal49.TrackParams{Confirm: confirm("ONE", nil)}},
		"set by the caller":       {"needs_confirmation", terminal49.TrackParams{SCAC: "ONE"}},
		"set with the type":       {"needs_confirmation", terminal49.TrackParams{SCAC: "ONE", RequestType: terminal49.RequestTypeContainer}},
	} {
		for by, track := range trackers() {
			api := inferring(offering(c.decision, "ONE", "MSCU"))
			require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "MSCU6639870", &c.params), name+by)
			require.Equal(t, []string{asContainer("MSCU6639870", "ONE")}, created(api), name+by)
		}
	}
	// Selected or among the candidates: one is enough.
	const one, none = `{"scac":"ONE","name":"Line","confidence":0.97}`, `"selected":null`
	selected := strings.Replace(offering("needs_confirmation", "ONE"), `"candidates":[`+one+`]`, `"candidates":[]`, 1)
	candidate := strings.Replace(offering("needs_confirmation", "ONE"), `"selected":`+one, none, 1)
	for _, body := range []string{selected, candidate} {
		api := inferring(body)
		params := &terminal49.TrackParams{SCAC: "ONE"}
		require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "MSCU6639870", params)), body)
		require.Len(t, created(api), 1)
	}
}

// For everything else exactly four characters (docs/service-tracking.md#carrier-codes).
func TestTrack_RejectsAMalformedSCACThatWasNotOffered(t *testing.T) {
	request := terminal49.TrackingRequestCreate{RequestNumber: "MSCU6639870", RequestType: terminal49.RequestTypeContainer, SCAC: "ONE"}
	for field, do := range map[string]func(*terminal49.TrackingRequestsService) error{
		"Confirm": func(s *terminal49.TrackingRequestsService) error {
			return testkit.First(s.Track(t.Context(), "MSCU6639870", &terminal49.TrackParams{Confirm: confirm("EVERGREEN", nil)}))
		},
		"SCAC": func(s *terminal49.TrackingRequestsService) error {
			return testkit.First(s.Track(t.Context(), "MSCU6639870", &terminal49.TrackParams{SCAC: "EVERGREEN"}))
		},
		"SCAC ": func(s *terminal49.TrackingRequestsService) error {
			params := &terminal49.TrackParams{SCAC: "TWO", RequestType: terminal49.RequestTypeContainer} // not offered
			return testkit.First(s.Track(t.Context(), "MSCU6639870", params))
		},
		"SCAC  ": func(s *terminal49.TrackingRequestsService) error {
			return testkit.First(s.Create(t.Context(), request))
		},
	} {
		api := inferring(offering("needs_confirmation", "ONE"))
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, do(testkit.NewClient(t, api).TrackingRequests), &argument, field)
		require.Equal(t, strings.TrimSpace(field), argument.Field)
		require.Contains(t, argument.Problem, "four letters or digits")
		require.Empty(t, created(api))
	}
}

// The service documents exactly four characters. People and files add spaces and small letters.
func TestSCAC_InEverySpelling(t *testing.T) {
	container := terminal49.RequestTypeContainer
	for _, spelling := range []string{" maeu", "Maeu\u00a0", "MAEU\r\n", "MAEU"} {
		row := terminal49.TrackingRequestCreate{RequestNumber: "MSCU6639870", RequestType: container, SCAC: spelling}
		for name, do := range map[string]func(*terminal49.TrackingRequestsService) error{
			"Create": func(s *terminal49.TrackingRequestsService) error { return testkit.First(s.Create(t.Context(), row)) },
			"Track": func(s *terminal49.TrackingRequestsService) error {
				_, _, err := trackRequest(t.Context(), s, row)
				return err
			},
			"TrackAll": func(s *terminal49.TrackingRequestsService) error {
				return slices.Collect(s.TrackAll(t.Context(), slices.Values([]terminal49.TrackingRequestCreate{row}), nil))[0].Err
			},
		} {
			api := inferring("")
			require.NoError(t, do(testkit.NewClient(t, api).TrackingRequests), name)
			require.Equal(t, []string{asContainer("MSCU6639870", "MAEU")}, created(api), name)
		}
		for name, track := range trackers() {
			for _, params := range []*terminal49.TrackParams{
				{SCAC: spelling, RequestType: container}, {SCAC: spelling}, {Confirm: confirm(spelling, nil)},
			} {
				for _, offered := range []string{"MAEU", "MSCU"} {
					api := inferring(offering("needs_confirmation", offered))
					require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "MSCU6639870", params), name)
					require.Equal(t, []string{asContainer("MSCU6639870", "MAEU")}, created(api), name)
				}
			}
		}
		api := inferring("")
		client := testkit.NewClient(t, api)
		require.NoError(t, testkit.First(client.TrackingRequests.List(t.Context(), &terminal49.TrackingRequestListParams{SCAC: spelling})))
		require.Equal(t, "MAEU", queryOf(t, api, 0).Get("filter[scac]"))
		api.On("GET", "/containers", 200, `{"data":[]}`)
		filter := terminal49.ContainerFilter{ShippingLineSCAC: []string{spelling, "oney"}}
		require.NoError(t, testkit.First(client.Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})))
		require.Equal(t, "MAEU,ONEY", queryOf(t, api, 1).Get("filter[shipping_line_scac]"))
	}
	for _, blank := range []string{" ", "MAERSK", "M"} { // as a filter, all requests or none
		api := inferring("")
		var argument *terminal49.ArgumentError
		err := testkit.First(testkit.NewClient(t, api).TrackingRequests.List(t.Context(), &terminal49.TrackingRequestListParams{SCAC: blank}))
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "SCAC", argument.Field)
		require.Empty(t, api.Requests())
	}
}

// A request that exists is found with any case of the SCAC.
func TestTrack_ComparesTheSCACInOneCase(t *testing.T) {
	api := inferring("")
	api.On("GET", requestsPath, 200, `{"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request",
		"attributes":{"request_number":"MSCU6639870","request_type":"container","scac":"MAEU","status":"created"}}]}`)
	params := &terminal49.TrackParams{SCAC: "maeu ", RequestType: terminal49.RequestTypeContainer}
	outcome, err := testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "MSCU6639870", params)
	require.NoError(t, err)
	require.Equal(t, terminal49.TrackResultExisting, outcome.Result)
	require.Equal(t, testkit.RequestID, outcome.Request.ID)
	require.Empty(t, created(api))
}

// created returns the bodies of the requests that created something.
func created(api *testkit.FakeAPI) (bodies []string) {
	for _, s := range api.Requests() {
		if s.Info.Op == "tracking_requests.create" {
			bodies = append(bodies, s.Body)
		}
	}
	return bodies
}

func asContainer(number, scac string) string {
	return fmt.Sprintf(`{"data":{"type":"tracking_request","attributes":{"request_type":"container","request_number":%q,"scac":%q}}}`,
		number, scac)
}

// trackers returns the methods that infer, by name.
func trackers() map[string]func(context.Context, *terminal49.TrackingRequestsService, string, *terminal49.TrackParams) error {
	type service = *terminal49.TrackingRequestsService
	return map[string]func(context.Context, service, string, *terminal49.TrackParams) error{
		"Track": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) error {
			return testkit.First(s.Track(ctx, number, p))
		},
		"TrackAll": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) (err error) {
			params := &terminal49.TrackAllParams{}
			if p != nil {
				params.TrackParams = *p
			}
			for outcome := range s.TrackAll(ctx, terminal49.NumbersToTrack(number), params) {
				err = outcome.Err
			}
			return err
		},
	}
}

// ISO 6346: a container number has no spaces and dashes. The number that was checked is sent.
func TestTrack_SendsTheContainerNumberThatItChecked(t *testing.T) {
	for _, accept := range []bool{false, true} {
		params := &terminal49.TrackParams{SCAC: "MSCU", RequestType: terminal49.RequestTypeContainer, AcceptInvalid: accept}
		for name, track := range trackers() {
			api := inferring("")
			require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, " mscu 663987-0", params), name)
			require.Equal(t, []string{asContainer("MSCU6639870", "MSCU")}, created(api), name)
		}
	}
	// Other numbers are sent as typed: their form is the carrier's.
	api := inferring("")
	params := &terminal49.TrackParams{SCAC: "MSCU", RequestType: terminal49.RequestTypeBillOfLading}
	require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "medu 12-3 ", params)))
	require.Contains(t, created(api)[0], `"request_number":"medu 12-3"`)
	// So is one that is spelled like a container's, and one of an unknown type until it is inferred.
	api = inferring("")
	require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "mscu 663987-0", params)))
	require.Contains(t, created(api)[0], `"request_number":"mscu 663987-0"`)
	api = inferring(offering("auto_select", "MEDU"))
	require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), " medu 12-3 ", &terminal49.TrackParams{AcceptInvalid: true})))
	require.True(t, slices.ContainsFunc(api.Requests(), func(r testkit.Sent) bool { return r.Body == `{"number":"medu 12-3"}` }))
}
