package jsonapi

// DecodeObject reads bytes that hold one JSON object which is not a resource, such as a GeoJSON feature, as tolerantly
// as resources are read. of names it in warnings, which are about its properties.
func DecodeObject[T any](body []byte, of Identity, members *Members[T], v *T, o Options) error {
	d := Decoder{scan: scanner{data: body}, report: o.Report, strict: o.Strict, id: of, field: "properties"}
	ReadObject(&d, members, v)
	if d.scan.peek(); d.scan.pos < len(body) {
		d.scan.fail("the end")
	}
	return d.Err()
}
