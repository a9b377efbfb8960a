package jsonapi

// DecodeObject reads a JSON object that is no resource, such as the properties of a map feature, as tolerantly as
// resources are read. of names it in warnings. The bytes must be JSON.
func DecodeObject[T any](body []byte, of Identity, members *Members[T], v *T, o Options) error {
	d := Decoder{scan: scanner{data: body}, report: o.Report, strict: o.Strict, id: of, field: "properties"}
	ReadObject(&d, members, v)
	return d.Err()
}
