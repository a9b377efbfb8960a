// Package service is a JSON:API service over HTTP as far as it does not depend on its resources:
// how requests arrive and responses leave, over a socket or in the process, what of a request is
// documented, the grammar of filters and pages, rate limits, and the shapes of errors.
package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Incoming is a request as it was received, over the socket or in the process.
type Incoming struct {
	Method  string
	URL     *url.URL // with scheme and host
	Header  http.Header
	Body    []byte
	tooLong bool  // the body is longer than the server's bodyLimit
	Length  int64 // of the Content-Length header; -1 for a chunked body
}

// Call is one request and what is read of it.
type Call struct {
	In     Incoming
	Route  *Route // nil for an unknown path
	Args   map[string]string
	Query  url.Values // without the ignored parameters
	sent   url.Values // the whole query
	Origin string     // scheme and host of the links in the response
	Now    time.Time  // simulated time
	Data   envelope

	Violation func(problem string)     // records what the service does not document
	redact    func(text string) string // removes secrets
}

func NewCall(in Incoming, now time.Time, redact func(string) string) Call {
	return Call{In: in, Origin: in.URL.Scheme + "://" + in.URL.Host, Now: now, redact: redact}
}

// envelope is the part of a request body that the operations read.
type envelope struct {
	ID            string                     `json:"id"`
	Type          string                     `json:"type"`
	Attributes    map[string]json.RawMessage `json:"attributes"`
	Relationships map[string]json.RawMessage `json:"relationships"`
}

// Op returns the name of the operation; "" for an unknown path.
func (x *Call) Op() string {
	if x.Route == nil {
		return ""
	}
	return x.Route.Op
}

// Violate records what the service does not document.
func (x *Call) Violate(format string, args ...any) { x.Violation(fmt.Sprintf(format, args...)) }

// ReadQuery reads and checks the query, and drops the parameters that are ignored.
func (x *Call) ReadQuery(out []Ignored) {
	query, err := url.ParseQuery(x.In.URL.RawQuery)
	if err != nil {
		x.Violate("the query string cannot be parsed")
	}
	x.Query = query
	x.checkQuery()
	x.ignore(out)
}

// Attribute decodes one attribute of the body. If it is absent or null, into keeps its value and ok
// is false. A value of the wrong kind is a violation.
func (x *Call) Attribute(name string, into any) (ok bool) {
	raw, there := x.Data.Attributes[name]
	if !there || bytes.Equal(raw, []byte("null")) {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		x.Violate("attribute %q has a value of the wrong kind", name)
		return false
	}
	return true
}

// Size is about how much memory the record of a request takes, with its violations.
func (in Incoming) Size() int {
	n := 1<<10 + len(in.Body) + 3*len(in.URL.Path) + len(in.URL.RawQuery)
	for name, values := range in.Header {
		n += len(name) + len(strings.Join(values, "")) + 64*len(values)
	}
	return n
}
