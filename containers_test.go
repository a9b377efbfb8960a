package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

func TestContainers_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("containers")) }

func TestContainers_RefreshReturnsTheMessage(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(200, `{"message":"Started refresh for Shipping line, Terminal, Rail"}`))
	message, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)
}

func TestContainers_RefreshWithAnEmptyResponseIsADecodeError(t *testing.T) {
	_, err := testkit.NewClient(t, testkit.Answer(200, ``)).Containers.Refresh(t.Context(), testkit.ContainerID)
	var decode *terminal49.DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "it is empty")
}

func TestContainers_EventListsAreComplete(t *testing.T) {
	const page = `{"data":[{"id":"a","type":"transport_event","attributes":{"event":"container.transport.full_in"}}],
		"links":{"next":"https://api.example.test/proxy/v2/x?page%5Bnumber%5D=2"}}`
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"": page, "page[number]=2": `{"data":[{"id":"b","type":"transport_event"}]}`,
	})
	api.OnPages("/containers/"+testkit.ContainerID+"/raw_events", map[string]string{"": page})
	client := testkit.NewClient(t, api)

	events, err := client.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, terminal49.EventFullIn, events[0].Event)

	raw, err := client.Containers.RawEvents(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Len(t, raw, 1, "the next link of an unpaged list is not followed")
}

// A part of a list must never be mistaken for the whole.
func TestContainers_AnInterruptedEventListReturnsNothing(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"":               `{"data":[{"id":"a","type":"transport_event"}],"links":{"next":"/x?page%5Bnumber%5D=2"}}`,
		"page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	events, err := testkit.NewClient(t, api).Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Nil(t, events)
}

var secondOfMarch = terminal49.Date{Year: 2026, Month: time.March, Day: 2}

// The guide to the list filters says that the service compares the stored day, in UTC: "For a local
// port day, request the overlapping UTC days and refine". The offsets are those of the IANA
// database: on 2 March 2026 Los Angeles is 8 hours behind UTC, Shanghai 8 and Auckland 13 hours
// ahead. A terminal without a zone sends its own clock.
func TestAllByPickupLFD_IsTheDayAtThePlace(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddPort(terminal49test.Port{LOCODE: "NZAKL", Name: "Auckland", TimeZone: "Pacific/Auckland"})
		srv.AddPort(terminal49test.Port{LOCODE: "QQANY", Name: "Any Port"})
		names := map[string]string{}
		for port, ahead := range map[string]time.Duration{"USLAX": -8, "CNSHA": 8, "NZAKL": 13, "QQANY": 0} {
			shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "B" + port, PortOfDischarge: port})
			for day := range 7 {
				begins := time.Date(2026, time.March, 2+day-3, 0, 0, 0, 0, time.UTC).Add(-ahead * time.Hour)
				for name, at := range map[string]time.Time{"first": begins, "last": begins.Add(24*time.Hour - time.Second)} {
					id := srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", len(names)), Shipment: shipment,
						ImportDeadlines: terminal49test.Deadlines{Terminal: at}})
					names[id] = fmt.Sprintf("%s %+d %s", port, day-3, name)
				}
			}
		}
		srv.AddContainer(terminal49test.Container{Number: "MSKU9999990"}) // without a last free day
		client := testkit.SimulatedClient(t, srv)
		walk := client.Containers.AllByPickupLFD(t.Context(), secondOfMarch, nil)
		for range 2 { // it can be ranged over again
			found, err := testkit.Drain(walk)
			require.NoError(t, err)
			var got []string
			for _, c := range found {
				got = append(got, names[c.ID])
			}
			require.ElementsMatch(t, []string{
				"USLAX +0 first", "USLAX +0 last", "CNSHA +0 first", "CNSHA +0 last", "NZAKL +0 first", "NZAKL +0 last",
				"QQANY +0 first", "QQANY +0 last",
			}, got)
		}
		sent, err := url.QueryUnescape(srv.Requests()[0].Query)
		require.NoError(t, err)
		require.Equal(t, "filter[pickup_lfd][]=>=2026-03-01&filter[pickup_lfd][]=<=2026-03-03&page[size]=100&sort=-created_at", sent)

		// The rest of params selects too, and params is not changed.
		params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{PODCode: []string{"CNSHA"}}}
		found, err := testkit.Drain(client.Containers.AllByPickupLFD(t.Context(), secondOfMarch, params))
		require.NoError(t, err)
		require.Len(t, found, 2)
		require.Zero(t, params.Filter.PickupLFD)
	})
}

// Every container that may be on the day is kept. Zones are from UTC-12 (the Etc name has the other
// sign) to UTC+14.
func TestAllByPickupLFD_KeepsWhatMayBeOnTheDay(t *testing.T) {
	lfd := func(at, podZone string) string { return `"pickup_lfd":"` + at + `","pod_timezone":` + podZone }
	either := func(at string) string {
		return lfd(at, `"America/Los_Angeles","final_destination_timezone":"America/New_York"`)
	}
	for attributes, kept := range map[string]bool{
		`"pickup_lfd":null`:                                                                 true,
		lfd("2026-03-02", `"Asia/Shanghai"`):                                                true,
		lfd("2026-03-01", `"Asia/Shanghai"`):                                                false,
		lfd("2026-03-03", `"Asia/Shanghai"`):                                                false,
		lfd("2026-03-02T00:00:00Z", "null"):                                                 true, // the clock of the place
		lfd("2026-03-01T23:00:00Z", "null"):                                                 false,
		lfd("2026-03-01T10:00:00Z", `"Pacific/Kiritimati"`):                                 true,
		lfd("2026-03-01T09:59:59Z", `"Pacific/Kiritimati"`):                                 false,
		lfd("2026-03-03T11:59:59Z", `"Etc/GMT+12"`):                                         true,
		lfd("2026-03-03T12:00:00Z", `"Etc/GMT+12"`):                                         false,
		lfd("2026-03-01T10:00:00Z", `"Nowhere/Known"`):                                      true, // a zone that cannot be loaded
		lfd("2026-03-01T09:59:59Z", `"Nowhere/Known"`):                                      false,
		lfd("2026-03-03T11:59:59Z", `"Nowhere/Known"`):                                      true,
		lfd("2026-03-03T12:00:00Z", `"Nowhere/Known"`):                                      false,
		either("2026-03-02T06:30:00Z"):                                                      true, // 22:30 on the 1st, or 01:30 on the 2nd
		either("2026-03-03T06:30:00Z"):                                                      true, // 22:30 on the 2nd, or 01:30 on the 3rd
		either("2026-03-02T04:30:00Z"):                                                      false,
		either("2026-03-03T08:30:00Z"):                                                      false,
		lfd("2026-03-01T10:00:00Z", `null,"final_destination_timezone":"America/New_York"`): true, // of either place
		lfd("2026-03-01T09:59:59Z", `null,"final_destination_timezone":"America/New_York"`): false,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{`+attributes+`}}]}`)
		client := testkit.NewClient(t, api, terminal49.WithoutFilterCheck())
		found, err := testkit.Drain(client.Containers.AllByPickupLFD(t.Context(), secondOfMarch, nil))
		require.NoError(t, err, attributes)
		require.Equal(t, kept, len(found) == 1, attributes)
	}
}

func TestAllByPickupLFD_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	for _, day := range []terminal49.Date{{}, {Year: 2026, Month: time.February, Day: 30}} {
		_, err := testkit.Drain(client.Containers.AllByPickupLFD(t.Context(), day, nil))
		testkit.RequireArgument(t, err, "day")
	}
	params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{PickupLFD: terminal49.DateRange{Presence: terminal49.Reported}}}
	_, err := testkit.Drain(client.Containers.AllByPickupLFD(t.Context(), secondOfMarch, params))
	testkit.RequireArgument(t, err, "Filter.PickupLFD")
	require.Empty(t, api.Requests())
}

// A list that the service did not filter is an error here too.
func TestAllByPickupLFD_NoticesAnIgnoredFilter(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.SeedDemo()
		_, err := testkit.Drain(testkit.SimulatedClient(t, srv).Containers.AllByPickupLFD(t.Context(), secondOfMarch, nil))
		var ignored *terminal49.FilterIgnoredError
		require.ErrorAs(t, err, &ignored)
		require.Equal(t, "filter[pickup_lfd]", ignored.Filter)
	}, terminal49test.WithoutAutumn2026())
}

// The form of a summary is that which the service's own TypeScript SDK checks: unique keys, counts
// from 0, and a sum that is the total unless groups are left out.

func summaryOf(t *testing.T, body string, opts ...terminal49.Option) (*terminal49.ContainerSummary, error) {
	return testkit.NewClient(t, testkit.Answer(200, body), opts...).
		Containers.Summary(t.Context(), terminal49.GroupByPODTerminal, terminal49.ContainerFilter{})
}

const summaryMeta = `"meta":{"total":6,"group_by":"pod_terminal","truncated":false}`

func TestSummary_NullIsNotEmpty(t *testing.T) {
	const body = `{"data":[{"key":"t1","label":"Pier One","count":3},{"key":null,"label":null,"count":2},
		{"key":"","label":"","count":1}],` + summaryMeta + `}`
	got, err := summaryOf(t, body, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, &terminal49.ContainerSummary{
		Groups: []terminal49.ContainerGroup{
			{Key: terminal49.Some("t1"), Label: terminal49.Some("Pier One"), Count: 3},
			{Key: terminal49.Null[string](), Label: terminal49.Null[string](), Count: 2},
			{Key: terminal49.Some(""), Label: terminal49.Some(""), Count: 1},
		},
		Total: 6, GroupBy: terminal49.GroupByPODTerminal,
	}, got)

	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, body, string(text), "the service's own form")
	var back terminal49.ContainerSummary
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, *got, back)
}

func TestSummary_RefusesCountsThatCannotBeTrusted(t *testing.T) {
	group := func(key string) string { return `{"key":` + key + `,"label":"x","count":3}` }
	for name, c := range map[string]struct{ body, want string }{
		"same key":     {`{"data":[` + group(`"s3cr3t"`) + `,` + group(`"s3cr3t"`) + `],` + summaryMeta + `}`, "two groups have the same key"},
		"null twice":   {`{"data":[` + group(`null`) + `,` + group(`null`) + `],` + summaryMeta + `}`, "two groups have the same key"},
		"no key twice": {`{"data":[{"count":3},` + group(`null`) + `],` + summaryMeta + `}`, "two groups have the same key"},
		"no data":      {`{` + summaryMeta + `}`, "no data"},
		"null data":    {`{"data":null,` + summaryMeta + `}`, "no data"},
		"no count":     {`{"data":[{"key":"a","label":"a"}],` + summaryMeta + `}`, "no count"},
		"negative":     {`{"data":[{"key":"a","count":-1},{"key":"b","count":7}],` + summaryMeta + `}`, "no count"},
		"fraction":     {`{"data":[{"key":"a","count":1.5}],` + summaryMeta + `}`, "is not a"},
		"number key":   {`{"data":[{"key":7,"count":6}],` + summaryMeta + `}`, "is not a"},
		"no meta":      {`{"data":[]}`, "no meta.total"},
		"no total":     {`{"data":[],"meta":{"group_by":"pod_terminal","truncated":false}}`, "no meta.total"},
		"no truncated": {`{"data":[],"meta":{"total":0,"group_by":"pod_terminal"}}`, "no meta.truncated"},
		"other groups": {`{"data":[],"meta":{"total":0,"group_by":"current_status","truncated":false}}`, "not those that were asked for"},
		"a list":       {`{"data":[{"id":"1","type":"container"}],"meta":{"total":1}}`, "no meta.truncated"},
	} {
		got, err := summaryOf(t, c.body)
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, name)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "s3cr3t", "an error never quotes the body")
		require.Nil(t, got, name)
		var stored terminal49.ContainerSummary
		if name != "other groups" { // which is a good summary of something else
			require.ErrorContains(t, json.Unmarshal([]byte(c.body), &stored), "terminal49: JSON of a ContainerSummary: ", name)
		}
	}
}

// The sum is the total unless groups are left out, and never more.
func TestSummary_CountsThatDoNotAddUpAreAWarning(t *testing.T) {
	most := strconv.Itoa(math.MaxInt) // two of them have no sum
	for body, doubtful := range map[string]bool{
		`{"data":[{"key":"a","count":4},{"key":"b","count":2}],"meta":{"group_by":"pod_terminal","total":6,"truncated":false}}`: false,
		`{"data":[{"key":"a","count":4},{"key":"b","count":2}],"meta":{"group_by":"pod_terminal","total":7,"truncated":false}}`: true,
		`{"data":[{"key":"a","count":4},{"key":"b","count":2}],"meta":{"group_by":"pod_terminal","total":5,"truncated":false}}`: true,
		`{"data":[{"key":"a","count":4},{"key":"b","count":2}],"meta":{"group_by":"pod_terminal","total":9,"truncated":true}}`:  false,
		`{"data":[{"key":"a","count":4},{"key":"b","count":2}],"meta":{"group_by":"pod_terminal","total":5,"truncated":true}}`:  true,
		`{"data":[{"key":"a","count":` + most + `},{"key":"b","count":` + most + `},{"key":"c","count":2}],
			"meta":{"group_by":"pod_terminal","total":0,"truncated":false}}`: true,
	} {
		var seen []terminal49.DecodeWarning
		got, err := summaryOf(t, body, terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) {
			seen = append(seen, w)
		}}))
		require.NoError(t, err, body)
		require.NotEmpty(t, got.Groups)
		_, err = summaryOf(t, body, terminal49.WithStrictDecoding())
		if !doubtful {
			require.Empty(t, seen, body)
			require.NoError(t, err, body)
			continue
		}
		require.Equal(t, []terminal49.DecodeWarning{{Op: "containers.summary", Field: "meta.total",
			Problem: "the counts of the groups do not add up to it"}}, seen, body)
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, body)
		require.Equal(t, seen, unread.Warnings)
	}
}

// A service without the operation takes "summary" for the id of a container.
func TestSummary_SaysThatItMayNotBeEnabled(t *testing.T) {
	for _, body := range []string{"", "<html>", `{"errors":[{"title":"Not Found"}]}`} {
		_, err := testkit.NewClient(t, testkit.Answer(404, body)).
			Containers.Summary(t.Context(), terminal49.GroupByStatus, terminal49.ContainerFilter{})
		require.ErrorIs(t, err, terminal49.ErrNotFound)
		require.ErrorContains(t, err, "the service may not have this operation yet, or not have enabled it for the account")
	}
}

func TestSummary_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	for _, by := range []terminal49.ContainerGroupBy{"", "vessel"} {
		testkit.RequireArgument(t, testkit.First(client.Containers.Summary(t.Context(), by, terminal49.ContainerFilter{})), "by")
	}
	ports := terminal49.ContainerFilter{PODCode: []string{"uslax"}}
	testkit.RequireArgument(t, testkit.First(client.Containers.Summary(t.Context(), terminal49.GroupByStatus, ports)), "filter[pod_code]")
	require.Empty(t, api.Requests())
}

// A summary counts what the list has, by any filter.
func TestSummary_CountsTheList(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.SeedDemo()
		srv.AddContainer(terminal49test.Container{Number: "MSKU0000006"}) // without a shipment
		client := testkit.SimulatedClient(t, srv)
		for name, filter := range map[string]terminal49.ContainerFilter{
			"all": {}, "held": {HoldNames: []terminal49.HoldName{terminal49.HoldCustoms}}, "none": {Number: []string{"NONE0000000"}},
			"available": {CurrentStatus: []terminal49.ContainerStatus{terminal49.StatusAvailable}, ActivelyTracked: terminal49.Some(true)},
		} {
			params := &terminal49.ContainerListParams{Filter: filter, Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}}
			listed, err := testkit.Drain(client.Containers.All(t.Context(), params))
			require.NoError(t, err, name)
			for by, keyOf := range map[terminal49.ContainerGroupBy]func(*terminal49.Container, *terminal49.Shipment) string{
				terminal49.GroupByStatus:          func(c *terminal49.Container, _ *terminal49.Shipment) string { return string(c.CurrentStatus) },
				terminal49.GroupByPODTerminal:     func(c *terminal49.Container, _ *terminal49.Shipment) string { return c.PODTerminal.ID() },
				terminal49.GroupByShippingLine:    func(_ *terminal49.Container, s *terminal49.Shipment) string { return s.ShippingLineSCAC },
				terminal49.GroupByPortOfDischarge: func(_ *terminal49.Container, s *terminal49.Shipment) string { return s.PortOfDischargeLOCODE },
			} {
				want := map[string]int{}
				for _, c := range listed {
					s, ok := c.Shipment.Value()
					if !ok {
						s = &terminal49.Shipment{}
					}
					want[keyOf(c, s)]++
				}
				got, err := client.Containers.Summary(t.Context(), by, filter)
				require.NoError(t, err)
				counted := map[string]int{}
				for _, g := range got.Groups {
					counted[g.Key.Or("")] = g.Count
				}
				require.Equal(t, want, counted, "%s by %s", name, by)
				require.Equal(t, len(listed), got.Total)
				require.True(t, slices.IsSortedFunc(got.Groups, func(a, b terminal49.ContainerGroup) int { return b.Count - a.Count }))
			}
		}
	})
}

// The routes of an update: the OpenAPI document has the first, a guide the second
// (docs/service-containers.md#container-updates).
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
// (docs/service-tracking.md#editing-requests and #documents).
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
