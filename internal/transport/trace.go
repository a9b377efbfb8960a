package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// trace records what net/http does during one exchange. It travels in the context because the
// user's middleware is between the stages and the base transport. Its hooks may run on other
// goroutines, and after the exchange has ended.
type trace struct {
	asked     atomic.Bool // a connection was asked for
	connected atomic.Bool // a connection was obtained
	wrote     atomic.Bool // a request header was written since the base transport was called
	stopped   atomic.Bool // the exchange was ended because net/http was about to repeat a creation
}

type traceKey struct{}

// roundTripStarts separates what middleware sends from what net/http repeats within a round trip.
func roundTripStarts(ctx context.Context) {
	if t, ok := ctx.Value(traceKey{}).(*trace); ok {
		t.wrote.Store(false)
	}
}

// attach returns ctx with the hooks of the trace. It records whether a connection was obtained, and
// what net/http repeats by itself: a GET whose kept-alive connection was dead, and over HTTP/2 any
// request that the server resets in one of several ways, some of which do not mean that it did
// nothing. Each repetition takes another slot of the rate limit. A request that may be sent only
// once is stopped instead, before its second header is written.
func (t *trace) attach(ctx context.Context, a attempt, stop func()) context.Context {
	caller := a.req.Context()
	return httptrace.WithClientTrace(context.WithValue(ctx, traceKey{}, t), &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(got httptrace.GotConnInfo) {
			switch {
			case !t.connected.Swap(true):
			case !a.info.Class.repeatable() && t.wrote.Load() && isHTTP2(got.Conn):
				t.stopped.Store(true)
				stop()
			default:
				a.slot.renew(caller)
			}
		},
		WroteHeaders: func() { t.wrote.Store(true) },
	})
}

// errNotRepeated is returned for a stopped exchange: net/http does not report the server's reason.
var errNotRepeated = errors.New("the server reset the HTTP/2 exchange, and repeating the request could act twice")

// isHTTP2 is false for HTTP/1, where net/http repeats a creation only if no byte of it was written.
func isHTTP2(conn net.Conn) bool {
	secure, ok := conn.(interface{ ConnectionState() tls.ConnectionState })
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

// failure returns the outcome of a round trip under ctx that returned err.
func (t *trace) failure(ctx context.Context, err error) outcome {
	err = asSchemeMismatch(err)
	sent := !t.sentNothing(err)
	return outcome{
		err: err, final: isUntrusted(err), mayHaveBeenSent: sent,
		mayStillArrive: sent && !t.stopped.Load() && ctx.Err() != nil,
	}
}

// sentNothing reports whether a round trip that returned err provably sent nothing. Not every
// RoundTripper calls the hooks, so a missing call proves nothing; then only an error of getting a
// connection does.
func (t *trace) sentNothing(err error) bool {
	if t.connected.Load() {
		return false
	}
	var (
		op  *net.OpError
		dns *net.DNSError
	)
	return t.asked.Load() || errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns) || isUntrusted(err)
}

// isUntrusted reports whether the server's certificate was refused, or the server has none because
// it speaks plain HTTP. A retry would fail in the same way.
func isUntrusted(err error) bool {
	var cert *tls.CertificateVerificationError
	return errors.As(err, &cert) || errors.Is(err, http.ErrSchemeMismatch)
}

// asSchemeMismatch returns the error that http.Client returns for a plain HTTP server at an https
// address, and any other error unchanged.
func asSchemeMismatch(err error) error {
	var header tls.RecordHeaderError
	if errors.As(err, &header) && string(header.RecordHeader[:]) == "HTTP/" {
		return fmt.Errorf("%w: %w", http.ErrSchemeMismatch, err)
	}
	return err
}
