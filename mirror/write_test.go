package mirror

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// testMirror is a mirror whose readings the test makes.
type testMirror struct {
	*Mirror
	*testing.T
	lease *store.Lease
}

func newTestMirror(t *testing.T, db *sql.DB) *testMirror {
	srv := terminal49test.NewServer()
	t.Cleanup(srv.Close)
	m, l := stored(t, db, srv)
	return &testMirror{m, t, l}
}

// between is a reading of a ticket, with those that were drawn until its response arrived.
func between(ticket, until int64) plan.Reading {
	return plan.Reading{Ticket: ticket, Until: until, Sent: time.Now(), Source: "poll"}
}

// write writes a reading of resources, given as JSON.
func (m *testMirror) write(r plan.Reading, resources ...string) {
	m.Helper()
	require.NoError(m, m.db.Apply(m.Context(), m.lease, "test", func(t *store.Tx) error {
		return t.Write(m.Context(), r, list(m, resources...))
	}))
}

// do runs f in a transaction.
func (m *testMirror) do(f func(t *store.Tx) error) {
	m.Helper()
	require.NoError(m, m.db.Apply(m.Context(), m.lease, "test", f))
}

func list(t testing.TB, resources ...string) (all []*model.Resource) {
	for _, text := range resources {
		res, err := model.Parse([]byte(text))
		require.NoError(t, err)
		all = append(all, res)
	}
	return all
}

// row reads a row as text, separated by |.
func (m *testMirror) row(statement string, args ...any) string {
	m.Helper()
	all := m.all(statement, args...)
	require.LessOrEqual(m, len(all), 1)
	return strings.Join(all, "")
}

// all reads rows as text.
func (m *testMirror) all(statement string, args ...any) (all []string) {
	m.Helper()
	rows, err := m.db.Pool.Query(m.db.SQL(statement), args...)
	require.NoError(m, err)
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(m, err)
	for rows.Next() {
		values, dest := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			dest[i] = &values[i]
		}
		require.NoError(m, rows.Scan(dest...))
		var texts []string
		for _, v := range values {
			if data, is := v.([]byte); is {
				v = string(data)
			}
			texts = append(texts, fmt.Sprint(v))
		}
		all = append(all, strings.Join(texts, "|"))
	}
	require.NoError(m, rows.Err())
	return all
}

// raw reads the raw JSON of a resource.
func (m *testMirror) raw(table, id string) string {
	m.Helper()
	return m.row("select raw from t49."+table+" where id = $1", id)
}

// changes reads all changes as "kind id attribute old new source".
func (m *testMirror) changes() (all []string) {
	m.Helper()
	seq := int64(0)
	for c, err := range m.Changes(m.Context(), "") {
		require.NoError(m, err)
		seq++
		require.Equal(m, seq, c.Seq, "no gaps")
		require.False(m, c.At.IsZero())
		all = append(all, strings.Join([]string{c.Kind, c.ID, c.Attribute, compact(c.Old), compact(c.New), c.Source}, " "))
	}
	return all
}

func compact(data json.RawMessage) string {
	if data == nil {
		return "-"
	}
	return string(model.Plain(data))
}

func (m *testMirror) marks() []string {
	m.Helper()
	return m.all("select kind, id from t49.dirty order by kind, id")
}

const shipmentA = `{"type":"shipment","id":"A","attributes":{"bill_of_lading_number":"MAEU1","pod_vessel_name":"EVER GIVEN"},
  "relationships":{"containers":{"data":[{"type":"container","id":"C"},{"type":"container","id":"D"}]},"pod_terminal":{"data":null}}}`

// onVessel returns a shipment on a vessel.
func onVessel(name string) string {
	return fmt.Sprintf(`{"type":"shipment","id":"A","attributes":{"pod_vessel_name":%q}}`, name)
}

// Of a resource that a reading has twice, differently, one is stored; a later reading of the other
// one is stored, too, and recorded as a change.
func TestWrite_DifferentTwice(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		for id, first := range map[string]plan.Reading{"A": between(1, 1), "B": {Source: "notification"}} {
			x, y := strings.Replace(onVessel("X"), "A", id, 1), strings.Replace(onVessel("Y"), "A", id, 1)
			m.write(first, x, y)
			require.Equal(t, "X", m.row("select pod_vessel_name from t49.shipments where id = $1", id))
			m.write(between(2, 2), y)
			require.Equal(t, "Y", m.row("select pod_vessel_name from t49.shipments where id = $1", id))
			require.Equal(t, `"X"|"Y"`, m.row("select old, new from t49.changes where id = $1 and attribute = 'pod_vessel_name'", id))
		}
	})
}

// Current state is ordered by tickets, and readings that overlap and differ are
// marked.
func TestWrite_OrderedByTickets(t *testing.T) {
	t.Parallel()
	type arrival struct {
		plan.Reading
		vessel string
	}
	for name, c := range map[string]struct {
		arrivals []arrival
		vessel   string
		marked   bool
	}{
		"one after the other":                   {[]arrival{{between(1, 1), "X"}, {between(2, 2), "Y"}}, "Y", false},
		"the older one arrives later":           {[]arrival{{between(2, 2), "Y"}, {between(1, 1), "X"}}, "Y", false},
		"overlapping and different":             {[]arrival{{between(1, 2), "X"}, {between(2, 2), "Y"}}, "Y", true},
		"overlapping, different, older later":   {[]arrival{{between(2, 2), "Y"}, {between(1, 2), "X"}}, "Y", true},
		"overlapping and equal":                 {[]arrival{{between(1, 2), "X"}, {between(2, 2), "X"}}, "X", false},
		"overlapping one before the last":       {[]arrival{{between(1, 3), "X"}, {between(2, 2), "X"}, {between(3, 3), "Y"}}, "Y", true},
		"overlapping one that came late":        {[]arrival{{between(2, 2), "X"}, {between(1, 3), "X"}, {between(3, 3), "Y"}}, "Y", true},
		"a notification's copy":                 {[]arrival{{plan.Reading{}, "X"}}, "X", false},
		"a notification's copy of a known one":  {[]arrival{{between(1, 1), "X"}, {plan.Reading{}, "Y"}}, "X", false},
		"a reading after a notification's copy": {[]arrival{{plan.Reading{}, "X"}, {between(1, 1), "Y"}}, "Y", false},
		"the same reading twice":                {[]arrival{{between(1, 1), "X"}, {between(1, 1), "X"}}, "X", false},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db *sql.DB) {
				m := newTestMirror(t, db)
				for _, a := range c.arrivals {
					a.Source = "poll"
					m.write(a.Reading, onVessel(a.vessel))
				}
				assert.Equal(t, c.vessel, m.row("select pod_vessel_name from t49.shipments"))
				assert.JSONEq(t, onVessel(c.vessel), m.raw("shipments", "A"))
				assert.Equal(t, c.marked, len(m.marks()) == 1)
			})
		})
	}
}

// A mark is answered only by a reading that was sent later, and not before its
// time; it is due as early as the first of several.
func TestWrite_AnswersMarks(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		now := time.Now()
		what := model.Ref{Type: "shipment", ID: "A"}
		var ticket int64
		m.do(func(tx *store.Tx) (err error) {
			if err := tx.Mark(t.Context(), what, now.Add(5*time.Second)); err != nil {
				return err
			}
			if err := tx.MarkAll(t.Context(), now.Add(9*time.Second), what, what); err != nil {
				return err
			}
			if err := tx.Mark(t.Context(), what, now.Add(7*time.Second)); err != nil {
				return err
			}
			ticket, err = tx.Ticket(t.Context())
			return err
		})
		due := func() time.Time {
			var at schema.Instant
			require.NoError(t, db.QueryRow(m.db.SQL("select due_at from t49.dirty")).Scan(&at))
			return at.Time
		}
		assert.WithinDuration(t, now.Add(5*time.Second), due(), time.Millisecond)

		m.write(plan.Reading{Ticket: ticket - 2, Until: ticket, Sent: now.Add(time.Minute)}, onVessel("X"))
		assert.Len(t, m.marks(), 1, "sent before the mark")
		m.write(plan.Reading{Ticket: ticket, Until: ticket, Sent: now.Add(6 * time.Second)}, onVessel("X"))
		assert.Len(t, m.marks(), 1, "sent before its time")
		assert.WithinDuration(t, now.Add(9*time.Second), due(), time.Millisecond)
		m.write(plan.Reading{Ticket: ticket + 1, Until: ticket + 1, Sent: now.Add(10 * time.Second)}, onVessel("X"))
		assert.Empty(t, m.marks())
	})
}

// What a reading does not mention stays, in columns and raw, and is not a change.
func TestWrite_KeepsWhatIsNotMentioned(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), shipmentA)
		m.write(between(2, 2), `{"type":"shipment","id":"A","attributes":{"pod_vessel_name":"EVER ACE"},
  "relationships":{"containers":{"links":{"related":"/x"}},"pod_terminal":{"data":{"type":"terminal","id":"T"}}},"links":{"self":"/y"}}`)
		assert.JSONEq(t, `{"type":"shipment","id":"A","attributes":{"bill_of_lading_number":"MAEU1","pod_vessel_name":"EVER ACE"},
  "relationships":{"containers":{"data":[{"type":"container","id":"C"},{"type":"container","id":"D"}]},
  "pod_terminal":{"data":{"type":"terminal","id":"T"}}},"links":{"self":"/y"}}`, m.raw("shipments", "A"))
		assert.Equal(t, "MAEU1|EVER ACE|T", m.row("select bill_of_lading_number, pod_vessel_name, pod_terminal_id from t49.shipments"))
		assert.Equal(t, []string{
			`shipment A id - "A" poll`,
			`shipment A pod_terminal - {"id":"T","type":"terminal"} poll`,
			`shipment A pod_vessel_name "EVER GIVEN" "EVER ACE" poll`,
		}, m.changes())
	})
}

// The service's own checks are no changes.
func TestWrite_ChecksAreNoChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		const container = `{"type":"container","id":"C","attributes":{"number":"CAIU1234567","terminal_checked_at":%q,"pod_last_tracking_request_at":%[1]q}}`
		m.write(between(1, 2), fmt.Sprintf(container, "2026-11-01T00:00:00Z"))
		changedAt := m.row("select changed_at from t49.containers")
		m.write(between(2, 3), fmt.Sprintf(container, "2026-11-02T00:00:00Z"))
		assert.Contains(t, m.raw("containers", "C"), "2026-11-02")
		assert.Contains(t, m.row("select terminal_checked_at from t49.containers"), "2026-11-02")
		assert.Equal(t, changedAt, m.row("select changed_at from t49.containers"))
		assert.Equal(t, []string{`container C id - "C" poll`}, m.changes())
		assert.Empty(t, m.marks())

		m.write(between(3, 9), fmt.Sprintf(container, "2026-11-03T00:00:00Z"))
		m.write(between(4, 4), fmt.Sprintf(container, "2026-11-04T00:00:00Z"))
		m.write(between(5, 5), withHolds(`[{"name":"customs","status":"hold"}]`))
		assert.Len(t, m.marks(), 1, "the reading that overlaps is not the last one")
	})
}

// A resource appears, is deleted and returns: one change each.
func TestRemove(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		remove := func(r plan.Reading) {
			m.do(func(tx *store.Tx) error {
				return tx.Remove(t.Context(), r, model.Ref{Type: "shipment", ID: "A"}, model.Ref{Type: "shipment", ID: "unknown"})
			})
		}
		deleted := func() bool { return m.row("select count(*) from t49.shipments where deleted_at is not null") == "1" }
		m.write(between(2, 2), onVessel("X"))
		remove(between(1, 1))
		assert.False(t, deleted(), "an older reading")
		remove(between(3, 3))
		remove(between(4, 4))
		assert.True(t, deleted())
		m.write(between(3, 3), onVessel("X"))
		assert.True(t, deleted(), "a reading between the two that found nothing")
		assert.Empty(t, m.marks())
		m.write(between(3, 5), onVessel("X"))
		assert.Equal(t, []string{"shipment|A"}, m.marks(), "read while it was not found")
		m.write(between(6, 6), onVessel("X"))
		assert.False(t, deleted())
		assert.Empty(t, m.marks())
		assert.Equal(t, []string{`shipment A id - "A" poll`, `shipment A id "A" - poll`, `shipment A id - "A" poll`}, m.changes())

		remove(between(7, 8))
		m.write(between(8, 8), onVessel("X"))
		assert.False(t, deleted())
		assert.Equal(t, []string{"shipment|A"}, m.marks(), "read while it was not found")
		_, err := db.Exec(m.db.SQL("delete from t49.dirty"))
		require.NoError(t, err)
		m.write(between(9, 10), onVessel("X"))
		remove(between(10, 10))
		assert.False(t, deleted(), "which of the two is newer is unknown")
		assert.Equal(t, []string{"shipment|A"}, m.marks())
	})
}

// Databases write JSON in their own form, which is no difference.
func TestCompare_SameInAnotherForm(t *testing.T) {
	for a, b := range map[string]string{
		`100`: `1e2`, `1.50`: `1.5`, `"é"`: `"\u00e9"`, `"a/b"`: `"a\/b"`, `{"a":1,"b":[2]}`: `{ "b": [2.0], "a": 1}`, `null`: ``,
		`1e400`: "1" + zeros(400), `-1E+999`: "-1" + zeros(999), `12.50e-999`: "0." + zeros(997) + "125", `-0`: `0.0`, `0e999`: `0`,
		"9" + zeros(299) + "e999": "9" + zeros(1298),
	} {
		assert.True(t, model.Same(json.RawMessage(a), json.RawMessage(b)), a)
	}
	for a, b := range map[string]string{
		`1`: `"1"`, `0.1`: `0.10000000000000000001`, `"a"`: `"b"`, `[1,2]`: `[2,1]`, `false`: `null`, `12345678901234567890`: `12345678901234567891`,
		`1e999`: `1e998`, `1e400`: "1" + zeros(399) + "1", `-1`: `1`, `1e99999999999999999999`: `1e99999999999999999998`,
	} {
		assert.False(t, model.Same(json.RawMessage(a), json.RawMessage(b)), a)
	}
	assert.True(t, model.SameLinkage([]byte(`[{"type":"container","id":"a"},{"type":"container","id":"b"}]`), []byte(`[{"id":"b","type":"container"},{"id":"a","type":"container"}]`)))
	assert.False(t, model.SameLinkage([]byte(`[{"type":"container","id":"a"}]`), []byte(`[{"type":"container","id":"b"}]`)))
}

func zeros(n int) string { return strings.Repeat("0", n) }

// A resource without an id, or with one that no index holds, is left out; the others are stored.
func TestWrite_LeavesOutWhatHasNoId(t *testing.T) {
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		long := fmt.Sprintf(`{"type":"shipment","id":%q}`, strings.Repeat("x", 3000))
		m.write(between(1, 1), `{"type":"shipment","attributes":{}}`, onVessel("X"), long)
		assert.Equal(t, []string{"A"}, m.all("select id from t49.shipments"))
	})
}

// Text that Postgres refuses is stored with U+FFFD in place of what it refuses, in both databases.
func TestWrite_StoresWhatDatabasesRefuse(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), `{"type":"shipment","id":"A","attributes":{"customer_name":"a\u0000b\ud800","tags":["\u0000x"],"odd":1e99999,"secret":"s3cr3t"}}`)
		assert.JSONEq(t, `{"type":"shipment","id":"A","attributes":{"customer_name":"a�b�","tags":["�x"],"odd":"1e99999","secret":null}}`, m.raw("shipments", "A"))
		assert.Equal(t, "a�b�", m.row("select customer_name from t49.shipments"))
	})
}

// A number with an exponent of three digits, the most that Postgres is given, is the same number
// in its row, which jsonb writes without an exponent.
func TestWrite_KeepsLargeNumbers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		for _, number := range []string{"1e400", "1e999", "-2.5e-999", strings.Repeat("7", 300), strings.Repeat("7", 295) + "e999"} {
			m.write(between(1, 1), `{"type":"shipment","id":"A","attributes":{"x_new":`+number+`}}`)
			row, err := model.Parse([]byte(m.raw("shipments", "A")))
			require.NoError(t, err)
			assert.True(t, model.Same(row.Attributes["x_new"], json.RawMessage(number)), number)
			_, err = db.Exec(m.db.SQL("delete from t49.shipments"))
			require.NoError(t, err)
		}
	})
}

// leaseAgain takes the lease after another process had it.
func (m *testMirror) leaseAgain() {
	m.Helper()
	has, err := m.db.TakeLease(m.Context(), m.lease, time.Now())
	require.NoError(m, err)
	require.True(m, has)
}
