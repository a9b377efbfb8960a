package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
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
	answered    func()                // gives the limiter's slots back; set by the limiter stage
	repay       func(context.Context) // takes another slot, for a request that net/http repeats by itself
	passed      bool                  // the limiter let it through, or the first hop of it
	final       bool                  // failed in a way that another attempt cannot mend
	status      int                   // of the last exchange, as soon as its header is here
	maySent     bool                  // failed after something may have been sent
	straggles   bool                  // was given up when it may have been on its way, and may arrive yet

	asked, connected, wrote atomic.Bool // set by httptrace: wanted a connection, got one, wrote the header to it
	withheld                atomic.Bool // ended because net/http was about to send a creation twice
}

type attemptKey struct{}

func withAttempt(ctx context.Context, a *attempt) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

func attemptFrom(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// traced lets a see whether a connection was ever had, and what net/http repeats by
// itself: a GET whose kept-alive connection turns out dead, and over HTTP/2 whatever
// the server resets in one of several ways, not all of which say that it did nothing.
// What may be sent only once is then stopped, before its second header is written.
func (a *attempt) traced(ctx, caller context.Context, stop func()) context.Context {
	repay := a.repay // of this exchange: the next hop of a redirect has its own
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { a.asked.Store(true) },
		GotConn: func(got httptrace.GotConnInfo) {
			switch {
			case !a.connected.Swap(true):
			case !a.Class.repeatable() && a.wrote.Load() && isHTTP2(got.Conn):
				a.withheld.Store(true)
				stop()
			default:
				repay(caller)
			}
		},
		WroteHeaders: func() { a.wrote.Store(true) },
	})
}

// errWithheld takes the place of what the server said, which net/http keeps to itself.
var errWithheld = errors.New("the server broke off the HTTP/2 exchange, and a second request could act twice")

// isHTTP2 is false for HTTP/1, where net/http repeats a creation only if not a byte of it was written.
func isHTTP2(conn net.Conn) bool {
	secure, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
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

// untrusted reports a server whose certificate was refused, or that has none because
// it speaks plain HTTP. No retry mends that.
func untrusted(err error) bool {
	var cert *tls.CertificateVerificationError
	return errors.As(err, &cert) || errors.Is(err, http.ErrSchemeMismatch)
}

// explained says what http.Client would say of a plain HTTP server at an https address.
func explained(err error) error {
	var header tls.RecordHeaderError
	if errors.As(err, &header) && string(header.RecordHeader[:]) == "HTTP/" {
		return fmt.Errorf("%w: %w", http.ErrSchemeMismatch, err)
	}
	return err
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
