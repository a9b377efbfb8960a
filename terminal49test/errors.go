package terminal49test

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// problem is the content of an error body, whatever its shape.
type problem struct {
	status             int
	title, detail      string
	code               string
	pointer, parameter string
}

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

const (
	jsonType = "application/json; charset=utf-8"
	htmlType = "text/html; charset=utf-8"
)

// reply is a response before it is sent.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func jsonReply(status int, body wire.Object) reply {
	return reply{status, http.Header{"Content-Type": {jsonType}}, wire.AppendJSON(make([]byte, 0, body.Size()), body)}
}

// errorReply returns the problems in the given shape, with the status of the first.
func errorReply(shape ErrorShape, problems ...problem) reply {
	first := problems[0]
	text := cmp.Or(first.detail, first.title, http.StatusText(first.status))
	switch shape {
	case ShapeHTML:
		return htmlReply(first.status)
	case ShapeEmpty:
		return reply{status: first.status, header: http.Header{}}
	case ShapeMalformedJSON:
		r := jsonReply(first.status, wire.Object{{"errors", []wire.Object{first.object()}}})
		r.body = r.body[:len(r.body)/2]
		return r
	case ShapeErrorText:
		return jsonReply(first.status, wire.Object{{"error", text}})
	case ShapeErrorsText:
		return jsonReply(first.status, wire.Object{{"errors", text}})
	case ShapeMessage:
		return jsonReply(first.status, wire.Object{{"message", text}})
	case ShapeDetailText:
		return jsonReply(first.status, wire.Object{{"detail", text}})
	}
	list := []wire.Object{}
	for _, p := range problems {
		status := strconv.Itoa(p.status)
		switch shape {
		case ShapeTitleOnly:
			list = append(list, wire.Object{{"status", status}, {"title", p.titleOrStatus()}})
		case ShapeNoTitle:
			list = append(list, wire.Object{{"status", status}, {"detail", p.detail}})
		case ShapeDetailOnly:
			list = append(list, wire.Object{{"detail", p.detail}})
		case ShapeNullDetail:
			source := wire.Object{{"parameter", wire.OrNull(p.parameter)}}
			list = append(list, wire.Object{{"status", status}, {"source", source}, {"title", p.titleOrStatus()}, {"detail", nil}})
		case ShapeNullSource:
			list = append(list, wire.Object{{"status", status}, {"source", nil}, {"title", p.titleOrStatus()}, {"detail", nil}})
		default:
			list = append(list, p.object())
		}
	}
	key := "errors"
	if shape == ShapeSingularKey {
		key = "error"
	}
	return jsonReply(first.status, wire.Object{{key, list}})
}

func (p problem) titleOrStatus() string { return cmp.Or(p.title, http.StatusText(p.status)) }

// object is the full form, without empty members.
func (p problem) object() wire.Object {
	o := wire.Object{{"status", strconv.Itoa(p.status)}}
	switch {
	case p.pointer != "":
		o = append(o, wire.Member{"source", wire.Object{{"pointer", p.pointer}}})
	case p.parameter != "":
		o = append(o, wire.Member{"source", wire.Object{{"parameter", p.parameter}}})
	}
	o = append(o, wire.Member{"title", p.titleOrStatus()})
	if p.detail != "" {
		o = append(o, wire.Member{"detail", p.detail})
	}
	if p.code != "" {
		o = append(o, wire.Member{"code", p.code})
	}
	return o
}

func htmlReply(status int) reply {
	line := strconv.Itoa(status) + " " + http.StatusText(status)
	page := "<!DOCTYPE html>\n<html>\n<head><title>" + line + "</title></head>\n<body><h1>" + line + "</h1></body>\n</html>\n"
	return reply{status, http.Header{"Content-Type": {htmlType}}, []byte(page)}
}

func notFound() reply { return errorReply(ShapeTitleOnly, problem{status: 404}) }

func unauthorized() reply {
	return errorReply(ShapeFull, problem{status: 401, detail: "Invalid or missing API token."})
}

// documentNotFound is the 404 of the documents API, which unlike the others has a detail.
func documentNotFound(what string) reply {
	return errorReply(ShapeFull, problem{status: 404, title: "Not Found", detail: "Couldn't find " + what})
}

func attributeProblem(pointer, code, detail string) problem {
	return problem{status: 422, title: "Unprocessable Entity", pointer: pointer, code: code, detail: detail}
}

func unprocessable(pointer, detail string) *reply {
	r := errorReply(ShapeFull, problem{status: 422, title: "Unprocessable Entity", pointer: pointer, detail: detail})
	return &r
}

func blankAttribute(name string) reply {
	return errorReply(ShapeFull, problem{
		status: 422, title: "Unprocessable Entity", detail: name + " can't be blank", code: "blank",
		pointer: "/data/attributes/" + name,
	})
}

// emptyReply is a response without a body, as to a deletion.
func emptyReply(status int) reply { return reply{status: status, header: http.Header{}} }
