package terminal49test_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: the documentation of Step, ContainerID and ShipmentID.
func TestStep_HappensNow(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU240711002", ShippingLine: "MAEU", PortOfDischarge: "USLAX"})
	old := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
	id, ok := srv.ContainerID(" msku7182047")
	require.True(t, ok)
	require.NotEqual(t, old, id)
	found, ok := srv.ShipmentID("MAEU240711002")
	require.True(t, ok)
	require.Equal(t, shipment, found)
	for _, find := range []func(string) (string, bool){srv.ContainerID, srv.ShipmentID} {
		_, ok := find("MSKU0000000")
		require.False(t, ok)
	}

	require.True(t, srv.Step(id, terminal49test.VesselDischarged("Y4")))
	c, _ := srv.Container(id)
	require.Equal(t, srv.Now(), c.PODDischargedAt)
	require.Equal(t, "Y4", c.LocationAtPODTerminal)
	require.False(t, srv.Step(old, terminal49test.VesselDischarged("Y4")), "it has no shipment")
	require.False(t, srv.Step("unknown", terminal49test.VesselDischarged("Y4")))
}

// Source: the documentation of SetWebhookNoise: the zero value ends the noise.
func TestSetWebhookNoise_FromNowOn(t *testing.T) {
	srv := newServer(t, terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	srv.SetWebhookNoise(terminal49test.WebhookNoise{Lost: 1})
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.Advance(time.Minute)
	require.Empty(t, srv.WebhookDeliveries())
	srv.SetWebhookNoise(terminal49test.WebhookNoise{})
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182410"})
	srv.Advance(time.Minute)
	require.Len(t, srv.WebhookDeliveries(), 1)
}
