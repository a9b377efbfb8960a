package terminal49_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// RFC 7946 section 4: degrees of WGS 84, of which latitude has 90 and longitude 180 either way.
// Vessels report 91 and 181 where they do not know their place (ITU-R M.1371, message 1).
var coordinates = []struct {
	sent      string
	lat, long bool // whether it is a latitude, and a longitude
}{
	{"0", true, true}, {"-0.0", true, true}, {"90", true, true}, {"-90", true, true}, {"9e1", true, true},
	{"90.000001", false, true}, {"91", false, true}, {"-91", false, true}, {"180", false, true}, {"-180", false, true},
	{"180.000001", false, false}, {"181", false, false}, {"-181", false, false}, {"360", false, false},
	{"1e9", false, false}, {"1e19", false, false}, {"-1e27", false, false}, {"1e308", false, false},
	{"9223372036854775807", false, false}, {"292277026596", false, false},
	{"1e400", false, false}, {"-1e400", false, false}, {"1e-400", true, true},
}

// warned returns a client that answers body, and the warnings of its calls.
func warned(t *testing.T, body string) (*terminal49.Client, *[]terminal49.DecodeWarning) {
	list := new([]terminal49.DecodeWarning)
	return testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithHooks(terminal49.Hooks{
		OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { *list = append(*list, w) },
	})), list
}

// A coordinate outside the earth is unknown, with a warning, wherever it is read.
func TestCoordinates_OutsideTheEarthAreUnknown(t *testing.T) {
	for _, row := range coordinates {
		for _, quoted := range []bool{false, true} {
			sent := row.sent
			if quoted {
				sent = `"` + sent + `"`
			}
			attributes := `{"latitude":` + sent + `,"longitude":` + sent + `}`
			for typ, read := range map[string]func(*terminal49.Client) (lat, long terminal49.Opt[float64]){
				"vessel": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					v, err := c.Vessels.Get(t.Context(), testkit.LineID, nil)
					require.NoError(t, err)
					return v.Latitude, v.Longitude
				},
				"port": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					p, err := c.Ports.Get(t.Context(), testkit.PortID)
					require.NoError(t, err)
					return p.Latitude, p.Longitude
				},
				"metro_area": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					m, err := c.MetroAreas.Get(t.Context(), testkit.PortID)
					require.NoError(t, err)
					return m.Latitude, m.Longitude
				},
				"vessel's positions": func(c *terminal49.Client) (lat, long terminal49.Opt[float64]) {
					v, err := c.Vessels.Get(t.Context(), testkit.LineID, nil)
					require.NoError(t, err)
					require.Len(t, v.Positions, 1)
					return v.Positions[0].Latitude, v.Positions[0].Longitude
				},
			} {
				id, members := testkit.PortID, attributes
				switch typ {
				case "vessel":
					id = testkit.LineID
				case "vessel's positions":
					id, members, typ = testkit.LineID, `{"positions":[`+attributes+`]}`, "vessel"
				}
				client, warnings := warned(t, `{"data":{"id":"`+id+`","type":"`+typ+`","attributes":`+members+`}}`)
				lat, long := read(client)
				want := 0
				for coordinate, known := range map[*terminal49.Opt[float64]]bool{&lat: row.lat, &long: row.long} {
					_, got := coordinate.Get()
					require.Equal(t, known, got, "%s: %s", typ, sent)
					if !known {
						want++
					}
				}
				require.Len(t, *warnings, want, "%s: %s", typ, sent)
			}
		}
	}
}

// A position on a map is known whole or not at all, and so is a line. The rest of the map is read.
func TestCoordinates_OutsideTheEarthOnAMap(t *testing.T) {
	for _, row := range coordinates {
		for position, known := range map[string]bool{"[" + row.sent + ",0]": row.long, "[0," + row.sent + "]": row.lat} {
			for kind, coordinates := range map[string]string{
				"port": position, "current_vessel": position, "past_vessel_locations": "[[1,2]," + position + ",[3,4]]",
				"estimated_full_legs": "[" + position + "]", "estimated_partial_leg": "[[1,2]," + position + "]",
			} {
				shape := "LineString"
				if kind == "port" || kind == "current_vessel" {
					shape = "Point"
				}
				body := feature(kind, `{"type":"`+shape+`","coordinates":`+coordinates+`}`)
				client, warnings := warned(t, body)
				m, err := client.Containers.Map(t.Context(), testkit.ContainerID)
				require.NoError(t, err, body)
				require.Len(t, m.Features(), 1)
				if known {
					require.Empty(t, m.Unknown(), body)
					require.Empty(t, *warnings, body)
					continue
				}
				require.Len(t, m.Unknown(), 1, body)
				require.Len(t, *warnings, 1, body)
				require.Equal(t, "features.geometry.coordinates", (*warnings)[0].Field)
				again, err := json.Marshal(m)
				require.NoError(t, err)
				require.Equal(t, body, string(again), "it is kept as it was sent")
			}
		}
	}
}
