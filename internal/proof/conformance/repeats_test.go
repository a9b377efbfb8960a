package conformance_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
)

// The service acts on a request and ends its connection or stream without a response, so that
// net/http repeats the request (net/http, doc of Transport; RFC 9113, section 8.7). The repetition
// gets another response. These cases use real sockets, because they are about net/http.

// repeatWay is a protocol, and whether middleware adds the header after which net/http repeats any
// request over HTTP/1.1.
type repeatWay struct {
	testkit.Protocol
	keyed bool
}

func repeatWays() (list []repeatWay) {
	for _, p := range testkit.Protocols() {
		list = append(list, repeatWay{p, false})
		if !p.HTTP2 {
			keyed := p
			keyed.Name += ", Idempotency-Key"
			list = append(list, repeatWay{keyed, true})
		}
	}
	return list
}

// repeats reports whether net/http repeats the operation by itself, as reliability.md says.
func (w repeatWay) repeats(op testedOperation) bool {
	return w.HTTP2 || w.keyed || op.Method == http.MethodGet
}

// following is the response to every request after the interrupted one.
type following struct {
	name   string
	reply  testkit.Reply
	result verdict
	lasts  bool // its status is retried
}

// followings returns the responses to the repetition. The first is the operation's own.
func followings() []following {
	return []following{
		{name: "its response"},
		{"404", testkit.Reply{Status: 404, Body: `{"errors":[{"title":"Not Found"}]}`}, verdictNotFound, false},
		{"422", testkit.Reply{Status: 422, Body: `{"errors":[{"title":"Blank"}]}`}, verdictInvalid, false},
		{"500", testkit.Reply{Status: 500, Body: `{"errors":[{"title":"Oh"}]}`}, verdictServer, true},
		{"200 with a web page", testkit.Reply{Status: 200, Body: "<html></html>"}, verdictUnread, false},
	}
}

// expect returns the outcome. A creation is not repeated. For any other write the first request was
// never answered, so a response that is not a success leaves its outcome unknown.
func (f following) expect(w repeatWay, op testedOperation) outcome {
	if op.Retry == transport.Write {
		return outcome{sent: 1, result: verdictLost, unknown: true}
	}
	o := outcome{sent: 2, result: f.result, unknown: op.Retry == transport.Idempotent && f.result != verdictSuccess}
	switch {
	case f.lasts && w.repeats(op):
		o.sent = 5 // one more than the attempts
	case f.lasts:
		o.sent = 4
	}
	return o
}

// conformRepeats tries every operation over every protocol, with every other response.
func conformRepeats(t *testing.T, count *tally) {
	operations := conformanceOperations(t)
	for i, way := range repeatWays() {
		t.Run(way.Name, func(t *testing.T) {
			t.Parallel()
			service := new(testkit.Interrupted)
			client := repeatClient(t, service, way)
			for j, op := range operations {
				for k, f := range followings() {
					if isRepeated(i+j+k, testkit.Scale(10, 2)) {
						requests := conformRepeat(t, client, service, way, op, f)
						count.add("repeats by net/http", requests)
					}
				}
			}
		})
	}
}

// isRepeated selects a part of the combinations.
func isRepeated(number, every int) bool { return number%every == 0 }

// repeatCases returns the number of cases of conformRepeats when it runs whole.
func repeatCases(operations []testedOperation) (n int) {
	for i := range repeatWays() {
		for j := range operations {
			for k := range followings() {
				if isRepeated(i+j+k, 2) {
					n++
				}
			}
		}
	}
	return n
}

func repeatClient(t *testing.T, s *testkit.Interrupted, way repeatWay) *terminal49.Client {
	base, tr := way.Start(t, s)
	t.Cleanup(tr.CloseIdleConnections)
	client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(base), terminal49.WithoutRateLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: tr}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond}),
		testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			if way.keyed {
				req = req.Clone(req.Context())
				req.Header.Set("Idempotency-Key", "7b0c")
			}
			return next.RoundTrip(req)
		}))
	require.NoError(t, err)
	return client
}

// conformRepeat makes a call that leaves a connection and one that is interrupted. It returns the
// number of requests.
func conformRepeat(t *testing.T, client *terminal49.Client, s *testkit.Interrupted, way repeatWay, op testedOperation, f following) int {
	t.Helper()
	first := testkit.Reply{Status: http.StatusOK, Body: op.reply}
	if f.reply.Status == 0 {
		f.reply = first
	}
	s.Begin(first, f.reply)
	about := fmt.Sprintf("%s, then %s", op.Name, f.name)
	require.NoError(t, op.do(t.Context(), client, "signed-1"), about)
	err := op.do(t.Context(), client, "signed-1")

	want := f.expect(way, op)
	about = fmt.Sprintf("%s: %v", about, err)
	require.Equal(t, want.result, judge(err), about)
	require.Equal(t, want.unknown, terminal49.IsOutcomeUnknown(err), about)
	require.Equal(t, 1+want.sent, s.Acted(), about)
	var answer *terminal49.APIError
	var lost *terminal49.TransportError
	switch {
	case errors.As(err, &lost):
		require.Equal(t, want.sent, lost.Attempts, about)
	case errors.As(err, &answer):
		require.Equal(t, want.sent, answer.Attempts, about)
	}
	return s.Acted()
}
