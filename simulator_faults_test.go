package terminal49

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"
)

// The three classes of call, as one operation each.
var faultyCalls = []struct {
	name, op string
	class    transport.Class
	do       func(context.Context, *Client, ...CallOption) error
}{
	{"read", "shipments.get", transport.Read, func(ctx context.Context, c *Client, opts ...CallOption) error {
		return first(c.Shipments.Get(ctx, shipmentID, nil, opts...))
	}},
	{"repeatable write", "shipments.stop_tracking", transport.Idempotent, func(ctx context.Context, c *Client, opts ...CallOption) error {
		return first(c.Shipments.StopTracking(ctx, shipmentID, opts...))
	}},
	{"creation", "tracking_requests.create", transport.Write, func(ctx context.Context, c *Client, opts ...CallOption) error {
		return first(c.TrackingRequests.Create(ctx, sureRequest(), opts...))
	}},
}

// attempts says how often a call is sent while a fault goes on.
type attempts uint8

const (
	once        attempts = iota // never repeated: once
	ifHarmless                  // repeated unless it creates something
	always                      // repeated: nothing can have happened
	maxAttempts = 3
)

func (a attempts) of(class transport.Class) int {
	if a == always || a == ifHarmless && class != transport.Write {
		return maxAttempts
	}
	return 1
}

// errAny stands for an error of which only the type is given.
var errAny = errors.New("any")

func TestEveryFaultOnEveryClassOfCall(t *testing.T) {
	status := func(code int) terminal49test.Fault { return terminal49test.Fault{Status: code} }
	kind := func(k terminal49test.FaultKind) terminal49test.Fault { return terminal49test.Fault{Kind: k} }
	acted := func(f terminal49test.Fault) terminal49test.Fault { f.Acted = true; return f }

	for name, c := range map[string]struct {
		fault    terminal49test.Fault
		attempts attempts
		answer   error // a sentinel of *APIError
		lost     error // in a *TransportError
		unread   bool  // a *DecodeError
		unknown  bool  // the outcome, if it is a write
	}{
		"400":               {fault: status(400), answer: ErrInvalid},
		"401":               {fault: status(401), answer: ErrUnauthorized},
		"403":               {fault: status(403), answer: ErrForbidden},
		"404":               {fault: status(404), answer: ErrNotFound},
		"409":               {fault: status(409), answer: ErrConflict},
		"418":               {fault: status(418), answer: errAny},
		"422":               {fault: status(422), answer: ErrInvalid},
		"429":               {fault: status(429), attempts: always, answer: ErrRateLimited},
		"500":               {fault: status(500), attempts: ifHarmless, answer: ErrServer, unknown: true},
		"501":               {fault: status(501), answer: ErrServer, unknown: true},
		"502":               {fault: status(502), attempts: ifHarmless, answer: ErrServer, unknown: true},
		"503":               {fault: status(503), attempts: ifHarmless, answer: ErrServer, unknown: true},
		"504":               {fault: status(504), attempts: ifHarmless, answer: ErrServer, unknown: true},
		"504 after acting":  {fault: acted(status(504)), attempts: ifHarmless, answer: ErrServer, unknown: true},
		"refuse":            {fault: kind(terminal49test.FaultRefuse), attempts: always, lost: errAny},
		"drop":              {fault: kind(terminal49test.FaultDrop), attempts: ifHarmless, lost: errAny, unknown: true},
		"drop after acting": {fault: acted(kind(terminal49test.FaultDrop)), attempts: ifHarmless, lost: errAny, unknown: true},
		"stall headers":     {fault: kind(terminal49test.FaultStallHeaders), attempts: ifHarmless, lost: transport.ErrAttemptTimeout, unknown: true},
		"stall body":        {fault: kind(terminal49test.FaultStallBody), attempts: ifHarmless, lost: transport.ErrAttemptTimeout, unknown: true},
		"short stall":       {fault: terminal49test.Fault{Kind: terminal49test.FaultStallBody, Delay: time.Second}, attempts: ifHarmless, lost: errAny, unknown: true},
		"truncate":          {fault: kind(terminal49test.FaultTruncate), attempts: ifHarmless, lost: errAny, unknown: true},
		"malformed json":    {fault: kind(terminal49test.FaultMalformedJSON), unread: true, unknown: true},
		"empty":             {fault: kind(terminal49test.FaultEmpty), unread: true, unknown: true},
		"content type":      {fault: kind(terminal49test.FaultContentType)},
		"no content type":   {fault: terminal49test.Fault{Kind: terminal49test.FaultContentType, ContentType: "text/html"}},
		"slow":              {fault: terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: 29 * time.Second}},
		"too slow":          {fault: terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: 31 * time.Second}, attempts: ifHarmless, lost: transport.ErrAttemptTimeout, unknown: true},
		"gzip":              {fault: kind(terminal49test.FaultGzip)},
		"broken gzip":       {fault: kind(terminal49test.FaultBrokenGzip), attempts: ifHarmless, lost: errAny, unknown: true},
		"huge":              {fault: terminal49test.Fault{Kind: terminal49test.FaultHuge, Bytes: 1 << 20}, lost: transport.ErrBodyTooLarge, unknown: true},
		"foreign redirect":  {fault: terminal49test.Fault{Kind: terminal49test.FaultRedirect, Location: "https://elsewhere.example/v2/shipments"}, answer: errAny},
	} {
		for _, call := range faultyCalls {
			t.Run(name+"/"+call.name, func(t *testing.T) {
				simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
					c.fault.Operation, c.fault.Times = call.op, -1
					srv.Fault(c.fault)
					client := simClient(t, srv, WithRetry(RetryPolicy{MaxAttempts: maxAttempts}), WithMaxResponseBytes(1<<19))
					err := call.do(t.Context(), client)

					sent := c.attempts.of(call.class)
					require.Len(t, srv.Requests(), sent)
					require.Len(t, received(srv, call.op), sent)
					require.Equal(t, c.unknown && call.class != transport.Read, IsOutcomeUnknown(err), "%v", err)
					switch {
					case c.answer != nil:
						var answer *APIError
						require.ErrorAs(t, err, &answer)
						require.Equal(t, sent, answer.Attempts)
						require.Equal(t, call.op, answer.Op)
						if c.answer != errAny {
							require.ErrorIs(t, err, c.answer)
						}
					case c.lost != nil:
						var lost *TransportError
						require.ErrorAs(t, err, &lost)
						require.Equal(t, sent, lost.Attempts)
						require.Equal(t, call.op, lost.Op)
						if c.lost != errAny {
							require.ErrorIs(t, err, c.lost)
						}
					case c.unread:
						var unread *DecodeError
						require.ErrorAs(t, err, &unread)
					default:
						require.NoError(t, err)
					}
				})
			})
		}
	}
}

// A redirect within the service is followed for reads and is an answer for writes.
func TestRedirectAtHome(t *testing.T) {
	for _, call := range faultyCalls {
		simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
			srv.Fault(terminal49test.Fault{Operation: call.op, Kind: terminal49test.FaultRedirect, Status: http.StatusTemporaryRedirect})
			err := call.do(t.Context(), simClient(t, srv))
			if call.class == transport.Read {
				require.NoError(t, err)
				require.Len(t, srv.Requests(), 2)
				return
			}
			var answer *APIError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, http.StatusTemporaryRedirect, answer.Status)
			require.Len(t, srv.Requests(), 1)
		})
	}
}

func TestRedirectsThatDoNotEnd(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Kind: terminal49test.FaultRedirect, Times: -1})
		err := first(simClient(t, srv).Shipments.Get(t.Context(), shipmentID, nil))
		var answer *APIError
		require.ErrorAs(t, err, &answer)
		require.Equal(t, http.StatusFound, answer.Status)
		require.Equal(t, 1, answer.Attempts)
		require.Len(t, srv.Requests(), 6)
	})
}

// Whatever a call is doing when its context ends, it returns then and there.
func TestCancellationInEveryPhase(t *testing.T) {
	for name, c := range map[string]struct {
		fault terminal49test.Fault
		spend int // calls before
		opts  []Option
	}{
		"waiting for the budget":      {spend: 100},
		"waiting for the pace":        {spend: 1, opts: []Option{WithLimits(Limits{PerSecond: 0.01, Burst: 1})}},
		"waiting for the header":      {fault: terminal49test.Fault{Kind: terminal49test.FaultStallHeaders}},
		"reading the body":            {fault: terminal49test.Fault{Kind: terminal49test.FaultStallBody}},
		"waiting for a slow answer":   {fault: terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: 20 * time.Second}},
		"waiting as Retry-After says": {fault: terminal49test.Fault{Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)}},
		"backing off": {
			fault: terminal49test.Fault{Kind: terminal49test.FaultRefuse, Times: -1},
			opts:  []Option{WithRetry(RetryPolicy{MaxAttempts: 1000, MinBackoff: time.Minute, MaxBackoff: time.Minute})},
		},
	} {
		t.Run(name, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
				client := simClient(t, srv, c.opts...)
				for range c.spend {
					require.NoError(t, first(client.Shipments.Get(t.Context(), shipmentID, nil)))
				}
				if c.spend == 0 {
					srv.Fault(c.fault)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(10*time.Second, cancel)
				start := time.Now()
				err := first(client.Shipments.Get(ctx, shipmentID, nil))
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, 10*time.Second, time.Since(start))
			})
		})
	}
}

// Every shape of error body gives its words, and one without words gives its status.
func TestErrorShapes(t *testing.T) {
	const words = "the crane is broken"
	for shape, told := range map[terminal49test.ErrorShape]bool{
		terminal49test.ShapeFull: true, terminal49test.ShapeTitleOnly: true, terminal49test.ShapeNoTitle: true,
		terminal49test.ShapeDetailOnly: true, terminal49test.ShapeNullDetail: true, terminal49test.ShapeNullSource: true,
		terminal49test.ShapeSingularKey: true, terminal49test.ShapeErrorText: true, terminal49test.ShapeErrorsText: true,
		terminal49test.ShapeMessage: true, terminal49test.ShapeDetailText: true,
		terminal49test.ShapeHTML: false, terminal49test.ShapeEmpty: false, terminal49test.ShapeMalformedJSON: false,
	} {
		t.Run(string("shape "+shape), func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.Fault(terminal49test.Fault{Status: 422, Shape: shape, Title: words, Detail: words})
				err := first(simClient(t, srv).Shipments.Get(t.Context(), shipmentID, nil))
				require.ErrorIs(t, err, ErrInvalid)
				require.ErrorContains(t, err, "422")
				if told {
					require.ErrorContains(t, err, words)
				}
			})
		})
	}
}

// Retry-After is kept to the second, in each of its forms and for every class of call that may be repeated.
func TestRetryAfterIsObeyedExactly(t *testing.T) {
	const wait = 47 * time.Second
	forms := map[string]terminal49test.RetryAfter{
		"seconds":  terminal49test.RetryAfterSeconds(wait),
		"RFC 1123": terminal49test.RetryAfterDate(wait, http.TimeFormat),
		"RFC 850":  terminal49test.RetryAfterDate(wait, time.RFC850),
		"asctime":  terminal49test.RetryAfterDate(wait, time.ANSIC),
	}
	for name, form := range forms {
		for _, call := range faultyCalls {
			for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
				if status == http.StatusServiceUnavailable && call.class == transport.Write {
					continue
				}
				t.Run(name+"/"+call.name+"/"+http.StatusText(status), func(t *testing.T) {
					simulated(t, func(t *testing.T, srv *terminal49test.Server) {
						srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
						srv.Fault(terminal49test.Fault{Operation: call.op, Status: status, RetryAfter: form, Times: 2})
						require.NoError(t, call.do(t.Context(), simClient(t, srv)))
						require.Equal(t, []time.Duration{wait, wait}, gaps(srv.Requests()))
					})
				})
			}
		}
	}
}

// A header that means nothing leaves it to the ordinary backoff; a moment that has passed is no wait at all.
func TestRetryAfterThatMeansNothing(t *testing.T) {
	for _, form := range []terminal49test.RetryAfter{
		terminal49test.RetryAfterRaw("soon"), terminal49test.RetryAfterRaw("-5"), terminal49test.RetryAfterRaw("1.5"),
		terminal49test.RetryAfterRaw("99999999999999999999"), terminal49test.RetryAfterDate(-time.Hour, http.TimeFormat),
		terminal49test.RetryAfterRaw("0"),
	} {
		simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			srv.AddShipment(terminal49test.Shipment{ID: shipmentID, Number: "MAEU123"})
			srv.Fault(terminal49test.Fault{Status: http.StatusTooManyRequests, RetryAfter: form})
			start := time.Now()
			_, err := simClient(t, srv).Shipments.Get(t.Context(), shipmentID, nil)
			require.NoError(t, err)
			require.Len(t, srv.Requests(), 2)
			require.LessOrEqual(t, time.Since(start), 500*time.Millisecond, "the first backoff")
		})
	}
}

// A wait that the caller has no time for is not begun.
func TestRetryAfterBeyondTheDeadline(t *testing.T) {
	for _, call := range faultyCalls {
		for name, limit := range map[string]time.Duration{"deadline": time.Second, "no deadline": 0} {
			t.Run(call.name+"/"+name, func(t *testing.T) {
				simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					srv.Fault(terminal49test.Fault{Status: http.StatusTooManyRequests, RetryAfter: terminal49test.RetryAfterSeconds(time.Hour)})
					ctx := t.Context()
					if limit > 0 {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, limit)
						defer cancel()
					}
					start := time.Now()
					err := call.do(ctx, simClient(t, srv))
					require.Zero(t, time.Since(start))
					require.ErrorIs(t, err, ErrRateLimited)
					require.NotErrorIs(t, err, context.DeadlineExceeded)
					var answer *APIError
					require.ErrorAs(t, err, &answer)
					require.Equal(t, Some(time.Hour), answer.RetryAfter)
					require.False(t, IsOutcomeUnknown(err))
				})
			})
		}
	}
}

// A creation whose answer got lost is sent once; one that was refused for the rate is sent again.
func TestCreationIsNeverDoubled(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		srv.Fault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
		_, err := client.TrackingRequests.Create(t.Context(), sureRequest())
		require.True(t, IsOutcomeUnknown(err))
		page, err := client.TrackingRequests.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		srv.Fault(terminal49test.Fault{
			Operation: "tracking_requests.create", Status: http.StatusTooManyRequests, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute),
		})
		_, err := client.TrackingRequests.Create(t.Context(), sureRequest())
		require.NoError(t, err)
		page, err := client.TrackingRequests.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// When the context ends in the wait between two attempts, the answer that led to it is not lost.
func TestCancelledRetryKeepsTheLastAnswer(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Status: http.StatusTooManyRequests, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(10*time.Second, cancel)
		start := time.Now()
		_, err := simClient(t, srv).Shipments.Get(ctx, shipmentID, nil)
		require.Equal(t, 10*time.Second, time.Since(start))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, ErrRateLimited)
	})
}
