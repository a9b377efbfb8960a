package transport

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/conceal"
)

// authorize is the innermost stage. It adds the credentials to a clone, only for
// the origin they belong to, and keeps them out of what comes back. It has no
// CloseIdleConnections, which keeps the callers of that method away from a base
// that is not ours.
type authorize struct {
	origin *url.URL
	header func(http.Header)
	added  conceal.Value[[]string] // what header adds; middleware receives this stage and may print it
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
		resp, err := a.next.RoundTrip(req)
		if err != nil {
			// The storage of files: its addresses are signed for these headers.
			return nil, redact(err, slices.Concat(signed(req.URL), credentials(req.Header))...)
		}
		return resp, nil
	}
	out := req.Clone(req.Context())
	if out.Header == nil {
		out.Header = http.Header{}
	}
	theirs, has := out.Header["Authorization"]
	a.header(out.Header)
	if has {
		out.Header["Authorization"] = theirs
	}
	secrets := slices.Concat(a.added.Get(), credentials(http.Header{"Authorization": theirs}))
	resp, err := a.next.RoundTrip(out)
	if err != nil {
		return nil, redact(err, secrets...)
	}
	if resp != nil {
		resp.Request = req // out holds the token, and middleware may log what it gets
		resp.Header = a.clean(resp.Header)
		if resp.Body != nil {
			resp.Body = &quietBody{resp.Body, func(err error) error { return redact(err, secrets...) }}
		}
	}
	return resp, nil
}

// clean takes the credentials out of a header that repeats them. Only then it is
// copied: it may be shared. The rest of it stays, for a redirect may need it.
func (a *authorize) clean(h http.Header) http.Header {
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

// quietBody keeps the credentials out of the errors of a body, too.
type quietBody struct {
	io.ReadCloser
	redact func(error) error
}

func (b *quietBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, b.redact(err)
}
