package network_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// net/http repeats a request by itself when an HTTP/2 server reports that it did not process it:
// with a GOAWAY for an earlier stream, with REFUSED_STREAM, and with PROTOCOL_ERROR, which does not
// guarantee that.

// speakHTTP2 responds to each complete request on a connection with the result of answer for its
// stream.
func speakHTTP2(conn net.Conn, answer func(stream uint32) []byte) {
	testkit.SpeakH2(conn, conn, func(r testkit.H2Request) { _, _ = conn.Write(answer(r.Stream)) })
}

// A creation is sent once or its outcome is unknown; other requests that net/http repeats use the
// limiter.
func TestNetwork_HTTP2ServersThatRefuse(t *testing.T) {
	bodiless := testkit.FaultyCalls()[2:]
	bodiless[0].Name, bodiless[0].Do = "creation without a body", func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
		return c.Documents.Reclassify(ctx, testkit.ShipmentID, opts...)
	}
	for name, refusal := range testkit.H2Ends() {
		for _, call := range slices.Concat(testkit.FaultyCalls(), bodiless) {
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				cert, pool := testkit.Certified(t, nil)
				body := testkit.OneShipment
				if call.Class == transport.Write {
					body = `{"data":{"id":"` + testkit.RequestID + `","type":"tracking_request"}}`
				}
				var arrived atomic.Int32
				addr := holding(t, func(conn net.Conn) {
					speakHTTP2(tls.Server(conn,
						&tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}}),
						func(stream uint32) []byte {
							if arrived.Add(1) == 1 {
								return refusal(stream)
							}
							return testkit.H2Response(stream, "200", body)
						})
				})
				tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
				var limiter paid
				err := call.Do(t.Context(),
					overNetwork(t, "https://"+addr, tr, terminal49.WithLimiter(&limiter), terminal49.WithMaxAttempts(1)))
				require.Equal(t, arrived.Load(), limiter.n.Load(), "a request that was not paid for")
				if call.Class == transport.Write {
					require.Equal(t, int32(1), arrived.Load(), "%v", err)
					require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
					return
				}
				require.NoError(t, err)
				require.Equal(t, int32(2), arrived.Load())
			})
		}
	}
}
