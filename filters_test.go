package terminal49_test

import (
	"context"
	"errors"
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

// Names and forms are those of docs/service.md#filters, #container-filters and #shipment-filters.
func TestFilters_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("filters")) }

// What the service refuses, misreads or drops (docs/service.md#filters and the sections after it).
func TestFilters_RefuseWhatTheServiceMisreads(t *testing.T) {
	type containers = terminal49.ContainerFilter
	type shipments = terminal49.ShipmentFilter
	day, next := terminal49.Date{Year: 2026, Month: 3, Day: 2}, terminal49.Date{Year: 2026, Month: 3, Day: 3}
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, f := range map[string]containers{
		"comma":              {VesselName: []string{"A,B"}},
		"operator":           {VesselName: []string{"~A"}},
		"empty":              {Number: []string{" - "}},
		"presence and value": {PODCode: []string{"USLAX", terminal49.NotReported}},
		"presence refused":   {OwnerID: []string{terminal49.Reported}},
		"tag presence":       {Tags: []string{"a,b"}},
		"LOCODE":             {PODCode: []string{"uslax"}},
		"SCAC":               {ShippingLineSCAC: []string{"MAERSK"}},
		"id":                 {PODTerminalID: []string{"WBCT"}},
		"status":             {CurrentStatus: []terminal49.ContainerStatus{"gone"}},
		"role":               {Parties: map[terminal49.PartyRoleKind][]string{"owner": {testkit.PartyID}}},
		"role's id":          {Parties: map[terminal49.PartyRoleKind][]string{"customer": {"1"}}},
		"hold presence":      {HoldNames: []terminal49.HoldName{terminal49.NotReported}},
		"hold comma":         {HoldNames: []terminal49.HoldName{"customs,USDA"}},
		"no slug":            {CustomFields: map[string][]string{" ": {"a"}}},
		"dotted slug":        {CustomFields: map[string][]string{"buyer.name": {"a"}}},
		"bracket in a slug":  {CustomFields: map[string][]string{"a][b": {"a"}}},
		"control in a slug":  {CustomFields: map[string][]string{"a\n": {"a"}}},
		"field comma":        {CustomFields: map[string][]string{"buyer_name": {"Acme, Inc"}}},
		"empty field":        {CustomFields: map[string][]string{"buyer_name": {" "}}},
		"field and presence": {CustomFields: map[string][]string{"buyer_name": {"a", terminal49.Reported}}},
		"long field":         {CustomFields: map[string][]string{"buyer_name": {strings.Repeat("ü", 100), strings.Repeat("ü", 100)}}},
		"reversed":           {PickupLFD: terminal49.DateRange{From: next, To: day}},
		"no such day":        {PickupLFD: terminal49.DateRange{From: terminal49.Date{Year: 2026, Month: 2, Day: 30}}},
		"presence and bound": {PickupLFD: terminal49.DateRange{From: day, Presence: terminal49.Reported}},
		"other presence":     {PickupLFD: terminal49.DateRange{Presence: "today"}},
		"one bound":          {LastFreeDayOn: terminal49.DateRange{From: day}},
		"reversed free days": {LastFreeDayOn: terminal49.DateRange{From: next, To: day}},
	} {
		requireRefused(t, name, &terminal49.ContainerListParams{Filter: f}, nil)
	}
	for name, p := range map[string]terminal49.ContainerListParams{
		"unknown order":   {Sort: []terminal49.ContainerSort{"pickup_ldf"}},
		"four orders":     {Sort: []terminal49.ContainerSort{"arrival", "created_at", "updated_at", "ind_lfd"}},
		"attention":       {Sort: []terminal49.ContainerSort{terminal49.ContainerSortAttention, "arrival"}},
		"-attention":      {Sort: []terminal49.ContainerSort{terminal49.ContainerSortAttention.Descending()}},
		"twice":           {Number: "MSCU1234566", Filter: containers{Number: []string{"MSCU1234566"}}},
		"twice in a map":  {RawFilters: map[string][]string{"filter[tags][]": {"a"}}, Filter: containers{Tags: []string{"b"}}},
		"not a filter":    {RawFilters: map[string][]string{"page[size]": {"7"}}},
		"two values":      {RawFilters: map[string][]string{"filter[new]": {"a", "b"}}},
		"field in a map":  {RawFilters: map[string][]string{"filter[custom_fields][a]": {"b"}}, Filter: containers{CustomFields: map[string][]string{"c": {"d"}}}},
		"500":             {RawFilters: map[string][]string{"filter[pod_eta_at]": {"today"}}},
		"500 with bounds": {RawFilters: map[string][]string{"filter[pod_ata_at][]": {">=2026-01-01"}}},
	} {
		requireRefused(t, name, &p, nil)
	}
	for name, p := range map[string]terminal49.ShipmentListParams{
		"oldest first":   {Sort: "created_at"},
		"unknown order":  {Sort: "pickup_lfd"},
		"no presence":    {Filter: shipments{PODCode: []string{terminal49.Reported}}},
		"voyage":         {Filter: shipments{VoyageStatus: "sunk"}},
		"no lower bound": {Filter: shipments{PODETAChangedAt: terminal49.TimeRange{To: noon}}},
		"not later":      {Filter: shipments{PODETAChangedAt: terminal49.TimeRange{From: noon, To: noon}}},
		"reversed":       {Filter: shipments{CreatedAt: terminal49.TimeRange{From: noon, To: noon.Add(-1)}}},
		"twice":          {CustomerID: testkit.PartyID, Filter: shipments{CustomerID: []string{testkit.PartyID}}},
	} {
		requireRefused(t, name, nil, &p)
	}
}

// A service that ignores a filter returns everything, with 200: docs/service.md#ignored-filters.
func TestFilters_AnIgnoredFilterIsAnError(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"holds_at_pod_terminal":null}},
		{"id":"2","type":"container","attributes":{"holds_at_pod_terminal":[]}}]}`)
	client := testkit.NewClient(t, api)
	params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{HasHolds: terminal49.Some(true)}}
	page, err := client.Containers.List(t.Context(), params)
	require.Nil(t, page)
	var ignored *terminal49.FilterIgnoredError
	require.ErrorAs(t, err, &ignored)
	require.Equal(t, terminal49.FilterIgnoredError{Op: "containers.list", Filter: "filter[has_holds]", ResourceID: "2"}, *ignored)
	require.ErrorContains(t, err, "the service ignored filter[has_holds]")

	all, err := testkit.Drain(client.Containers.All(t.Context(), params, terminal49.WithoutFilterCheck()))
	require.NoError(t, err)
	require.Len(t, all, 2)
	params.Filter.HasHolds = terminal49.Some(false) // null proves nothing
	_, err = testkit.Drain(client.Containers.All(t.Context(), params))
	require.NoError(t, err)
}

// hold_names selects holds in force, in any case and by any of the names. It is not released
// everywhere, and a service without it returns everything. A list that is not reported proves
// nothing, nor does a hold whose name or status is not known.
func TestFilters_HoldNamesAreCheckedAgainstActiveHolds(t *testing.T) {
	for holds, ignored := range map[string]bool{
		`null`:                                    false,
		`[]`:                                      true,
		`[{"name":"customs","status":"hold"}]`:    false,
		`[{"name":"CUSTOMS","status":"hold"}]`:    false,
		`[{"name":"usda","status":"hold"}]`:       false,
		`[{"name":"customs","status":"pending"}]`: true,
		`[{"name":"freight","status":"hold"}]`:    true,
		`[{"name":"freight","status":"hold"},{"name":"customs","status":"hold"}]`:    false,
		`[{"name":"freight","status":"hold"},{"name":"customs","status":"pending"}]`: true,
		`[{"name":null,"status":"hold"}]`:                                            false,
		`[{"name":"customs","status":null}]`:                                         false,
		`[{"name":"customs","status":"new_status"}]`:                                 false,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"holds_at_pod_terminal":`+holds+`}}]}`)
		filter := terminal49.ContainerFilter{HoldNames: []terminal49.HoldName{" customs ", terminal49.HoldUSDA}}
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.Equal(t, "filter[hold_names]=customs,USDA", api.Requests()[0].Query)
		var contradicted *terminal49.FilterIgnoredError
		require.Equal(t, ignored, errors.As(err, &contradicted), "%s: %v", holds, err)
		if ignored {
			require.Equal(t, "filter[hold_names]", contradicted.Filter)
		}
	}
}

// The values of custom fields are not in the list, so nothing is checked; presence is a value of
// its own, and up to 200 characters are allowed.
func TestFilters_CustomFields(t *testing.T) {
	for want, fields := range map[string]map[string][]string{
		"filter[custom_fields][buyer_name]=Acme,Harbor Street": {"buyer_name": {" Acme", "Harbor Street"}},
		"filter[custom_fields][a b]=@not_exists":               {"a b": {terminal49.NotReported}},
		"filter[custom_fields][a]=" + strings.Repeat("ü", 200): {"a": {strings.Repeat("ü", 200)}},
		"": {"a": nil},
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, testkit.SomeContainer)
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{
			Filter: terminal49.ContainerFilter{CustomFields: fields}})
		require.NoError(t, err)
		require.Equal(t, want, api.Requests()[0].Query)
	}
}

// The service compares the stored day, without conversion to the zone of a port
// (docs/service.md#filters), and the documents do not say in which zone that is. So a time
// contradicts a range only if it is outside in UTC and at the place.
func TestFilters_ADayMayBeThatOfUTCOrOfThePlace(t *testing.T) {
	const zone = `,"pod_timezone":"America/Los_Angeles"`
	day := terminal49.Date{Year: 2026, Month: 3, Day: 2}
	for attributes, ignored := range map[string]bool{
		`"pickup_lfd":"2026-03-02T08:00:00Z"` + zone: false,
		`"pickup_lfd":"2026-03-03T07:00:00Z"` + zone: false, // the 2nd in Los Angeles
		`"pickup_lfd":"2026-03-02T02:00:00Z"` + zone: false, // the 2nd in UTC
		`"pickup_lfd":"2026-03-03T08:00:00Z"` + zone: true,
		`"pickup_lfd":"2026-03-02T00:00:00Z"`:        false,
		`"pickup_lfd":"2026-03-02"`:                  false,
		`"pickup_lfd":"2026-03-03"`:                  true,
		`"pickup_lfd":"2026-03-01"`:                  true,
		`"pickup_lfd":null`:                          false,
		`"empty_out_at":"2026-03-03T00:00:00Z"`:      false, // in an unknown zone
		`"empty_out_at":"2026-03-04T00:00:00Z"`:      true,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{`+attributes+`}}]}`)
		filter := terminal49.ContainerFilter{PickupLFD: terminal49.DateRange{From: day, To: day}}
		filter.EmptyOutAt = filter.PickupLFD
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.Equal(t, ignored, err != nil, "%s: %v", attributes, err)
	}
}

// Instants have the operators >= and <= (docs/service.md#filters), so the bounds are included.
func TestFilters_AnInstantIsComparedWithItsBounds(t *testing.T) {
	noon := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	for created, ignored := range map[string]bool{
		`"2026-03-02T11:00:00Z"`: true, `"2026-03-02T12:00:00Z"`: false, `"2026-03-02T05:00:00-0800"`: false,
		`"2026-03-02T14:00:00Z"`: false, `"2026-03-02T14:00:01Z"`: true, `null`: false,
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/shipments", 200, `{"data":[{"id":"1","type":"shipment","attributes":{"created_at":`+created+`}}]}`)
		filter := terminal49.ShipmentFilter{CreatedAt: terminal49.TimeRange{From: noon, To: noon.Add(2 * time.Hour)}}
		_, err := testkit.NewClient(t, api).Shipments.List(t.Context(), &terminal49.ShipmentListParams{Filter: filter})
		require.Equal(t, ignored, err != nil, "%s: %v", created, err)
	}
}

func requireRefused(t *testing.T, name string, c *terminal49.ContainerListParams, s *terminal49.ShipmentListParams) {
	t.Helper()
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	var err error
	if c != nil {
		_, err = client.Containers.List(t.Context(), c)
	} else {
		_, err = client.Shipments.List(t.Context(), s)
	}
	var refused *terminal49.ArgumentError
	require.ErrorAs(t, err, &refused, name)
	require.Empty(t, api.Requests(), name)
}

// The definitions are those of the dashboard: ready for pickup is the status available; at risk is
// requires_attention; discharged, not picked up are four statuses; each of tracked containers.
func TestDashboard_Worklists(t *testing.T) {
	const tracked = "filter[actively_tracked]=true"
	for want, filter := range map[string]terminal49.ContainerFilter{
		tracked + "&filter[current_status]=available":                                                 terminal49.DashboardReady(),
		tracked + "&filter[requires_attention]=true":                                                  terminal49.DashboardAtRisk(),
		tracked + "&filter[current_status]=available,not_available,grounded,awaiting_inland_transfer": terminal49.DashboardDischarged(),
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[]}`)
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.NoError(t, err)
		require.Equal(t, want, api.Requests()[0].Query)
	}
}

// find returns the outcomes, which must be in the order of the numbers.
func find(t *testing.T, client *terminal49.Client, numbers []string) []terminal49.FindOutcome {
	t.Helper()
	outcomes := slices.Collect(client.Containers.FindByNumbers(t.Context(), numbers, nil))
	require.Len(t, outcomes, len(numbers))
	for i, o := range outcomes {
		require.Equal(t, numbers[i], o.Number)
	}
	return outcomes
}

// sheet returns valid container numbers (ISO 6346).
func sheet(n int) []string {
	numbers := make([]string, n)
	for i := range numbers {
		numbers[i] = terminal49test.ContainerNumber("MSKU", i+1)
	}
	return numbers
}

// addContainers adds an open journey for each number, ten of them to a bill of lading.
func addContainers(srv *terminal49test.Server, numbers []string) {
	for bill := range slices.Chunk(numbers, 10) {
		shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU"})
		for _, number := range bill {
			srv.AddContainer(terminal49test.Container{Number: number, Shipment: shipment})
		}
	}
}

// A page of containers has at most 50 in later documents, and 100 in earlier ones
// (docs/service.md#page-sizes).
func TestFindByNumbers_Requests(t *testing.T) {
	for name, c := range map[string]struct {
		numbers, tracked int
		options          []terminal49test.Option
		requests         int
	}{
		"a sheet of 200, all tracked":            {200, 200, nil, 4},
		"a sheet of 200, 30 tracked":             {200, 30, nil, 2},
		"a sheet of 200, in an empty account":    {200, 0, nil, 4}, // and twice whether the account has any
		"two numbers":                            {2, 2, nil, 1},
		"101 numbers":                            {101, 101, nil, 3},
		"the service before the later documents": {20, 20, []terminal49test.Option{terminal49test.WithoutAutumn2026()}, 23},
		"one number, before the later documents": {1, 1, []terminal49test.Option{terminal49test.WithoutAutumn2026()}, 1},
		"no number":                              {0, 0, nil, 0},
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			numbers := sheet(c.numbers)
			addContainers(srv, numbers[:c.tracked])
			for i, o := range find(t, testkit.SimulatedClient(t, srv), numbers) {
				require.NoError(t, o.Err, name)
				require.Len(t, o.Containers, map[bool]int{true: 1}[i < c.tracked], name)
				for _, container := range o.Containers {
					require.Equal(t, o.Number, container.Number)
				}
			}
			require.Len(t, srv.Requests(), c.requests, name)
			srv.CheckViolations(t)
		}, c.options...)
	}
}

// Spaces, dashes and case do not make another number. Each journey of a box is a container.
func TestFindByNumbers_SpellingsJourneysAndInvalidNumbers(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		first, second := sheet(2)[0], sheet(2)[1]
		addContainers(srv, []string{first, first, second})
		outcomes := find(t, testkit.SimulatedClient(t, srv), []string{
			" " + strings.ToLower(first), "", second, "MAEU240711301", first[:4] + "-" + first[4:], "MSKÜ718204-7", second,
		})
		for i, journeys := range []int{2, 0, 1, 0, 2, 0, 1} {
			require.Len(t, outcomes[i].Containers, journeys)
			if journeys == 0 {
				testkit.RequireArgument(t, outcomes[i].Err, "number")
				continue
			}
			require.NoError(t, outcomes[i].Err)
		}
		require.Equal(t, outcomes[0].Containers, outcomes[4].Containers)
		require.Len(t, srv.Requests(), 1)
	})
}

// A number that breaks the list fails alone, and a service that is away is not asked for each. What
// the loop does not reach is not read.
func TestFindByNumbers_FailedRequest(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := sheet(250)
		addContainers(srv, numbers)
		client := testkit.SimulatedClient(t, srv)
		for _, c := range []struct{ faults, failed, requests int }{
			{2, 1, 1 + 100 + 2 + 1}, // the list, and the first number
			{3, 2, 1 + 100 + 2 + 1},
			{4, 100, 1 + 3 + 2 + 1}, // the next hundred, on two pages, and fifty
			{1000, 250, 3 * (1 + 3)},
		} {
			sent := len(srv.Requests())
			srv.AddFault(terminal49test.Fault{Operation: "containers.list", Status: http.StatusForbidden, Times: c.faults})
			for i, o := range find(t, client, numbers) {
				if i < c.failed {
					require.ErrorIs(t, o.Err, terminal49.ErrForbidden)
					require.Empty(t, o.Containers)
					continue
				}
				require.NoError(t, o.Err)
				require.Len(t, o.Containers, 1)
			}
			require.Len(t, srv.Requests(), sent+c.requests)
			srv.ClearFaults()
		}
		sent := len(srv.Requests())
		for range client.Containers.FindByNumbers(t.Context(), numbers, nil) {
			break
		}
		require.Len(t, srv.Requests(), sent+2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for o := range client.Containers.FindByNumbers(ctx, numbers, nil) {
			require.ErrorIs(t, o.Err, context.Canceled)
		}
		require.Len(t, srv.Requests(), sent+2)
	})
}

// Services ignore filters that they do not know (docs/service.md#filters). The account may have
// 200,000 containers, so nothing but the first page is read.
func TestFindByNumber_IgnoredFilter(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"MSCU1234566"}},
		{"id":"2","type":"container","attributes":{"number":"TCLU0000001"}}],"links":{"next":"/x?page[number]=2"}}`)
	numbers := append(sheet(150), "MSCU1234566")
	for name, do := range map[string]func(*terminal49.Client, ...terminal49.CallOption) error{
		"FindByNumber": func(c *terminal49.Client, opts ...terminal49.CallOption) error {
			return testkit.First(c.Containers.FindByNumber(t.Context(), "MSCU1234566", nil, opts...))
		},
		"FindByNumbers": func(c *terminal49.Client, opts ...terminal49.CallOption) error {
			var last error
			for o := range c.Containers.FindByNumbers(t.Context(), numbers, nil, opts...) {
				require.Error(t, o.Err)
				require.Empty(t, o.Containers)
				last = o.Err
			}
			return last
		},
	} {
		for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithoutFilterCheck()}} {
			before := len(api.Requests())
			var ignored *terminal49.FilterIgnoredError
			require.ErrorAs(t, do(testkit.NewClient(t, api), opts...), &ignored, name)
			require.Equal(t, "filter[number]", ignored.Filter)
			require.NotEmpty(t, ignored.ResourceID)
			require.Len(t, api.Requests(), before+1, name)
		}
	}
}

func TestFindByNumber_InAnySpelling(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"MSCU1234566"}}]}`)
	client := testkit.NewClient(t, api)
	found, err := client.Containers.FindByNumber(t.Context(), " mscu 123456-6", nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "1", found[0].ID)
	require.Contains(t, api.Requests()[0].Query, "MSCU1234566")

	for _, number := range []string{"", " - ", "x", "MSCU123456", "MSCU12345667", "MSC11234566", "MSCU123456É", "MSCÜ123456"} {
		_, err = client.Containers.FindByNumber(t.Context(), number, nil)
		testkit.RequireArgument(t, err, "number")
	}
	require.Len(t, api.Requests(), 1)
	// The category and the check digit are the carrier's matter.
	api.On("GET", "/containers", 200, `{"data":[]}`)
	found, err = client.Containers.FindByNumber(t.Context(), "MSCX1234560", nil)
	require.NoError(t, err)
	require.Equal(t, []*terminal49.Container{}, found)
}
