package terminal49

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestZZProbe(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
		srv.Fault(terminal49test.Fault{Kind: terminal49test.FaultDrop, Acted: true})
		srv.Fault(terminal49test.Fault{Status: 429, Times: -1})
		_, err := simClient(t, srv).Shipments.Update(t.Context(), shipmentID, ShipmentUpdate{Tags: Some([]string{"x"})})
		t.Log(err, IsOutcomeUnknown(err))
		require.True(t, IsOutcomeUnknown(err))
	})
}
