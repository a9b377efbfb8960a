package terminal49_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestPlaces_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PlaceCalls()) }

func TestPlaces_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	for _, id := range []string{"", "USLA", "USLAXX", "uslax", "US/AX", "Los Angeles", testkit.PortID + "0"} {
		testkit.RequireArgument(t, testkit.First(client.Ports.Get(t.Context(), id)), "idOrLOCODE")
		testkit.RequireArgument(t, testkit.First(client.MetroAreas.Get(t.Context(), id)), "idOrLOCODE")
	}
	testkit.RequireArgument(t, testkit.First(client.Terminals.Get(t.Context(), "Z901")), "id")
}

// The service sends coordinates as numbers or as strings, for all kinds of places.
func TestPlaces_DecodePort(t *testing.T) {
	const port = `{"data":{"id":"p","type":"port","attributes":{"id":"p","name":"Los Angeles","code":"USLAX","state_abbr":"CA",
		"city":"Los Angeles","country_code":"US","time_zone":"America/Los_Angeles","latitude":"33.74","longitude":-118.26},
		"relationships":{"terminals":{"data":[{"id":"t","type":"terminal"}]}}},"links":{"self":"https://x.test/v2/ports/USLAX"}}`
	got, err := testkit.NewClient(t, testkit.Answer(200, port)).Ports.Get(t.Context(), "USLAX",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, "p", got.ID)
	require.Equal(t, []string{"t"}, got.Terminals.IDs())
	got.Resource, got.Terminals = terminal49.Resource{}, terminal49.ToMany[*terminal49.Terminal]{}
	require.Equal(t, &terminal49.Port{
		Name: "Los Angeles", LOCODE: "USLAX", City: "Los Angeles", StateAbbr: "CA", CountryCode: "US",
		TimeZone: "America/Los_Angeles", Latitude: terminal49.Some(33.74), Longitude: terminal49.Some(-118.26),
	}, got)

	const bare = `{"data":{"id":"p","type":"port","attributes":{"name":"Nowhere","city":null,"latitude":null,"longitude":"north"}}}`
	got, err = testkit.NewClient(t, testkit.Answer(200, bare)).Ports.Get(t.Context(), "XXABC")
	require.NoError(t, err)
	require.True(t, got.Latitude.IsNull())
	require.True(t, got.Longitude.IsZero(), "what is not a number is omitted")
	require.Equal(t, terminal49.RelationshipAbsent, got.Terminals.State())
}

func TestPlaces_DecodeMetroArea(t *testing.T) {
	const area = `{"data":{"id":"m","type":"metro_area","attributes":{"id":"m","name":"Chicago","code":"USCHI","state_abbr":"IL",
		"country_code":"US","time_zone":"America/Chicago","latitude":"41.88","longitude":"-87.63"}}}`
	got, err := testkit.NewClient(t, testkit.Answer(200, area)).MetroAreas.Get(t.Context(), "USCHI",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	got.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.MetroArea{
		Name: "Chicago", LOCODE: "USCHI", StateAbbr: "IL", CountryCode: "US", TimeZone: "America/Chicago",
		Latitude: terminal49.Some(41.88), Longitude: terminal49.Some(-87.63),
	}, got)
}

// Rail ramps come in two forms.
func TestPlaces_DecodeTerminal(t *testing.T) {
	const ocean = `{"data":{"id":"t","type":"terminal","attributes":{"id":"t","nickname":"WBCT","name":"West Basin","firms_code":"Y258",
		"smdg_code":null,"bic_facility_code":null,"street":"2050 John S Gibson","city":"San Pedro","state":"California",
		"state_abbr":"CA","zip":"90731","country":"US","facility_type":"ocean_terminal",
		"provided_data":{"pickup_lfd":true,"pickup_lfd_notes":""}},"relationships":{"port":{"data":{"id":"p","type":"port"}}}}}`
	client := testkit.NewClient(t, testkit.Answer(200, ocean))
	got, err := client.Terminals.Get(t.Context(), testkit.TerminalID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.False(t, got.IsRail())
	require.Equal(t, "p", got.Port.ID())
	require.NotNil(t, got.ProvidedData)
	require.Equal(t, [9]string{"WBCT", "West Basin", "Y258", "2050 John S Gibson", "San Pedro", "California", "CA",
		"90731", "US"},
		[9]string{got.Nickname, got.Name, got.FIRMSCode, got.Street, got.City, got.State, got.StateAbbr, got.Zip,
			got.Country})

	for _, ramp := range []string{
		strings.Replace(ocean, "ocean_terminal", "rail", 1),
		`{"data":{"id":"r","type":"rail_terminal","attributes":{"name":"Ramp","nickname":"R1","firms_code":null,"city":"Chicago"},
			"relationships":{"port":{"data":null},"metro_area":{"data":{"id":"m","type":"metro_area"}}}}}`,
	} {
		got, err = testkit.NewClient(t, testkit.Answer(200, ramp)).Terminals.Get(t.Context(), testkit.TerminalID,
			terminal49.WithStrictDecoding())
		require.NoError(t, err)
		require.True(t, got.IsRail())
	}
}

func TestPlaces_NotFound(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`))
	require.ErrorIs(t, testkit.First(client.Ports.Get(t.Context(), "XXABC")), terminal49.ErrNotFound)
}
