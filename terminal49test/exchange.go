package terminal49test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
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

// one returns a response with a single resource.
func (x *exchange) one(status int, r wire.Ref) reply {
	paths, failure := x.includes()
	if failure != nil {
		return *failure
	}
	res, ok := x.render(r)
	if !ok {
		return notFound()
	}
	doc := wire.Object{{"data", res}}
	if len(paths) > 0 {
		doc = append(doc, wire.Member{"included", x.included([]wire.Resource{res}, paths)})
	}
	return jsonReply(status, append(doc, wire.Member{"links", wire.Object{{"self", x.self()}}}))
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
