package network_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
)

// net/http repeats requests by itself, also those that the service has acted on: over HTTP/1 those
// with an Idempotency-Key (net/http, doc of Transport), and over HTTP/2 those that the server
// resets (RFC 9113, section 8.7). The service of these tests acts on a request before it ends the
// connection or the stream, so each repetition acts again. The expectations are those of
// docs/reliability.md and of the doc comment of IsOutcomeUnknown.

// repeater is a service that acts on every request. It answers the first, ends the second without
// an answer, and responds to every later one with status.
type repeater struct {
	acted  atomic.Int32
	status int
}

// ends acts, and reports whether the request is to be ended without an answer.
func (r *repeater) ends() bool { return r.acted.Add(1) == 2 }

// body is the answer to a request that is not ended. It is valid for each call of the tests.
func (r *repeater) answer() (status int, body string) {
	if r.acted.Load() == 1 || r.status == http.StatusOK {
		return http.StatusOK, `{"data":{"id":"` + testkit.ShipmentID + `","type":"tracking_request"}}`
	}
	return r.status, `{"errors":[{"title":"Not Found"}]}`
}

func (r *repeater) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body)
	if r.ends() {
		bare("")(w, req)
		return
	}
	status, body := r.answer()
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// frames is ServeHTTP over HTTP/2, with the frames that end a stream.
func (r *repeater) frames(end func(stream uint32) []byte) func(stream uint32) []byte {
	return func(stream uint32) []byte {
		if r.ends() {
			return end(stream)
		}
		status, body := r.answer()
		return testkit.H2Response(stream, strconv.Itoa(status), body)
	}
}

// h2Ends are the ways in which a server ends a stream after which net/http repeats its request.
var h2Ends = map[string]func(stream uint32) []byte{
	"REFUSED_STREAM": func(stream uint32) []byte { return testkit.H2Reset(stream, testkit.H2RefusedStream) },
	"PROTOCOL_ERROR": func(stream uint32) []byte { return testkit.H2Reset(stream, testkit.H2ProtocolError) },
	"GOAWAY":         func(uint32) []byte { return testkit.H2GoAway(0, testkit.H2NoError) },
	"103, then REFUSED_STREAM": func(stream uint32) []byte {
		return append(testkit.H2Headers(stream, "103"), testkit.H2Reset(stream, testkit.H2RefusedStream)...)
	},
}

// protocol starts the service and returns its address and a transport that reaches it.
type protocol func(t *testing.T, r *repeater) (string, *http.Transport)

// protocols returns the protocols with the ways in which each ends a request.
func protocols() map[string]protocol {
	all := map[string]protocol{
		"HTTP/1.1": func(t *testing.T, r *repeater) (string, *http.Transport) {
			srv := httptest.NewServer(r)
			t.Cleanup(srv.Close)
			return srv.URL, &http.Transport{}
		},
		"HTTP/1.1 with TLS": func(t *testing.T, r *repeater) (string, *http.Transport) {
			srv := httptest.NewTLSServer(r)
			t.Cleanup(srv.Close)
			tr := trusting(srv)
			tr.ForceAttemptHTTP2 = false
			return srv.URL, tr
		},
	}
	for name, end := range h2Ends {
		all["HTTP/2 with TLS, "+name] = func(t *testing.T, r *repeater) (string, *http.Transport) {
			cert, pool := testkit.Certified(t, nil)
			config := &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}}
			addr := holding(t, func(conn net.Conn) { speakHTTP2(tls.Server(conn, config), r.frames(end)) })
			return "https://" + addr, &http.Transport{
				TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
			}
		}
		all["HTTP/2 without TLS, "+name] = func(t *testing.T, r *repeater) (string, *http.Transport) {
			addr := holding(t, func(conn net.Conn) { speakHTTP2(conn, r.frames(end)) })
			tr := &http.Transport{Protocols: new(http.Protocols)}
			tr.Protocols.SetUnencryptedHTTP2(true)
			return "http://" + addr, tr
		}
	}
	return all
}

// repeating returns a client of r. The setting is applied in middleware, or in a transport.
func repeating(t *testing.T, r *repeater, start protocol, set testkit.Setting, inTransport bool) *terminal49.Client {
	base, tr := start(t, r)
	return overNetwork(t, base, tr, set.Option(tr, inTransport))
}

// A creation acts once, and its outcome is unknown, with every setting and protocol.
func TestNetwork_CreationsActOnce(t *testing.T) {
	creations := map[string]func(context.Context, *terminal49.Client) error{
		"with a body": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Create(ctx, testkit.SureRequest()))
		},
		"without a body": func(ctx context.Context, c *terminal49.Client) error {
			return c.Documents.Reclassify(ctx, testkit.ShipmentID)
		},
	}
	tried := 0
	for name, start := range protocols() {
		for what, set := range testkit.Settings {
			for _, inTransport := range []bool{false, true} {
				for creation, create := range creations {
					t.Run(fmt.Sprintf("%s/%s/%v/%s", name, what, inTransport, creation), func(t *testing.T) {
						r := &repeater{status: http.StatusOK}
						client := repeating(t, r, start, set, inTransport)
						require.NoError(t, create(t.Context(), client)) // leaves a connection
						err := create(t.Context(), client)
						var lost *terminal49.TransportError
						require.ErrorAs(t, err, &lost)
						require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
						require.Equal(t, int32(2), r.acted.Load(), "one for each call: %v", err)
						require.Equal(t, 1, lost.Attempts)
						require.NoError(t, create(t.Context(), client), "the next call is not affected")
					})
					tried++
				}
			}
		}
	}
	t.Logf("figure: %d ways in which net/http may repeat a creation: each acted once, and its outcome was unknown", tried)
}

// A delete or an update that is repeated, by net/http or by the retry loop, and then finds nothing
// may have been carried out by the first request (docs/reliability.md, note 1).
func TestNetwork_RepeatedWritesThatFindNothing(t *testing.T) {
	writes := map[string]func(context.Context, *terminal49.Client, ...terminal49.CallOption) error{
		"delete": func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
			return c.Webhooks.Delete(ctx, testkit.ShipmentID, opts...)
		},
		"update": func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
			name := terminal49.ShipmentUpdate{ReferenceNumbers: terminal49.Some([]string{"a"})}
			return testkit.First(c.Shipments.Update(ctx, testkit.ShipmentID, name, opts...))
		},
	}
	for name, start := range protocols() {
		for what, set := range testkit.Settings {
			for write, do := range writes {
				t.Run(fmt.Sprintf("%s/%s/%s", name, what, write), func(t *testing.T) {
					r := &repeater{status: http.StatusNotFound}
					client := repeating(t, r, start, set, false)
					_ = do(t.Context(), client)
					var answer terminal49.Response
					err := do(t.Context(), client, terminal49.WithResponse(&answer))
					require.ErrorIs(t, err, terminal49.ErrNotFound)
					require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
					require.Equal(t, int32(3), r.acted.Load())
					require.Equal(t, 2, answer.Attempts, "what the service received")
					err = do(t.Context(), client)
					require.ErrorIs(t, err, terminal49.ErrNotFound)
					require.False(t, terminal49.IsOutcomeUnknown(err), "this one was sent once")
				})
			}
		}
	}
}

// Attempts counts the requests of a read that net/http repeats.
func TestNetwork_AttemptsCountRepeatedReads(t *testing.T) {
	for name, start := range protocols() {
		r := &repeater{status: http.StatusNotFound}
		client := repeating(t, r, start, testkit.Settings["nothing"], false)
		read := func() error { return testkit.First(client.TrackingRequests.Get(t.Context(), testkit.ShipmentID, nil)) }
		require.NoError(t, read(), name)
		err := read()
		var answer *terminal49.APIError
		require.ErrorAs(t, err, &answer, name)
		require.Equal(t, int32(3), r.acted.Load(), name)
		require.Equal(t, 2, answer.Attempts, name)
		require.False(t, terminal49.IsOutcomeUnknown(err), name)
	}
}

// Only a 2xx and a 4xx report what a service did. Also 408, which a proxy sends for a service that
// acted, and 425 leave it open (RFC 9110, section 15.5.9; RFC 8470, section 5.2).
func TestNetwork_StatusesThatLeaveTheOutcomeOpen(t *testing.T) {
	for status, unknown := range map[string]bool{
		"000": true, "099": true, "101": true, "300": true, "302": true, "303": true, "304": true, "307": true,
		"408": true, "425": true, "501": true, "505": true, "600": true, "999": true,
		"400": false, "401": false, "404": false, "409": false, "410": false, "418": false, "422": false, "429": false,
	} {
		for _, call := range testkit.FaultyCalls() {
			srv, arrived := serving(t, bare("HTTP/1.1 "+status+" Odd\r\nLocation: /elsewhere\r\nUpgrade: x\r\n"+
				"Connection: upgrade\r\nContent-Length: 2\r\n\r\n{}"))
			client := overNetwork(t, srv.URL, &http.Transport{}, terminal49.WithoutRetries())
			err := call.Do(t.Context(), client)
			require.Error(t, err, status)
			require.Equal(t, unknown && call.Class != transport.Read, terminal49.IsOutcomeUnknown(err),
				"%s of %s: %v", status, call.Name, err)
			if call.Class != transport.Read {
				require.Equal(t, 1, arrived(), status)
			}
		}
	}
}

// A 101 has no body: what follows belongs to another protocol (RFC 9110, section 15.2.2). So a
// connection that stays open does not hold the call.
func TestNetwork_AnUnaskedUpgradeHoldsNoCall(t *testing.T) {
	over := make(chan struct{})
	srv, _ := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		<-over
		_ = conn.Close()
	})
	defer close(over)
	for _, call := range testkit.FaultyCalls() {
		err := call.Do(t.Context(), overNetwork(t, srv.URL, &http.Transport{}),
			terminal49.WithAttemptTimeout(stallTimeout))
		var answer *terminal49.APIError
		require.ErrorAs(t, err, &answer, call.Name)
		require.Equal(t, 101, answer.Status)
		require.False(t, strings.Contains(err.Error(), "timeout"))
	}
}
