package mcpserver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49/terminal49test"
)

// Which numbers failed, and why, is one call. Requests that have a shipment must be asked for.
func TestRequests_ByStatusAndReason(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for i, r := range []terminal49test.TrackingRequest{
				{RequestNumber: "AAAA0000001", Status: "failed", FailedReason: "not_found"},
				{RequestNumber: "AAAA0000002", Status: "failed", FailedReason: "not_found"},
				{RequestNumber: "AAAA0000003", Status: "failed", FailedReason: "duplicate"},
				{RequestNumber: "AAAA0000004", Status: "awaiting_manifest"},
				{RequestNumber: "AAAA0000005", Status: "paused"}, // one that the service may add
				{RequestNumber: "AAAA0000006", Status: "tracking_stopped", Shipment: srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "AAAA0000006", ShippingLine: "MAEU"})},
			} {
				r.SCAC, r.CreatedAt = "MAEU", start.AddDate(0, 0, i-10).Add(-time.Hour)
				srv.AddTrackingRequest(r)
			}
		})
		a, text := call[requestsAnswer](w, "requests", args{"limit": 3})
		assert.Equal(t, []requestCount{{"failed", "not found", 2}, {"paused", "", 1}, {"awaiting_manifest", "", 1}, {"failed", "duplicate", 1}}, a.Reasons)
		assert.Equal(t, []int{5, 3}, []int{a.Total, a.Shown})
		assert.Equal(t, "AAAA0000005", a.Found[0].Number, "the latest is first")
		assert.Contains(t, text, "2 «failed»: «not found».")
		assert.Contains(t, text, ": failed, line «MAEU», «duplicate».")
		lately, _ := call[requestsAnswer](w, "requests", args{"status": []string{"failed"}, "days": 9})
		assert.Equal(t, []requestCount{{"failed", "duplicate", 1}}, lately.Reasons)
		stopped, _ := call[requestsAnswer](w, "requests", args{"status": []string{"tracking_stopped"}})
		assert.Equal(t, 1, stopped.Total)
		both, _ := call[requestsAnswer](w, "requests", args{"status": []string{"tracking_stopped", "failed"}})
		assert.Equal(t, 4, both.Total)
		none, text := call[requestsAnswer](w, "requests", args{"status": []string{"created"}})
		assert.Zero(t, none.Total)
		assert.Contains(t, text, "No tracking request of the copy matches.")
		assert.Contains(t, w.refused("requests", args{"limit": 201}), "mend: limit: must be from 1 to 200")
	})
}
