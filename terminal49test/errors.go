package terminal49test

import (
	"cmp"
	"net/http"
	"strconv"
)

// problem is what goes into an error body, whatever its shape.
type problem struct {
	status             int
	title, detail      string
	code               string
	pointer, parameter string
}

// ErrorShape is one of the forms in which the service, or something in front of it, words an error.
type ErrorShape string

// The shapes seen, with where they come from.
const (
	ShapeFull          ErrorShape = ""               // {"errors":[{status, title, detail, ...}]}; most errors
	ShapeTitleOnly     ErrorShape = "title only"     // {"errors":[{status, title}]}; 404
	ShapeNoTitle       ErrorShape = "no title"       // {"errors":[{status, detail}]}; infer_number
	ShapeDetailOnly    ErrorShape = "detail only"    // {"errors":[{detail}]}; search, webhooks/trigger
	ShapeNullDetail    ErrorShape = "null detail"    // {"errors":[{status, source, title, detail: null}]}; notification examples
	ShapeNullSource    ErrorShape = "null source"    // as above with source: null; GET /custom_fields
	ShapeSingularKey   ErrorShape = "singular key"   // {"error":[{...}]}; in the OpenAPI document
	ShapeErrorText     ErrorShape = "error text"     // {"error":"text"}
	ShapeErrorsText    ErrorShape = "errors text"    // {"errors":"text"}
	ShapeMessage       ErrorShape = "message"        // {"message":"text"}
	ShapeDetailText    ErrorShape = "detail text"    // {"detail":"text"}
	ShapeHTML          ErrorShape = "html"           // an HTML page, as for unknown routes and from proxies
	ShapeEmpty         ErrorShape = "empty"          // no body
	ShapeMalformedJSON ErrorShape = "malformed json" // JSON that breaks off
)

const (
	jsonType = "application/json; charset=utf-8"
	htmlType = "text/html; charset=utf-8"
)

// reply is an answer before it is sent.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func jsonReply(status int, body object) reply {
	return reply{status, http.Header{"Content-Type": {jsonType}}, appendJSON(nil, body)}
}

// fail words one or several problems in a shape; the first one's status is the answer's.
func errorReply(shape ErrorShape, problems ...problem) reply {
	first := problems[0]
	text := cmp.Or(first.detail, first.title, http.StatusText(first.status))
	switch shape {
	case ShapeHTML:
		return htmlReply(first.status)
	case ShapeEmpty:
		return reply{status: first.status, header: http.Header{}}
	case ShapeMalformedJSON:
		r := jsonReply(first.status, object{{"errors", []object{first.object()}}})
		r.body = r.body[:len(r.body)/2]
		return r
	case ShapeErrorText:
		return jsonReply(first.status, object{{"error", text}})
	case ShapeErrorsText:
		return jsonReply(first.status, object{{"errors", text}})
	case ShapeMessage:
		return jsonReply(first.status, object{{"message", text}})
	case ShapeDetailText:
		return jsonReply(first.status, object{{"detail", text}})
	}
	list := []object{}
	for _, p := range problems {
		status := strconv.Itoa(p.status)
		switch shape {
		case ShapeTitleOnly:
			list = append(list, object{{"status", status}, {"title", p.titleOrStatus()}})
		case ShapeNoTitle:
			list = append(list, object{{"status", status}, {"detail", p.detail}})
		case ShapeDetailOnly:
			list = append(list, object{{"detail", p.detail}})
		case ShapeNullDetail:
			source := object{{"parameter", orNull(p.parameter)}}
			list = append(list, object{{"status", status}, {"source", source}, {"title", p.titleOrStatus()}, {"detail", nil}})
		case ShapeNullSource:
			list = append(list, object{{"status", status}, {"source", nil}, {"title", p.titleOrStatus()}, {"detail", nil}})
		default:
			list = append(list, p.object())
		}
	}
	key := "errors"
	if shape == ShapeSingularKey {
		key = "error"
	}
	return jsonReply(first.status, object{{key, list}})
}

func (p problem) titleOrStatus() string { return cmp.Or(p.title, http.StatusText(p.status)) }

// object is the full form; members that say nothing are left out.
func (p problem) object() object {
	o := object{{"status", strconv.Itoa(p.status)}}
	switch {
	case p.pointer != "":
		o = append(o, member{"source", object{{"pointer", p.pointer}}})
	case p.parameter != "":
		o = append(o, member{"source", object{{"parameter", p.parameter}}})
	}
	o = append(o, member{"title", p.titleOrStatus()})
	if p.detail != "" {
		o = append(o, member{"detail", p.detail})
	}
	if p.code != "" {
		o = append(o, member{"code", p.code})
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

// missingModel is the 404 of the documents family, which unlike the others has a detail.
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

// deleted is how the service says that something is gone: 200 or 204, without a body.
func emptyReply(status int) reply { return reply{status: status, header: http.Header{}} }
