package mirror

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/terminal49test"
)

// The zones of a container's times at origin come from its shipment and its
// events, in any order of reading.
func TestZones_InAnyOrder(t *testing.T) {
	t.Parallel()
	page := func(resources string) string { return `{"data":[` + resources + `]}` }
	shipment := func(zone string) string {
		return page(`{"id":"s1","type":"shipment","attributes":{"bill_of_lading_number":"A","pol_timezone":` + zone + `}}`)
	}
	event := func(id, zone, invalidated string) string {
		return page(`{"id":"` + id + `","type":"transport_event","attributes":{"event":"container.transport.empty_out","timestamp":"2026-01-30T20:00:00Z",
			"timezone":` + zone + `,"invalidated_at":` + invalidated + `},"relationships":{"container":{"data":{"id":"c1","type":"container"}}}}`)
	}
	const utc, shanghai = "2026-02-01T20:00:00.000000Z", "2026-02-02 04:00:00"
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		requireOrigin := func(loaded, loadedLocal, emptyOutLocal string, why string) {
			t.Helper()
			var at schema.Instant
			var local, gate, zone sql.NullString
			require.NoError(t, db.QueryRow(m.db.SQL("select pol_vessel_loaded_at, pol_vessel_loaded_at_local, empty_out_at_local, empty_out_timezone from t49.containers")).
				Scan(&at, &local, &gate, &zone), why)
			if loaded == "" {
				require.Zero(t, at, why)
			} else {
				require.Equal(t, loaded, at.Format(schema.SQLiteTime), why)
			}
			require.Equal(t, []string{loadedLocal, emptyOutLocal}, []string{local.String, gate.String}, why)
		}
		walkPage(t, m, l, page(mirrortest.SampleContainer))
		requireOrigin(utc, "", "", "nothing is known")
		walkPage(t, m, l, shipment(`"Asia/Shanghai"`))
		requireOrigin(utc, shanghai, "", "the shipment came later")
		walkPage(t, m, l, event("e1", `"Asia/Urumqi"`, "null"))
		requireOrigin(utc, shanghai, "2026-01-31 02:00:00", "the event came later")
		walkPage(t, m, l, event("e1", `"Asia/Urumqi"`, `"2026-02-01T00:00:00Z"`))
		requireOrigin(utc, shanghai, "", "the event was withdrawn")
		walkPage(t, m, l, event("e2", `"Asia/Shanghai"`, "null"))
		requireOrigin(utc, shanghai, "2026-01-31 04:00:00", "another replaces it")
		walkPage(t, m, l, shipment(`"Asia/Tokyo"`))
		requireOrigin(utc, "2026-02-02 05:00:00", "2026-01-31 04:00:00", "another zone")
		walkPage(t, m, l, shipment(`null`))
		requireOrigin("", "2026-02-01 20:00:00", "2026-01-31 04:00:00", "the service does not know the zone: a wall clock")
		walkPage(t, m, l, shipment(`"Asia/Shanghai"`))
		requireOrigin(utc, shanghai, "2026-01-31 04:00:00", "and known again")

		silent := strings.Replace(mirrortest.SampleContainer, `"shipment":{"data":{"id":"s1","type":"shipment"}}`, `"shipment":{"links":{}}`, 1)
		walkPage(t, m, l, page(strings.Replace(silent, `"flat rack"`, `"dry"`, 1)))
		requireOrigin(utc, shanghai, "2026-01-31 04:00:00", "a reading that does not name the shipment")

		_, err := db.Exec(m.db.SQL("delete from t49.containers"))
		require.NoError(t, err)
		walkPage(t, m, l, page(mirrortest.SampleContainer))
		requireOrigin(utc, shanghai, "2026-01-31 04:00:00", "both were there before")
	})
}
