package mirror

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// everything is what the client includes with a container so that it has what a row has.
var everything = append(terminal49.AssessIncludes(),
	"shipment.port_of_lading", "shipment.port_of_discharge", "shipment.destination", "shipment.pod_terminal", "shipment.destination_terminal",
	"transport_events.vessel", "transport_events.location", "transport_events.terminal", "pod_terminal.port", "pickup_facility.port")

// shownAs is a value of the client without what differs between two reads of the same.
func shownAs(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	if meta, ok := all["meta"].(map[string]any); ok {
		delete(meta, "as_of")
		if len(meta) == 0 {
			delete(all, "meta")
		}
	}
	return all
}

// comparison compares resources of the client with those of a Reader.
type comparison struct {
	t        *testing.T
	compared int
	differ   []string
}

func (c *comparison) same(what string, want, got any) {
	c.t.Helper()
	c.compared++
	if !reflect.DeepEqual(want, got) {
		c.differ = append(c.differ, fmt.Sprintf("%s:\n  client %v\n  reader %v", what, want, got))
	}
}

func sameOne[V any](c *comparison, what string, want, got terminal49.ToOne[V]) (a, b V, both bool) {
	c.t.Helper()
	c.same(what+" state", want.State(), got.State())
	a, inA := want.Value()
	b, inB := got.Value()
	if inA && inB {
		c.same(what, shownAs(c.t, a), shownAs(c.t, b))
	}
	return a, b, inA && inB
}

func (c *comparison) terminal(what string, want, got terminal49.ToOne[*terminal49.Terminal]) {
	if a, b, both := sameOne(c, what, want, got); both {
		sameOne(c, what+".port", a.Port, b.Port)
		c.same(what+".metro_area", a.MetroArea.ID(), b.MetroArea.ID()) // which the service cannot include
	}
}

func (c *comparison) container(want, got *terminal49.Container) {
	what := want.ID
	c.same(what, shownAs(c.t, want), shownAs(c.t, got))
	c.terminal(what+" pod_terminal", want.PODTerminal, got.PODTerminal)
	c.terminal(what+" pickup_facility", want.PickupFacility, got.PickupFacility)
	if a, b, both := sameOne(c, what+" shipment", want.Shipment, got.Shipment); both {
		sameOne(c, what+" pol", a.PortOfLading, b.PortOfLading)
		sameOne(c, what+" pod", a.PortOfDischarge, b.PortOfDischarge)
		sameOne(c, what+" destination", a.Destination, b.Destination)
		c.terminal(what+" shipment.pod_terminal", a.PODTerminal, b.PODTerminal)
		c.terminal(what+" destination_terminal", a.DestinationTerminal, b.DestinationTerminal)
	}
	events, complete := want.TransportEvents.Values()
	others, too := got.TransportEvents.Values()
	c.same(what+" events complete", complete, too)
	c.same(what+" events", len(events), len(others))
	for i := range min(len(events), len(others)) {
		at := fmt.Sprintf("%s event %d", what, i)
		c.same(at, shownAs(c.t, events[i]), shownAs(c.t, others[i]))
		sameOne(c, at+" vessel", events[i].Vessel, others[i].Vessel)
		sameOne(c, at+" location", events[i].Location, others[i].Location)
		c.terminal(at+" terminal", events[i].Terminal, others[i].Terminal)
	}
	c.rules(want, got)
}

// rules compares what the rules conclude at several times.
func (c *comparison) rules(want, got *terminal49.Container) {
	from, _ := want.CreatedAt.Instant()
	for day := range 6 {
		now := from.AddDate(0, 0, day*17)
		a, b := terminal49.Assess(want, now, terminal49.VerdictOptions{}), terminal49.Assess(got, now, terminal49.VerdictOptions{})
		c.same(want.ID+" verdict", asJSON(c.t, a), asJSON(c.t, b))
		c.same(want.ID+" sentence", a.String(), b.String())
	}
	a, b := terminal49.Journey(want, terminal49.JourneyOptions{}), terminal49.Journey(got, terminal49.JourneyOptions{})
	c.same(want.ID+" journey", asJSON(c.t, a), asJSON(c.t, b))
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func (c *comparison) require() {
	c.t.Helper()
	require.Empty(c.t, c.differ[:min(3, len(c.differ))], "%d differ", len(c.differ))
	require.Positive(c.t, c.compared)
	c.t.Logf("%d values compared, 0 differ", c.compared)
}

// Rows are what the client decodes of the same world: fields, zones, relationships and verdicts.
func TestRows_EqualTheClient(t *testing.T) {
	t.Parallel()
	worlds := map[string]func(*terminal49test.Server){
		"demo":    func(srv *terminal49test.Server) { srv.SeedDemo() },
		"traffic": func(srv *terminal49test.Server) { srv.SeedTraffic(mirrortest.Scale(60, 400)) },
	}
	for name, seed := range worlds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, db *sql.DB) {
				srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits())
				defer srv.Close()
				seed(srv)
				client := reconciled(t, db, srv)
				c, r, n := &comparison{t: t}, NewReader(db), 0
				for got, err := range r.Containers(t.Context(), "") {
					require.NoError(t, err)
					want, err := client.Containers.Get(t.Context(), got.ID, &terminal49.ContainerGetParams{Include: everything})
					require.NoError(t, err)
					require.WithinRange(t, got.AsOf, time.Now().Add(-time.Hour), want.AsOf)
					c.container(want, got)
					n++
				}
				require.Equal(t, count(srv, "container"), n)
				c.require()
			})
		})
	}
}

// reconciled copies an account, with the places that others name, and returns the client.
func reconciled(t *testing.T, db *sql.DB, srv *terminal49test.Server) *terminal49.Client {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := New(client, db, WithSettle(time.Millisecond))
	require.NoError(t, err)
	require.NoError(t, m.Reconcile(t.Context()))
	return client
}

func count(srv *terminal49test.Server, kind string) (n int) {
	for range srv.Snapshot(kind) {
		n++
	}
	return n
}
