package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestShippingLines_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ShippingLineCalls()) }

// The service advertises a second page that repeats the first.
func TestShippingLines_AreFetchedOnce(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipping_lines", map[string]string{
		"": `{"data":[{"id":"a","type":"shipping_line","attributes":{"scac":"MAEU"}},{"id":"b","type":"shipping_line"}],
			"links":{"next":"https://api.example.test/proxy/v2/shipping_lines?page%5Bnumber%5D=2"}}`,
	})
	for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(3)}} {
		lines, err := testkit.NewClient(t, api).ShippingLines.List(t.Context(), opts...)
		require.NoError(t, err)
		require.Len(t, lines, 2)
		require.Equal(t, "MAEU", lines[0].SCAC)
	}
	require.Equal(t, []string{"", ""}, api.Queries())
}

func TestShippingLines_EmptyList(t *testing.T) {
	lines, err := testkit.NewClient(t, testkit.Answer(200, `{"data":[]}`)).ShippingLines.List(t.Context())
	require.NoError(t, err)
	require.NotNil(t, lines)
	require.Empty(t, lines)
}

func TestShippingLines_Supports(t *testing.T) {
	line := terminal49.ShippingLine{BillOfLadingTrackingSupport: true, ContainerNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestBillOfLading))
	require.False(t, line.Supports(terminal49.RequestBookingNumber))
	require.True(t, line.Supports(terminal49.RequestContainer))
	require.False(t, line.Supports("telex"))
	line = terminal49.ShippingLine{BookingNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestBookingNumber))
	require.False(t, line.Supports(terminal49.RequestContainer))
}
