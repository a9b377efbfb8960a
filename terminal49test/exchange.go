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

// incoming is a request as it was received, over the socket or in the process.
type incoming struct {
	method  string
	url     *url.URL // with scheme and host
	header  http.Header
	body    []byte
	tooLong bool  // the body is longer than the server's bodyLimit
	length  int64 // of the Content-Length header; -1 for a chunked body
}

// exchange is one request and its handling. The server's lock is held throughout.
type exchange struct {
	s *Server
	view
	in     incoming
	route  *route
	args   map[string]string
	query  url.Values // without the ignored parameters
	sent   url.Values // the whole query
	origin string     // scheme and host of the links in the response
	now    time.Time  // simulated time
	data   envelope
	silent bool // the request is not kept, and neither are its violations
}

// envelope is the part of a request body that the operations read.
type envelope struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]json.RawMessage `json:"attributes"`
	Relationships map[string]json.RawMessage `json:"relationships"`
}

// handle passes a request through the service: it is recorded, matched against the faults, counted,
// authorized, checked and executed.
func (s *Server) handle(in incoming) outgoing {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStorage(in.url.Host) {
		return s.handleStorage(in)
	}
	x := &exchange{s: s, view: view{w: s.world}, in: in, origin: in.url.Scheme + "://" + in.url.Host, now: s.catchUp()}
	if path, ok := s.operationPath(in.url.EscapedPath()); ok {
		x.route, x.args = s.match(in.method, path)
	}
	op := ""
	if x.route != nil {
		op = x.route.op
	}
	if in.method != http.MethodGet {
		s.world.preserve(x.now, x.now)
	}
	x.w = s.worldFor(in.method, x.now)
	recorded, kept := s.record(in, op, x.isAuthorized())
	x.silent = !kept
	fault := s.takeFault(op)
	var r reply
	switch {
	case fault == nil || fault.actsFirst():
		r = x.run()
	case x.route != nil && !fault.isUnsent():
		s.counter.admit(x.route.bucket, time.Now()) // a faulted request counts too
	}
	if in.method != http.MethodGet {
		s.world.changedAnything()
		s.world.remember(x.now)
	}
	out := fault.apply(r, in.url)
	recorded.Status = out.status
	return out
}

func (x *exchange) run() reply {
	x.checkHeader()
	if x.route == nil {
		x.violate("the method and path are not an operation of the service")
		return htmlReply(http.StatusNotFound)
	}
	if wait, ok := x.s.counter.admit(x.route.bucket, time.Now()); !ok {
		return rateLimited(x.route.bucket, wait)
	}
	if !x.isAuthorized() {
		return unauthorized()
	}
	query, err := url.ParseQuery(x.in.url.RawQuery)
	if err != nil {
		x.violate("the query string cannot be parsed")
	}
	x.query = query
	x.checkQuery()
	x.ignore()
	if r := x.readBody(); r != nil {
		return *r
	}
	return x.route.handle(x)
}

func (x *exchange) isAuthorized() bool {
	_, token, _ := strings.Cut(x.in.header.Get("Authorization"), " ")
	return token == x.s.Token && x.hasScheme()
}

func (x *exchange) violate(format string, args ...any) {
	if x.silent || len(x.s.violations) >= x.s.config.keptRequests {
		return
	}
	op := ""
	if x.route != nil {
		op = x.route.op
	}
	x.s.violations = append(x.s.violations, Violation{
		Operation: op, Method: x.in.method, Path: x.s.redact(x.in.url.Path), Problem: x.s.redact(fmt.Sprintf(format, args...)),
	})
}

// includes reads the include parameter. A path that the type does not have is a violation and is
// answered 400.
func (x *exchange) includes() ([]string, *reply) {
	kind, paths := x.resourceType(), []string{}
	if kind == "tracking_request" {
		paths = append(paths, "tracked_object") // always included
	}
	if kind == "email_submission" && !x.query.Has("include") {
		// This is the service's default.
		paths = append(paths, "documents", "documents.last_document_representation")
	}
	for _, p := range strings.Split(x.query.Get("include"), ",") {
		switch {
		case p == "":
			continue
		case kind == "shipment" && p == "shipping_line":
			x.violate("include must not contain shipping_line, which makes the service fail; shipments have its SCAC and name")
			r := errorReply(ShapeNullSource, problem{status: 500, title: "Internal Server Error"})
			return nil, &r
		case kind == "tracking_request" && (p == "shipment" || p == "container"):
			x.violate("include %q is not a relationship of tracking_request; the service's own client allows it", p)
			continue
		case !knownPath(kind, p), !x.s.config.autumn2026 && strings.HasPrefix(p, "party_roles"):
			if !knownPath(kind, p) {
				x.violate("include %q is not a relationship of %s", p, kind)
			}
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

// resourceType is the type of resource in the response.
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

// one returns a response with a single resource.
func (x *exchange) one(status int, r ref) reply {
	paths, failure := x.includes()
	if failure != nil {
		return *failure
	}
	res, ok := x.render(r)
	if !ok {
		return notFound()
	}
	doc := object{{"data", res}}
	if len(paths) > 0 {
		doc = append(doc, member{"included", x.included([]resource{res}, paths)})
	}
	return jsonReply(status, append(doc, member{"links", object{{"self", x.self()}}}))
}

// included returns what a response includes. With tracking requests the older service also sends
// the account, which no relationship names.
func (x *exchange) included(data []resource, paths []string) []resource {
	list := x.collect(data, paths)
	if x.resourceType() == "tracking_request" && !x.s.config.autumn2026 && len(data) > 0 {
		account, _ := x.render(ref{"account", x.w.account})
		list = append(list, account)
	}
	return list
}

// attribute decodes one attribute of the body. If it is absent or null, into keeps its value and ok
// is false. A value of the wrong kind is a violation.
func (x *exchange) attribute(name string, into any) (ok bool) {
	raw, there := x.data.Attributes[name]
	if !there || bytes.Equal(raw, []byte("null")) {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		x.violate("attribute %q has a value of the wrong kind", name)
		return false
	}
	return true
}
