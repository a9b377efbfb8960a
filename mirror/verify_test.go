package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/terminal49test"
)

// copied returns a mirror that has walked over everything. before is called before each request of
// the mirror that follows; it may be nil.
func copied(t *testing.T, db *sql.DB, srv *terminal49test.Server, before func(*http.Request)) *Mirror {
	t.Helper()
	m, l := stored(t, db, srv)
	ctx := t.Context()
	for _, s := range plan.WholeLists {
		_, err := m.worker(l).Walks.Walk(ctx, s)
		require.NoError(t, err)
	}
	through := roundTripper(func(r *http.Request) (*http.Response, error) {
		if before != nil {
			before(r)
		}
		return srv.Transport().RoundTrip(r)
	})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: through}), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err = New(client, db, WithSettle(time.Millisecond))
	require.NoError(t, err)
	return m
}

// stillServer returns a simulated account with a stopped clock.
func stillServer(t *testing.T, opts ...terminal49test.Option) *terminal49test.Server {
	srv := terminal49test.NewServer(append(opts, terminal49test.WithSpeed(0))...)
	t.Cleanup(srv.Close)
	srv.SeedDemo()
	return srv
}

func verified(t *testing.T, m *Mirror) (all []string) {
	t.Helper()
	for d, err := range m.Verify(t.Context()) {
		require.NoError(t, err)
		all = append(all, d.String())
	}
	return all
}

// one returns the id of the nth resource of a type in the world.
func one(t *testing.T, srv *terminal49test.Server, kind string, nth int) string {
	t.Helper()
	for r := range srv.Snapshot(kind) {
		if nth--; nth < 0 {
			return r.ID
		}
	}
	require.Fail(t, "there is no such "+kind)
	return ""
}

// change changes the stored JSON of a row.
func (m *Mirror) change(t *testing.T, table, id string, f func(attributes, relationships map[string]any)) {
	t.Helper()
	require.NoError(t, m.db.Ask(t.Context()))
	var raw []byte
	require.NoError(t, m.db.Pool.QueryRow(m.db.SQL("select raw from t49."+table+" where id = $1"), id).Scan(&raw))
	var members map[string]any
	require.NoError(t, json.Unmarshal(raw, &members))
	f(members["attributes"].(map[string]any), members["relationships"].(map[string]any))
	_, err := m.db.Pool.Exec(m.db.SQL("update t49."+table+" set raw = $1::jsonb where id = $2"), string(model.Encode(members)), id)
	require.NoError(t, err)
}

func (m *Mirror) run(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, m.db.Ask(t.Context()))
	changed, err := m.db.Pool.Exec(m.db.SQL(statement), args...)
	require.NoError(t, err)
	n, err := changed.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

func TestVerify_EqualCopyHasNoDifference(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t, terminal49test.WithSyntheticContainers(120))
		require.Empty(t, verified(t, copied(t, db, srv, nil)))
		srv.CheckViolations(t)
	})
}

// Of a copy that is not whole most rows are missing, and each would be one more request.
func TestVerify_BeforeTheFirstWalkHasEnded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t)
		m, l := stored(t, db, srv)
		for _, list := range plan.WholeLists {
			sent := len(srv.Requests())
			all := 0
			for _, err := range m.Verify(t.Context()) {
				all++
				require.ErrorContains(t, err, "the first walk over "+list.Name+" has not ended")
			}
			require.Equal(t, 1, all)
			require.Len(t, srv.Requests(), sent)
			_, err := m.worker(l).Walks.Walk(t.Context(), list)
			require.NoError(t, err)
		}
		require.Empty(t, verified(t, m))
	})
}

// Each kind of difference is found, in both directions, and nothing else.
func TestVerify_FindsDifferences(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t, terminal49test.WithSyntheticContainers(120)) // pages of 50
		m := copied(t, db, srv, nil)
		container, hidden := one(t, srv, "container", 3), one(t, srv, "container", 100)
		shipment, gone := one(t, srv, "shipment", 0), one(t, srv, "shipment", 2)
		m.change(t, "containers", container, func(attributes, _ map[string]any) {
			attributes["number"], attributes["terminal_checked_at"], attributes["from_elsewhere"] = "MSCU0000000", "2020-01-01T00:00:00Z", 7
		})
		m.change(t, "shipments", shipment, func(_, relationships map[string]any) {
			relationships["port_of_lading"] = map[string]any{"data": nil}
		})
		require.NoError(t, m.Rebuild(t.Context()), "otherwise the columns differ from raw, too")
		m.run(t, "delete from t49.shipments where id = $1", gone)
		m.run(t, "update t49.containers set missing_since = seen_at where id = $1", hidden)
		m.run(t, `insert into t49.parties (id, type, raw, digest, ticket, until, seen_at, changed_at)
values ('00000000-0000-4000-8000-000000000000', 'party', '{"id":"00000000-0000-4000-8000-000000000000","type":"party"}', '', 1, 1, $1, $1)`, m.db.Time(time.Now()))

		var number, port string
		for r := range srv.Snapshot("container", "shipment") {
			var members struct {
				Attributes    map[string]json.RawMessage
				Relationships map[string]struct{ Data json.RawMessage }
			}
			require.NoError(t, json.Unmarshal(r.JSON, &members))
			switch r.ID {
			case container:
				number = string(members.Attributes["number"])
			case shipment:
				port = string(members.Relationships["port_of_lading"].Data)
			}
		}
		require.ElementsMatch(t, []string{
			"container " + container + `: number is "MSCU0000000" here and ` + number + " there",
			"shipment " + shipment + ": port_of_lading is null here and " + port + " there",
			"shipment " + gone + ": missing here",
			"container " + hidden + ": missing here",
			"party 00000000-0000-4000-8000-000000000000: missing there",
		}, verified(t, m))
		srv.CheckViolations(t)
	})
}

// Each column is made from raw: one that has another value is found on its own, in each form that a
// column has, and rebuild mends it without a request. A wrong time at origin is not found.
func TestVerify_FindsWrongColumns(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t, terminal49test.WithoutRateLimits())
		m := copied(t, db, srv, nil)
		container, line := one(t, srv, "container", 0), one(t, srv, "shipping_line", 0)
		require.NoError(t, m.db.Ask(t.Context()))
		late := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
		for _, wrong := range []struct {
			kind, id, column, value string
			arg                     any
			here                    string
		}{
			{"container", container, "pickup_lfd", "$2", m.db.Time(late), `"2030-01-02T03:04:05`},
			{"container", container, "pickup_lfd_local", "'2030-01-02'", nil, `"2030-01-02"`},
			{"container", container, "number", "null", nil, "null"},
			{"container", container, "equipment_length", "7", nil, "7"},
			{"container", container, "weight_in_lbs", "7.5", nil, "7.5"},
			{"container", container, "ref_numbers", `'["x"]'::jsonb`, nil, `["x"]`},
			{"shipping_line", line, "bill_of_lading_tracking_support", "not bill_of_lading_tracking_support", nil, "false"},
		} {
			table := schema.TableOf(wrong.kind).Name
			args := []any{wrong.id}
			if wrong.arg != nil {
				args = append(args, wrong.arg)
			}
			m.run(t, "update t49."+table+" set "+wrong.column+" = "+wrong.value+" where id = $1", args...)
			found := verified(t, m)
			require.Len(t, found, 1, wrong.column)
			require.Contains(t, found[0], wrong.kind+" "+wrong.id+": "+table+"."+wrong.column+" is "+wrong.here, wrong.column)
			requests := srv.RequestCount()
			require.NoError(t, m.Rebuild(t.Context()))
			require.Equal(t, requests, srv.RequestCount())
			require.Empty(t, verified(t, m), wrong.column)
		}
		m.run(t, "update t49.containers set pol_timezone = 'Asia/Tokyo' where id = $1", container)
		require.Empty(t, verified(t, m))
	})
}

// The columns of facts are compared too, and of what is missing or deleted.
func TestVerify_FindsWrongColumnsOfAllRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := copied(t, db, stillServer(t), nil)
		require.NoError(t, m.db.Ask(t.Context()))
		m.run(t, `insert into t49.estimates (id, type, raw, digest, ticket, until, seen_at, changed_at, voyage_number)
values ('e1', 'estimated_event', '{"id":"e1","type":"estimated_event","attributes":{"voyage_number":"1A"}}', '', 0, 0, $1, $1, '1B')`, m.db.Time(time.Now()))
		m.run(t, `insert into t49.parties (id, type, raw, digest, ticket, until, seen_at, changed_at, deleted_at, company_name)
values ('p1', 'party', '{"id":"p1","type":"party","attributes":{}}', '', 1, 1, $1, $1, $1, 'Nobody')`, m.db.Time(time.Now()))
		var all []Difference
		for d, err := range m.Verify(t.Context()) {
			require.NoError(t, err)
			all = append(all, d)
		}
		require.Equal(t, []Difference{
			{"party", "p1", "parties.company_name", json.RawMessage(`"Nobody"`), nil},
			{"estimated_event", "e1", "estimates.voyage_number", json.RawMessage(`"1B"`), json.RawMessage(`"1A"`)},
		}, all)
	})
}

// A change in flight is not reported. The row catches up before the resource is read again.
func TestVerify_LeavesOutWhatArrivesMeanwhile(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	container := one(t, srv, "container", 0)
	db := sqliteFile(t)
	var raw []byte
	m := copied(t, db, srv, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/containers/"+container) {
			_, err := db.Exec("update containers set raw = ? where id = ?", raw, container)
			require.NoError(t, err)
		}
	})
	require.NoError(t, db.QueryRow("select raw from containers where id = ?", container).Scan(&raw))
	m.change(t, "containers", container, func(attributes, _ map[string]any) { attributes["number"] = "MSCU0000000" })
	require.Empty(t, verified(t, m))
	n := 0
	for _, r := range srv.Requests() {
		if strings.HasSuffix(r.Path, "/containers/"+container) {
			n++
		}
	}
	require.Equal(t, 1, n, "it is read once more")
}

// A difference that disappears a moment later is a change in flight too.
func TestVerify_LeavesOutWhatChangesMeanwhile(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	container := one(t, srv, "container", 0)
	m := copied(t, sqliteFile(t), srv, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/containers/"+container) {
			srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber += "." })
		}
	})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber, c.EquipmentType = "1", "reefer" })
	all := verified(t, m)
	require.Len(t, all, 1)
	require.Contains(t, all[0], `equipment_type is "dry" here and "reefer" there`)
}

func TestVerify_LeavesOutWhatWasForgotten(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	m := copied(t, sqliteFile(t), srv, nil)
	party := one(t, srv, "party", 0)
	m.run(t, "delete from t49.parties where id = $1", party)
	require.Equal(t, []string{"party " + party + ": missing here"}, verified(t, m))
	m.run(t, "insert into t49.forgotten (kind, id, at) values ('party', $1, $2)", party, m.db.Time(time.Now()))
	require.Empty(t, verified(t, m))
}

func TestVerify_ErrorsEndTheLoop(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	m := copied(t, sqliteFile(t), srv, nil)
	srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.list", Status: 401, Times: -1})
	var errs []error
	for _, err := range m.Verify(t.Context()) {
		errs = append(errs, err)
	}
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], terminal49.ErrUnauthorized)

	ended, end := context.WithCancel(t.Context())
	end()
	for _, err := range m.Verify(ended) {
		require.ErrorIs(t, err, context.Canceled)
	}
}

// An account may lack documents. There is nothing to compare then.
func TestVerify_ListThatIsNotEnabled(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	m := copied(t, sqliteFile(t), srv, nil)
	srv.AddFault(terminal49test.Fault{Operation: "documents.list", Status: 403, Times: -1})
	require.Empty(t, verified(t, m))
}

// GET /custom_fields was answered 500. All else is verified, and the error names
// what is not.
func TestVerify_ListThatFails(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.runFor(w.mirror(), 10*time.Minute)
		_, err := w.db.Exec("delete from shipping_lines where id = (select min(id) from shipping_lines)")
		require.NoError(w, err)
		var differences, errs []string
		for d, err := range w.mirror().Verify(w.Context()) {
			if err != nil {
				require.ErrorIs(w, err, terminal49.ErrServer)
				errs = append(errs, err.Error())
				continue
			}
			differences = append(differences, d.Kind)
		}
		require.Equal(w, []string{"shipping_line"}, differences)
		require.Len(w, errs, 1)
		require.Contains(w, errs[0], "mirror.Verify: custom_fields: ")
	}, terminal49test.WithSpeed(0), terminal49test.WithBrokenCustomFieldList())
}

// Leaving the loop sends nothing more.
func TestVerify_BreakStops(t *testing.T) {
	t.Parallel()
	srv := stillServer(t)
	m := copied(t, sqliteFile(t), srv, nil)
	m.run(t, "delete from t49.shipments where id = $1", one(t, srv, "shipment", 0))
	for d, err := range m.Verify(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, "shipment", d.Kind)
		break
	}
	requests := srv.Requests()
	last := requests[len(requests)-1]
	require.Contains(t, last.Path, "/shipments/")
}
