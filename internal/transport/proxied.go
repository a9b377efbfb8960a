package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
)

// proxied sends requests with base, which belongs to the caller and is not changed, but the first
// ones through a proxy that receives a password with a copy, until one succeeds. The error of
// the copy has the status with which a proxy refuses, and that of base only the phrase, which a
// client must ignore (RFC 9112, section 4): a refused password that is sent again may lock an
// account. The copy keeps no connections, which the caller could not close.
type proxied struct {
	base     *http.Transport
	careful  func() *http.Transport
	accepted atomic.Bool // the last request succeeded
}

// byStatus returns rt, or a proxied if rt may use a proxy.
func byStatus(rt http.RoundTripper) http.RoundTripper {
	t, ok := rt.(*http.Transport)
	if !ok || t.Proxy == nil {
		return rt
	}
	return &proxied{base: t, careful: sync.OnceValue(func() *http.Transport { return withStatus(t) })}
}

func (p *proxied) RoundTrip(req *http.Request) (*http.Response, error) {
	rt := p.base
	if !p.accepted.Load() && p.sendsPassword(req) {
		rt = p.careful()
	}
	resp, err := rt.RoundTrip(req)
	if p.accepted.Load() != (err == nil) {
		p.accepted.Store(err == nil)
	}
	return resp, err
}

// sendsPassword reports whether a proxy is asked to connect for req, with a password.
func (p *proxied) sendsPassword(req *http.Request) bool {
	if req.URL.Scheme != "https" {
		return false // the answer of the proxy is the response
	}
	proxy, err := p.base.Proxy(req)
	return err == nil && proxy != nil &&
		(proxy.User != nil || len(p.base.ProxyConnectHeader) > 0 || p.base.GetProxyConnectHeader != nil)
}

// errProxyPassword is the error of a proxy that wants another password.
var errProxyPassword = errors.New("the proxy refused the password")

// withStatus returns a copy of base whose errors have the status with which a proxy refused.
func withStatus(base *http.Transport) *http.Transport {
	own := base.Clone()
	own.DisableKeepAlives = true
	own.OnProxyConnectResponse = func(ctx context.Context, proxy *url.URL, connect *http.Request, resp *http.Response) error {
		if then := base.OnProxyConnectResponse; then != nil {
			if err := then(ctx, proxy, connect, resp); err != nil {
				return err
			}
		}
		switch resp.StatusCode {
		case http.StatusOK:
			return nil
		case http.StatusProxyAuthRequired:
			return fmt.Errorf("%w: %d %s", errProxyPassword, resp.StatusCode, http.StatusText(resp.StatusCode))
		}
		return fmt.Errorf("the proxy answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	return own
}
