package terminal49

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func shippingLineCalls() []call {
	const list = `{"data":[{"id":"` + lineID + `","type":"shipping_line"}]}`
	return []call{
		{
			op: "shipping_lines.list", method: "GET", path: "/shipping_lines", reply: list,
			do: func(ctx context.Context, c *Client) error { return first(c.ShippingLines.List(ctx)) },
		},
		{
			op: "shipping_lines.list", method: "GET", path: "/shipping_lines", reply: list,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.ShippingLines.All(ctx))) },
		},
		{
			op: "shipping_lines.get", method: "GET", path: "/shipping_lines/" + lineID,
			reply: `{"data":{"id":"` + lineID + `","type":"shipping_line"}}`,
			do:    func(ctx context.Context, c *Client) error { return first(c.ShippingLines.Get(ctx, lineID)) },
		},
	}
}

func TestShippingLines_Requests(t *testing.T) { testCalls(t, shippingLineCalls()) }

// The service advertises a second page that repeats the first.
func TestShippingLines_AreFetchedOnce(t *testing.T) {
	api := newFakeAPI()
	api.onPages("/shipping_lines", map[string]string{
		"": `{"data":[{"id":"a","type":"shipping_line","attributes":{"scac":"MAEU"}},{"id":"b","type":"shipping_line"}],
			"links":{"next":"https://api.example.test/proxy/v2/shipping_lines?page%5Bnumber%5D=2"}}`,
	})
	for _, opts := range [][]CallOption{nil, {WithPrefetch(3)}} {
		lines, err := newClient(t, api).ShippingLines.List(t.Context(), opts...)
		require.NoError(t, err)
		require.Len(t, lines, 2)
		require.Equal(t, "MAEU", lines[0].SCAC)
	}
	require.Equal(t, []string{"", ""}, api.queries())
}

func TestShippingLines_EmptyList(t *testing.T) {
	lines, err := newClient(t, answer(200, `{"data":[]}`)).ShippingLines.List(t.Context())
	require.NoError(t, err)
	require.NotNil(t, lines)
	require.Empty(t, lines)
}

func TestShippingLines_Supports(t *testing.T) {
	line := ShippingLine{BillOfLadingTrackingSupport: true, ContainerNumberTrackingSupport: true}
	require.True(t, line.Supports(RequestBillOfLading))
	require.False(t, line.Supports(RequestBookingNumber))
	require.True(t, line.Supports(RequestContainer))
	require.False(t, line.Supports("telex"))
	line = ShippingLine{BookingNumberTrackingSupport: true}
	require.True(t, line.Supports(RequestBookingNumber))
	require.False(t, line.Supports(RequestContainer))
}
