package network_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
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
// guarantee that. Go's server cannot be made to send these, so this one implements just enough of
// the protocol.

// The frames of RFC 9113 that are used.
const (
	frameData, frameHeaders, frameReset, frameSettings, frameGoAway = 0, 1, 3, 4, 7
	endStream, endHeaders, ack                                      = 1, 4, 1
	noError, protocolError, refusedStream                           = 0, 1, 7
)

func h2Frame(kind, flags byte, stream uint32, payload []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	b = append(b, flags)
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

func h2Numbers(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// h2Answer returns a complete response with status 200.
func h2Answer(stream uint32, body string) []byte {
	return append(h2Frame(frameHeaders, endHeaders, stream, []byte{0x88}),
		h2Frame(frameData, endStream, stream, []byte(body))...)
}

// speakHTTP2 responds to each complete request on a connection with the result of answer for its
// stream.
func speakHTTP2(conn net.Conn, answer func(stream uint32) []byte) {
	if _, err := io.CopyN(io.Discard, conn, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	_, _ = conn.Write(h2Frame(frameSettings, 0, 0, nil))
	for head := make([]byte, 9); ; {
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		length, stream := binary.BigEndian.Uint32(head)>>8, binary.BigEndian.Uint32(head[5:])
		if _, err := io.CopyN(io.Discard, conn, int64(length)); err != nil {
			return
		}
		switch kind, flags := head[3], head[4]; {
		case kind == frameSettings && flags&ack == 0:
			_, _ = conn.Write(h2Frame(frameSettings, ack, 0, nil))
		case (kind == frameHeaders || kind == frameData) && flags&endStream != 0:
			_, _ = conn.Write(answer(stream))
		}
	}
}

// A creation is sent once or its outcome is unknown; other requests that net/http repeats use the
// limiter.
func TestNetwork_HTTP2ServersThatRefuse(t *testing.T) {
	bodiless := testkit.FaultyCalls()[2:]
	bodiless[0].Name, bodiless[0].Do = "creation without a body", func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
		return c.Documents.Reclassify(ctx, testkit.ShipmentID, opts...)
	}
	for name, refusal := range map[string]func(stream uint32) []byte{
		"REFUSED_STREAM": func(stream uint32) []byte { return h2Frame(frameReset, 0, stream, h2Numbers(refusedStream)) },
		"PROTOCOL_ERROR": func(stream uint32) []byte { return h2Frame(frameReset, 0, stream, h2Numbers(protocolError)) },
		"GOAWAY":         func(uint32) []byte { return h2Frame(frameGoAway, 0, 0, h2Numbers(0, noError)) },
	} {
		for _, call := range slices.Concat(testkit.FaultyCalls(), bodiless) {
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				cert, pool := certified(t, nil)
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
							return h2Answer(stream, body)
						})
				})
				tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
				var limiter paid
				err := call.Do(t.Context(),
					overNetwork(t, "https://"+addr, tr, terminal49.WithLimiter(&limiter), terminal49.WithoutRetries()))
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
