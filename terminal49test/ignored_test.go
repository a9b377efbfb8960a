package terminal49test_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: docs/service.md#page-sizes (containers: at most 50 a page, larger sizes are 50 without an
// error; without the later documents 100) and docs/service.md#filters (instants).
func TestPaging_ContainersAreCappedInSilence(t *testing.T) {
	for _, c := range []struct {
		rows int
		opts []terminal49test.Option
	}{
		{50, nil},
		{100, []terminal49test.Option{terminal49test.WithoutAutumn2026()}},
		{30, []terminal49test.Option{terminal49test.WithIgnored("containers.list", "page[size]")}},
	} {
		srv := newServer(t, append(c.opts, terminal49test.WithSyntheticContainers(120))...)
		a := getAPI(t, srv, "/containers?page[size]=100")
		require.Len(t, a.list("data"), c.rows)
		require.Equal(t, 120.0, a.at("meta/total"))
		require.Contains(t, a.at("links/next"), fmt.Sprintf("page[number]=2&page[size]=%d", c.rows))
		require.Len(t, getAPI(t, srv, "/shipments?page[size]=40").list("data"), 40)
		srv.CheckViolations(t)
	}
}

// Source: the documentation of WithIgnored. Other operations, and other values of include, are
// honored.
func TestWithIgnored_ParametersHaveNoEffect(t *testing.T) {
	world := func(opts ...terminal49test.Option) *terminal49test.Server {
		srv := newServer(t, opts...)
		srv.SeedDemo()
		for _, r := range getAPI(t, srv, "/shipments").list("data")[:2] {
			id := testReply{doc: r}.at("id").(string)
			checkReply(t, callAPI(t, srv, "PATCH", "/shipments/"+id+"/stop_tracking", ""), 200, nil)
		}
		return srv
	}
	honoring := world()
	ignoring := world(terminal49test.WithIgnored("shipments.list", "filter[tracking_stopped]", "include=containers.transport_events"),
		terminal49test.WithIgnored("", "filter[updated_at]"))
	types := func(a testReply) map[string]int {
		n := map[string]int{}
		for _, r := range a.list("included") {
			n[testReply{doc: r}.at("type").(string)]++
		}
		return n
	}
	const active, within = "/shipments?filter[tracking_stopped]=false", "&include=containers,containers.transport_events"
	require.Len(t, getAPI(t, honoring, active).list("data"), 4)
	require.NotZero(t, types(getAPI(t, honoring, active+within))["transport_event"])
	a := getAPI(t, ignoring, active+within)
	require.Len(t, a.list("data"), 6)
	require.Equal(t, map[string]int{"container": 8}, types(a))
	require.Contains(t, a.at("links/current"), "filter[tracking_stopped]=false", "the links keep what was asked")
	require.False(t, getAPI(t, ignoring, "/shipments?include=containers.transport_events").has("included"))
	one := "/shipments/" + a.at("data/0/id").(string) + "?" + within[1:]
	require.NotZero(t, types(getAPI(t, ignoring, one))["transport_event"], "another operation")

	honoring.Advance(48 * time.Hour)
	ignoring.Advance(48 * time.Hour)
	const updated = "/containers?filter[updated_at]=<2024-07-01"
	require.Empty(t, getAPI(t, honoring, updated).list("data"))
	require.Len(t, getAPI(t, ignoring, updated).list("data"), 8)
	honoring.CheckViolations(t)
	ignoring.CheckViolations(t)
}

// Source: docs/service.md#container-filters: updated_at is the day on which the record changed.
// Each kind of change counts.
func TestContainerFilters_UpdatedAt(t *testing.T) {
	for name, change := range map[string]func(*terminal49test.Server, string, string){
		"update": func(srv *terminal49test.Server, _, id string) {
			srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = "S1" })
		},
		"the shipment": func(srv *terminal49test.Server, shipment, _ string) {
			srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.PODTerminal = "APMT LA" })
		},
		"by the API": func(srv *terminal49test.Server, _, id string) {
			callAPI(t, srv, "PATCH", "/containers/"+id, `{"data":{"type":"container","attributes":{"ref_numbers":["PO"]}}}`)
		},
		"an event": func(srv *terminal49test.Server, _, id string) {
			srv.AddTransportEvent(terminal49test.TransportEvent{Container: id, Event: "container.transport.full_out"})
		},
		"a merge": func(srv *terminal49test.Server, shipment, _ string) {
			srv.MergeShipments(shipment, srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU2"}))
		},
	} {
		srv := newServer(t)
		shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
		id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
		srv.Advance(72 * time.Hour)
		require.Empty(t, getAPI(t, srv, "/containers?filter[updated_at]=>2024-07-01").list("data"), name)
		change(srv, shipment, id)
		require.Len(t, getAPI(t, srv, "/containers?filter[updated_at]=>=2024-07-04").list("data"), 1, name)
		srv.CheckViolations(t)
	}
}

// Source: docs/service.md#includes: with a tracking request, an included item can be an account.
// The later documents have GET /me for it (docs/service.md#credential).
func TestWithoutAutumn2026_TrackingRequestsIncludeTheAccount(t *testing.T) {
	for _, older := range []bool{false, true} {
		var opts []terminal49test.Option
		if older {
			opts = append(opts, terminal49test.WithoutAutumn2026())
		}
		srv := newServer(t, opts...)
		id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240711002", SCAC: "MAEU", Status: "failed"})
		for _, path := range []string{"/tracking_requests/" + id, "/tracking_requests?page[size]=1"} {
			a := getAPI(t, srv, path)
			if !older {
				require.Empty(t, a.list("included"))
				continue
			}
			checkReply(t, a, 200, map[string]any{"included/0/type": "account", "included/0/id": srv.AccountID})
		}
	}
}
