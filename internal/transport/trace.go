package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
)

// trace records what net/http does during one exchange. It travels in the context because the
// user's middleware is between the stages and the base transport. Its hooks may run on other
// goroutines, and after the exchange has ended.
type trace struct {
	context.Context // of the exchange

	attempt context.Context // of the attempt that the exchange belongs to
	class   Class
	slot    *slot
	stop    func() // ends the exchange
	hooks   httptrace.ClientTrace
	body    redactedBody // of the one round trip without middleware

	trips     atomic.Int32             // round trips that began; middleware may make several
	repeats   atomic.Int32             // requests that net/http repeated within a round trip
	asked     atomic.Bool              // a connection was asked for
	connected atomic.Bool              // a connection was obtained
	latest    atomic.Pointer[net.Conn] // the connection that was obtained last, for a creation
	exposed   atomic.Bool              // net/http may repeat the request of this round trip although it was written
	stopped   atomic.Bool              // the exchange was ended because net/http was about to repeat a creation
}

type traceKey struct{}

// Value returns the trace, and everything else from the context of the exchange.
func (t *trace) Value(key any) any {
	if key == (traceKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// roundTripStarts separates what middleware sends from what net/http repeats within a round trip.
// It returns nil without a trace.
func roundTripStarts(ctx context.Context) *trace {
	t, ok := ctx.Value(traceKey{}).(*trace)
	if ok {
		t.trips.Add(1)
		t.exposed.Store(false)
	}
	return t
}

// requests returns how many requests of the exchange may have been sent, at least one.
func (t *trace) requests() int { return int(max(t.trips.Load(), 1) + t.repeats.Load()) }

// attach returns ctx with the hooks of the trace. It records whether a connection was obtained, and
// what net/http repeats by itself. Each repetition takes another slot of the rate limit. A request
// that may be sent only once is stopped instead, with any protocol: the context ends before
// net/http writes it again. Over HTTP/1 net/http may write it nevertheless; then the connection is
// closed while the header is still in a buffer.
func (t *trace) attach(ctx context.Context, a attempt, stop func()) context.Context {
	t.Context, t.attempt, t.class, t.slot, t.stop = ctx, a.ctx, a.info.Class, a.slot, stop
	t.hooks = httptrace.ClientTrace{GetConn: func(string) { t.asked.Store(true) }, GotConn: t.gotConn}
	if a.info.Class == Read { // each field reported takes an allocation, and none of them matters
		t.hooks.WroteHeaders = func() { t.exposed.Store(true) }
	} else {
		t.hooks.WroteHeaderField = t.wroteField
	}
	return httptrace.WithClientTrace(t, &t.hooks)
}

func (t *trace) gotConn(got httptrace.GotConnInfo) {
	if !t.class.repeatable() {
		conn := got.Conn
		t.latest.Store(&conn)
	}
	switch {
	case !t.connected.Swap(true):
	case !t.exposed.Load():
		t.slot.renew(t.attempt)
	case t.class.repeatable():
		t.repeats.Add(1)
		t.slot.renew(t.attempt)
	default:
		t.stopped.Store(true)
		t.stop()
	}
}

func (t *trace) wroteField(name string, _ []string) {
	switch {
	case t.stopped.Load():
		t.disconnect()
	case isExposed(name):
		t.exposed.Store(true)
	}
}

// isExposed reports whether net/http may repeat a write with this header field after it was
// written: over HTTP/2, whose first field is a pseudo-header, if the server resets the stream in
// one of several ways, and over HTTP/1 if it has one of these keys. It repeats any other write only
// if no byte of it was written.
func isExposed(name string) bool {
	return strings.HasPrefix(name, ":") || name == "Idempotency-Key" || name == "X-Idempotency-Key"
}

// disconnect closes the latest connection.
func (t *trace) disconnect() {
	if conn := t.latest.Load(); conn != nil && *conn != nil {
		_ = (*conn).Close()
	}
}

// errNotRepeated is returned for a stopped exchange: net/http does not report the server's reason.
var errNotRepeated = errors.New("the connection or the stream ended without a response, and repeating the request could act twice")

// failure returns the outcome of a round trip under ctx that returned err.
func (t *trace) failure(ctx context.Context, err error) outcome {
	err = asSchemeMismatch(err)
	sent := !t.sentNothing(err)
	return outcome{
		err: err, final: isUntrusted(err) || !sent && isLasting(err), mayHaveBeenSent: sent,
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

// isLasting reports whether another attempt to connect would fail in the same way: also if there is
// no common version of TLS, or a proxy refuses its password. Most of these errors have only a text.
func isLasting(err error) bool {
	text := err.Error()
	return isUntrusted(err) || errors.Is(err, errProxyPassword) || strings.Contains(text, "protocol version") ||
		strings.Contains(text, "uthenticat")
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
