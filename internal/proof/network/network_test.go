package network_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// attempts is how often a call is sent while a fault lasts.
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

// These tests use real sockets, because they are about net/http: what it reports, repeats by itself
// and reveals. Other failures are tested in the process with faked time;
// TestNetwork_TheSimulatorFailsAsNetworksDo shows that the simulator behaves like a real network.

// overNetwork returns a client with its own transport and short retry waits.
func overNetwork(t testing.TB, base string, tr *http.Transport, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	t.Cleanup(tr.CloseIdleConnections)
	opts = append([]terminal49.Option{
		terminal49.WithBaseURL(base), terminal49.WithHTTPClient(&http.Client{Transport: tr}),
		terminal49.WithLimiter(new(paid)),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: maxAttempts, MinBackoff: time.Millisecond,
			MaxBackoff: time.Millisecond}),
	}, opts...)
	client, err := terminal49.New(testkit.Token, opts...)
	require.NoError(t, err)
	return client
}

// paid counts the slots that a client acquires from its limiter.
type paid struct{ n atomic.Int32 }

func (p *paid) Acquire(context.Context, terminal49.Bucket) (func(), error) {
	p.n.Add(1)
	return func() {}, nil
}
func (p *paid) Pause(terminal49.Bucket, time.Duration) {}

// ending is the outcome of a call as its caller sees it.
type ending struct {
	arrived  int    // requests that the service received
	attempts int    // that the error reports
	kind     string // of error
	unknown  bool   // the outcome
}

// endingOf summarizes err. The name of a well-known transport error is part of the kind.
func endingOf(arrived int, err error) ending {
	e := ending{arrived: arrived, kind: "none", unknown: terminal49.IsOutcomeUnknown(err)}
	var (
		answer *terminal49.APIError
		lost   *terminal49.TransportError
		unread *terminal49.DecodeError
	)
	switch {
	case errors.As(err, &answer):
		e.kind, e.attempts = fmt.Sprint("answer ", answer.StatusCode), answer.Attempts
	case errors.As(err, &lost):
		e.kind, e.attempts = "lost", lost.Attempts
	case errors.As(err, &unread):
		e.kind = "unread"
	case err != nil:
		e.kind = err.Error()
	}
	for name, is := range map[string]error{
		"timeout": transport.ErrAttemptTimeout, "too large": transport.ErrBodyTooLarge, "reset": syscall.ECONNRESET,
		"cut": io.ErrUnexpectedEOF, "no gzip": gzip.ErrHeader,
	} {
		if errors.Is(err, is) {
			e.kind += ": " + name
		}
	}
	return e
}

// stallTimeout is short, because a test waits for it, and long enough for a request to arrive on a
// busy machine.
const stallTimeout = time.Second

// The simulator and real sockets must fail alike: the same requests arrive, and the caller receives
// the same error.
func TestNetwork_TheSimulatorFailsAsNetworksDo(t *testing.T) {
	f := func(k terminal49test.FaultKind) terminal49test.Fault { return terminal49test.Fault{Kind: k} }
	compared := 0
	defer func() { t.Logf("figure: %d faults of calls, each in the process and over a socket", compared) }()
	for name, c := range map[string]struct {
		fault    terminal49test.Fault
		attempts attempts
		kind     string
		unknown  bool // if it is a write
	}{
		"drop": {f(terminal49test.FaultDrop), ifHarmless, "lost: reset", true},
		"drop after acting": {terminal49test.Fault{Kind: terminal49test.FaultDrop, Acted: true}, ifHarmless,
			"lost: reset", true},
		"stall headers": {f(terminal49test.FaultStallHeaders), ifHarmless, "lost: timeout", true},
		"stall body":    {f(terminal49test.FaultStallBody), ifHarmless, "lost: timeout", true},
		"short stall": {terminal49test.Fault{Kind: terminal49test.FaultStallBody,
			Delay: time.Millisecond}, ifHarmless, "lost: reset", true},
		"reset":    {f(terminal49test.FaultReset), ifHarmless, "lost: reset", true},
		"truncate": {f(terminal49test.FaultTruncate), ifHarmless, "lost: cut", true},
		"truncate without length": {terminal49test.Fault{Kind: terminal49test.FaultTruncate, NoLength: true}, once,
			"unread", true},
		"malformed json": {f(terminal49test.FaultMalformedJSON), once, "unread", true},
		"empty":          {f(terminal49test.FaultEmpty), once, "unread", true},
		"gzip":           {f(terminal49test.FaultGzip), once, "none", false},
		"broken gzip":    {f(terminal49test.FaultBrokenGzip), ifHarmless, "lost: no gzip", true},
		"huge": {terminal49test.Fault{Kind: terminal49test.FaultHuge, Bytes: 1 << 20}, once,
			"lost: too large", true},
		"deep": {f(terminal49test.FaultDeep), once, "unread", true},
		"page": {terminal49test.Fault{Status: 200, Shape: terminal49test.ShapeHTML}, once,
			"unread", true},
		"gateway's page": {terminal49test.Fault{Status: 502, Shape: terminal49test.ShapeHTML}, ifHarmless,
			"answer 502", true},
		"429": {terminal49test.Fault{Status: 429}, always, "answer 429", false},
		"foreign redirect": {
			terminal49test.Fault{Kind: terminal49test.FaultRedirect,
				Location: "https://elsewhere.example/v2/shipments"}, once, "answer 302", true,
		},
	} {
		for _, call := range testkit.FaultyCalls() {
			sent := c.attempts.of(call.Class)
			var opts []terminal49.CallOption
			if strings.HasPrefix(name, "stall") { // in real time, so as little as possible
				sent, opts = min(sent, 2), append(opts, terminal49.WithAttemptTimeout(stallTimeout))
			}
			retry := terminal49.RetryPolicy{MaxAttempts: max(sent, 2), MinBackoff: time.Millisecond,
				MaxBackoff: time.Millisecond}
			try := func(t *testing.T, srv *terminal49test.Server, h *http.Client) ending {
				srv.AddShipment(terminal49test.Shipment{ID: testkit.ShipmentID, BillOfLadingNumber: "MAEU123"})
				fault := c.fault
				fault.Operation, fault.Times = call.Op, -1
				srv.AddFault(fault)
				client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL),
					terminal49.WithHTTPClient(h), terminal49.WithoutRateLimits(), terminal49.WithStrictDecoding(),
					terminal49.WithMaxResponseBytes(1<<19),
					terminal49.WithRetryPolicy(retry))
				require.NoError(t, err)
				err = call.Do(t.Context(), client, opts...)
				srv.CheckViolations(t)
				return endingOf(len(testkit.Received(srv, call.Op)), err)
			}
			compared++
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				t.Parallel() // the stalls would add up
				want := ending{arrived: sent, attempts: sent, kind: c.kind,
					unknown: c.unknown && call.Class != transport.Read}
				if c.kind == "none" || c.kind == "unread" {
					want.attempts = 0 // the count is unknown
				}
				synctest.Test(t, func(t *testing.T) {
					srv := terminal49test.NewServer(terminal49test.WithoutSocket())
					require.Equal(t, want, try(t, srv, srv.HTTPClient()), "in the process")
				})
				srv := terminal49test.NewServer()
				defer srv.Close()
				tr := &http.Transport{}
				defer tr.CloseIdleConnections()
				require.Equal(t, want, try(t, srv, &http.Client{Transport: tr}), "over a socket")
			})
		}
	}
}

// Redirects within the service are followed over sockets as in the process: only by reads, and not
// endlessly.
func TestNetwork_Redirects(t *testing.T) {
	for _, call := range testkit.FaultyCalls() {
		for times, want := range map[int]ending{
			1:  {arrived: 2, kind: "none"},
			-1: {arrived: 6, attempts: 6, kind: "answer 307"},
		} {
			srv := terminal49test.NewServer()
			defer srv.Close()
			srv.AddShipment(terminal49test.Shipment{ID: testkit.ShipmentID, BillOfLadingNumber: "MAEU123"})
			srv.AddFault(terminal49test.Fault{Operation: call.Op, Kind: terminal49test.FaultRedirect,
				Status: http.StatusTemporaryRedirect, Times: times})
			if call.Class != transport.Read {
				want = ending{arrived: 1, attempts: 1, kind: "answer 307", unknown: true}
			}
			tr := &http.Transport{}
			defer tr.CloseIdleConnections()
			err := call.Do(t.Context(),
				testkit.SimulatedClient(t, srv, terminal49.WithHTTPClient(&http.Client{Transport: tr})))
			require.Equal(t, want, endingOf(len(srv.Requests()), err), "%s %d", call.Name, times)
		}
	}
}

// serving starts a server, as configure changes it, and counts the requests that reach it.
func serving(t testing.TB, h http.HandlerFunc, configure ...func(*httptest.Server)) (srv *httptest.Server,
	arrived func() int) {
	t.Helper()
	var n atomic.Int32
	srv = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		n.Add(1)
		h(w, r)
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	for _, c := range configure {
		c(srv)
	}
	if srv.URL == "" {
		srv.Start()
	}
	t.Cleanup(srv.Close)
	return srv, func() int { return int(n.Load()) }
}

// fine writes a response that is valid for the operations of faultyCalls.
func fine(w http.ResponseWriter, r *http.Request) {
	kind := "shipment"
	if r.Method == http.MethodPost {
		kind = "tracking_request"
	}
	_, _ = fmt.Fprintf(w, `{"data":{"id":%q,"type":%q}}`, testkit.ShipmentID, kind)
}

// bare responds with text, which may not be HTTP, and closes the connection.
func bare(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
}

// After a response that is incomplete or not HTTP, the outcome is unknown.
func TestNetwork_BrokenHTTP(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	body := testkit.OneShipment
	for name, text := range map[string]string{
		"chunks cut short": head + "Transfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n", len(body), body),
		"chunk cut short": head + "Transfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s", len(body), body[:10]),
		"chunk without a length": head + "Transfer-Encoding: chunked\r\n\r\nx\r\n" + body + "\r\n0\r\n\r\n",
		"header cut short":       head,
		"status line cut short":  "HTTP/1.1 2",
		"no status line":         "SSH-2.0-OpenSSH_9.9\r\n",
		"two lengths":            head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + body,
		"negative length":        head + "Content-Length: -1\r\n\r\n" + body,
		"endless header": head + strings.Repeat("X-Padding: "+strings.Repeat("x", 1000)+"\r\n", 10) +
			"Content-Length: 2\r\n\r\n{}",
		"interim answer alone":       "HTTP/1.1 103 Early Hints\r\n\r\n",
		"answer of another protocol": "\x15\x03\x01\x00\x02\x02\x16",
		"nothing":                    "",
	} {
		for _, call := range testkit.FaultyCalls() {
			srv, arrived := serving(t, bare(text))
			err := call.Do(t.Context(), overNetwork(t, srv.URL, &http.Transport{MaxResponseHeaderBytes: 4 << 10}))
			var lost *terminal49.TransportError
			require.ErrorAs(t, err, &lost, "%s of %s", name, call.Name)
			want := ifHarmless.of(call.Class)
			require.Equal(t, want, lost.Attempts, "%s of %s: %v", name, call.Name, err)
			require.Equal(t, want, arrived(), "%s of %s", name, call.Name)
			require.Equal(t, call.Class != transport.Read, terminal49.IsOutcomeUnknown(err), "%s of %s", name, call.Name)
		}
	}
}
