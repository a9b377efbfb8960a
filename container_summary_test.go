package terminal49_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

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
