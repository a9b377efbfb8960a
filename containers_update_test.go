package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The routes of an update: the OpenAPI document has the first, a guide the second
// (docs/service.md#container-updates).
var updateRoutes = []string{"/containers", "/containers/" + testkit.ContainerID}

const (
	noRoute     = `<!DOCTYPE html><title>The page you were looking for doesn't exist (404)</title>` // docs/service.md#error-bodies
	noContainer = `{"errors":[{"status":"404","title":"Not Found"}]}`                               // docs/service.md#error-bodies
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

// The schema "container" of the service's OpenAPI document has "account" as the only value of type,
// so a mock that follows it sends that. An account is refused wherever another resource is read.
func TestContainersUpdate_ATypeOfTheDocument(t *testing.T) {
	answered := func(typ, id string) *terminal49.Client {
		return testkit.NewClient(t, testkit.Answer(200, `{"data":{"id":"`+id+`","type":"`+typ+`","attributes":{"number":"MSCU1234567"}}}`))
	}
	change := terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"PO 1"})}
	got, err := answered("account", testkit.ContainerID).Containers.Update(t.Context(), testkit.ContainerID, change)
	require.NoError(t, err)
	require.Equal(t, "MSCU1234567", got.Number)
	got, err = answered("account", testkit.ContainerID).Containers.Get(t.Context(), testkit.ContainerID, nil)
	require.NoError(t, err)
	written, err := json.Marshal(got)
	require.NoError(t, err)
	var read terminal49.Container
	require.NoError(t, json.Unmarshal(written, &read))
	require.Equal(t, "MSCU1234567", read.Number)

	for name, err := range map[string]error{
		"another account":   testkit.First(answered("account", testkit.LineID).Containers.Update(t.Context(), testkit.ContainerID, change)),
		"a shipment":        testkit.First(answered("shipment", testkit.ContainerID).Containers.Update(t.Context(), testkit.ContainerID, change)),
		"another operation": testkit.First(answered("account", testkit.ShipmentID).Shipments.Get(t.Context(), testkit.ShipmentID, nil)),
	} {
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, name)
	}
}

// A service may have only one of the two routes. The one that worked is reused.
func TestContainersUpdate_FindsTheRouteThatExists(t *testing.T) {
	inBody, inPath := updateRoutes[0], updateRoutes[1]
	update, paths := updating(t, [2]int{gone, done}, [2]string{noRoute, testkit.OneContainer})
	require.NoError(t, update())
	require.NoError(t, update())
	require.Equal(t, []string{inBody, inPath, inPath}, paths())
}

// A missing resource is a 404 with a title (docs/service.md#error-bodies). From a route that has
// worked it is the response, with one request; a web page there means that the route no longer
// exists.
func TestContainersUpdate_AMissingContainerCostsOneRequestOnceARouteWorked(t *testing.T) {
	for i, works := range updateRoutes {
		api, other := testkit.NewFakeAPI(), updateRoutes[1-i]
		api.On("PATCH", works, done, testkit.OneContainer)
		api.On("PATCH", other, gone, noRoute)
		service := testkit.NewClient(t, api).Containers
		update := func() error {
			return testkit.First(service.Update(t.Context(), testkit.ContainerID, terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"PO 1"})}))
		}
		require.NoError(t, update())
		api.On("PATCH", works, gone, noContainer)
		before := len(api.Requests())
		require.ErrorIs(t, update(), terminal49.ErrNotFound)
		require.ErrorIs(t, update(), terminal49.ErrNotFound)
		require.Len(t, api.Requests(), before+2, works)
		api.On("PATCH", works, gone, noRoute)
		api.On("PATCH", other, done, testkit.OneContainer)
		require.NoError(t, update())
		require.Len(t, api.Requests(), before+4, works)
	}
}

// Many calls at once find the route too, each with at most one more request.
func TestContainersUpdate_FindsTheRouteConcurrently(t *testing.T) {
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

// The 404 of a missing resource has a title. It explains more than the page of a route that does
// not exist (docs/service.md#error-bodies), whichever comes first.
func TestContainersUpdate_ReturnsTheMoreUsefulError(t *testing.T) {
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
func TestContainersUpdate_KeepsAnUnknownOutcome(t *testing.T) {
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
func TestContainersUpdate_ObserversSeeBothRoutes(t *testing.T) {
	var routes []string
	hooks := terminal49.WithHooks(terminal49.Hooks{OnAttempt: func(_ context.Context, a terminal49.Attempt) { routes = append(routes, a.Route) }})
	update, _ := updating(t, [2]int{gone, done}, [2]string{noRoute, testkit.OneContainer}, hooks)
	var response terminal49.Response
	require.NoError(t, update(terminal49.WithResponse(&response)))
	require.Equal(t, []string{"/containers", "/containers/{id}"}, routes)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, 1, response.Attempts)
}

// ref_number and document_type_manual are texts; extracted_data_manual may be null, which clears it
// (docs/service.md#editing-requests and #documents).
func TestContainersUpdate_RejectsNullWhereTheServiceDoes(t *testing.T) {
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
