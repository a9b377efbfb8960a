package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestShipment_AddsUpItsContainers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[shipmentAnswer](w, "shipment", args{"number": "maeu-240711002", "fields": []string{"situation", "holds"}})
		assert.Equal(t, 2, a.Total)
		assert.Equal(t, []containerRow{{Number: "MSKU7182047", Situation: "ready", Holds: "none"}, {Number: "MSKU7182411", Situation: "ready", Holds: "none"}}, a.Shipment.Containers)
		assert.Equal(t, "2 containers: 2 ready; last free day 2024-07-04 (MSKU7182047); no fees", a.Shipment.Summary)
		assert.Equal(t, "MSKU7182047 2024-07-04", a.Next)
		assert.Equal(t, "2024-06-29T18:00:05-07:00", a.Shipment.Arrived)
		assert.Contains(t, text, "«2 containers: 2 ready;")
		same, _ := call[shipmentAnswer](w, "shipment", args{"id": a.Shipment.ID})
		assert.Equal(t, a.Shipment.BillOfLading, same.Shipment.BillOfLading)
		assert.Regexp(t, "^mend: number: «MSKU7182047» is of a container, whose shipment has the id "+a.Shipment.ID, w.refused("shipment", args{"number": "MSKU7182047"}))
		assert.Equal(t, "mend: offset: must be from 0 to 2", w.refused("shipment", args{"id": a.Shipment.ID, "offset": 3}))
	})
}

func TestShipment_OfAnAmbiguousReference(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for _, number := range []string{"MAEU1", "MAEU2"} {
				id := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: number, ReferenceNumbers: []string{"Spring"}})
				srv.AddDocument(terminal49test.Document{Name: "arrival notice", Shipments: []string{id}})
			}
		})
		a, text := call[shipmentAnswer](w, "shipment", args{"number": "spring"})
		require.Len(t, a.Others, 1)
		assert.Equal(t, 1, a.Documents)
		assert.Contains(t, text, "Ask which is meant")
	})
}
