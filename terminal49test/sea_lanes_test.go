package terminal49test_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// place is a point in degrees.
type place struct{ lon, lat float64 }

// TestSeaLanes_CrossNoLand draws the way between each two ports of the simulator, as a map does,
// and compares it with the outline of all land.
func TestSeaLanes_CrossNoLand(t *testing.T) {
	land := readCoast(t)
	if !land.contains(place{-98, 39}) || land.contains(place{-40, 39}) {
		t.Fatal("Kansas is not land, or the Atlantic is")
	}
	srv := newServer(t)
	srv.SeedTraffic(1) // adds ports
	var ports []string
	for port := range srv.Snapshot("port") {
		ports = append(ports, port.ID)
	}
	for i, from := range ports {
		for _, to := range ports[:i] {
			shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: from + to, PortOfLading: from, PortOfDischarge: to})
			container := srv.AddContainer(terminal49test.Container{Shipment: shipment})
			checkLine(t, land, getAPI(t, srv, "/containers/"+container+"/map_geojson").list("features/1/geometry/coordinates"))
		}
	}
	if len(ports) < 13 {
		t.Errorf("%d ports, want those of the demo", len(ports))
	}
}

// narrows are land at the map's scale of 1:110,000,000, with their width in degrees: the Suez Canal
// with its gulf, the Panama Canal and the Strait of Gibraltar.
var narrows = map[place]float64{{33.2, 29.5}: 2.4, {-79.7, 9}: 1, {-5.4, 36}: 1}

// checkLine reports where a line is on land, other than in a narrow or within a degree of its ends,
// which are harbors.
func checkLine(t *testing.T, land coast, line []any) {
	t.Helper()
	at := func(i int) place {
		p := line[i].([]any)
		return place{p[0].(float64), p[1].(float64)}
	}
	harbors := map[place]float64{at(0): 1, at(len(line) - 1): 1}
	for i := 1; i < len(line); i++ {
		a, b := at(i-1), at(i)
		b.lon -= 360 * math.Round((b.lon-a.lon)/360)
		for part, step := 0.0, 0.25/a.from(b); part <= 1; part += step {
			p := place{a.lon + part*(b.lon-a.lon), a.lat + part*(b.lat-a.lat)}
			if land.contains(p) && !p.within(narrows) && !p.within(harbors) {
				t.Errorf("the way from %v to %v crosses land at %v", at(0), at(len(line)-1), p)
			}
		}
	}
}

func (p place) from(q place) float64 { return math.Hypot(p.lon-q.lon, p.lat-q.lat) }

func (p place) within(areas map[place]float64) bool {
	for center, degrees := range areas {
		if p.from(center) < degrees {
			return true
		}
	}
	return false
}

// coast has the rings around land, with the northernmost and southernmost latitude of each.
type coast []land

type land struct {
	ring         []place
	south, north float64
}

// readCoast reads the land that the board draws.
func readCoast(t *testing.T) coast {
	t.Helper()
	files, _ := filepath.Glob("../cmd/terminal49-mirror/internal/board/coast/coast.svgpath")
	if len(files) == 0 {
		t.Fatal("the board has no outline of the land")
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var all coast
	for path := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(string(text)), "Z"), "Z") {
		var ring []place
		south, north := 90.0, -90.0
		for pair := range strings.SplitSeq(strings.TrimPrefix(path, "M"), "L") {
			var p place
			if _, err := fmt.Sscan(pair, &p.lon, &p.lat); err != nil {
				t.Fatal(pair, err)
			}
			p.lat = -p.lat
			ring, south, north = append(ring, p), min(south, p.lat), max(north, p.lat)
		}
		all = append(all, land{ring, south, north})
	}
	return all
}

// contains reports whether a point is inside an odd number of rings. A ring may go on beyond 180
// degrees.
func (c coast) contains(p place) bool {
	inside := false
	for _, l := range c {
		if p.lat < l.south || p.lat > l.north {
			continue
		}
		for i, a := range l.ring {
			b := l.ring[(i+1)%len(l.ring)]
			if (a.lat > p.lat) == (b.lat > p.lat) {
				continue
			}
			border := a.lon + (p.lat-a.lat)/(b.lat-a.lat)*(b.lon-a.lon)
			for _, turn := range []float64{-360, 0, 360} {
				if p.lon+turn < border {
					inside = !inside
				}
			}
		}
	}
	return inside
}
