package terminal49

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	portID     = "66666666-6666-4666-8666-666666666666"
	metroID    = "77777777-7777-4777-8777-777777777777"
	terminalID = "88888888-8888-4888-8888-888888888888"
)

func placeCalls() []call {
	return []call{
		{
			op: "ports.get", method: "GET", path: "/ports/" + portID, reply: `{"data":{"id":"` + portID + `","type":"port"}}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Ports.Get(ctx, portID)) },
		},
		{
			op: "ports.get", method: "GET", path: "/ports/USLAX", reply: `{"data":{"id":"` + portID + `","type":"port"}}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Ports.Get(ctx, "USLAX")) },
		},
		{
			op: "metro_areas.get", method: "GET", path: "/metro_areas/USCHI",
			reply: `{"data":{"id":"` + metroID + `","type":"metro_area"}}`,
			do:    func(ctx context.Context, c *Client) error { return first(c.MetroAreas.Get(ctx, "USCHI")) },
		},
		{
			op: "metro_areas.get", method: "GET", path: "/metro_areas/" + metroID,
			reply: `{"data":{"id":"` + metroID + `","type":"metro_area"}}`,
			do:    func(ctx context.Context, c *Client) error { return first(c.MetroAreas.Get(ctx, metroID)) },
		},
		{
			op: "terminals.get", method: "GET", path: "/terminals/" + terminalID,
			reply: `{"data":{"id":"` + terminalID + `","type":"terminal"}}`,
			do:    func(ctx context.Context, c *Client) error { return first(c.Terminals.Get(ctx, terminalID)) },
		},
	}
}

func TestPlaces_Requests(t *testing.T) { testCalls(t, placeCalls()) }

func TestPlaces_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := newClient(t, newFakeAPI())
	for _, id := range []string{"", "USLA", "USLAXX", "uslax", "US/AX", "Los Angeles", portID + "0"} {
		requireArgument(t, first(client.Ports.Get(t.Context(), id)), "idOrLOCODE")
		requireArgument(t, first(client.MetroAreas.Get(t.Context(), id)), "idOrLOCODE")
	}
	requireArgument(t, first(client.Terminals.Get(t.Context(), "Z901")), "id")
}

// The service sends coordinates as numbers or as strings, for all kinds of places.
func TestPlaces_DecodePort(t *testing.T) {
	const port = `{"data":{"id":"p","type":"port","attributes":{"id":"p","name":"Los Angeles","code":"USLAX","state_abbr":"CA",
		"city":"Los Angeles","country_code":"US","time_zone":"America/Los_Angeles","latitude":"33.74","longitude":-118.26},
		"relationships":{"terminals":{"data":[{"id":"t","type":"terminal"}]}}},"links":{"self":"https://x.test/v2/ports/USLAX"}}`
	got, err := newClient(t, answer(200, port)).Ports.Get(t.Context(), "USLAX", WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, "p", got.ID)
	require.Equal(t, []string{"t"}, got.Terminals.IDs())
	got.Resource, got.Terminals = Resource{}, ToMany[*Terminal]{}
	require.Equal(t, &Port{
		Name: "Los Angeles", LOCODE: "USLAX", City: "Los Angeles", StateAbbr: "CA", CountryCode: "US",
		TimeZone: "America/Los_Angeles", Latitude: Some(33.74), Longitude: Some(-118.26),
	}, got)

	const bare = `{"data":{"id":"p","type":"port","attributes":{"name":"Nowhere","city":null,"latitude":null,"longitude":"north"}}}`
	got, err = newClient(t, answer(200, bare)).Ports.Get(t.Context(), "XXABC")
	require.NoError(t, err)
	require.True(t, got.Latitude.IsNull())
	require.True(t, got.Longitude.IsZero(), "what is no number is left out")
	require.Equal(t, RelationshipAbsent, got.Terminals.State())
}

func TestPlaces_DecodeMetroArea(t *testing.T) {
	const area = `{"data":{"id":"m","type":"metro_area","attributes":{"id":"m","name":"Chicago","code":"USCHI","state_abbr":"IL",
		"country_code":"US","time_zone":"America/Chicago","latitude":"41.88","longitude":"-87.63"}}}`
	got, err := newClient(t, answer(200, area)).MetroAreas.Get(t.Context(), "USCHI", WithStrictDecoding())
	require.NoError(t, err)
	got.Resource = Resource{}
	require.Equal(t, &MetroArea{
		Name: "Chicago", LOCODE: "USCHI", StateAbbr: "IL", CountryCode: "US", TimeZone: "America/Chicago",
		Latitude: Some(41.88), Longitude: Some(-87.63),
	}, got)
}

// Rail ramps come in two forms.
func TestPlaces_DecodeTerminal(t *testing.T) {
	const ocean = `{"data":{"id":"t","type":"terminal","attributes":{"id":"t","nickname":"WBCT","name":"West Basin","firms_code":"Y258",
		"smdg_code":null,"bic_facility_code":null,"street":"2050 John S Gibson","city":"San Pedro","state":"California",
		"state_abbr":"CA","zip":"90731","country":"US","facility_type":"ocean_terminal",
		"provided_data":{"pickup_lfd":true,"pickup_lfd_notes":""}},"relationships":{"port":{"data":{"id":"p","type":"port"}}}}}`
	client := newClient(t, answer(200, ocean))
	got, err := client.Terminals.Get(t.Context(), terminalID, WithStrictDecoding())
	require.NoError(t, err)
	require.False(t, got.IsRail())
	require.Equal(t, "p", got.Port.ID())
	require.NotNil(t, got.ProvidedData)
	require.Equal(t, [9]string{"WBCT", "West Basin", "Y258", "2050 John S Gibson", "San Pedro", "California", "CA", "90731", "US"},
		[9]string{got.Nickname, got.Name, got.FIRMSCode, got.Street, got.City, got.State, got.StateAbbr, got.Zip, got.Country})

	for _, ramp := range []string{
		strings.Replace(ocean, "ocean_terminal", "rail", 1),
		`{"data":{"id":"r","type":"rail_terminal","attributes":{"name":"Ramp","nickname":"R1","firms_code":null,"city":"Chicago"},
			"relationships":{"port":{"data":null},"metro_area":{"data":{"id":"m","type":"metro_area"}}}}}`,
	} {
		got, err = newClient(t, answer(200, ramp)).Terminals.Get(t.Context(), terminalID, WithStrictDecoding())
		require.NoError(t, err)
		require.True(t, got.IsRail())
	}
}

func TestPlaces_NotFound(t *testing.T) {
	client := newClient(t, answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`))
	require.ErrorIs(t, first(client.Ports.Get(t.Context(), "XXABC")), ErrNotFound)
}
