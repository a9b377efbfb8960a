package jsonapi

// DecodeObject reads one JSON object that is not a resource, such as the properties of a GeoJSON
// feature, as tolerantly as a resource. Warnings name it by of.
func DecodeObject[P any](body []byte, of Identity, members *Members[P], v P, o Options) error {
	d := Decoder{scan: scanner{data: body}, report: o.Report, strict: o.Strict, id: of, field: "properties"}
	members.read(&d, v, &d.inner)
	return d.End()
}

// NewDecoder returns a decoder of bytes that are not a document. Warnings use field as the field
// name.
func NewDecoder(body []byte, field string, report func(Warning)) *Decoder {
	return &Decoder{scan: scanner{data: body}, field: field, report: report}
}

// End returns the first syntax error. Bytes that have not been read are one.
func (d *Decoder) End() error {
	if d.scan.peek(); d.scan.pos < len(d.scan.data) {
		d.scan.fail("the end")
	}
	return d.Err()
}

// IsArray reports whether the next value is an array.
func (d *Decoder) IsArray() bool { return d.scan.kind() == kindArray }

// IsObject reports whether the next value is an object.
func (d *Decoder) IsObject() bool { return d.scan.kind() == kindObject }
