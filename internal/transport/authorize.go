package transport

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/conceal"
)

// authorize is the innermost round tripper. It adds the credentials to a clone of the request, only
// for the origin they belong to, and removes them from responses and errors. It has no
// CloseIdleConnections, so that the connections of the caller's base are never closed.
type authorize struct {
	origin *url.URL
	header func(http.Header)
	added  conceal.Value[[]string] // what header adds; middleware receives this value and may print it
	next   http.RoundTripper
	owns   bool // the request is a copy that no middleware has, so it is changed without a clone
}

func newAuthorize(origin *url.URL, header func(http.Header), next http.RoundTripper) *authorize {
	own := http.Header{}
	if header != nil {
		header(own)
	}
	return &authorize{origin: origin, header: header, added: conceal.New(credentials(own)), next: next}
}

func (a *authorize) RoundTrip(req *http.Request) (*http.Response, error) {
	t := roundTripStarts(req.Context())
	if a.header == nil || !sameOrigin(a.origin, req.URL) {
		return a.toOtherOrigin(req)
	}
	var theirs conceal.Value[[]string]
	if set := req.Header["Authorization"]; set != nil {
		theirs = conceal.New(slices.Clone(set))
	}
	var own *exchanged
	if a.owns && t != nil {
		own = &t.own // without middleware it is the only round trip
	} else {
		own = new(exchanged)
	}
	own.address = *req.URL
	resp, err := a.next.RoundTrip(a.authorized(req, &own.address))
	if err != nil {
		return nil, redact(err, a.secrets(theirs.Get())...)
	}
	if resp != nil {
		resp.Request = req // what was sent holds the token, and middleware may log what it receives
		resp.Header = a.redactHeader(resp.Header)
		resp.Status = a.redactText(resp.Status)
		if resp.Body != nil {
			own.body = redactedBody{resp.Body, a, theirs}
			resp.Body = &own.body
		}
	}
	return resp, nil
}

// toOtherOrigin sends a request without credentials, such as one to the storage of files: its
// address is signed, together with the headers of the request.
func (a *authorize) toOtherOrigin(req *http.Request) (*http.Response, error) {
	resp, err := a.next.RoundTrip(req)
	if err != nil {
		return nil, redact(err, slices.Concat(addressSecrets(req.URL), credentials(req.Header))...)
	}
	return resp, nil
}

// exchanged holds the address and the body of one round trip.
type exchanged struct {
	address url.URL
	body    redactedBody
}

// authorized returns a copy of req with the credentials, to an address of its own. An Authorization
// that middleware has set is kept. The base transport may change the copy, as many do.
func (a *authorize) authorized(req *http.Request, address *url.URL) *http.Request {
	out := req
	if !a.owns {
		out = req.WithContext(req.Context())
	}
	out.URL, out.Header = address, req.Header.Clone()
	if out.Header == nil {
		out.Header = http.Header{}
	}
	theirs, set := out.Header["Authorization"]
	a.header(out.Header)
	if set {
		out.Header["Authorization"] = theirs
	}
	return out
}

// secrets returns the credentials of a request for which middleware has set an Authorization.
func (a *authorize) secrets(theirs []string) []string {
	return slices.Concat(a.added.Get(), credentials(http.Header{"": theirs}))
}

// redactHeader removes the credentials from a header that repeats them. Only such a header is
// copied, because it may be shared. The rest of it is kept: a redirect may need it.
func (a *authorize) redactHeader(h http.Header) http.Header {
	repeats := func(value string) bool { return a.redactText(value) != value }
	for name, values := range h {
		if slices.ContainsFunc(values, repeats) {
			h = h.Clone()
			for i, value := range values {
				h[name][i] = a.redactText(value)
			}
		}
	}
	return h
}

// redactText removes the credentials from a text, unless they are so short that words contain them.
func (a *authorize) redactText(text string) string {
	for _, secret := range a.added.Get() {
		if len(secret) >= shortestSecret {
			text = strings.ReplaceAll(text, secret, conceal.Mark)
		}
	}
	return text
}

// redactedBody removes the credentials from the errors of a body.
type redactedBody struct {
	io.ReadCloser
	authorize *authorize
	theirs    conceal.Value[[]string]
}

func (b *redactedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, redact(err, b.authorize.secrets(b.theirs.Get())...)
}
