package mcpserver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestLookup_ByNameCodeAndMisspelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		for text, want := range map[string]string{
			"los angeles": "port Los Angeles USLAX", "uslgb": "port Long Beach USLGB", "Long Baech": "port Long Beach USLGB", "Savanah": "port Savannah USSAV",
			"maeu": "line Maersk MAEU", "harbor st": "party Harbor Street Imports ",
		} {
			a, _ := call[lookupAnswer](w, "lookup", args{"name": text})
			require.NotEmpty(t, a.Found, text)
			assert.Equal(t, want, string(a.Found[0].Kind)+" "+a.Found[0].Name+" "+a.Found[0].Code, text)
		}
		a, text := call[lookupAnswer](w, "lookup", args{"name": "Long Baech", "kinds": []string{"port"}})
		assert.Equal(t, []string{"Nothing has this name; these are the nearest. Ask which is meant."}, a.Notes)
		assert.Contains(t, text, "port «Long Beach» «USLGB»")
		a, text = call[lookupAnswer](w, "lookup", args{"name": "Atlantis"})
		assert.Zero(t, a.Total)
		assert.Contains(t, text, "Nothing in the copy has such a name.")
		all, _ := call[lookupAnswer](w, "lookup", args{"kinds": []string{"line"}, "limit": 2})
		assert.Equal(t, 2, all.Shown)
		assert.Greater(t, all.Total, 2)
	})
}

// Where a vessel was, and when; nothing if its position is not reported.
func TestLookup_PositionsOfVessels(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for name, positions := range map[string][]terminal49test.Position{
				"SOMEWHERE": {{Timestamp: start.Add(-2 * time.Hour), Latitude: 33.5, Longitude: -119.25}}, "NOWHERE": {},
			} {
				vessel := srv.AddVessel(terminal49test.Vessel{Name: name, Positions: positions})
				shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: name, PODVessel: vessel})
				srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.vessel_departed", Vessel: vessel, Timestamp: start.Add(-24 * time.Hour),
					Container: srv.AddContainer(terminal49test.Container{Shipment: shipment})})
			}
		})
		a, text := call[lookupAnswer](w, "lookup", args{"kinds": []string{"vessel"}})
		require.Len(t, a.Found, 2)
		assert.Equal(t, []string{"NOWHERE", ""}, []string{a.Found[0].Name, a.Found[0].Detail})
		at := start.Add(-2 * time.Hour).UTC().Format(time.RFC3339)
		assert.Equal(t, []string{"SOMEWHERE", "at latitude 33.5, longitude -119.25, " + at}, []string{a.Found[1].Name, a.Found[1].Detail})
		assert.Contains(t, text, "vessel «SOMEWHERE», «at latitude 33.5, longitude -119.25, "+at+"»")
	})
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"savannah", "savanah", 1}, {"beach", "baech", 1}, {"oakland", "okalnd", 2}, {"kitten", "sitting", 3}} {
		assert.Equal(t, c.want, edits([]rune(c.a), []rune(c.b)), c)
		assert.Equal(t, c.want, edits([]rune(c.b), []rune(c.a)), c)
	}
}
