package terminal49_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

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
