package transport

import (
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 5

// redirected follows redirects and keeps cookies. A redirect is followed only for GET and HEAD and
// only to the origin that sent it. Any other redirect is returned as the response, so that a write
// never turns into a GET and no part of a request reaches another host.
func redirected(jar http.CookieJar, next stage) stage {
	return func(a attempt) outcome {
		sent := 0
		for followed := 0; ; followed++ {
			out := next(a.with(withCookies(jar, a.req, a.url)))
			sent += out.sent
			out.sent = sent
			if out.err != nil {
				return out
			}
			saveCookies(jar, a.url, out.result)
			to := redirectTarget(a, out.result)
			if to == nil || followed == maxRedirects {
				return out
			}
			a.url = to
		}
	}
}

// redirectTarget returns the target of the redirect res, or nil if it must not be followed.
func redirectTarget(a attempt, res *Result) *url.URL {
	switch res.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	location := res.Header.Get("Location")
	if location == "" || a.req.Method != http.MethodGet && a.req.Method != http.MethodHead {
		return nil
	}
	to, err := a.url.Parse(location)
	if err != nil || to.User != nil || !sameOrigin(a.url, to) {
		return nil
	}
	return to
}

func withCookies(jar http.CookieJar, req *http.Request, to *url.URL) *http.Request {
	if jar == nil {
		return req
	}
	cookies := jar.Cookies(to)
	if len(cookies) == 0 {
		return req
	}
	req = req.Clone(req.Context())
	for _, c := range cookies {
		req.AddCookie(c)
	}
	return req
}

func saveCookies(jar http.CookieJar, from *url.URL, res *Result) {
	if jar == nil {
		return
	}
	if cookies := (&http.Response{Header: res.Header}).Cookies(); len(cookies) > 0 {
		jar.SetCookies(from, cookies)
	}
}

// sameOrigin compares scheme, host and port. Without a port it is the scheme's default. The lengths
// differ if a letter such as the Kelvin sign, which is folded to k, takes the place of an ASCII
// one.
func sameOrigin(a, b *url.URL) bool {
	return a != nil && b != nil && (a.Scheme == b.Scheme && a.Host == b.Host ||
		strings.EqualFold(a.Scheme, b.Scheme) &&
			len(a.Hostname()) == len(b.Hostname()) && strings.EqualFold(a.Hostname(), b.Hostname()) &&
			port(a) == port(b))
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
