package terminal49test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// incoming is a request as it reached the server, by socket or in the process.
type incoming struct {
	method  string
	url     *url.URL // with scheme and host
	header  http.Header
	body    []byte
	tooLong bool  // the body went on beyond the server's bodyLimit
	length  int64 // as announced; -1 for a chunked body
}

// exchange is one request on its way to an answer. The server's lock is held all along.
type exchange struct {
	s      *Server
	w      *world
	in     incoming
	route  *route
	args   map[string]string
	query  url.Values
	origin string    // scheme and host that the links of the answer begin with
	now    time.Time // in the world
	data   envelope
}

// envelope is the part of a request body that the operations read.
type envelope struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]json.RawMessage `json:"attributes"`
	Relationships map[string]json.RawMessage `json:"relationships"`
}

// answer takes a request through the service: recorded, hit by a fault if one is set, counted, authorized, checked,
// acted upon.
func (s *Server) handle(in incoming) outgoing {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStorage(in.url.Host) {
		return s.handleStorage(in)
	}
	x := &exchange{s: s, w: s.world, in: in, origin: in.url.Scheme + "://" + in.url.Host, now: s.catchUp()}
	if path, ok := s.operationPath(in.url.EscapedPath()); ok {
		x.route, x.args = s.match(in.method, path)
	}
	op := ""
	if x.route != nil {
		op = x.route.op
	}
	kept := s.record(in, op)
	fault := s.takeFault(op)
	var r reply
	switch {
	case fault == nil || fault.actsFirst():
		r = x.run()
	case x.route != nil && !fault.isUnsent():
		s.counter.admit(x.route.bucket, time.Now()) // received all the same
	}
	out := completeReply(r)
	if fault != nil {
		out = fault.apply(r, in.url)
	}
	kept.Status = out.status
	return out
}

func (x *exchange) run() reply {
	x.checkHeader()
	if x.route == nil {
		x.violate("the service has no such operation")
		return htmlReply(http.StatusNotFound)
	}
	if wait, ok := x.s.counter.admit(x.route.bucket, time.Now()); !ok {
		return rateLimited(x.route.bucket, wait)
	}
	if x.in.header.Get("Authorization") != "Token "+x.s.Token {
		return unauthorized()
	}
	query, err := url.ParseQuery(x.in.url.RawQuery)
	if err != nil {
		x.violate("the query string cannot be parsed")
	}
	x.query = query
	x.checkQuery()
	if r := x.readBody(); r != nil {
		return *r
	}
	return x.route.handle(x)
}

func (x *exchange) violate(format string, args ...any) {
	op := ""
	if x.route != nil {
		op = x.route.op
	}
	x.s.violations = append(x.s.violations, Violation{
		Operation: op, Method: x.in.method, Path: x.s.redact(x.in.url.Path), What: x.s.redact(fmt.Sprintf(format, args...)),
	})
}

// includes reads the include parameter. A path the type does not have is a violation and, as far as is known, a 400.
func (x *exchange) includes() ([]string, *reply) {
	kind, paths := x.resourceType(), []string{}
	if kind == "tracking_request" {
		paths = append(paths, "tracked_object") // always included
	}
	if kind == "email_submission" && !x.query.Has("include") {
		paths = append(paths, "documents", "documents.last_document_representation") // unless something else is asked for
	}
	for _, p := range strings.Split(x.query.Get("include"), ",") {
		switch {
		case p == "":
			continue
		case kind == "shipment" && p == "shipping_line":
			x.violate("include=shipping_line makes the service fail; the line is in the shipment's attributes")
			r := errorReply(ShapeNullSource, problem{status: 500, title: "Internal Server Error"})
			return nil, &r
		case !knownPath(kind, p):
			x.violate("include %q is no relationship of %s", p, kind)
			r := errorReply(ShapeFull, problem{
				status: 400, title: "Bad Request", parameter: "include",
				detail: p + " is not specified as a relationship on V2::" + serializerName(kind),
			})
			return nil, &r
		}
		if kind == "document" && p == "current_extraction" {
			p = "last_document_representation" // an alias
		}
		paths = append(paths, p)
	}
	if x.query.Has("include") && x.query.Get("include") == "" {
		x.violate("include is empty; leave it out")
	}
	return paths, nil
}

// kind is the type of resource the operation answers with.
func (x *exchange) resourceType() string {
	switch service, verb, _ := strings.Cut(x.route.op, "."); {
	case verb == "transport_events":
		return "transport_event"
	case verb == "raw_events":
		return "raw_event"
	case strings.HasPrefix(verb, "custom_fields."):
		return "custom_field"
	case service == "parties":
		return "party"
	default:
		return strings.TrimSuffix(service, "s")
	}
}

func serializerName(kind string) string {
	var name strings.Builder
	for _, word := range strings.Split(kind, "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String() + "Serializer"
}

// one answers with a single resource.
func (x *exchange) one(status int, r ref) reply {
	paths, failure := x.includes()
	if failure != nil {
		return *failure
	}
	res, ok := x.w.render(r)
	if !ok {
		return notFound()
	}
	doc := object{{"data", res.object()}}
	if len(paths) > 0 {
		doc = append(doc, member{"included", x.w.collect([]resource{res}, paths)})
	}
	return jsonReply(status, append(doc, member{"links", object{{"self", x.self()}}}))
}

// attribute decodes one attribute of the body. Absent is the same as null: into keeps its value and ok is false. A
// value of the wrong kind is a violation.
func (x *exchange) attribute(name string, into any) (ok bool) {
	raw, there := x.data.Attributes[name]
	if !there || bytes.Equal(raw, []byte("null")) {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		x.violate("attribute %q has the wrong kind of value", name)
		return false
	}
	return true
}
