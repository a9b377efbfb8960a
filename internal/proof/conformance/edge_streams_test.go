package conformance_test

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// These rows are about HTTP/2 streams that end at each point after the request was received
// (RFC 9113, sections 5.4.2, 6.4 and 6.8). Go's server cannot send them. Streams that end before
// the first frame of a response are in repeats_test.go.

// streamEdge is what a server sends in place of a response.
type streamEdge struct {
	faultRow
	frames func(stream uint32, reply testkit.Reply) []byte
	closes bool // the connection afterwards
}

func streamEdges() (rows []streamEdge) {
	header := func(stream uint32, r testkit.Reply) []byte { return testkit.H2Headers(stream, strconv.Itoa(r.Status)) }
	points := []struct {
		name   string
		before func(uint32, testkit.Reply) []byte
		after  func(uint32, testkit.Reply) []byte
	}{
		{"after a 103", func(stream uint32, _ testkit.Reply) []byte { return testkit.H2Headers(stream, "103") },
			func(stream uint32, r testkit.Reply) []byte {
				return append(header(stream, r), testkit.H2Body(stream, r.Body)...)
			}},
		{"after the header", header, func(stream uint32, r testkit.Reply) []byte { return testkit.H2Body(stream, r.Body) }},
		{"in the body", func(stream uint32, r testkit.Reply) []byte {
			return append(header(stream, r), testkit.H2Part(stream, r.Body[:len(r.Body)/2])...)
		}, func(stream uint32, r testkit.Reply) []byte { return testkit.H2Body(stream, r.Body[len(r.Body)/2:]) }},
		{"after the body", func(stream uint32, r testkit.Reply) []byte {
			return append(header(stream, r), testkit.H2Part(stream, r.Body)...)
		}, func(stream uint32, _ testkit.Reply) []byte { return testkit.H2Body(stream, "") }},
	}
	for _, p := range points {
		add := func(r faultRow, name string, closes bool, end func(stream uint32, reply testkit.Reply) []byte) {
			r.name = name + " " + p.name
			rows = append(rows, streamEdge{r, func(stream uint32, reply testkit.Reply) []byte {
				return append(slices.Clone(p.before(stream, reply)), end(stream, reply)...)
			}, closes})
		}
		for name, code := range map[string]uint32{"NO_ERROR": 0, "INTERNAL_ERROR": 2, "CANCEL": 8, "ENHANCE_YOUR_CALM": 11} {
			add(lost(verdictLost), name, false, func(stream uint32, _ testkit.Reply) []byte { return testkit.H2Reset(stream, code) })
		}
		goaway := func(stream uint32, _ testkit.Reply) []byte { return testkit.H2GoAway(stream, testkit.H2NoError) }
		add(lost(verdictLost), "GOAWAY and the end of the connection", true, goaway)
		add(same(outcome{sent: 1}), "GOAWAY, then the rest,", false, func(stream uint32, r testkit.Reply) []byte {
			return append(goaway(stream, r), p.after(stream, r)...)
		})
	}
	slices.SortFunc(rows, func(a, b streamEdge) int { return strings.Compare(a.name, b.name) })
	return rows
}

// streams is a server of HTTP/2 that responds to every request in one way.
type streams struct {
	mu      sync.Mutex
	edge    streamEdge
	reply   testkit.Reply
	arrived int
}

func (s *streams) begin(e streamEdge, reply testkit.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.edge, s.reply, s.arrived = e, reply, 0
}

func (s *streams) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived
}

func (s *streams) serve(conn net.Conn) {
	testkit.SpeakH2(conn, conn, func(r testkit.H2Request) {
		s.mu.Lock()
		s.arrived++
		e, reply := s.edge, s.reply
		s.mu.Unlock()
		_, _ = conn.Write(e.frames(r.Stream, reply))
		if e.closes {
			_ = conn.Close()
		}
	})
}

// conformStreams tries every operation that reads a body under every end of a stream, with and
// without TLS.
func conformStreams(t *testing.T, count *tally) {
	operations, rows := withBodies(conformanceOperations(t)), streamEdges()
	for i, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("TLS %v", secure), func(t *testing.T) {
			t.Parallel()
			s := new(streams)
			base, tr := testkit.ServeH2(t, secure, s.serve)
			client := streamClient(t, base, tr)
			for j, e := range rows {
				t.Run(e.name, func(t *testing.T) {
					tr.CloseIdleConnections() // the server never lets a connection send more than 64 KiB
					for k, op := range operations {
						if (i+j+k)%testkit.Scale(32, 1) == 0 {
							count.add("ends of HTTP/2 streams", conformStream(t, client, s, e, op))
						}
					}
				})
			}
		})
	}
}

// streamCases returns the number of cases of conformStreams when it runs whole.
func streamCases(operations []testedOperation) int {
	return len(streamEdges()) * len(withBodies(slices.Clone(operations))) * 2
}

func withBodies(operations []testedOperation) []testedOperation {
	return slices.DeleteFunc(operations, func(op testedOperation) bool { return op.Method == http.MethodDelete })
}

func streamClient(t *testing.T, base string, tr *http.Transport) *terminal49.Client {
	client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(base), terminal49.WithoutRateLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: tr}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: 1, MaxBackoff: 1}))
	require.NoError(t, err)
	return client
}

func conformStream(t *testing.T, c *terminal49.Client, s *streams, e streamEdge, op testedOperation) int {
	t.Helper()
	s.begin(e, testkit.Reply{Status: http.StatusOK, Body: op.reply})
	err := op.do(t.Context(), c, "signed-1")
	want := e.expectAs(op, -1)
	about := fmt.Sprintf("%s of %s: %.300v", e.name, op.Name, err)
	require.Equal(t, want.result, judge(err), about)
	require.Equal(t, want.unknown, terminal49.IsOutcomeUnknown(err), about)
	require.Equal(t, want.sent, s.requests(), about)
	requireAttempts(t, err, op, want.sent, about)
	return want.sent
}
