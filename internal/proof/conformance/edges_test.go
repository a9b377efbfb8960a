package conformance_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Edges are faults of whole responses that HTTP and JSON can express and the service does not
// document. They are sent over real sockets, with HTTP/1.1 and HTTP/2, with and without TLS.

// edge is a fault and its outcome. A document is changed once for each case; everything else is in
// the function that responds.
type edge struct {
	faultRow
	body     func(string) string // changes the body of the normal response; nil keeps it
	respond  func(http.ResponseWriter, *http.Request, testkit.Reply)
	strict   bool          // decoding is strict
	slow     bool          // every case takes real time
	http1    bool          // HTTP/2 cannot express it
	fresh    bool          // on a new connection; for kept ones see repeats_test.go
	patience time.Duration // from a request's arrival until the caller's context ends; 0 for a long time
}

func edges() (rows []edge) {
	rows = append(rows, documentEdges()...)
	rows = append(rows, valueEdges()...)
	rows = append(rows, secretEdges()...)
	return append(rows, wireEdges()...)
}

// service responds to every request of a case with a fault, or with the normal response once the
// fault has struck so many times as it shall.
type service struct {
	mu      sync.Mutex
	edge    edge
	normal  testkit.Reply
	struck  testkit.Reply // the normal response with the changed body
	times   int
	arrived int
	end     func() // ends the caller's context
}

func (s *service) begin(e edge, normal testkit.Reply, times int, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.edge, s.normal, s.struck, s.times, s.arrived, s.end = e, normal, normal, times, 0, end
	if e.body != nil {
		s.struck.Body = e.body(normal.Body)
	}
}

func (s *service) next() (edge, testkit.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived++
	if s.times == 0 {
		return edge{}, s.normal
	}
	s.times--
	if s.edge.patience > 0 { // from here, because a busy machine may take long to send a request
		time.AfterFunc(s.edge.patience, s.end)
	}
	return s.edge, s.struck
}

func (s *service) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived
}

func (s *service) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body)
	e, reply := s.next()
	if e.respond == nil {
		send(w, req, reply)
		return
	}
	e.respond(w, req, reply)
}

func send(w http.ResponseWriter, _ *http.Request, reply testkit.Reply) {
	w.Header().Set("Content-Type", "application/vnd.api+json")
	w.WriteHeader(reply.Status)
	_, _ = io.WriteString(w, reply.Body)
}

// edgeCall is an operation with its normal response, which is that of the simulator.
type edgeCall struct {
	testedOperation
	normal testkit.Reply
}

// edgeCalls returns every operation. Client.Do and the files have no documents of their own.
func edgeCalls(t *testing.T) (list []edgeCall) {
	for _, op := range conformanceOperations(t) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		testkit.AddNamedResources(srv)
		signedID, c := "", edgeCall{testedOperation: op}
		if op.Name == "documents.create" {
			signedID = uploaded(t, srv)
		}
		client := testkit.SimulatedClient(t, srv, testkit.Around(
			func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if err == nil {
					c.normal = copied(resp)
				}
				return resp, err
			}))
		require.NoError(t, op.do(t.Context(), client, signedID), op.Name)
		srv.Close()
		if strings.HasPrefix(c.normal.Body, `{"data":[]`) { // its filters select nothing
			c.normal.Body = op.reply
		}
		list = append(list, c)
	}
	return list
}

// conformEdges tries every operation under every edge, over every protocol.
func conformEdges(t *testing.T, count *tally) {
	calls, rows := edgeCalls(t), edges()
	for i, wire := range testkit.Wires() {
		t.Run(wire.Name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, wire)
			for j, e := range rows {
				t.Run(e.name, func(t *testing.T) {
					for _, c := range e.tried(wire, calls, i+j, testkit.Scale(91, 1)) {
						for _, times := range e.strikes(c.testedOperation) {
							count.add("edges over "+wire.Name, b.conform(t, e, c, times))
						}
					}
				})
			}
		})
	}
}

// tried returns a part of the operations that the row is about, every so manieth. A sample has one
// of them over HTTP/1.1 and one over HTTP/2; a whole proof too tries only a part of those that take
// real time.
func (e edge) tried(wire testkit.Wire, calls []edgeCall, number, every int) (list []edgeCall) {
	if e.http1 && wire.HTTP2 || every > 1 && !e.http1 && number%2 == 1 {
		return nil
	}
	if e.slow {
		every = max(every, 16)
	}
	about := slices.DeleteFunc(slices.Clone(calls), func(c edgeCall) bool { return e.only != nil && !e.only(c.testedOperation) })
	for k, c := range about {
		if (number+k)%min(every, len(about)) == 0 {
			list = append(list, c)
		}
	}
	return list
}

// strikes returns how many times the fault strikes: always, and once if a second request is sent.
func (e edge) strikes(op testedOperation) []int {
	if e.expectAs(op, -1).sent == 1 {
		return []int{-1}
	}
	return []int{-1, 1}
}

// edgeCases returns the number of cases of conformEdges when it runs whole.
func edgeCases(operations []testedOperation, rows []edge) (n int) {
	var calls []edgeCall
	for _, op := range operations {
		calls = append(calls, edgeCall{testedOperation: op})
	}
	for i, wire := range testkit.Wires() {
		for j, e := range rows {
			for _, c := range e.tried(wire, calls, i+j, 1) {
				n += len(e.strikes(c.testedOperation))
			}
		}
	}
	return n
}

// conform makes one call and returns the number of its requests.
func (b *bench) conform(t *testing.T, e edge, c edgeCall, times int) int {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.service.begin(e, c.normal, times, cancel)
	client := b.begin(e)
	overdue := limited(e.patience + longestCall)
	err := c.do(ctx, client, "signed-1")
	late := overdue()

	want := e.expectAs(c.testedOperation, times)
	about := fmt.Sprintf("%s of %s over %s, struck %d times: %.500v", e.name, c.Name, b.wire.Name, times, err)
	require.Equal(t, want.result, judge(err), about)
	require.Equal(t, want.unknown, terminal49.IsOutcomeUnknown(err), about)
	require.Equal(t, want.sent, b.service.requests(), about)
	requireAttempts(t, err, c.testedOperation, want.sent, about)
	require.False(t, late, about)
	b.requireClean(t, err, about)
	return want.sent
}

// longestCall is how long a call may take on a busy machine beyond the end of its context. The
// longest takes 0.1 s on an idle one, and ten times as long with the race detector. A call whose
// work is not bounded goes on until the end of its attempt.
const longestCall = 2 * time.Minute

// limited starts a limit that only a call without bounds reaches, and returns what ends it and
// reports whether it was reached.
func limited(limit time.Duration) (overdue func() bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	return func() bool {
		defer cancel()
		return ctx.Err() != nil
	}
}

const attemptTimeout = 5 * time.Minute
