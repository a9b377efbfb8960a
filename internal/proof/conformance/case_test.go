package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// altering is a transport that changes responses to one operation: after the first skip of them, so
// many as times says, or all.
type altering struct {
	next        http.RoundTripper
	op          string
	skip, times int
	alter       func(*http.Response)
}

func (a *altering) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := a.next.RoundTrip(req)
	if info, _ := terminal49.CallFromContext(req.Context()); err != nil || a.alter == nil || info.Op != a.op {
		return resp, err
	}
	if a.skip--; a.skip >= 0 || a.times == 0 {
		return resp, nil
	}
	a.times--
	a.alter(resp)
	return resp, nil
}

// listeners are what a client reports to while a call is under way.
type listeners struct {
	op       string
	attempts int // of the operation
	waits    []time.Duration
}

// options returns the hooks and, if all is set, everything else that can listen.
func (l *listeners) options(all bool) []terminal49.Option {
	hooks := terminal49.Hooks{
		OnAttempt: func(_ context.Context, a terminal49.Attempt) {
			if a.Op == l.op {
				l.attempts++
			}
		},
		OnRetry: func(_ context.Context, r terminal49.Retry) { l.waits = append(l.waits, r.Wait) },
	}
	if !all {
		return []terminal49.Option{terminal49.WithHooks(hooks)}
	}
	hooks.OnDecodeWarning = func(context.Context, terminal49.DecodeWarning) {}
	log := slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return []terminal49.Option{terminal49.WithHooks(hooks), terminal49.WithLogger(log), terminal49.WithRawJSON()}
}

// longestError is more than the text of any error: 4 KiB for each of the texts that a service may
// choose.
const longestError = 16 << 10

// conform runs one case and returns the number of requests. With all listeners the outcome must be
// the same.
func conform(t *testing.T, op testedOperation, row faultRow, times int, all ...bool) (requests int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		testkit.AddNamedResources(srv)
		signedID := ""
		if op.Name == "documents.create" {
			signedID = uploaded(t, srv)
		}
		want, s := row.expect(op, times), op.asStep()
		if times < 0 && op.step != nil {
			times = want.sent // and not what the method does afterwards
		}
		fault := row.fault
		fault.Operation, fault.Times, fault.Skip = op.Name, times, s.skip
		// After any kind of success, the storage has the file.
		fault.Acted = fault.Acted || op.Name == "storage.put" && want.result == verdictSuccess
		if row.alter == nil || fault.Status != 0 {
			srv.AddFault(fault)
		}
		heard := &listeners{op: s.op}
		rt := &altering{srv.Transport(), s.op, s.skip, times, row.alter}
		opts := append(heard.options(len(all) > 0), terminal49.WithBaseURL(srv.URL),
			terminal49.WithHTTPClient(&http.Client{Transport: rt}), checking(t, s, fault.Kind))
		if row.only == nil && fault.Kind != terminal49test.FaultMembers {
			opts = append(opts, terminal49.WithStrictDecoding())
		}
		if fault.Kind == terminal49test.FaultHuge {
			opts = append(opts, terminal49.WithMaxResponseBytes(fault.Bytes-1))
		}
		if s.prepare != nil {
			opts = append(opts, s.prepare(srv)...)
		}
		client, err := terminal49.New(srv.Token, opts...)
		require.NoError(t, err)
		earlier, start := len(srv.Requests()), time.Now()
		err = op.do(t.Context(), client, signedID)
		took := time.Since(start)

		about := fmt.Sprintf("%s, struck %d times: %.1000v", op, times, err)
		succeeded := want.result == verdictSuccess
		require.Equal(t, want.result, judge(err), about)
		require.Equal(t, want.unknown, terminal49.IsOutcomeUnknown(err), about)
		requests = len(srv.Requests()) - earlier
		require.Equal(t, want.sent+s.others[succeeded], requests, about)
		requireAttempts(t, err, op, want.sent, about)
		if err != nil {
			require.LessOrEqual(t, len(err.Error()), longestError)
		}
		if s.unobserved {
			requireDuration(t, want, took, times, about)
		} else {
			require.Equal(t, want.sent, heard.attempts-s.more(succeeded), about)
			took -= s.before
			if succeeded {
				took -= s.after
			}
			requireWaits(t, want, took, times, heard.waits, about)
		}
		srv.CheckViolations(t)
	})
	return requests
}

// requireAttempts checks the operation and the number of requests that an error reports.
func requireAttempts(t *testing.T, err error, op testedOperation, sent int, about string) {
	t.Helper()
	var answer *terminal49.APIError
	var lost *terminal49.TransportError
	var stored *terminal49.StorageError
	switch {
	case errors.As(err, &lost):
		require.Equal(t, sent, lost.Attempts, about)
	case errors.As(err, &stored):
		require.Equal(t, op.asStep().op, stored.Op)
		require.Equal(t, sent, stored.Attempts, about)
	case errors.As(err, &answer):
		require.Equal(t, op.asStep().op, answer.Op)
		if op.Name == hasTwoRoutes && answer.StatusCode == http.StatusNotFound {
			sent = 1 // each route is a call
		}
		require.Equal(t, sent, answer.Attempts, about)
	}
}

// requireWaits checks that the time is that of the failed attempts and of the waits between them,
// which must match the table.
func requireWaits(t *testing.T, want outcome, took time.Duration, times int, waits []time.Duration, about string) {
	t.Helper()
	struck := want.sent
	if times > 0 {
		struck = times
	}
	passed := time.Duration(struck) * want.stall
	for i, wait := range waits {
		passed += wait
		if want.backoffs == 0 {
			require.Equal(t, want.ask, wait, about)
		}
		require.LessOrEqual(t, wait, want.ask+500*time.Millisecond<<i, about)
	}
	require.Equal(t, passed, took, about)
	if want.backoffs > 0 {
		require.Len(t, waits, want.backoffs, about)
	}
}

// requireDuration checks the time of a step whose waits no hook reports.
func requireDuration(t *testing.T, want outcome, took time.Duration, times int, about string) {
	t.Helper()
	least := time.Duration(times)*want.stall + time.Duration(want.sent-1)*want.ask
	require.GreaterOrEqual(t, took, least, about)
	require.LessOrEqual(t, took, least+500*time.Millisecond<<want.backoffs, about)
	if want.backoffs == 0 {
		require.Equal(t, least, took, about)
	}
}

// checking returns an option that checks the first response of the step.
func checking(t *testing.T, s step, kind terminal49test.FaultKind) terminal49.Option {
	responses := 0
	return testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if info, _ := terminal49.CallFromContext(req.Context()); err == nil && info.Op == s.op {
			if responses++; responses == s.skip+1 {
				requireStruck(t, kind, resp)
			}
		}
		return resp, err
	})
}

// requireStruck checks that a fault which every call survives was applied.
func requireStruck(t *testing.T, kind terminal49test.FaultKind, resp *http.Response) {
	t.Helper()
	switch kind {
	case terminal49test.FaultGzip: // decompressed, unless there is no body
		require.True(t, resp.Uncompressed || resp.Header.Get("Content-Encoding") == "gzip")
	case terminal49test.FaultContentType:
		require.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"))
	}
}
