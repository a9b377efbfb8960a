package terminal49test

// ErrorShape is a format of error bodies used by the service or by a proxy in front of it.
type ErrorShape string

// The observed shapes and where they occur.
const (
	// ShapeFull is {"errors":[{status, title, detail, ...}]}: most errors.
	ShapeFull ErrorShape = ""
	// ShapeTitleOnly is {"errors":[{status, title}]}: 404.
	ShapeTitleOnly ErrorShape = "title only"
	// ShapeNoTitle is {"errors":[{status, detail}]}: infer_number.
	ShapeNoTitle ErrorShape = "no title"
	// ShapeDetailOnly is {"errors":[{detail}]}: search and webhooks/trigger.
	ShapeDetailOnly ErrorShape = "detail only"
	// ShapeNullDetail is {"errors":[{status, source, title, detail: null}]}: notification examples.
	ShapeNullDetail ErrorShape = "null detail"
	// ShapeNullSource is ShapeNullDetail with a null source: GET /custom_fields.
	ShapeNullSource ErrorShape = "null source"
	// ShapeSingularKey is {"error":[{...}]}: only in the service's OpenAPI document.
	ShapeSingularKey ErrorShape = "singular key"
	// ShapeErrorText is {"error":"text"}.
	ShapeErrorText ErrorShape = "error text"
	// ShapeErrorsText is {"errors":"text"}.
	ShapeErrorsText ErrorShape = "errors text"
	// ShapeMessage is {"message":"text"}.
	ShapeMessage ErrorShape = "message"
	// ShapeDetailText is {"detail":"text"}.
	ShapeDetailText ErrorShape = "detail text"
	// ShapeHTML is an HTML page: unknown paths and proxies.
	ShapeHTML ErrorShape = "html"
	// ShapeEmpty is an empty body.
	ShapeEmpty ErrorShape = "empty"
	// ShapeMalformedJSON is the first half of ShapeFull.
	ShapeMalformedJSON ErrorShape = "malformed json"
)
