package network_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
)

// net/http repeats requests by itself, also those that the service has acted on: over HTTP/1 those
// with an Idempotency-Key (net/http, doc of Transport), and over HTTP/2 those that the server
// resets (RFC 9113, section 8.7). The service of these tests acts on a request before it ends the
// connection or the stream, so each repetition acts again. The expectations are those of
// internal/proof/reliability.md and of the doc comment of IsOutcomeUnknown.

// interrupted returns a service whose responses are valid for each call of the tests, and that
// responds with status after the request that it ends.
func interrupted(status int) *testkit.Interrupted {
	found := testkit.Reply{Status: http.StatusOK, Body: `{"data":{"id":"` + testkit.ShipmentID + `","type":"tracking_request"}}`}
	then := found
	if status != http.StatusOK {
		then = testkit.Reply{Status: status, Body: `{"errors":[{"title":"Not Found"}]}`}
	}
	s := &testkit.Interrupted{}
	s.Begin(found, then)
	return s
}

// repeating returns a client of r. The setting is applied in middleware, or in a transport.
func repeating(t *testing.T, r *testkit.Interrupted, over testkit.Protocol, set testkit.Setting, inTransport bool) *terminal49.Client {
	base, tr := over.Start(t, r)
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
	for _, over := range testkit.Protocols() {
		for what, set := range testkit.Settings {
			for _, inTransport := range []bool{false, true} {
				for creation, create := range creations {
					t.Run(fmt.Sprintf("%s/%s/%v/%s", over.Name, what, inTransport, creation), func(t *testing.T) {
						r := interrupted(http.StatusOK)
						client := repeating(t, r, over, set, inTransport)
						require.NoError(t, create(t.Context(), client)) // leaves a connection
						err := create(t.Context(), client)
						var lost *terminal49.TransportError
						require.ErrorAs(t, err, &lost)
						require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
						require.Equal(t, 2, r.Acted(), "one for each call: %v", err)
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
// may have been carried out by the first request (internal/proof/reliability.md, note 1).
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
	for _, over := range testkit.Protocols() {
		for what, set := range testkit.Settings {
			for write, do := range writes {
				t.Run(fmt.Sprintf("%s/%s/%s", over.Name, what, write), func(t *testing.T) {
					r := interrupted(http.StatusNotFound)
					client := repeating(t, r, over, set, false)
					_ = do(t.Context(), client)
					var answer terminal49.Response
					err := do(t.Context(), client, terminal49.WithResponse(&answer))
					require.ErrorIs(t, err, terminal49.ErrNotFound)
					require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
					require.Equal(t, 3, r.Acted())
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
	for _, over := range testkit.Protocols() {
		r := interrupted(http.StatusNotFound)
		client := repeating(t, r, over, testkit.Settings["nothing"], false)
		read := func() error { return testkit.First(client.TrackingRequests.Get(t.Context(), testkit.ShipmentID, nil)) }
		require.NoError(t, read(), over.Name)
		err := read()
		var answer *terminal49.APIError
		require.ErrorAs(t, err, &answer, over.Name)
		require.Equal(t, 3, r.Acted(), over.Name)
		require.Equal(t, 2, answer.Attempts, over.Name)
		require.False(t, terminal49.IsOutcomeUnknown(err), over.Name)
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
			client := overNetwork(t, srv.URL, &http.Transport{}, terminal49.WithMaxAttempts(1))
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
			terminal49.WithAttemptTimeout(time.Minute))
		var answer *terminal49.APIError
		require.ErrorAs(t, err, &answer, call.Name)
		require.Equal(t, 101, answer.StatusCode)
		require.False(t, strings.Contains(err.Error(), "timeout"))
	}
}
