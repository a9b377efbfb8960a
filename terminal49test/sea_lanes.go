package terminal49test

import (
	"math"
	"slices"
	"sync"
)

// The points at which sea lanes meet or turn.
var (
	yangtze       = point{30.5, 123}
	koreaStrait   = point{34.3, 129.2}
	osumi         = point{30.2, 131.5}
	boso          = point{34.2, 141.2} // off Tokyo
	southChinaSea = point{20.5, 116.5}
	luzonStrait   = point{20, 121.2}
	vungTau       = point{9.6, 107.6}
	singapore     = point{1.3, 104.4}
	weh           = point{6.3, 94.8} // the western end of the Strait of Malacca
	dondra        = point{5.2, 80.6} // south of Sri Lanka
	mumbai        = point{18.6, 72.2}
	guardafui     = point{13, 51.8}
	gibraltar     = point{35.9, -7}
	saintVincent  = point{36.7, -9.8}
	ushant        = point{49, -6.5}
	nantucket     = point{40, -69}
	newYork       = point{40.2, -73.3}
	savannah      = point{31.7, -80.2}
	houston       = point{28.9, -94.2}
	yucatan       = point{21.7, -85.6}
	cristobal     = point{9.8, -79.9} // the Panama Canal's end in the Caribbean
	baja          = point{22.3, -111}
	sanPedro      = point{33.4, -119}
	goldenGate    = point{37.6, -123.2}
)

// seaLanes are chains of points. Between two of them a vessel follows the great circle, which does
// not cross land. They go through the Suez and Panama canals, and around the Cape of Good Hope.
var seaLanes = [][]point{
	{yangtze, koreaStrait, {32, 128.2}, {30.3, 130}, osumi},
	{yangtze, osumi, boso},
	{boso, goldenGate, {34.2, -121.5}, sanPedro},
	{boso, {34.2, -121.5}},
	{boso, baja},
	{yangtze, {27.5, 122.5}, {24.4, 119.3}, southChinaSea, {10.5, 110}, singapore},
	{southChinaSea, luzonStrait, boso},
	{{10.5, 110}, vungTau, singapore},
	{singapore, {1.2, 103.5}, {2.7, 101}, {5.6, 98.4}, weh, dondra, guardafui},
	{dondra, {7.5, 76.9}, mumbai, guardafui},
	{guardafui, {12.2, 45}, {12.6, 43.3}, {15, 41.8}, {20.5, 38.5}, {27.3, 34.4}, {29, 32.8}, {30.6, 32.4}, {31.7, 32.4},
		{34, 24.5}, {36.9, 11.9}, {37.7, 10.2}, {37.3, 2}, {36.3, -2.5}, {35.95, -5.6}, gibraltar, saintVincent},
	{saintVincent, {43.6, -10}, ushant, {50, -2}, {51, 1.5}, {51.9, 3.6}},
	{ushant, {42.5, -50}, nantucket, newYork},
	{gibraltar, nantucket},
	{gibraltar, savannah},
	{weh, {-28.5, 48}, {-35.5, 20}, {14.5, -19.5}, {21, -18.8}, {29.5, -11.8}, saintVincent},
	{sanPedro, {30, -117.5}, baja, {15, -98.5}, {6.7, -82.5}, {6.7, -79.8}, {8.5, -79.4}, cristobal},
	{cristobal, {17.3, -75.3}, {20.2, -73.8}, {26.5, -73.3}, newYork},
	{{26.5, -73.3}, savannah},
	{cristobal, yucatan, houston},
	{yucatan, {24.1, -82.5}, {25.4, -79.8}, {28.5, -79.6}, savannah, {34.7, -75}, newYork},
	{houston, {24.1, -82.5}},
}

// mostMilesToLane is how far a port may be from the sea lanes. To others a vessel follows the great
// circle, even over land.
const mostMilesToLane = 200

// seaway is the way of a vessel: at least two points, with great circles between them.
type seaway struct {
	points []point
	miles  []float64 // from the first point to each
}

func newSeaway(points ...point) seaway {
	miles := make([]float64, len(points))
	for i := 1; i < len(points); i++ {
		miles[i] = miles[i-1] + nauticalMiles(points[i-1], points[i])
	}
	return seaway{points, miles}
}

// seawayBetween returns the shortest way over the sea lanes.
func seawayBetween(a, b point) seaway {
	lanes := laneNetwork()
	from, to := lanes.nearest(a), lanes.nearest(b)
	if from < 0 || to < 0 {
		return newSeaway(a, b)
	}
	points := []point{a, lanes.points[from]}
	for from != to {
		from = lanes.next[from][to]
		points = append(points, lanes.points[from])
	}
	return newSeaway(append(points, b)...)
}

// length is in nautical miles.
func (way seaway) length() float64 { return way.miles[len(way.miles)-1] }

// at returns the point where a part of the way is sailed, and the index of the next point.
func (way seaway) at(part float64) (at point, next int) {
	miles := part * way.length()
	next, last := 1, len(way.points)-1
	for next < last && way.miles[next] <= miles {
		next++
	}
	a, b := way.miles[next-1], way.miles[next]
	if a == b {
		return way.points[next], next
	}
	return pointBetween(way.points[next-1], way.points[next], min((miles-a)/(b-a), 1)), next
}

// sailed returns the first part of the way.
func (way seaway) sailed(part float64) seaway {
	at, next := way.at(part)
	return newSeaway(append(slices.Clone(way.points[:next]), at)...)
}

// from returns the way ahead of a vessel that is on it or not far from it.
func (way seaway) from(at point) seaway {
	next, least := 0, math.Inf(1)
	for i := 1; i < len(way.points); i++ {
		a, b := way.points[i-1], way.points[i]
		if detour := nauticalMiles(a, at) + nauticalMiles(at, b) - nauticalMiles(a, b); detour < least {
			next, least = i, detour
		}
	}
	return newSeaway(append([]point{at}, way.points[next:]...)...)
}

// line returns the way as a line of about mapPoints pieces.
func (way seaway) line() []point {
	line := way.points[:1:1]
	for i := 1; i < len(way.points); i++ {
		pieces := 1.0
		if way.length() > 0 {
			pieces = max(1, math.Round(mapPoints*(way.miles[i]-way.miles[i-1])/way.length()))
		}
		for n := 1.0; n <= pieces; n++ {
			line = append(line, pointBetween(way.points[i-1], way.points[i], n/pieces))
		}
	}
	return line
}

// network has the points of the sea lanes, and for each pair of them the next one on the shortest
// way from the first to the second.
type network struct {
	points []point
	next   [][]int
}

var laneNetwork = sync.OnceValue(func() *network {
	n := &network{}
	for _, lane := range seaLanes {
		for _, p := range lane {
			if !slices.Contains(n.points, p) {
				n.points = append(n.points, p)
			}
		}
	}
	miles := make([][]float64, len(n.points))
	for i := range n.points {
		miles[i], n.next = slices.Repeat([]float64{math.Inf(1)}, len(n.points)), append(n.next, make([]int, len(n.points)))
		miles[i][i] = 0
	}
	for _, lane := range seaLanes {
		for k := range len(lane) - 1 {
			i, j := slices.Index(n.points, lane[k]), slices.Index(n.points, lane[k+1])
			miles[i][j], n.next[i][j] = nauticalMiles(lane[k], lane[k+1]), j
			miles[j][i], n.next[j][i] = miles[i][j], i
		}
	}
	for over := range n.points {
		for i := range n.points {
			for j := range n.points {
				if m := miles[i][over] + miles[over][j]; m < miles[i][j] {
					miles[i][j], n.next[i][j] = m, n.next[i][over]
				}
			}
		}
	}
	return n
})

// nearest returns the index of the point that is nearest to a port; -1 if the lanes are too far.
func (n *network) nearest(to point) int {
	best, least := -1, float64(mostMilesToLane)
	for i, p := range n.points {
		if miles := nauticalMiles(p, to); miles < least {
			best, least = i, miles
		}
	}
	return best
}
