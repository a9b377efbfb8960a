package transport

import (
	"context"
	"net/http"
	"net/url"
)

// Info describes the attempt that a request belongs to. Its values are safe to log and few enough
// for a metric label.
type Info struct {
	Op      string // operation name such as "shipments.get"
	Route   string // route template such as "/shipments/{id}"
	Bucket  string // rate limit bucket
	Class   Class
	Attempt int     // 1 for the first
	Share   float64 // part of the bucket's budget, 1 for all of it
}

type infoKey struct{}

// infoContext is the context of an attempt.
type infoContext struct {
	context.Context // the caller's
	info            Info
}

// Value returns c for the Info of the attempt, and everything else from the caller's context.
func (c *infoContext) Value(key any) any {
	if key == (infoKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// InfoFromContext returns the Info of the attempt that ctx belongs to. The limiter, middleware, the
// base transport and observers receive such a context; for any other, InfoFromContext returns
// false.
func InfoFromContext(ctx context.Context) (Info, bool) {
	if c, ok := ctx.Value(infoKey{}).(*infoContext); ok {
		return c.info, true
	}
	return Info{}, false
}

// attempt is the input of a stage: one request of a call, and what it means. It is passed on by
// value, so a stage changes only what the stages after it receive.
type attempt struct {
	ctx    context.Context // holds info
	req    *http.Request   // shared: what is sent is a copy, with a context and the URL
	url    *url.URL        // where it is sent; may differ from that of req
	info   Info
	policy Policy
	slot   *slot  // the part of the rate limit that the exchange holds; nil without a limiter
	going  func() // called when the attempt is sent; may be nil
	borrow bool   // the body of a 2xx may be in a buffer of another call
}

// with returns the attempt with another request.
func (a attempt) with(req *http.Request) attempt {
	a.req = req
	return a
}

// outcome is what a stage returns: a result or an error, and what is known about the request.
type outcome struct {
	result *Result // nil if err is set
	err    error

	status          int  // of the response header; 0 if none arrived
	sent            int  // requests that the limiter let through, with what net/http repeated
	final           bool // err would occur again: the attempt must not be repeated
	mayHaveBeenSent bool // the service may have acted without reporting it
	mayStillArrive  bool // the request was abandoned on its way: the service may receive it later
}

// stage is one step of an attempt outside the user's middleware, where the body of the response
// has been read.
type stage func(attempt) outcome
