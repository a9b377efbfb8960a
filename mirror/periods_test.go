package mirror

import (
	"database/sql"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// offline is a mirror whose client is not used, so that it works in a bubble.
func offline(t *testing.T, db *sql.DB) *testMirror {
	t.Helper()
	client, err := terminal49.New("Zr8xW2kQ9vB4nT7m")
	require.NoError(t, err)
	m, err := New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	l := store.NewLease()
	has, err := m.db.TakeLease(t.Context(), l, time.Now())
	require.NoError(t, err)
	require.True(t, has)
	return &testMirror{m, t, l}
}

// withHolds and withFees are containers at a moment.
func withHolds(list string) string {
	return `{"type":"container","id":"C","attributes":{"holds_at_pod_terminal":` + list + `}}`
}

func withFees(list string) string {
	return `{"type":"container","id":"C","attributes":{"fees_at_pod_terminal":` + list + `}}`
}

// A cleared hold disappears; there may be several of a name; fees of 0
// are not posted yet; a total is not added to other fees. The sequence is read once an hour, from
// hour 0 on; want has what distinguishes a period, then the hours first_seen, last_seen,
// cleared_at.
func TestPeriods(t *testing.T) {
	t.Parallel()
	const none = `{"type":"container","id":"C","attributes":{"number":"CAIU1234567"}}`
	for name, c := range map[string]struct {
		readings []string
		want     []string
	}{
		"a hold appears, becomes pending, clears and returns": {
			[]string{
				withHolds(`[]`), withHolds(`[{"name":"customs","status":"hold"}]`), withHolds(`[{"name":"customs","status":"hold"}]`),
				withHolds(`[{"name":"customs","status":"pending"}]`), withHolds(`[]`), withHolds(`[{"name":"customs","status":"hold"}]`),
			},
			[]string{"customs hold - 1 2 3", "customs pending - 3 3 4", "customs hold - 5 5 -"},
		},
		"what is not reported says nothing": {
			[]string{withHolds(`[{"name":"TMF","status":"hold"}]`), none, withHolds(`null`), withHolds(`[{"name":"TMF","status":"hold"}]`), withHolds(`[]`)},
			[]string{"TMF hold - 0 3 4"},
		},
		"two of the same name, and a new text": {
			[]string{
				withHolds(`[{"name":"other","status":"hold","description":"a"},{"name":"other","status":"hold","description":"b"}]`),
				withHolds(`[{"name":"other","status":"hold","description":"b"},{"name":"other","status":"hold","description":"c"}]`),
				withHolds(`[{"name":"other","status":"hold","description":"c"}]`),
			},
			[]string{"other hold c 0 2 -", "other hold b 0 1 2"},
		},
		"a fee is posted, and its amount grows": {
			[]string{
				withFees(`[{"type":"demurrage","amount":0,"currency_code":"USD"}]`), withFees(`[{"type":"demurrage","amount":300.50,"currency_code":"USD"}]`),
				withFees(`[{"type":"demurrage","amount":"300.5","currency_code":"USD"}]`), withFees(`[{"type":"demurrage","amount":601,"currency_code":"USD"}]`), withFees(`[]`),
			},
			[]string{"demurrage 0 USD true 0 0 1", "demurrage 300.5 USD true 1 2 3", "demurrage 601 USD true 3 3 4"},
		},
		"a total counts only while it is alone": {
			[]string{
				withFees(`[{"type":"total","amount":100,"currency_code":"USD"}]`),
				withFees(`[{"type":"total","amount":100,"currency_code":"USD"},{"type":"exam","amount":100,"currency_code":"USD"}]`),
				withFees(`[{"type":"total","amount":100,"currency_code":"USD"}]`),
			},
			[]string{"total 100 USD true 0 0 1", "exam 100 USD true 1 1 2", "total 100 USD false 1 1 2", "total 100 USD true 2 2 -"},
		},
		"the same fee twice is owed twice": {
			[]string{withFees(`[{"type":"other","amount":5},{"type":"other","amount":5}]`), withFees(`[{"type":"other","amount":5}]`)},
			[]string{"other 5 - true 0 1 -", "other 5 - true 0 0 1"},
		},
		"totals that conflict are not counted": {
			[]string{withFees(`[{"type":"total","amount":5,"currency_code":"USD"},{"type":"total","amount":6,"currency_code":"USD"}]`)},
			[]string{"total 5 USD false 0 0 -", "total 6 USD false 0 0 -"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := offline(t, sqliteMemory(t))
				defer m.db.Pool.Close()
				start := time.Now()
				for i, reading := range c.readings {
					time.Sleep(time.Until(start.Add(time.Duration(i) * time.Hour)))
					m.write(between(int64(i+1), int64(i+1)), reading)
				}
				assert.ElementsMatch(t, c.want, m.periods(start))
			})
			t.Run("Postgres", func(t *testing.T) {
				m := offline(t, postgres(t))
				for i, reading := range c.readings {
					m.write(between(int64(i+1), int64(i+1)), reading)
				}
				assert.Len(t, m.periods(time.Now()), len(c.want))
			})
		})
	}
}

// periods returns all holds and fees, with hours since start.
func (m *testMirror) periods(start time.Time) (all []string) {
	m.Helper()
	for _, statement := range []string{
		"select name || ' ' || status || ' ' || coalesce(description, '-'), first_seen, last_seen, cleared_at from t49.holds order by n",
		"select type || ' ' || amount || ' ' || coalesce(currency_code, '-') || case when counted then ' true' else ' false' end, first_seen, last_seen, cleared_at from t49.fees order by n",
	} {
		rows, err := m.db.Pool.Query(m.db.SQL(statement))
		require.NoError(m, err)
		defer rows.Close()
		for rows.Next() {
			var what string
			var times [3]schema.Instant
			require.NoError(m, rows.Scan(&what, &times[0], &times[1], &times[2]))
			for _, at := range times {
				if at.IsZero() {
					what += " -"
				} else {
					what += fmt.Sprint(" ", int(at.Sub(start)/time.Hour))
				}
			}
			all = append(all, what)
		}
		require.NoError(m, rows.Err())
	}
	return all
}

// Periods come only from readings that are the newest, and end when the container is deleted.
func TestPeriods_FollowTheRow(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := offline(t, db)
		open := func() string { return m.row("select count(*) from t49.holds where cleared_at is null") }
		held := withHolds(`[{"name":"customs","status":"hold"}]`)
		m.write(plan.Reading{}, held)
		assert.Equal(t, "0", open(), "a notification's copy")
		m.write(between(2, 2), held)
		assert.Equal(t, "1", open(), "the same from a reading")
		m.write(between(1, 1), withHolds(`[]`))
		assert.Equal(t, "1", open(), "an older reading")
		m.do(func(tx *store.Tx) error {
			return tx.Remove(t.Context(), between(3, 3), model.Ref{Type: "container", ID: "C"})
		})
		assert.Equal(t, "0", open(), "deleted")
		m.write(between(4, 4), held)
		assert.Equal(t, "1", open(), "returned")
	})
}
