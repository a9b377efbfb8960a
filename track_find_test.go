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

func queryOf(t *testing.T, api *testkit.FakeAPI, i int) url.Values {
	t.Helper()
	query, err := url.ParseQuery(api.Requests()[i].Query)
	require.NoError(t, err)
	return query
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
