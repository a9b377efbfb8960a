package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
)

func TestShipments_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ShipmentCalls()) }

func TestShipments_ParamsAreNotChanged(t *testing.T) {
	params, before := testkit.AllShipmentParams(), testkit.AllShipmentParams()
	params.PageSize, before.PageSize = 0, 0 // All chooses its own size
	client := testkit.NewClient(t, testkit.Answer(200, testkit.SomeShipment))

	_, err := testkit.Drain(client.Shipments.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), params)
	require.NoError(t, err)
	require.Equal(t, before, params)
}
