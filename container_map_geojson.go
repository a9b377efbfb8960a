package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// featureCollection is a GeoJSON feature collection that is being read.
type featureCollection struct {
	options  jsonapi.Options
	table    jsonapi.Table // of the properties; made for each map, so that only programs that read maps link it
	member   string        // path of the member being read, for warnings
	kind     string
	features []*MapFeature
	count    int   // of all features, including null
	err      error // the first violation of GeoJSON
}

// named returns options whose warnings name the member being read.
func (c *featureCollection) named(o jsonapi.Options) jsonapi.Options {
	report := o.Report
	if report == nil {
		return o
	}
	o.Report = func(w jsonapi.Warning) {
		w.Field = cmp.Or(w.Field, c.member)
		report(w)
	}
	return o
}

func (c *featureCollection) read(d *jsonapi.Decoder) {
	d.Object(func(key []byte) {
		switch string(key) {
		case "type":
			c.member = "type"
			c.kind = readShortText(d)
		case "features":
			c.readFeatures(d)
		case "bbox":
			d.Skip()
		default:
			d.Unknown(key)
		}
	})
}

// readShortText returns a copy of its own, because a chunk for many strings would be wasted on a
// few short ones.
func readShortText(d *jsonapi.Decoder) string {
	b, _ := d.Bytes()
	return string(b)
}

func (c *featureCollection) readFeatures(d *jsonapi.Decoder) {
	c.member, c.features, c.count, c.err = "features", nil, 0, nil
	if d.Null() {
		return
	}
	if isList := d.Array(func() { c.readFeature(d) }); !isList && c.err == nil {
		c.err = errors.New("its features are not a list")
	}
}

func (c *featureCollection) readFeature(d *jsonapi.Decoder) {
	raw := d.Raw()
	c.count++
	switch {
	case c.err != nil:
		return
	case c.count > maxFeatures:
		c.err = fmt.Errorf("it has more than %d features", maxFeatures)
		return
	case isNull(raw):
		return
	}
	c.member = "features"
	f := geoFeature{raw: raw, member: &c.member}
	d.Again(raw, func() { f.read(d) })
	if d.Err() != nil {
		return
	}
	feature, err := c.typed(&f)
	if err != nil {
		c.err = fmt.Errorf("feature %d: %w", c.count, err)
		return
	}
	c.features = append(c.features, feature)
}

// isNull reports whether a value is null or missing.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// geoFeature is a GeoJSON feature that is being read.
type geoFeature struct {
	raw, geometry, properties json.RawMessage

	member      *string // of the collection
	kind        string
	featureType string
	point       []Coordinates // of length 1; nil unless the geometry is a Point with both coordinates
	line        []Coordinates // nil unless the geometry is a LineString whose points have both coordinates
	err         error
}

func (f *geoFeature) read(d *jsonapi.Decoder) {
	d.Object(func(key []byte) {
		switch string(key) {
		case "type":
			*f.member = "features.type"
			f.kind = readShortText(d)
		case "geometry":
			f.readGeometry(d)
		case "properties":
			f.readProperties(d)
		case "id", "bbox":
			d.Skip()
		default:
			d.UnknownIn("features.", key)
		}
	})
	if f.kind != "Feature" {
		f.err = errors.New("it is not a feature")
	}
}

// readProperties reads the type of the feature, which determines how the rest is read.
func (f *geoFeature) readProperties(d *jsonapi.Decoder) {
	*f.member, f.featureType, f.properties = "features.properties", "", d.Raw()
	if isNull(f.properties) {
		return
	}
	d.Again(f.properties, func() {
		if !d.Object(func(key []byte) {
			if string(key) == "feature_type" {
				*f.member = "features.properties.feature_type"
				f.featureType = readShortText(d)
				return
			}
			d.Skip()
		}) {
			f.err = errors.New("its properties are not an object")
		}
	})
}

// readGeometry reads the geometries of the service's features. It does not read others, so they
// cost nothing.
func (f *geoFeature) readGeometry(d *jsonapi.Decoder) {
	*f.member, f.geometry, f.point, f.line = "features.geometry", d.Raw(), nil, nil
	if isNull(f.geometry) {
		return
	}
	var kind string
	var coordinates json.RawMessage
	d.Again(f.geometry, func() {
		if !d.Object(func(key []byte) {
			switch string(key) {
			case "type":
				*f.member = "features.geometry.type"
				kind = readShortText(d)
			case "coordinates":
				coordinates = d.Raw()
			case "bbox", "geometries":
				d.Skip()
			default:
				d.UnknownIn("features.geometry.", key)
			}
		}) {
			f.err = errors.New("its geometry is not an object")
		}
	})
	if isNull(coordinates) {
		return
	}
	*f.member = "features.geometry.coordinates"
	var p positionReader
	switch kind {
	case "Point":
		d.Again(coordinates, func() { p.readPosition(d) })
		f.point = p.complete()
	case "LineString":
		d.Again(coordinates, func() { p.readLine(d) })
		f.line = p.complete()
	}
	f.err = cmp.Or(f.err, p.err)
}

// positionReader reads positions.
type positionReader struct {
	list []Coordinates
	gap  bool // a position lacks a coordinate, or has one outside the earth
	err  error
}

// complete returns the positions, or nil if one of them is unknown, because a guessed position
// would be wrong.
func (p *positionReader) complete() []Coordinates {
	if p.gap {
		return nil
	}
	return p.list
}

var errCoordinates = errors.New("its coordinates are not lists of numbers")

func (p *positionReader) readLine(d *jsonapi.Decoder) {
	if !d.Elements(func() { p.readPosition(d) }) {
		p.err = errCoordinates
	}
}

// mostDegrees are the limits of the coordinates, in the order of a position.
var mostDegrees = [...]float64{maxLongitude, maxLatitude}

// readPosition reads longitude and latitude, in this order, and ignores an altitude after them.
func (p *positionReader) readPosition(d *jsonapi.Decoder) {
	if d.Null() {
		p.gap = true
		return
	}
	var degrees [2]float64
	read, n := 0, 0
	if !d.Elements(func() {
		if n >= len(degrees) {
			d.Skip()
		} else if !d.Null() {
			value, ok, outside := d.Degrees(mostDegrees[n])
			if degrees[n] = value; ok {
				read++
			} else if !outside {
				p.err = errCoordinates
			}
		}
		n++
	}) {
		p.err = errCoordinates
	}
	p.gap = p.gap || read < len(degrees)
	p.list = append(p.list, Coordinates{Longitude: degrees[0], Latitude: degrees[1]})
}
