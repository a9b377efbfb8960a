package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

// Info names the attempt that a request belongs to, in words that are safe to log
// and few enough for a metric label.
type Info struct {
	Op      string // operation name such as "shipments.get"
	Route   string // route template such as "/shipments/{id}"
	Bucket  string // rate limit bucket
	Class   Class
	Attempt int // 1 for the first
}

// InfoFromContext returns the Info of the attempt that ctx belongs to. It is there
// for middleware, the base transport and observers, and false anywhere else.
func InfoFromContext(ctx context.Context) (Info, bool) {
	if a := attemptFrom(ctx); a != nil {
		return a.Info, true
	}
	return Info{}, false
}

// attempt is what the stages of one attempt know together. It travels in the
// context because the user's middleware sits between them.
type attempt struct {
	Info
	policy Policy

	limiterWait time.Duration
	answered    func()                // gives the limiter's slot back, once; set by the limiter stage
	repay       func(context.Context) // takes another slot, for a request that net/http repeats by itself
	refused     bool                  // the limiter did not let it through
	final       bool                  // failed in a way that another attempt cannot mend
	status      int                   // of the last exchange, as soon as its header is here
	maySent     bool                  // failed after something may have been sent

	asked, connected atomic.Bool // set by httptrace: wanted a connection, got one
}

type attemptKey struct{}

func withAttempt(ctx context.Context, a *attempt) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

func attemptFrom(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// traced lets a see whether a connection was ever had.
func (a *attempt) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { a.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) {
			// net/http sends a GET again by itself when a connection that was kept alive turns out dead.
			if a.connected.Swap(true) {
				a.repay(ctx)
			}
		},
	})
}

// sentNothing reports whether a round trip that ended in err provably sent
// nothing. Not every RoundTripper fires traces, so their silence proves nothing;
// then only an error of getting a connection does.
func (a *attempt) sentNothing(err error) bool {
	if a.connected.Load() {
		return false
	}
	var (
		op  *net.OpError
		dns *net.DNSError
	)
	return a.asked.Load() || errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns) || untrusted(err)
}

// untrusted reports a server certificate that was refused, which no retry mends.
func untrusted(err error) bool {
	var cert *tls.CertificateVerificationError
	return errors.As(err, &cert)
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
