package transport

import (
	"net/http"
	"net/url"
	"strings"
)

// authorize is the innermost stage. It adds the credentials to a clone, only for
// the origin they belong to. It has no CloseIdleConnections, which keeps the
// callers of that method away from a base that is not ours.
type authorize struct {
	origin *url.URL
	header func(http.Header)
	next   http.RoundTripper
}

func (a *authorize) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.header == nil || !sameOrigin(a.origin, req.URL) {
		return a.next.RoundTrip(req)
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
	resp, err := a.next.RoundTrip(out)
	if err != nil {
		value := out.Header.Get("Authorization")
		_, token, _ := strings.Cut(value, " ")
		return nil, redact(err, value, token)
	}
	if resp != nil {
		resp.Request = req // out holds the token, and middleware may log what it gets
	}
	return resp, nil
}
