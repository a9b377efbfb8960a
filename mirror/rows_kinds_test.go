package mirror

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// decodedByClient returns what the client decodes from a response.
func decodedByClient(t *testing.T, id string, document []byte) *terminal49.Container {
	t.Helper()
	through := roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/vnd.api+json"}},
			Body: io.NopCloser(bytes.NewReader(document)), Request: r}, nil
	})
	client, err := terminal49.New("0123456789abcdef", terminal49.WithHTTPClient(&http.Client{Transport: through}), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	c, err := client.Containers.Get(t.Context(), id, nil)
	require.NoError(t, err)
	return c
}

// The rows of every sample with a verdict get that verdict, and are what the client decodes.
func TestRows_OfTheVerdictCases(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		r, c := NewReader(db), &comparison{t: t}
		for _, v := range verdicttest.Cases() {
			for _, table := range schema.Tables {
				_, err := db.ExecContext(t.Context(), m.db.SQL("delete from t49."+table.Name))
				require.NoError(t, err)
			}
			walkPage(t, m, l, string(v.Document))
			got, err := r.Container(t.Context(), verdicttest.ContainerID)
			require.NoError(t, err, v.Name)
			want := decodedByClient(t, verdicttest.ContainerID, v.Document)
			c.container(want, got)
			verdict := terminal49.Assess(got, v.Now, terminal49.VerdictOptions{})
			require.Equal(t, v.Want.Situation, verdict.Situation, v.Name)
			c.same(v.Name, asJSON(t, terminal49.Assess(want, v.Now, terminal49.VerdictOptions{})), asJSON(t, verdict))
		}
		c.require()
	})
}

// A member in an unknown form is unset, and the others are read, as the client does.
func TestRows_OfOddMembers(t *testing.T) {
	t.Parallel()
	odd := strings.NewReplacer(`"equipment_length":40`, `"equipment_length":{"feet":40}`, `"status":"hold"`, `"status":7`,
		`"pickup_lfd":"2026-03-02T08:00:00Z"`, `"pickup_lfd":"soon"`).Replace(mirrortest.SampleContainer)
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, `{"data":[`+odd+`]}`)
		got, err := NewReader(db).Container(t.Context(), "c1")
		require.NoError(t, err)
		c := &comparison{t: t}
		list, err := terminal49.ParseResources[terminal49.Container]([]byte(`{"data":[` + odd + `]}`))
		require.NoError(t, err)
		c.container(list[0], got)
		require.Equal(t, "TGHU6578122", got.Number)
		c.require()
	})
}

// readAll returns how many resources are read, and requires that each has an id and AsOf.
func readAll[T interface{ String() string }](t *testing.T, all iter.Seq2[T, error]) (n int) {
	t.Helper()
	for v, err := range all {
		require.NoError(t, err)
		require.NotEmpty(t, v.String())
		n++
	}
	return n
}

// Every table can be read as the client's types.
func TestRows_OfEveryTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits())
		defer srv.Close()
		srv.SeedDemo()
		reconciled(t, db, srv)
		r, ctx := NewReader(db), t.Context()
		m, err := New(srvClient(t, srv), db)
		require.NoError(t, err)
		require.NoError(t, m.db.Ask(ctx))
		_, err = db.ExecContext(ctx, m.db.SQL(`insert into t49.container_events (id, type, raw, digest, ticket, until, seen_at, changed_at)
values ('e1', 'container_updated_event', '{"id":"e1","type":"container_updated_event","attributes":{}}', '', 1, 1, $1, $1),
 ('e2', 'container_created_event', '{"id":"e2","type":"container_created_event","attributes":{}}', '', 1, 1, $1, $1),
 ('e3', 'container_pod_terminal_changed_event', '{"id":"e3","type":"container_pod_terminal_changed_event","attributes":{}}', '', 1, 1, $1, $1)`),
			m.db.Time(srv.Now()))
		require.NoError(t, err)
		_, err = db.ExecContext(ctx, m.db.SQL(`insert into t49.estimates (id, type, raw, digest, ticket, until, seen_at, changed_at)
values ('e1', 'estimated_event', '{"id":"e1","type":"estimated_event","attributes":{"voyage_number":"1"}}', '', 1, 1, $1, $1)`), m.db.Time(srv.Now()))
		require.NoError(t, err)
		got := map[string]int{
			"shipments": readAll(t, r.Shipments(ctx, "")), "containers": readAll(t, r.Containers(ctx, "")),
			"tracking_requests": readAll(t, r.TrackingRequests(ctx, "")), "transport_events": readAll(t, r.TransportEvents(ctx, "")),
			"estimates": readAll(t, r.EstimatedEvents(ctx, "")),
			"container_events": readAll(t, r.ContainerUpdatedEvents(ctx, "")) + readAll(t, r.ContainerCreatedEvents(ctx, "")) +
				readAll(t, r.ContainerPODTerminalChangedEvents(ctx, "where id = 'e3'")),
			"documents": readAll(t, r.Documents(ctx, "")), "custom_fields": readAll(t, r.CustomFields(ctx, "")),
			"parties": readAll(t, r.Parties(ctx, "")), "shipping_lines": readAll(t, r.ShippingLines(ctx, "order by scac")),
			"ports":     readAll(t, r.Ports(ctx, "")) + readAll(t, r.MetroAreas(ctx, "")),
			"terminals": readAll(t, r.Terminals(ctx, "")), "vessels": readAll(t, r.Vessels(ctx, "")),
		}
		for _, table := range schema.Tables {
			var n int
			require.NoError(t, db.QueryRowContext(ctx, m.db.SQL("select count(*) from t49.live_"+table.Name)).Scan(&n))
			require.Equal(t, n, got[table.Name], table.Name)
			delete(got, table.Name)
		}
		require.Empty(t, got)
		for e, err := range r.TransportEvents(ctx, "") {
			require.NoError(t, err)
			_, of := e.Container.Value()
			_, with := e.Shipment.Value()
			require.True(t, of && with, e)
		}
		for q, err := range r.TrackingRequests(ctx, "where shipment_id is not null") {
			require.NoError(t, err)
			s, ok := q.Shipment.Value()
			require.True(t, ok)
			_, ok = s.PortOfLading.Value()
			require.True(t, ok)
		}
	})
}

func srvClient(t *testing.T, srv *terminal49test.Server) *terminal49.Client {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	return client
}

// More than a document may hold belongs to two containers, and more rows than a page has are
// selected.
func TestRows_ManyPages(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		const containers, events = 450, 8_000
		var all []string
		for i := range containers {
			linked := ""
			if i < 2 {
				for j := range events {
					linked += fmt.Sprintf(`,{"id":"e%d-%d","type":"transport_event"}`, i, j)
				}
			}
			all = append(all, fmt.Sprintf(`{"id":"c%03d","type":"container","attributes":{"number":"N%03[1]d"},"relationships":{"transport_events":{"data":[%s]}}}`,
				i, strings.TrimPrefix(linked, ",")))
		}
		for i := range 2 {
			for j := range events {
				all = append(all, fmt.Sprintf(`{"id":"e%d-%d","type":"transport_event","attributes":{"event":"container.transport.empty_out"},
"relationships":{"container":{"data":{"id":"c%03[1]d","type":"container"}}}}`, i, j))
			}
		}
		walkPage(t, m, l, `{"data":[`+strings.Join(all, ",")+`]}`)
		n := 0
		for c, err := range NewReader(db).Containers(t.Context(), "order by number desc") {
			require.NoError(t, err)
			n++
			require.Equal(t, fmt.Sprintf("N%03d", containers-n), c.Number)
			list, complete := c.TransportEvents.Values()
			require.True(t, complete)
			if n > containers-2 {
				require.Len(t, list, events)
			}
		}
		require.Equal(t, containers, n)
	})
}
