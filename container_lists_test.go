package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

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
	const most = "9223372036854775807" // two of them have no sum
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

// The dashboard's address takes any number as q.
func TestDashboardURL_EscapesTheNumber(t *testing.T) {
	for number, want := range map[string]string{
		"MSKU7182047":  "https://app.terminal49.com/shipments/find?q=MSKU7182047",
		" PO 7&8/ü#1 ": "https://app.terminal49.com/shipments/find?q=PO+7%268%2F%C3%BC%231",
	} {
		got, err := url.Parse(terminal49.DashboardURL(number))
		require.NoError(t, err)
		require.Equal(t, want, got.String())
		require.Equal(t, url.Values{"q": {strings.TrimSpace(number)}}, got.Query())
	}
	require.Empty(t, terminal49.DashboardURL(""))
	require.Empty(t, terminal49.DashboardURL(" "))
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
		require.Equal(t, "filter[pickup_lfd][]=>=2026-03-01&filter[pickup_lfd][]=<=2026-03-03&page[size]=100", sent)

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
