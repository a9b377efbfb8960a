package terminal49_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestContainers_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ContainerCalls()) }

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
