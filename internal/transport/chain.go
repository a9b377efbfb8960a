// Package transport sends one call to the service and returns the response. It retries, keeps to
// the rate limits, reports to observers, adds the credentials and limits what it reads. It is
// independent of the service's resources: a call is an *http.Request and a retry class; its result
// is a status, a header and a body.
package transport

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
)

// Config is the input of [New]. Only Policy is required.
type Config struct {
	// Base sends the requests; nil means http.DefaultTransport. It belongs to the caller: it is
	// never changed, and its idle connections are never closed.
	Base http.RoundTripper
	// Jar keeps cookies between requests; nil keeps none.
	Jar http.CookieJar
	// Origin is the scheme, host and port that the credentials belong to.
	Origin *url.URL
	// Header adds the credentials to the header of a private clone, for requests to Origin only.
	// An Authorization that is already set is kept.
	Header func(http.Header)
	// Usual is the header of most requests: those that share it instead of having an equal one can
	// share a copy with the credentials too. It must not be changed; nil means no header.
	Usual http.Header
	// Middleware wraps every attempt; the first is the outermost. It sees requests before the
	// credentials are added, and may change them.
	Middleware []func(http.RoundTripper) http.RoundTripper
	// Limiter is called before every attempt; nil means no limit.
	Limiter Limiter
	// Observer receives the outcome of every exchange, and every retry; it may be nil.
	Observer Observer
	// Policy bounds every call that has no policy of its own. All its fields are above zero.
	Policy Policy
}

// Chain sends calls. It is safe for concurrent use.
type Chain struct {
	send     stage // one attempt
	base     http.RoundTripper
	observer Observer
	policy   Policy
	random   func(n int64) int64 // uniform in [0, n)
}

// New builds the chain. The order of its stages is stated here and nowhere else.
func New(cfg Config) *Chain {
	base := cfg.Base
	if base == nil {
		base = http.DefaultTransport
	}
	// innermost: the credentials, for the origin only, hidden from all that follow
	innermost := newAuthorize(cfg.Origin, cfg.Header, byStatus(base))
	if len(cfg.Middleware) == 0 {
		innermost.withOwn(cfg.Usual)
	}
	var rt http.RoundTripper = innermost
	// the user's middleware, on the request without credentials
	for i := len(cfg.Middleware) - 1; i >= 0; i-- {
		rt = cfg.Middleware[i](rt)
	}
	if !innermost.owns {
		rt = withOwnRequest(rt)
	}
	// the time limit of the exchange, and the body read whole within it
	send := capture(rt)
	// observers see the outcome of the exchange, with its body
	send = observed(cfg.Observer, send)
	// a slot of the rate limit for every exchange
	send = limited(cfg.Limiter, send)
	// cookies, and redirects within the origin; each redirect passes all of the above
	send = redirected(cfg.Jar, send)
	// outermost, one for each call: the retry loop of Do
	return &Chain{send: send, base: base, observer: cfg.Observer, policy: cfg.Policy, random: rand.Int64N}
}

// Call describes a request to the retry loop, the limiter and observers.
type Call struct {
	Op     string // operation name such as "shipments.get"
	Route  string // route template such as "/shipments/{id}"
	Bucket string // rate limit bucket
	Class  Class  // what may be repeated; zero is treated as Write
	Policy Policy // zero fields use the chain's values
	// Share is the part of the bucket's budget that calls of this share and of smaller ones may use
	// together; zero means all of it.
	Share float64
	// Sending is called when an attempt has passed the limiter; it may be nil.
	Sending func()
	// Borrow reads the body of a 2xx into memory that [Result.Recycle] returns for other calls.
	Borrow bool
}

// Do sends req under its context, with retries, and returns the last response, of any status.
// The error, always an [*Error], means that there is no response to return. req belongs to Do,
// which sends copies of it.
//
// A body is sent again only if req.GetBody can produce it again; without GetBody the call is
// attempted once.
func (c *Chain) Do(req *http.Request, call Call) (*Result, error) {
	return c.DoTo(req.Context(), req, req.URL, call)
}

// DoTo is Do with another context and another URL. It only copies a req without a body, so calls
// can share that.
func (c *Chain) DoTo(ctx context.Context, req *http.Request, to *url.URL, call Call) (*Result, error) {
	call.Policy = call.Policy.withDefaults(c.policy)
	if !call.Class.repeatable() {
		call.Class = Write
	}
	l := &loop{send: c.send, observer: c.observer, random: c.random, ctx: ctx, req: req, url: to, call: call}
	if body := req.Body; body != nil {
		// Like http.Client, Do always closes the body.
		defer func() { _ = body.Close() }()
		if req.GetBody == nil && body != http.NoBody {
			l.call.Policy.MaxAttempts = 1
			req.GetBody = onlyOnce(body)
		}
		req.Body = nil // each exchange takes a fresh body
	}
	if to == nil {
		return nil, l.fail(errors.New("the request has no URL; build it with http.NewRequestWithContext"))
	}
	return l.run()
}

// withOwnRequest copies the header and the URL of each request, which calls share, so that
// middleware may change them.
func withOwnRequest(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		to := *req.URL
		req.URL, req.Header = &to, req.Header.Clone()
		return next.RoundTrip(req)
	})
}

// CloseIdle closes the connections that are not in use, if the base transport can.
func (c *Chain) CloseIdle() {
	if base, ok := c.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// onlyOnce is the GetBody of a body that cannot be produced again.
func onlyOnce(body io.ReadCloser) func() (io.ReadCloser, error) {
	var once sync.Once
	return func() (got io.ReadCloser, err error) {
		err = errors.New("the request body cannot be read twice; set GetBody")
		once.Do(func() { got, err = body, nil })
		return got, err
	}
}
