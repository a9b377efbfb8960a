package service

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Problem is the content of an error body of any shape.
type Problem struct {
	Status             int
	Title, Detail      string
	code               string
	pointer, Parameter string
}

// Shape is a format of error bodies.
type Shape string

// The formats. terminal49test.ErrorShape describes them.
const (
	ShapeFull          Shape = ""
	shapeTitleOnly     Shape = "title only"
	ShapeNoTitle       Shape = "no title"
	ShapeDetailOnly    Shape = "detail only"
	ShapeNullDetail    Shape = "null detail"
	ShapeNullSource    Shape = "null source"
	shapeSingularKey   Shape = "singular key"
	shapeErrorText     Shape = "error text"
	shapeErrorsText    Shape = "errors text"
	shapeMessage       Shape = "message"
	shapeDetailText    Shape = "detail text"
	shapeHTML          Shape = "html"
	shapeEmpty         Shape = "empty"
	shapeMalformedJSON Shape = "malformed json"
)

const (
	jsonType = "application/json; charset=utf-8"
	htmlType = "text/html; charset=utf-8"
)

// Reply is a response before it is sent.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

func JSONReply(status int, body wire.Object) Reply {
	return Reply{status, http.Header{"Content-Type": {jsonType}}, wire.AppendJSON(make([]byte, 0, body.Size()), body)}
}

// Refusal returns the problems in the usual shape, with the status of the first.
func Refusal(problems ...Problem) Reply { return ErrorReply(ShapeFull, problems...) }

// textKeys are the names of shapes that have only a text.
var textKeys = map[Shape]string{
	shapeErrorText: "error", shapeErrorsText: "errors", shapeMessage: "message", shapeDetailText: "detail",
}

// shortForms are the members of a problem in shapes that have fewer than all.
var shortForms = map[Shape]func(p Problem, status string) wire.Object{
	shapeTitleOnly: func(p Problem, status string) wire.Object {
		return wire.Object{{"status", status}, {"title", p.titleOrStatus()}}
	},
	ShapeNoTitle: func(p Problem, status string) wire.Object {
		return wire.Object{{"status", status}, {"detail", p.Detail}}
	},
	ShapeDetailOnly: func(p Problem, _ string) wire.Object { return wire.Object{{"detail", p.Detail}} },
	ShapeNullDetail: func(p Problem, status string) wire.Object {
		source := wire.Object{{"parameter", wire.OrNull(p.Parameter)}}
		return wire.Object{{"status", status}, {"source", source}, {"title", p.titleOrStatus()}, {"detail", nil}}
	},
	ShapeNullSource: func(p Problem, status string) wire.Object {
		return wire.Object{{"status", status}, {"source", nil}, {"title", p.titleOrStatus()}, {"detail", nil}}
	},
}

// ErrorReply returns the problems in the given shape, with the status of the first.
func ErrorReply(form Shape, problems ...Problem) Reply {
	first := problems[0]
	if key, text := textKeys[form]; text {
		return JSONReply(first.Status, wire.Object{{key, cmp.Or(first.Detail, first.Title, http.StatusText(first.Status))}})
	}
	key := "errors"
	switch form {
	case shapeHTML:
		return HTMLReply(first.Status)
	case shapeEmpty:
		return EmptyReply(first.Status)
	case shapeMalformedJSON:
		r := Refusal(first)
		r.Body = r.Body[:len(r.Body)/2]
		return r
	case shapeSingularKey:
		key = "error"
	}
	list := []wire.Object{}
	for _, p := range problems {
		if short := shortForms[form]; short != nil {
			list = append(list, short(p, strconv.Itoa(p.Status)))
		} else {
			list = append(list, p.object())
		}
	}
	return JSONReply(first.Status, wire.Object{{key, list}})
}

func (p Problem) titleOrStatus() string { return cmp.Or(p.Title, http.StatusText(p.Status)) }

// object is the full form, without empty members.
func (p Problem) object() wire.Object {
	o := wire.Object{{"status", strconv.Itoa(p.Status)}}
	switch {
	case p.pointer != "":
		o = append(o, wire.Member{"source", wire.Object{{"pointer", p.pointer}}})
	case p.Parameter != "":
		o = append(o, wire.Member{"source", wire.Object{{"parameter", p.Parameter}}})
	}
	o = append(o, wire.Member{"title", p.titleOrStatus()})
	if p.Detail != "" {
		o = append(o, wire.Member{"detail", p.Detail})
	}
	if p.code != "" {
		o = append(o, wire.Member{"code", p.code})
	}
	return o
}

func HTMLReply(status int) Reply {
	line := strconv.Itoa(status) + " " + http.StatusText(status)
	page := "<!DOCTYPE html>\n<html>\n<head><title>" + line + "</title></head>\n<body><h1>" + line + "</h1></body>\n</html>\n"
	return Reply{status, http.Header{"Content-Type": {htmlType}}, []byte(page)}
}

// Failure is the 500 of the service's known faults.
func Failure() Reply {
	return ErrorReply(ShapeNullSource, Problem{Status: http.StatusInternalServerError, Title: "Internal Server Error"})
}

func NotFound() Reply { return ErrorReply(shapeTitleOnly, Problem{Status: 404}) }

func Unauthorized() Reply {
	return Refusal(Problem{Status: 401, Detail: "Invalid or missing API token."})
}

// DocumentNotFound is the 404 of the documents API, which unlike the others has a detail.
func DocumentNotFound(what string) Reply {
	return Refusal(Problem{Status: 404, Title: "Not Found", Detail: "Couldn't find " + what})
}

func AttributeProblem(pointer, code, detail string) Problem {
	return Problem{Status: 422, Title: "Unprocessable Entity", pointer: pointer, code: code, Detail: detail}
}

func Unprocessable(pointer, detail string) *Reply {
	r := Refusal(Problem{Status: 422, Title: "Unprocessable Entity", pointer: pointer, Detail: detail})
	return &r
}

func BlankAttribute(name string) Reply {
	return Refusal(Problem{
		Status: 422, Title: "Unprocessable Entity", Detail: name + " can't be blank", code: "blank",
		pointer: "/data/attributes/" + name,
	})
}

// EmptyReply is a response without a body, as to a deletion.
func EmptyReply(status int) Reply { return Reply{Status: status, Header: http.Header{}} }
