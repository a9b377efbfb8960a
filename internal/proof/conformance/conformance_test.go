package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// verdict is the kind of outcome that a caller can distinguish.
type verdict string

const (
	verdictSuccess      verdict = ""
	verdictLost         verdict = "TransportError"
	verdictTimeout      verdict = "timeout" // a TransportError that is a context.DeadlineExceeded
	verdictUnread       verdict = "DecodeError"
	verdictStatus       verdict = "APIError" // of no named kind
	verdictInvalid      verdict = "ErrInvalid"
	verdictUnauthorized verdict = "ErrUnauthorized"
	verdictForbidden    verdict = "ErrForbidden"
	verdictFeature      verdict = "ErrFeatureNotEnabled"
	verdictNotFound     verdict = "ErrNotFound"
	verdictConflict     verdict = "ErrConflict"
	verdictLimited      verdict = "ErrRateLimited"
	verdictServer       verdict = "ErrServer"
)

// judge classifies err as a caller would. An error that matches two verdicts has neither.
func judge(err error) verdict {
	if err == nil {
		return verdictSuccess
	}
	var (
		found  []verdict
		answer *terminal49.APIError
		lost   *terminal49.TransportError
		unread *terminal49.DecodeError
	)
	switch {
	case errors.As(err, &lost) && errors.Is(err, context.DeadlineExceeded) && errors.Is(err, transport.ErrAttemptTimeout):
		found = append(found, verdictTimeout)
	case errors.As(err, &lost):
		found = append(found, verdictLost)
	case errors.As(err, &unread):
		found = append(found, verdictUnread)
	case errors.As(err, &answer):
		found = append(found, verdictStatus)
	}
	for v, sentinel := range map[verdict]error{
		verdictInvalid: terminal49.ErrInvalid, verdictUnauthorized: terminal49.ErrUnauthorized,
		verdictNotFound: terminal49.ErrNotFound, verdictConflict: terminal49.ErrConflict,
		verdictLimited: terminal49.ErrRateLimited, verdictServer: terminal49.ErrServer, "duplicate": terminal49.ErrDuplicate,
	} {
		if errors.Is(err, sentinel) {
			found = append(found, v)
		}
	}
	switch {
	case errors.Is(err, terminal49.ErrFeatureNotEnabled) && errors.Is(err, terminal49.ErrForbidden):
		found = append(found, verdictFeature)
	case errors.Is(err, terminal49.ErrForbidden):
		found = append(found, verdictForbidden)
	}
	if len(found) == 2 && found[0] == verdictStatus {
		return found[1]
	}
	if len(found) == 1 {
		return found[0]
	}
	return verdict(fmt.Sprintf("%v at once", found))
}

// testedOperation is an operation of the service with a call of it.
type testedOperation struct {
	operation.Operation
	do     func(context.Context, *terminal49.Client, string) error // the string is the signed id of a file that was uploaded
	unread bool                                                    // its response is not read
	turn   int                                                     // its number among the operations of its retry class
}

// conformanceOperations returns every operation of the catalogue with the first of its calls.
func conformanceOperations(t *testing.T) []testedOperation {
	calls := map[string]testkit.Call{}
	for _, c := range testkit.EveryCall() {
		if _, ok := calls[c.Op]; !ok {
			calls[c.Op] = c
		}
	}
	var list []testedOperation
	turns := map[transport.Class]int{}
	for _, o := range operation.All() {
		c, ok := calls[o.Name]
		require.True(t, ok, "there is no call of %s", o.Name)
		verb := o.Name[strings.LastIndex(o.Name, ".")+1:]
		unread := o.Method == "DELETE" || verb == "reextract" || verb == "reclassify" || verb == "relink" || verb == "rotate"
		do := func(ctx context.Context, client *terminal49.Client, _ string) error { return c.Do(ctx, client) }
		if o.Name == "documents.create" {
			do = func(ctx context.Context, client *terminal49.Client, signedID string) error {
				return testkit.First(client.Documents.Create(ctx,
					terminal49.DocumentCreate{Name: "Invoice 7", AttachedDocument: terminal49.NewSecret(signedID)}))
			}
		}
		list = append(list, testedOperation{Operation: o, do: do, unread: unread, turn: turns[o.Retry]})
		turns[o.Retry]++
	}
	return list
}

// uploaded uploads a file to the storage and returns its signed id.
func uploaded(t *testing.T, srv *terminal49test.Server) string {
	t.Helper()
	stop := testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if info, _ := terminal49.CallFromContext(req.Context()); info.Op == "documents.create" {
			return testkit.Answer(http.StatusUnprocessableEntity, "")(req) // the file is stored, and the document not yet created
		}
		return next.RoundTrip(req)
	})
	_, err := testkit.SimulatedClient(t, srv, stop).Documents.Upload(t.Context(), terminal49.DocumentFile{
		FileName: "a.pdf", ContentType: "application/pdf", Content: strings.NewReader("pdf"),
	})
	var stored *terminal49.DocumentNotCreatedError
	require.ErrorAs(t, err, &stored)
	return stored.SignedID().Reveal()
}

// sampled reports whether the sample has the operation under the fault with this number: of each
// operation every eighth fault, and of each fault every eighth operation of a retry class.
func sampled(op testedOperation, row int) bool { return (op.turn+row)%testkit.Scale(8, 1) == 0 }

// TestConformance calls every operation under every fault, struck once and struck always, with the
// default retry policy, and compares the outcome with the table. A sample has every operation, and
// every fault with each retry class.
func TestConformance(t *testing.T) {
	operations, rows := conformanceOperations(t), conformanceFaults()
	var cases, requests atomic.Int64
	t.Run("faults", func(t *testing.T) {
		for j, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				t.Parallel()
				for _, op := range operations {
					if !sampled(op, j) {
						continue
					}
					for _, times := range []int{-1, 1} {
						requests.Add(int64(conform(t, op, row, times)))
						cases.Add(1)
					}
				}
			})
		}
	})
	if testkit.Whole() {
		require.EqualValues(t, 2*len(operations)*len(rows), cases.Load())
	}
	if !t.Failed() {
		t.Logf("figure: conformance: %d operations x %d faults, struck once and for good: %d cases, %d requests, all as the table says",
			len(operations), len(rows), cases.Load(), requests.Load())
	}
}

// The sample must leave out no operation, and no fault of a retry class.
func TestConformance_Sample(t *testing.T) {
	type column struct {
		row   string
		class transport.Class
	}
	operations, rows := conformanceOperations(t), conformanceFaults()
	seen, columns := map[string]bool{}, map[column]bool{}
	for _, op := range operations {
		for j, row := range rows {
			if sampled(op, j) {
				seen[op.Name], columns[column{row.name, op.Retry}] = true, true
			}
		}
	}
	require.Len(t, seen, len(operations))
	require.Len(t, columns, 3*len(rows))
}

// The sample may leave out the operation with two routes.
func TestConformance_BothRoutes(t *testing.T) {
	for _, op := range conformanceOperations(t) {
		for _, row := range conformanceFaults() {
			if op.Name == hasTwoRoutes && row.has(triesRoutes) {
				require.Equal(t, 2, conform(t, op, row, -1), row.name)
				require.Equal(t, 2, conform(t, op, row, 1), row.name)
			}
		}
	}
}

// conform runs one case and returns the number of requests.
func conform(t *testing.T, op testedOperation, row faultRow, times int) (requests int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		testkit.AddNamedResources(srv)
		signedID := ""
		if op.Name == "documents.create" {
			signedID = uploaded(t, srv)
		}
		earlier := len(srv.Requests())
		fault := row.fault
		fault.Operation, fault.Times = op.Name, times
		srv.Fault(fault)

		want := row.expect(op, times)

		var waits []time.Duration
		attempts := 0
		opts := []terminal49.Option{terminal49.WithHooks(terminal49.Hooks{
			OnAttempt: func(context.Context, terminal49.Attempt) { attempts++ },
			OnRetry:   func(_ context.Context, r terminal49.Retry) { waits = append(waits, r.Wait) },
		}), testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err == nil {
				requireStruck(t, fault.Kind, resp)
			}
			return resp, err
		})}
		if fault.Kind == terminal49test.FaultHuge {
			opts = append(opts, terminal49.WithMaxResponseBytes(fault.Bytes-1))
		}
		client := testkit.SimulatedClient(t, srv, opts...)
		start := time.Now()
		err := op.do(t.Context(), client, signedID)
		took := time.Since(start)

		about := fmt.Sprintf("%s, struck %d times: %v", op.Name, times, err)
		require.Equal(t, want.result, judge(err), about)
		require.Equal(t, want.unknown, terminal49.IsOutcomeUnknown(err), about)
		requests = len(testkit.Received(srv, op.Name))
		require.Equal(t, want.sent, requests, about)
		require.Len(t, srv.Requests(), earlier+want.sent, about)
		require.Equal(t, want.sent, attempts, about)

		var answer *terminal49.APIError
		var lost *terminal49.TransportError
		switch {
		case errors.As(err, &lost):
			require.Equal(t, want.sent, lost.Attempts, about)
		case errors.As(err, &answer):
			require.Equal(t, op.Name, answer.Op)
			// Each route is a call.
			if !(row.has(triesRoutes) && op.Name == hasTwoRoutes) {
				require.Equal(t, want.sent, answer.Attempts, about)
			}
		}

		// The time is that of the failed attempts and of the waits between them, which must match
		// the table.
		struck := attempts
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
		srv.CheckViolations(t)
	})
	return requests
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
