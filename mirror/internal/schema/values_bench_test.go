package schema

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// BenchmarkRow measures what a row costs compared with reading its JSON.
func BenchmarkRow(b *testing.B) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	for _, kind := range []string{"container", "shipment", "transport_event"} {
		var sent json.RawMessage
		for r := range srv.Snapshot(kind) {
			if len(r.JSON) > len(sent) {
				sent = r.JSON
			}
		}
		res := new(model.Resource)
		require.NoError(b, json.Unmarshal(sent, res))
		z := model.OriginZones{}
		if of, ok := res.One("shipment"); ok {
			z.Lading = map[string]string{of.ID: "Asia/Shanghai"}
		}
		b.Run(kind+"/json", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = json.Unmarshal(sent, new(model.Resource))
			}
		})
		b.Run(kind+"/row", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := TableOf(kind).Row(sqlstore.SQLite, res, z); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
