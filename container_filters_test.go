package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The definitions are those of the dashboard: ready for pickup is the status available; at risk is
// requires_attention; discharged, not picked up are four statuses; each of tracked containers.
func TestDashboard_Worklists(t *testing.T) {
	const tracked = "filter[actively_tracked]=true"
	for want, filter := range map[string]terminal49.ContainerFilter{
		tracked + "&filter[current_status]=available":                                                 terminal49.DashboardReady(),
		tracked + "&filter[requires_attention]=true":                                                  terminal49.DashboardAtRisk(),
		tracked + "&filter[current_status]=available,not_available,grounded,awaiting_inland_transfer": terminal49.DashboardDischarged(),
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/containers", 200, `{"data":[]}`)
		_, err := testkit.NewClient(t, api).Containers.List(t.Context(), &terminal49.ContainerListParams{Filter: filter})
		require.NoError(t, err)
		require.Equal(t, want, api.Requests()[0].Query)
	}
}
