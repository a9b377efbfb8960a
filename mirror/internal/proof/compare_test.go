//go:build unix

package proof

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// kinds are the resources that a mirror copies, with their tables.
var kinds = map[string]string{
	"shipping_line": "shipping_lines", "port": "ports", "metro_area": "ports", "terminal": "terminals",
	"rail_terminal": "terminals", "vessel": "vessels", "party": "parties", "shipment": "shipments",
	"container": "containers", "tracking_request": "tracking_requests", "transport_event": "transport_events",
	"document": "documents", "custom_field": "custom_fields",
}

// onDemand are the resources that a mirror has only if another one refers to them.
var onDemand = []string{"port", "metro_area", "terminal", "rail_terminal", "vessel"}

// key identifies a resource.
type key struct{ Type, ID string }

func (k key) String() string { return k.Type + " " + k.ID }

// resource is what the proofs compare: the attributes and the linkage.
type resource struct {
	Type          string
	ID            string
	Attributes    map[string]any
	Relationships map[string]struct{ Data json.RawMessage }
}

// row is a row of a table of resources.
type row struct {
	resource
	deleted, missing bool
}

func parsed(t testing.TB, text string) (r resource) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &r), text)
	for _, moving := range []string{"latitude", "longitude", "nautical_speed_knots", "navigational_heading_degrees", "position_timestamp"} {
		if r.Type == "vessel" {
			delete(r.Attributes, moving) // a position is another one at each request
		}
	}
	return r
}

// links returns the resources that r refers to.
func (r resource) links() (list []key) {
	for _, relation := range r.Relationships {
		var one *key
		var many []key
		if json.Unmarshal(relation.Data, &one) == nil && one != nil {
			list = append(list, *one)
		} else if json.Unmarshal(relation.Data, &many) == nil {
			list = append(list, many...)
		}
	}
	return list
}

// rows returns all resources that are stored.
func (s *stored) rows(t testing.TB) map[key]row {
	t.Helper()
	all := map[key]row{}
	tables := map[string]bool{}
	for _, table := range kinds {
		if tables[table] {
			continue
		}
		tables[table] = true
		s.each(t, "select id, type, raw::text, deleted_at::text, missing_since::text from t49."+table, func(c []sql.NullString) {
			k := key{c[1].String, c[0].String}
			if _, twice := all[k]; twice {
				t.Errorf("%v is stored twice", k)
			}
			all[k] = row{parsed(t, c[2].String), c[3].Valid, c[4].Valid}
		})
	}
	return all
}

// worldOf returns the resources of the service that a mirror copies.
func worldOf(t testing.TB, srv *terminal49test.Server) map[key]resource {
	t.Helper()
	world := map[key]resource{}
	for r := range srv.Snapshot() {
		if kinds[r.Type] != "" {
			world[key{r.Type, r.ID}] = parsed(t, string(r.JSON))
		}
	}
	return world
}

// differences compares the tables with the service's world, row by row.
func differences(t testing.TB, s *stored, srv *terminal49test.Server) (list []string) {
	t.Helper()
	have, want := s.rows(t), worldOf(t, srv)
	differ := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	needed, logged := map[key]bool{}, map[string]bool{}
	for _, n := range srv.WebhookNotifications() {
		logged[n.ReferenceID] = true
	}
	for k, r := range want {
		needed[k] = needed[k] || !slices.Contains(onDemand, k.Type)
		if !slices.Contains(onDemand, k.Type) {
			for _, link := range r.links() {
				needed[link] = true
			}
		}
	}
	for k, r := range want {
		got, stored := have[k]
		switch {
		case !stored && needed[k]:
			differ("%v is not stored", k)
		case !stored:
		case got.deleted || got.missing:
			differ("%v exists, and is stored as deleted or missing", k)
		default:
			list = append(list, r.differences(got.resource)...)
		}
	}
	for k, r := range have {
		if _, exists := want[k]; !exists && !r.deleted && !isFactOfDeleted(r, have, logged) {
			differ("%v does not exist, and is not stored as deleted", k)
		}
	}
	slices.Sort(list)
	return list
}

// isFactOfDeleted reports whether a row is an event of a container that was removed: it happened
// all the same. An event that was first read after that is in the service's log, without the
// container.
func isFactOfDeleted(r row, all map[key]row, logged map[string]bool) bool {
	return r.Type == "transport_event" && (logged[r.ID] ||
		slices.ContainsFunc(r.links(), func(k key) bool { return k.Type == "container" && all[k].deleted }))
}

// differences compares what the service has with what is stored.
func (r resource) differences(got resource) (list []string) {
	for name, want := range r.Attributes {
		if !reflect.DeepEqual(want, got.Attributes[name]) {
			list = append(list, fmt.Sprintf("%s %s: %s is %v, and is stored as %v", r.Type, r.ID, name, want, got.Attributes[name]))
		}
	}
	for name, want := range r.Relationships {
		if want.Data != nil && !sameJSON(want.Data, got.Relationships[name].Data) {
			list = append(list, fmt.Sprintf("%s %s: %s is %s, and is stored as %s", r.Type, r.ID, name, want.Data, got.Relationships[name].Data))
		}
	}
	return list
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// requireNone fails if there are problems, and shows the first of them.
func requireNone(t testing.TB, problems []string) {
	t.Helper()
	if len(problems) > 0 {
		t.Fatalf("%d problems:\n%s", len(problems), strings.Join(problems[:min(len(problems), 20)], "\n"))
	}
}

// normal returns JSON in one form.
func normal(text []byte) []byte {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return text
	}
	return encoded(v)
}

func encoded(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}
