package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// requireColumns fails if a column of any row differs from the value in the row's raw JSON. It
// sends no request.
func (m *Mirror) requireColumns(t testing.TB) {
	t.Helper()
	ctx := context.Background() // also after the test
	require.NoError(t, m.db.Ask(ctx))
	v := &verification{m: m, ctx: ctx, unlisted: map[*schema.Table]error{}, yield: func(d Difference, err error) bool {
		t.Error(d, err)
		return true
	}}
	for _, of := range schema.Tables {
		v.unlisted[of] = terminal49.ErrServer // no list is read
		require.NoError(t, v.stored(of))
	}
}

// The columns of everything that the service's sample deliveries include are those of raw,
// as either database returns it.
func TestVerify_ColumnsOfSampleDeliveries(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		for i, event := range terminal49.WebhookEvents() {
			var sample model.Document
			require.NoError(t, json.Unmarshal(mirrortest.SampleDelivery(t, event), &sample))
			ticket := int64(i + 1)
			m.do(func(tx *store.Tx) error { return tx.Write(t.Context(), between(ticket, ticket), sample.All()) })
			m.requireColumns(t) // several samples describe the same resources
		}
	})
}

// JSON has many forms of a value, and databases keep others: these are no differences. Postgres
// keeps jsonb in a form of its own, times in microseconds, and numbers without an exponent.
func TestVerify_ColumnsOfUnusualValues(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), mirrortest.SampleContainer,
			`{"id":"s1","type":"shipment","attributes":{"pol_timezone":"Asia/Shanghai","tags":["a\u0000b\ud800","\u00e9<&>","\"\\"]}}`,
			`{"id":"odd","type":"container","attributes":{"number":"T\u0000G","equipment_length":"long","weight_in_lbs":1e400,"pod_arrived_at":7,
				"created_at":"0000-01-01T00:00:00Z","import_deadlines":7,"pickup_lfd":"2026-03-02"},"relationships":{"shipment":{"data":"s1"}}}`)
		for i, number := range []string{"0", "-0", "1.50", "46694.123456789012345", "1e2", "1.5E-7", "9007199254740993", "1e300"} {
			for j, at := range []string{"2026-03-02T08:00:00.1234565Z", "2026-03-02T08:00:00.9999995Z", "2026-03-02T07:00:00+01:00",
				"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9999999Z", "2026-03-08T10:30:00Z"} {
				m.write(between(1, 1), fmt.Sprintf(`{"type":"container","id":"%d-%d","attributes":{"weight_in_lbs":%[3]s,"equipment_length":%[3]s,
					"pickup_lfd":%[4]q,"pod_arrived_at":%[4]q,"created_at":%[4]q,"pod_timezone":"America/Los_Angeles","ref_numbers":[""," ","é"],
					"release_statuses":{"b":%[3]s,"a":[null,true,{"b":1,"a":2}]},
					"fees_at_pod_terminal":[{"type":"exam","amount":%[3]s,"currency_code":"USD","more":{"b":%[3]s}}]}}`, i, j, number, at))
			}
		}
		m.requireColumns(t)
	})
}

// A mirror with many rows that the service does not have is verified in pages: the first
// differences come before the last rows were read, and the loop may use the only connection.
func TestVerify_KeepsFewSuspects(t *testing.T) {
	t.Parallel()
	m := copied(t, sqliteMemory(t), stillServer(t, terminal49test.WithoutRateLimits()), nil)
	require.NoError(t, m.db.Ask(t.Context()))
	insert := func(n int) {
		id := fmt.Sprintf("p%04d", n)
		m.run(t, `insert into t49.parties (id, type, raw, digest, ticket, until, seen_at, changed_at)
values ($1, 'party', $2, '', 1, 1, $3, $3)`, id, `{"id":"`+id+`","type":"party","attributes":{}}`, m.db.Time(time.Now()))
	}
	const rows = mostSuspects + verifyPage
	for n := range rows {
		insert(n)
	}
	found := 0
	for d, err := range m.Verify(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("party p%04d: missing there", found), d.String())
		if found++; found == 1 {
			insert(rows)
		}
	}
	require.Equal(t, rows+1, found)
}

func TestVerify_Hashes(t *testing.T) {
	var set hashes
	r := rand.New(rand.NewPCG(1, 2))
	var in, out []uint64
	for range 10_000 {
		in, out = append(in, r.Uint64()), append(out, r.Uint64())
	}
	for range 3 {
		for _, x := range in {
			set.add(x)
		}
	}
	set.sort()
	kept := 0
	for _, part := range set {
		kept += cap(part)
	}
	require.Less(t, kept, 2*len(in))
	for i := range in {
		require.True(t, set.has(in[i]))
		require.False(t, set.has(out[i]))
	}
}
