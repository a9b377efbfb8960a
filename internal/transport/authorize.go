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
}

func newAuthorize(origin *url.URL, header func(http.Header), next http.RoundTripper) *authorize {
	own := http.Header{}
	if header != nil {
		header(own)
	}
	return &authorize{origin: origin, header: header, added: conceal.New(credentials(own)), next: next}
}

func (a *authorize) RoundTrip(req *http.Request) (*http.Response, error) {
	roundTripStarts(req.Context())
	if a.header == nil || !sameOrigin(a.origin, req.URL) {
		return a.toOtherOrigin(req)
	}
	out, secrets := a.authorized(req)
	resp, err := a.next.RoundTrip(out)
	if err != nil {
		return nil, redact(err, secrets...)
	}
	if resp != nil {
		resp.Request = req // out holds the token, and middleware may log what it receives
		resp.Header = a.redactHeader(resp.Header)
		resp.Status = a.redactHeader(http.Header{"": {resp.Status}}).Get("")
		if resp.Body != nil {
			resp.Body = &redactedBody{resp.Body, func(err error) error { return redact(err, secrets...) }}
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

// authorized returns a clone of req with the credentials, and the secrets that it holds. An
// Authorization that middleware has set is kept.
func (a *authorize) authorized(req *http.Request) (out *http.Request, secrets []string) {
	out = req.Clone(req.Context())
	if out.Header == nil {
		out.Header = http.Header{}
	}
	theirs, set := out.Header["Authorization"]
	a.header(out.Header)
	if set {
		out.Header["Authorization"] = theirs
	}
	return out, slices.Concat(a.added.Get(), credentials(http.Header{"Authorization": theirs}))
}

// redactHeader removes the credentials from a header that repeats them. Only such a header is
// copied, because it may be shared. The rest of it is kept: a redirect may need it.
func (a *authorize) redactHeader(h http.Header) http.Header {
	for _, secret := range a.added.Get() {
		if len(secret) < shortestSecret {
			continue
		}
		repeats := func(value string) bool { return strings.Contains(value, secret) }
		for name, values := range h {
			if slices.ContainsFunc(values, repeats) {
				h = h.Clone()
				for i, value := range values {
					h[name][i] = strings.ReplaceAll(value, secret, conceal.Mark)
				}
			}
		}
	}
	return h
}

// redactedBody removes the credentials from the errors of a body.
type redactedBody struct {
	io.ReadCloser
	redact func(error) error
}

func (b *redactedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, b.redact(err)
}
