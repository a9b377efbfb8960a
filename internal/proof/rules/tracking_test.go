package rules_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const inferPath, requestsPath = "/tracking_requests/infer_number", "/tracking_requests"

// bareInference is the response of interface.md to infer_number: attributes without id and type.
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
	api.On("POST", requestsPath, 201, testkit.OneRequest)
	return api
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
		"FindOrTrack": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) error {
			_, _, err := s.FindOrTrack(ctx, number, p)
			return err
		},
		"TrackAll": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) (err error) {
			params := &terminal49.TrackAllParams{}
			if p != nil {
				params.TrackParams = *p
			}
			for outcome := range s.TrackAll(ctx, slices.Values([]string{number}), params) {
				err = outcome.Err
			}
			return err
		},
	}
}

// interface.md, "POST /tracking_requests/infer_number": {data: {attributes: {...}}}.
func TestInfer_WithoutIDAndType(t *testing.T) {
	client := testkit.NewClient(t, inferring(bareInference), terminal49.WithStrictDecoding())
	inference, err := client.TrackingRequests.Infer(t.Context(), "MSCU6639870")
	require.NoError(t, err)
	require.Empty(t, inference.ID)
	require.Equal(t, terminal49.NumberContainer, inference.NumberType)
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
	request := terminal49.TrackingRequestCreate{RequestNumber: "1", RequestType: terminal49.RequestContainer, SCAC: "MSCU"}
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

// ISO 6346: a container number has no spaces and dashes. The number that was checked is sent.
func TestTrack_SendsTheContainerNumberThatItChecked(t *testing.T) {
	for _, accept := range []bool{false, true} {
		params := &terminal49.TrackParams{SCAC: "MSCU", RequestType: terminal49.RequestContainer, AcceptInvalid: accept}
		for name, track := range trackers() {
			api := inferring("")
			require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, " mscu 663987-0", params), name)
			require.Equal(t, []string{asContainer("MSCU6639870", "MSCU")}, created(api), name)
		}
	}
	// Other numbers are sent as typed: their form is the carrier's.
	api := inferring("")
	params := &terminal49.TrackParams{SCAC: "MSCU", RequestType: terminal49.RequestBillOfLading}
	require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "medu 12-3 ", params)))
	require.Contains(t, created(api)[0], `"request_number":"medu 12-3"`)
}

// A request may exist under the number as checked or as typed, because Create sends what it is given.
func TestFindOrCreate_FindsAContainerInBothSpellings(t *testing.T) {
	wanted := terminal49.TrackingRequestCreate{RequestNumber: "mscu 663987-0", RequestType: terminal49.RequestContainer, SCAC: "MSCU"}
	params := &terminal49.TrackParams{RequestType: terminal49.RequestContainer}
	for _, spelling := range []string{"MSCU6639870", "mscu 663987-0"} {
		api := testkit.NewFakeAPI()
		api.OnPages(requestsPath, map[string]string{
			"filter[request_number]=MSCU6639870&page[size]=100":   `{"data":[]}`,
			"filter[request_number]=mscu 663987-0&page[size]=100": `{"data":[]}`,
			"filter[request_number]=" + spelling + "&page[size]=100": `{"data":[{"id":"` + testkit.RequestID + `","type":"tracking_request",
				"attributes":{"request_number":"` + spelling + `","request_type":"container","scac":"MSCU","status":"created"}}]}`,
		})
		service := testkit.NewClient(t, api).TrackingRequests
		found, created, err := service.FindOrCreate(t.Context(), wanted)
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, spelling, found.RequestNumber)
		found, created, err = service.FindOrTrack(t.Context(), wanted.RequestNumber, params)
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, spelling, found.RequestNumber)
	}
}

// offering is an inference with this decision and these SCACs, the first of which is selected.
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

// interface.md: selected may be absent when there is no prediction, and a SCAC has four characters.
// Without one there is nothing to use without confirmation.
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
		for outcome := range service.TrackAll(t.Context(), slices.Values([]string{"MSCU6639870"}), nil) {
			require.Equal(t, terminal49.TrackResultNeedsConfirmation, outcome.Result)
		}
		api := inferring(body)
		params := &terminal49.TrackParams{Confirm: choosing("MAEU")}
		require.NoError(t, testkit.First(testkit.NewClient(t, api).TrackingRequests.Track(t.Context(), "MSCU6639870", params)))
		require.Equal(t, []string{asContainer("MSCU6639870", "MAEU")}, created(api))
	}
}

func choosing(scac string) func(context.Context, *terminal49.Inference) (string, error) {
	return func(context.Context, *terminal49.Inference) (string, error) { return scac, nil }
}

// The sample of the auto-detect guide offers "ONE", although a SCAC has four characters
// (service-facts Q4). The service decides about what it offered.
func TestTrack_AcceptsTheSCACThatTheServiceOffered(t *testing.T) {
	for name, c := range map[string]struct {
		decision string
		params   terminal49.TrackParams
	}{
		"selected by the service": {"auto_select", terminal49.TrackParams{}},
		"chosen by Confirm":       {"needs_confirmation", terminal49.TrackParams{Confirm: choosing("ONE")}},
		"set by the caller":       {"needs_confirmation", terminal49.TrackParams{SCAC: "ONE"}},
	} {
		for by, track := range trackers() {
			api := inferring(offering(c.decision, "ONE", "MSCU"))
			require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "MSCU6639870", &c.params), name+by)
			require.Equal(t, []string{asContainer("MSCU6639870", "ONE")}, created(api), name+by)
		}
	}
}

// interface.md, "Limits": exactly four characters, for everything else.
func TestTrack_RejectsAMalformedSCACThatWasNotOffered(t *testing.T) {
	request := terminal49.TrackingRequestCreate{RequestNumber: "MSCU6639870", RequestType: terminal49.RequestContainer, SCAC: "ONE"}
	for field, do := range map[string]func(*terminal49.TrackingRequestsService) error{
		"Confirm": func(s *terminal49.TrackingRequestsService) error {
			return testkit.First(s.Track(t.Context(), "MSCU6639870", &terminal49.TrackParams{Confirm: choosing("EVERGREEN")}))
		},
		"SCAC": func(s *terminal49.TrackingRequestsService) error {
			return testkit.First(s.Track(t.Context(), "MSCU6639870", &terminal49.TrackParams{SCAC: "EVERGREEN"}))
		},
		"SCAC ": func(s *terminal49.TrackingRequestsService) error {
			params := &terminal49.TrackParams{SCAC: "ONE", RequestType: terminal49.RequestContainer} // nothing is inferred
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
		require.Contains(t, argument.Problem, "four capital letters or digits")
		require.Empty(t, created(api))
	}
}

// The routes of an update: the OpenAPI document and interface.md have the first, the guides the
// second (service-facts Q9).
var updateRoutes = []string{"/containers", "/containers/" + testkit.ContainerID}

const (
	noRoute     = `<!DOCTYPE html><title>The page you were looking for doesn't exist (404)</title>` // service-facts 8
	noContainer = `{"errors":[{"status":"404","title":"Not Found"}]}`                               // interface.md, "Errors"
)

// updating returns a service whose two routes respond like this, and the paths that were sent.
func updating(t *testing.T, statuses [2]int, bodies [2]string, opts ...terminal49.Option) (update func(...terminal49.CallOption) error, paths func() []string) {
	api := testkit.NewFakeAPI()
	for i, path := range updateRoutes {
		api.On("PATCH", path, statuses[i], bodies[i])
	}
	service := testkit.NewClient(t, api, opts...).Containers
	update = func(opts ...terminal49.CallOption) error {
		change := terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"PO 1"})}
		got, err := service.Update(t.Context(), testkit.ContainerID, change, opts...)
		if err == nil {
			require.Equal(t, testkit.ContainerID, got.ID)
		}
		return err
	}
	paths = func() (list []string) {
		for _, s := range api.Requests() {
			require.JSONEq(t, `{"data":{"type":"container","id":"`+testkit.ContainerID+`","attributes":{"ref_numbers":["PO 1"]}}}`, s.Body)
			list = append(list, strings.TrimPrefix(s.Path, "/proxy/v2"))
		}
		return list
	}
	return update, paths
}

const done, gone = http.StatusOK, http.StatusNotFound

// service-facts Q9: a service may have only one of the two routes. The one that worked is used again.
func TestUpdate_FindsTheRouteThatExists(t *testing.T) {
	inBody, inPath := updateRoutes[0], updateRoutes[1]
	update, paths := updating(t, [2]int{gone, done}, [2]string{noRoute, testkit.OneContainer})
	require.NoError(t, update())
	require.NoError(t, update())
	require.NoError(t, update(terminal49.WithIDInPath()))
	require.Equal(t, []string{inBody, inPath, inPath, inPath}, paths())

	update, paths = updating(t, [2]int{done, gone}, [2]string{testkit.OneContainer, noRoute})
	require.NoError(t, update())
	require.ErrorIs(t, update(terminal49.WithIDInPath()), terminal49.ErrNotFound)
	require.Equal(t, []string{inBody, inPath}, paths(), "the caller's choice of a route has no alternative")
}

// Many calls at once find the route too, each with at most one more request.
func TestUpdate_FindsTheRouteConcurrently(t *testing.T) {
	update, paths := updating(t, [2]int{gone, done}, [2]string{noRoute, testkit.OneContainer})
	errs := make(chan error)
	for range 20 {
		go func() { errs <- update() }()
	}
	for range 20 {
		require.NoError(t, <-errs)
	}
	require.LessOrEqual(t, len(paths()), 40)
	require.NoError(t, update())
	require.Equal(t, updateRoutes[1], paths()[len(paths())-1])
}

// interface.md, "Errors": a missing resource is a 404 with a title. It explains more than the page
// of a route that does not exist (service-facts 8), whichever comes first.
func TestUpdate_ReturnsTheMoreUsefulError(t *testing.T) {
	const invalid = `{"errors":[{"status":"422","title":"Invalid","detail":"Ref numbers are invalid"}]}`
	for name, c := range map[string]struct {
		statuses [2]int
		bodies   [2]string
		is       error
		says     string
		sent     int
	}{
		"no such container, first route":  {[2]int{gone, gone}, [2]string{noContainer, noRoute}, terminal49.ErrNotFound, "Not Found", 2},
		"no such container, second route": {[2]int{gone, gone}, [2]string{noRoute, noContainer}, terminal49.ErrNotFound, "Not Found", 2},
		"no such container, both routes":  {[2]int{gone, gone}, [2]string{noContainer, noContainer}, terminal49.ErrNotFound, "Not Found", 2},
		"no route at all":                 {[2]int{gone, gone}, [2]string{noRoute, noRoute}, terminal49.ErrNotFound, "base URL", 2},
		"the other route takes no update": {[2]int{gone, 405}, [2]string{noContainer, ""}, terminal49.ErrNotFound, "Not Found", 2},
		"the other route is forbidden":    {[2]int{gone, 403}, [2]string{noContainer, noContainer}, terminal49.ErrNotFound, "Not Found", 2},
		"invalid, second route":           {[2]int{gone, 422}, [2]string{noRoute, invalid}, terminal49.ErrInvalid, "Ref numbers", 2},
		"the second route has no time":    {[2]int{gone, 429}, [2]string{noContainer, ""}, terminal49.ErrRateLimited, "", 2},
		"not a 404":                       {[2]int{422, done}, [2]string{invalid, testkit.OneContainer}, terminal49.ErrInvalid, "Ref numbers", 1},
		"a server error":                  {[2]int{500, done}, [2]string{"", testkit.OneContainer}, terminal49.ErrServer, "", 1},
	} {
		update, paths := updating(t, c.statuses, c.bodies)
		err := update()
		require.ErrorIs(t, err, c.is, name)
		require.ErrorContains(t, err, c.says, name)
		require.Len(t, paths(), c.sent, name)
		require.Equal(t, c.statuses[c.sent-1] >= 500 || c.statuses[0] >= 500, terminal49.IsOutcomeUnknown(err), name)
	}
}

// A lost response to the second request may hide an update, which the 404 of the first does not
// deny. A 404 after an attempt that was lost proves nothing either.
func TestUpdate_KeepsAnUnknownOutcome(t *testing.T) {
	update, _ := updating(t, [2]int{gone, done}, [2]string{noContainer, `{"data":`})
	require.True(t, terminal49.IsOutcomeUnknown(update()))
	synctest.Test(t, keepsAnUnknownOutcome)
}

func keepsAnUnknownOutcome(t *testing.T) {
	lost := true
	drop := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if lost {
			lost = false
			return nil, errors.New("connection reset")
		}
		return next.RoundTrip(req)
	})
	update, paths := updating(t, [2]int{gone, done}, [2]string{noContainer, testkit.OneContainer}, drop, terminal49.WithMaxAttempts(2))
	err := update()
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.True(t, terminal49.IsOutcomeUnknown(err))
	require.Equal(t, updateRoutes[:1], paths())
}

// Each request is an attempt of its own, and WithResponse describes the last.
func TestUpdate_ObserversSeeBothRoutes(t *testing.T) {
	var routes []string
	hooks := terminal49.WithHooks(terminal49.Hooks{OnAttempt: func(_ context.Context, a terminal49.Attempt) { routes = append(routes, a.Route) }})
	update, _ := updating(t, [2]int{gone, done}, [2]string{noRoute, testkit.OneContainer}, hooks)
	var response terminal49.Response
	require.NoError(t, update(terminal49.WithResponse(&response)))
	require.Equal(t, []string{"/containers", "/containers/{id}"}, routes)
	require.Equal(t, http.StatusOK, response.Status)
	require.Equal(t, 1, response.Attempts)
}

// service-facts 2.2 and 9: ref_number and document_type_manual are texts; only extracted_data_manual
// may be null, which clears it.
func TestUpdate_RejectsNullWhereTheServiceDoes(t *testing.T) {
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	_, err := client.TrackingRequests.Update(t.Context(), testkit.RequestID, terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Null[string]()})
	requireArgument(t, err, "ReferenceNumber")
	_, err = client.Documents.Update(t.Context(), testkit.DocumentID, terminal49.DocumentUpdate{DocumentTypeManual: terminal49.Null[string]()})
	requireArgument(t, err, "DocumentTypeManual")
	require.Empty(t, api.Requests())

	api.On("PATCH", "/documents/"+testkit.DocumentID, 200, `{"data":{"id":"`+testkit.DocumentID+`","type":"document"}}`)
	_, err = client.Documents.Update(t.Context(), testkit.DocumentID, terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Null[map[string]any]()})
	require.NoError(t, err)
	require.Contains(t, api.Requests()[0].Body, `{"extracted_data_manual":null}`)
}

func requireArgument(t *testing.T, err error, field string) {
	t.Helper()
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Equal(t, field, argument.Field)
	require.Contains(t, argument.Problem, "must not be null")
}

// service-facts 6: transport events, options and other lists are not really paged, and their links
// may advertise pages that do not exist. What was received is not lost.
func TestLists_KeepTheItemsOfALinkWithoutAPage(t *testing.T) {
	page := func(typ string) string {
		return `{"data":[{"id":"` + testkit.OptionID + `","type":"` + typ + `"}],"links":{"next":"https://api.example.test/v2/x"}}`
	}
	for name, c := range map[string]struct {
		path, typ string
		list      func(*terminal49.Client) (int, error)
		whole     bool // links are ignored
	}{
		"transport events": {"/containers/" + testkit.ContainerID + "/transport_events", "transport_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
			return len(list), err
		}, false},
		"options": {"/custom_field_definitions/" + testkit.DefinitionID + "/options", "custom_field_option", func(c *terminal49.Client) (int, error) {
			list, err := c.CustomFieldOptions.List(t.Context(), testkit.DefinitionID)
			return len(list), err
		}, false},
		"custom fields": {"/shipments/" + testkit.ShipmentID + "/custom_fields", "custom_field", func(c *terminal49.Client) (int, error) {
			list, err := c.Shipments.CustomFields(t.Context(), testkit.ShipmentID)
			return len(list), err
		}, false},
		"definitions": {"/custom_field_definitions", "custom_field_definition", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.CustomFieldDefinitions.All(t.Context(), nil))
			return len(list), err
		}, false},
		"webhooks": {"/webhooks", "webhook", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.Webhooks.All(t.Context(), nil))
			return len(list), err
		}, false},
		"raw events": {"/containers/" + testkit.ContainerID + "/raw_events", "raw_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.RawEvents(t.Context(), testkit.ContainerID)
			return len(list), err
		}, true},
		"shipping lines": {"/shipping_lines", "shipping_line", func(c *terminal49.Client) (int, error) {
			list, err := c.ShippingLines.List(t.Context())
			return len(list), err
		}, true},
		"search": {"/search", "search_result", func(c *terminal49.Client) (int, error) {
			list, err := c.Search.Query(t.Context(), "MSCU")
			return len(list), err
		}, true},
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", c.path, 200, page(c.typ))
		n, err := c.list(testkit.NewClient(t, api))
		require.Equal(t, 1, n, name)
		require.Equal(t, !c.whole, errors.Is(err, terminal49.ErrPagination), "%s: %v", name, err)
		require.Len(t, api.Requests(), 1, name)
	}
}

// unread returns what strict decoding does not understand.
func unread(t *testing.T, body string, do func(*terminal49.Client) error) (list []string) {
	t.Helper()
	rt := testkit.Answer(http.StatusOK, body)
	require.NoError(t, do(testkit.NewClient(t, rt)), "without strict decoding")
	err := do(testkit.NewClient(t, rt, terminal49.WithStrictDecoding()))
	var unread *terminal49.DecodeError
	if errors.As(err, &unread) {
		for _, w := range unread.Warnings {
			list = append(list, strings.TrimSpace(w.ResourceType+" "+w.Field))
		}
		return list
	}
	require.NoError(t, err)
	return nil
}

// JSON:API 1.0, "Document Structure", names the members of each object; service-facts 3 and 6 those
// that the service adds: meta.pagination, the id among attributes and links.download.
func TestStrictDecoding_SeesUnknownMembersEverywhere(t *testing.T) {
	list := func(c *terminal49.Client) error { return testkit.First(c.TrackingRequests.List(t.Context(), nil)) }
	require.Equal(t, []string{
		"tracking_request attr", "tracking_request tracked_object.rel", "tracking_request tracked_object.reff",
		"tracking_request tracked_object.links.relLink", "tracking_request tracked_object.meta.relMeta",
		"tracking_request links.resLink", "tracking_request meta.resMeta", "tracking_request res",
		"shipment res", "links.link", "meta.count", "top",
	}, unread(t, `{"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request","attributes":{"attr":1},
		"relationships":{"tracked_object":{"rel":{"x":1},"data":{"id":"`+testkit.ShipmentID+`","type":"shipment","reff":[]},
			"links":{"self":"s","related":"r","relLink":null},"meta":{"relMeta":1}}},
		"links":{"self":"s","resLink":"r"},"meta":{"resMeta":1},"res":[1]}],
		"included":[{"id":"`+testkit.ShipmentID+`","type":"shipment","res":1}],
		"links":{"self":"s","current":"c","link":"l"},"meta":{"size":1,"total":1,"count":1},"top":{"x":{}}}`, list))
	require.Empty(t, unread(t, `{"jsonapi":{"version":"1.0"},"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request",
		"attributes":{"status":"pending"},"relationships":{"tracked_object":{"data":null,"links":{"related":"r"},"meta":{}}},
		"links":{"self":"s"},"meta":{}}],"included":[{"id":"`+testkit.PortID+`","type":"port","attributes":{"id":"1","name":"LA"}}],
		"links":{"self":"s","current":"c","first":"f","prev":"p","next":"n?page[number]=2","last":"l"},
		"meta":{"size":1,"total":1,"pagination":{"current":1,"next":2,"last":2,"records":31}}}`, list))
	require.Empty(t, unread(t, `{"data":{"id":"`+testkit.DocumentID+`","type":"document","attributes":{"id":"1"},
		"links":{"self":"s","download":"d"}}}`, func(c *terminal49.Client) error {
		return testkit.First(c.Documents.Get(t.Context(), testkit.DocumentID, nil))
	}))
}

// service-facts 2.3, 2.7, 2.8 and 9 have the members of the responses that are not JSON:API
// documents; RFC 7946 those of GeoJSON.
func TestStrictDecoding_SeesUnknownMembersOfPlainResponses(t *testing.T) {
	trigger := terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventFullIn}
	for name, c := range map[string]struct {
		known, unknown string
		want           []string
		do             func(*terminal49.Client) error
	}{
		"refresh": {`{"message":"Started refresh"}`, `{"message":"m","job":1,"Eta":{"a":1}}`, []string{"job", "Eta"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Containers.Refresh(t.Context(), testkit.ContainerID))
			}},
		"types": {`{"document_types":[{"code":"a","label":"A"}]}`, `{"document_types":[{"code":"a","icon":"x"},{"hue":1}],"n":1}`,
			[]string{"document_types.icon", "document_types.hue", "n"},
			func(c *terminal49.Client) error { return testkit.First(c.Documents.Types(t.Context())) }},
		"download url": {`{"download_url":"https://s.example/1"}`, `{"download_url":"https://s.example/1","expires":1}`, []string{"expires"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Documents.DownloadURL(t.Context(), testkit.DocumentID))
			}},
		"ips": {`{"webhook_notification_ips":["192.0.2.1"],"last_updated":"2026-01-01T00:00:00Z"}`, `{"webhook_notification_ips":["192.0.2.1"],"ipv6":[]}`,
			[]string{"ipv6"}, func(c *terminal49.Client) error { return testkit.First(c.Webhooks.IPs(t.Context())) }},
		"trigger": {`{"url":"u","succeeded":true,"error":null,"status_code":200,"request_headers":{"a":"b"},"request_body":"x",
			"response_headers":{"c":["d"]},"response_body":"y"}`, `{"succeeded":false,"attempt":2}`, []string{"attempt"},
			func(c *terminal49.Client) error { return testkit.First(c.Webhooks.Trigger(t.Context(), trigger)) }},
		"map": {`{"type":"FeatureCollection","bbox":[0,0,1,1],"features":[{"type":"Feature","id":1,"bbox":[],"geometry":null,"properties":null}]}`,
			`{"type":"FeatureCollection","route":1,"features":[{"type":"Feature","geometry":null,"properties":null,"style":{}}]}`,
			[]string{"route", "features.style"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Containers.Map(t.Context(), testkit.ContainerID))
			}},
	} {
		require.Empty(t, unread(t, c.known, c.do), name)
		require.Equal(t, c.want, unread(t, c.unknown, c.do), name)
	}
}
