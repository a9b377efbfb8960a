package terminal49_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A SCAC has four characters (docs/service.md#carrier-codes), alternative_scacs are further ones
// that tracking requests accept, and every line has a name and a short name. The names are the
// lines' own.
func TestSearchShippingLines_RanksNamesAndCodes(t *testing.T) {
	lines := []*terminal49.ShippingLine{
		{SCAC: "ZIMU", Name: "ZIM Integrated Shipping Services", ShortName: "ZIM"},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO"},
		{SCAC: "ONEY", Name: "Ocean Network Express", ShortName: "ONE"},
		nil,
		{SCAC: "MAEU", Name: "Maersk", ShortName: "Maersk", AlternativeSCACs: []string{"SEAU", "MCPU"}},
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}},
		{SCAC: "SEAU", Name: "Sealand", ShortName: "Sealand"},
		{SCAC: "HLCU", Name: "Hapag-Lloyd", ShortName: "Hapag"},
		{SCAC: "SUDU", Name: "Hamburg Süd", ShortName: "Hamburg Süd"},
		{SCAC: "CMDU", Name: "CMA CGM", ShortName: "CMA CGM"},
	}
	for _, row := range []struct{ text, want, best string }{
		{"maeu", "MAEU", "MAEU"},
		{"MEDU", "MSCU", "MSCU"},
		{"SEAU", "SEAU MAEU", "SEAU"}, // its own code before the alternative one of another line
		{"one", "ONEY", "ONEY"},
		{"hapag lloyd", "HLCU", "HLCU"},
		{"HapagLloyd", "HLCU", "HLCU"},
		{" cma-cgm ", "CMDU", "CMDU"},
		{"cgm", "CMDU", "CMDU"},
		{"shipping", "COSU MSCU ZIMU", ""}, // ambiguous
		{"mediterranean shipping", "MSCU", "MSCU"},
		{"express ocean", "ONEY", "ONEY"},
		{"ha", "HLCU SUDU", ""},
		{"süd", "SUDU", "SUDU"},
		{"work", "ONEY", "ONEY"},
		{"ma", "MAEU CMDU", "MAEU"},
		{"evergreen", "", ""},
		{"", "", ""},
		{" - ", "", ""},
	} {
		random := rand.New(rand.NewPCG(49, 7))
		for range 20 { // the order of the list does not matter
			random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			var found []string
			for _, m := range terminal49.SearchShippingLines(lines, row.text) {
				found = append(found, m.SCAC)
			}
			require.Equal(t, row.want, strings.Join(found, " "), "%q", row.text)
			best, ok := terminal49.BestShippingLine(lines, row.text)
			require.Equal(t, row.best != "", ok, "%q", row.text)
			if ok {
				require.Equal(t, row.best, best.SCAC, "%q", row.text)
			} else {
				require.Nil(t, best)
			}
		}
	}
}

// An alternative code that two lines have leaves open which one is meant; the same line twice does
// not.
func TestBestShippingLine_AmbiguousCodes(t *testing.T) {
	a := &terminal49.ShippingLine{SCAC: "AAAA", Name: "A", ShortName: "A", AlternativeSCACs: []string{"WXYZ"}}
	b := &terminal49.ShippingLine{SCAC: "BBBB", Name: "B", ShortName: "B", AlternativeSCACs: []string{"WXYZ"}}
	_, ok := terminal49.BestShippingLine([]*terminal49.ShippingLine{a, b}, "WXYZ")
	assert.False(t, ok)
	best, ok := terminal49.BestShippingLine([]*terminal49.ShippingLine{a, a}, "WXYZ")
	assert.True(t, ok)
	assert.Same(t, a, best)
}

// The service ignores a search (docs/service.md#other-filters), so the list is fetched once.
func TestSearchShippingLines_NeedsOneRequest(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		lines, err := testkit.SimulatedClient(t, srv).ShippingLines.List(t.Context())
		require.NoError(t, err)
		for _, line := range lines {
			for _, text := range append([]string{line.SCAC, line.Name, line.ShortName}, line.AlternativeSCACs...) {
				best, ok := terminal49.BestShippingLine(lines, text)
				require.True(t, ok, "%s: %s", text, fmt.Sprint(terminal49.SearchShippingLines(lines, text)))
				require.Equal(t, line.SCAC, best.SCAC, text)
			}
		}
		require.Len(t, srv.Requests(), 1)
	})
}

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
	require.True(t, line.Supports(terminal49.RequestTypeBillOfLading))
	require.False(t, line.Supports(terminal49.RequestTypeBookingNumber))
	require.True(t, line.Supports(terminal49.RequestTypeContainer))
	require.False(t, line.Supports("telex"))
	line = terminal49.ShippingLine{BookingNumberTrackingSupport: true}
	require.True(t, line.Supports(terminal49.RequestTypeBookingNumber))
	require.False(t, line.Supports(terminal49.RequestTypeContainer))
}
