package transport

import (
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 5

// redirected follows redirects, and keeps cookies on the way. A redirect is
// followed only for GET and HEAD and only to the origin that gave it: anything
// else is handed out as the answer it is, so that a write never turns into a GET
// and nothing of a request reaches another host.
func redirected(jar http.CookieJar, next stage) stage {
	return func(req *http.Request) (*Result, error) {
		for hop := 0; ; hop++ {
			res, err := next(withCookies(jar, req))
			if err != nil {
				return nil, err
			}
			if jar != nil {
				if cookies := (&http.Response{Header: res.Header}).Cookies(); len(cookies) > 0 {
					jar.SetCookies(req.URL, cookies)
				}
			}
			to := redirectTarget(req, res)
			if to == nil || hop == maxRedirects {
				return res, nil
			}
			req = req.Clone(req.Context())
			req.URL = to
		}
	}
}

func redirectTarget(req *http.Request, res *Result) *url.URL {
	switch res.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	location := res.Header.Get("Location")
	if location == "" || req.Method != http.MethodGet && req.Method != http.MethodHead {
		return nil
	}
	to, err := req.URL.Parse(location)
	if err != nil || to.User != nil || !sameOrigin(req.URL, to) {
		return nil
	}
	return to
}

func withCookies(jar http.CookieJar, req *http.Request) *http.Request {
	if jar == nil {
		return req
	}
	cookies := jar.Cookies(req.URL)
	if len(cookies) == 0 {
		return req
	}
	req = req.Clone(req.Context())
	for _, c := range cookies {
		req.AddCookie(c)
	}
	return req
}

// sameOrigin compares scheme, host and port; a port left out is the scheme's own.
func sameOrigin(a, b *url.URL) bool {
	return a != nil && b != nil &&
		strings.EqualFold(a.Scheme, b.Scheme) &&
		strings.EqualFold(a.Hostname(), b.Hostname()) &&
		port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	switch strings.ToLower(u.Scheme) {
	case "https":
		return "443"
	case "http":
		return "80"
	}
	return ""
}
