package terminal49_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Names and forms are those of docs/service.md#filters, #container-filters and #shipment-filters.
func TestFilters_Requests(t *testing.T) { testkit.TestCalls(t, testkit.FilterCalls()) }

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
