package transport

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/text"
)

// authorize is the innermost round tripper. It adds the credentials to a clone of the request, only
// for the origin they belong to, and removes them from responses and errors. It has no
// CloseIdleConnections, so that the connections of the caller's base are never closed.
type authorize struct {
	origin *url.URL
	header func(http.Header)
	added  conceal.Value[[]string] // what header adds; middleware receives this value and may print it
	hide   func(string) string     // takes that out of the header of a response
	next   http.RoundTripper
	owns   bool // the request is a copy that no middleware has, so it is changed without a clone

	usual http.Header                // of most requests
	ready conceal.Value[http.Header] // usual with the credentials
}

func newAuthorize(origin *url.URL, header func(http.Header), next http.RoundTripper) *authorize {
	a := &authorize{origin: origin, header: header, next: next}
	a.added = conceal.New(credentials(a.add(nil)))
	a.hide = text.HideLong(a.added.Get()...)
	return a
}

// withOwn sets a to change the requests that it receives instead of copying them. Most have the
// usual header.
func (a *authorize) withOwn(usual http.Header) {
	a.owns, a.usual, a.ready = true, usual, conceal.New(a.add(usual))
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
	resp, err := a.next.RoundTrip(a.authorized(req))
	if err != nil {
		return nil, redact(err, a.secrets(theirs.Get())...)
	}
	if resp != nil {
		resp.Request = req // what was sent holds the token, and middleware may log what it receives
		hide := a.hide
		if theirs := theirs.Get(); theirs != nil {
			hide = text.HideLong(a.secrets(theirs)...)
		}
		resp.Header, resp.Trailer, resp.Status = redactHeader(resp.Header, hide), redactHeader(resp.Trailer, hide), hide(resp.Status)
		if resp.Body != nil {
			resp.Body = a.redactedBody(t, resp, theirs)
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

// authorized returns a copy of req with the credentials. The copy has a header and an address of
// its own, because many base transports change them, unless the base is known not to.
func (a *authorize) authorized(req *http.Request) *http.Request {
	out := req
	if !a.owns {
		out = req.WithContext(req.Context())
	} else if isSame(req.Header, a.usual) && changesNothing(a.next) {
		out.Header = a.ready.Get()
		return out
	}
	to := *req.URL
	out.URL, out.Header = &to, a.add(req.Header)
	return out
}

// add returns a copy of h with the credentials. An Authorization that middleware has set is kept.
func (a *authorize) add(h http.Header) http.Header {
	if h = h.Clone(); h == nil {
		h = http.Header{}
	}
	theirs, set := h["Authorization"]
	if a.header != nil {
		a.header(h)
	}
	if set {
		h["Authorization"] = theirs
	}
	return h
}

// isSame reports whether a and b are one map, and not only equal.
func isSame(a, b http.Header) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

// changesNothing reports whether rt changes no part of a request: whether it is a transport of
// net/http and no function of the caller receives the request to choose a proxy. A round tripper
// registered with it for a scheme must obey the doc of [http.RoundTripper].
func changesNothing(rt http.RoundTripper) bool {
	if p, ok := rt.(*proxied); ok {
		rt = p.base
	}
	t, ok := rt.(*http.Transport)
	return ok && (t.Proxy == nil || reflect.ValueOf(t.Proxy).UnsafePointer() == proxyFromEnvironment)
}

var proxyFromEnvironment = reflect.ValueOf(http.ProxyFromEnvironment).UnsafePointer()

// secrets returns the credentials of a request for which middleware has set an Authorization.
func (a *authorize) secrets(theirs []string) []string {
	return slices.Concat(a.added.Get(), credentials(http.Header{"": theirs}))
}

// maxHeader is how many bytes of a header's values are searched for credentials. net/http accepts
// 10 MB, which would take a second; usual headers have a few kilobytes.
const maxHeader = 256 << 10

// redactHeader removes the credentials from a header whose values repeat them, and the fields that
// they name. Values beyond maxHeader bytes are redacted whole. Only a header that changes is
// copied, because it may be shared. The rest of it is kept: a redirect may need it.
func redactHeader(h http.Header, hide func(string) string) http.Header {
	clean := h
	change := func() {
		if isSame(clean, h) {
			clean = h.Clone()
		}
	}
	left := maxHeader
	search := func(value string) string {
		if len(value) > left {
			return text.Mask
		}
		left -= len(value)
		return hide(value)
	}
	for name, values := range h {
		if search(name) != name {
			change()
			delete(clean, name)
			continue
		}
		for i, value := range values {
			if safe := search(value); safe != value {
				change()
				clean[name][i] = safe
			}
		}
	}
	return clean
}

// redactedBody returns the address of a body: in the trace if this is its only round trip.
func (a *authorize) redactedBody(t *trace, resp *http.Response, theirs conceal.Value[[]string]) *redactedBody {
	var own *redactedBody
	if a.owns && t != nil {
		own = &t.body
	} else {
		own = new(redactedBody)
	}
	*own = redactedBody{resp.Body, a, resp, theirs}
	return own
}

// redactedBody removes the credentials from the errors of a body, and from the trailer that
// net/http sets at its end.
type redactedBody struct {
	io.ReadCloser
	authorize *authorize
	resp      *http.Response
	theirs    conceal.Value[[]string]
}

func (b *redactedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	if len(b.resp.Trailer) > 0 {
		b.resp.Trailer = redactHeader(b.resp.Trailer, text.HideLong(b.authorize.secrets(b.theirs.Get())...))
	}
	if err == io.EOF {
		return n, err
	}
	return n, redact(err, b.authorize.secrets(b.theirs.Get())...)
}
