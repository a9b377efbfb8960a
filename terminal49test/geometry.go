package terminal49test

import "math"

// point is a position in degrees. Distances are on a sphere, along great circles.
type point struct{ lat, lon float64 }

func toRadians(degrees float64) float64 { return degrees * math.Pi / 180 }

func toDegrees(radians float64) float64 { return radians * 180 / math.Pi }

// centralAngle is the angle between two points seen from the centre of the earth.
func centralAngle(a, b point) float64 {
	lat, lon := toRadians(b.lat-a.lat), toRadians(b.lon-a.lon)
	h := math.Pow(math.Sin(lat/2), 2) + math.Cos(toRadians(a.lat))*math.Cos(toRadians(b.lat))*math.Pow(math.Sin(lon/2), 2)
	return 2 * math.Asin(math.Sqrt(min(h, 1)))
}

// nauticalMiles is the distance of two points: a minute of arc is a nautical mile.
func nauticalMiles(a, b point) float64 { return toDegrees(centralAngle(a, b)) * 60 }

// pointBetween is the point at the given fraction of the way from a to b.
func pointBetween(a, b point, part float64) point {
	d := centralAngle(a, b)
	if d == 0 {
		return a
	}
	p, q := math.Sin((1-part)*d)/math.Sin(d), math.Sin(part*d)/math.Sin(d)
	xyz := func(of func(lat, lon float64) float64) float64 {
		return p*of(toRadians(a.lat), toRadians(a.lon)) + q*of(toRadians(b.lat), toRadians(b.lon))
	}
	x := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Cos(lon) })
	y := xyz(func(lat, lon float64) float64 { return math.Cos(lat) * math.Sin(lon) })
	z := xyz(func(lat, _ float64) float64 { return math.Sin(lat) })
	return point{roundCoordinate(toDegrees(math.Atan2(z, math.Hypot(x, y)))), roundCoordinate(toDegrees(math.Atan2(y, x)))}
}

// courseBetween is the initial course from a to b in whole degrees.
func courseBetween(a, b point) float64 {
	la, lb, lon := toRadians(a.lat), toRadians(b.lat), toRadians(b.lon-a.lon)
	course := toDegrees(math.Atan2(math.Sin(lon)*math.Cos(lb), math.Cos(la)*math.Sin(lb)-math.Sin(la)*math.Cos(lb)*math.Cos(lon)))
	return math.Mod(math.Round(course)+360, 360)
}

// roundCoordinate rounds to the precision that the service sends, about a metre.
func roundCoordinate(degrees float64) float64 { return math.Round(degrees*1e5) / 1e5 }
