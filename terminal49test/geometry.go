package terminal49test

import "math"

// point is a place on the earth in degrees.
type point struct{ lat, lon float64 }

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// angle is the angle between two points as the centre of the earth sees it.
func angle(a, b point) float64 {
	lat, lon := radians(b.lat-a.lat), radians(b.lon-a.lon)
	h := math.Pow(math.Sin(lat/2), 2) + math.Cos(radians(a.lat))*math.Cos(radians(b.lat))*math.Pow(math.Sin(lon/2), 2)
	return 2 * math.Asin(math.Sqrt(min(h, 1)))
}

// nauticalMiles is the distance: a minute of arc is a mile.
func nauticalMiles(a, b point) float64 { return degrees(angle(a, b)) * 60 }

// along is the point a part of the way from a to b.
func along(a, b point, part float64) point {
	d := angle(a, b)
	if d == 0 {
		return a
	}
	p, q := math.Sin((1-part)*d)/math.Sin(d), math.Sin(part*d)/math.Sin(d)
	xyz := func(of func(lat, lon float64) float64) float64 {
		return p*of(radians(a.lat), radians(a.lon)) + q*of(radians(b.lat), radians(b.lon))
	}
	x := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Cos(lon) })
	y := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Sin(lon) })
	z := xyz(func(lat, _ float64) float64 { return math.Sin(lat) })
	return point{rounded(degrees(math.Atan2(z, math.Hypot(x, y)))), rounded(degrees(math.Atan2(y, x)))}
}

// bearing is the compass course from a to b in whole degrees.
func bearing(a, b point) float64 {
	la, lb, lon := radians(a.lat), radians(b.lat), radians(b.lon-a.lon)
	course := degrees(math.Atan2(math.Sin(lon)*math.Cos(lb), math.Cos(la)*math.Sin(lb)-math.Sin(la)*math.Cos(lb)*math.Cos(lon)))
	return math.Mod(math.Round(course)+360, 360)
}

// rounded cuts a coordinate to the digits the service has, about a metre.
func rounded(degrees float64) float64 { return math.Round(degrees*1e5) / 1e5 }
