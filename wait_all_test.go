package terminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

const listOp, getOp = "tracking_requests.list", "tracking_requests.get"

// pendingRequests adds n requests, one a second, which are created after delay.
func pendingRequests(srv *terminal49test.Server, n int, delay time.Duration) (ids []string) {
	for i := range n {
		number := fmt.Sprintf("MAEU%06d", i+1)
		srv.Script(number, terminal49test.Journey{TrackingDelay: delay})
		ids = append(ids, srv.AddTrackingRequest(terminal49test.TrackingRequest{
			RequestNumber: number, SCAC: "MAEU", CreatedAt: srv.Now().Add(time.Duration(i-n) * time.Second),
		}))
	}
	return ids
}

// waitAll returns the outcomes by id. Each id has one.
func waitAll(ctx context.Context, t *testing.T, client *terminal49.Client, ids []string, params *terminal49.WaitParams) map[string]terminal49.WaitOutcome {
	t.Helper()
	outcomes := map[string]terminal49.WaitOutcome{}
	for o := range client.TrackingRequests.WaitAll(ctx, ids, params) {
		require.NotContains(t, outcomes, o.ID)
		outcomes[o.ID] = o
	}
	require.Len(t, outcomes, len(ids))
	return outcomes
}

// A page has at most 100 items (docs/service.md#page-sizes). The list is newest first and filters
// by creation (docs/service.md#order-of-lists and #other-filters). So a poll of 500 requests costs
// 5 requests, and not one each; requests of others that are newer cost their pages once.
func TestWaitAll_PollsTheList(t *testing.T) {
	for name, c := range map[string]struct{ n, newer, perPoll, once int }{
		"one":                       {1, 0, 1, 0},
		"two":                       {2, 0, 1, 0},
		"a page":                    {100, 0, 1, 0},
		"five pages":                {500, 0, 5, 0},
		"five pages below two more": {500, 200, 5, 2},
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			ids := pendingRequests(srv, c.n, 40*time.Minute)
			for i := range c.newer {
				srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("HLCU%06d", i), SCAC: "HLCU", Status: "created", CreatedAt: srv.Now().Add(time.Minute)})
			}
			polls := map[string]int{}
			params := &terminal49.WaitParams{OnPoll: func(r *terminal49.TrackingRequest) { polls[r.ID]++ }}
			for id, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, params) {
				require.NoError(t, o.Err)
				require.Equal(t, id, o.Request.ID)
				require.Equal(t, terminal49.TrackingCreated, o.Request.Status)
				shipment, ok := o.Request.Shipment.Value()
				require.True(t, ok, "as Wait returns it")
				require.NotEmpty(t, shipment.ID)
			}
			most := slices.Max(slices.Collect(func(yield func(int) bool) {
				for _, n := range polls {
					yield(n)
				}
			}))
			require.Greater(t, most, 20)
			require.LessOrEqual(t, len(srv.Requests()), c.perPoll*most+c.once, name)
			for _, r := range srv.Requests() {
				require.NotEqual(t, http.StatusTooManyRequests, r.Status)
			}
			if c.n > 1 {
				gets := testkit.Received(srv, getOp)
				require.LessOrEqual(t, len(gets), c.n/100+1, "%s: at most where one is left alone on its page", name)
				for _, gap := range testkit.Gaps(gets) {
					require.Greater(t, gap, time.Second, "%s: one in a poll", name)
				}
			}
			t.Logf("figure: wait all: %s: %d requests for %d polls of %d", name, len(srv.Requests()), most, c.n)
		})
	}
}

// A list that shows few of the requests costs at most five more requests than reading each.
func TestWaitAll_SparseRequests(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var ids []string
		for i := range 3000 {
			request := terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("HLCU%06d", i), SCAC: "HLCU", Status: "created", CreatedAt: srv.Now().Add(-time.Duration(i) * time.Minute)}
			if id := srv.AddTrackingRequest(request); i%1000 == 999 {
				ids = append(ids, id)
			}
		}
		waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil)
		require.LessOrEqual(t, len(srv.Requests()), len(ids)+5)
	})
}

// Each is yielded as it settles, with what Wait returns: the sources are those of the tests of
// Wait.
func TestWaitAll_YieldsWhatWaitReturns(t *testing.T) {
	add := func(srv *terminal49test.Server, status, reason string) string {
		return srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", SCAC: "MAEU", Status: status, FailedReason: reason})
	}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		failed, stopped, done := add(srv, "failed", "not_found"), add(srv, "tracking_stopped", ""), add(srv, "created", "")
		slow := add(srv, "in_review", "") // unknown to this version
		const unknown, invalid = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", "MAEU1"
		start := time.Now()
		time.AfterFunc(5*time.Minute, func() {
			srv.UpdateTrackingRequest(slow, func(r *terminal49test.TrackingRequest) { r.Status = "created" })
		})
		ids := []string{failed, unknown, strings.ToUpper(stopped), invalid, slow, done, strings.ToUpper(slow), failed}
		outcomes, last := map[string]terminal49.WaitOutcome{}, ""
		for o := range testkit.SimulatedClient(t, srv).TrackingRequests.WaitAll(t.Context(), ids, nil) {
			require.NotContains(t, outcomes, o.ID)
			outcomes[o.ID], last = o, o.ID
			require.True(t, o.ID == slow || testkit.Elapsed(start) == 0, "at once")
		}
		require.Len(t, outcomes, 6, "one for each id")
		require.Equal(t, slow, last)
		var failure *terminal49.TrackingFailedError
		require.ErrorAs(t, outcomes[failed].Err, &failure)
		require.Same(t, outcomes[failed].Request, failure.Request)
		require.Equal(t, terminal49.TrackingStopped, outcomes[strings.ToUpper(stopped)].Request.Status)
		require.NoError(t, outcomes[done].Err)
		require.ErrorIs(t, outcomes[unknown].Err, terminal49.ErrNotFound)
		require.ErrorContains(t, outcomes[unknown].Err, unknown)
		require.Nil(t, outcomes[unknown].Request)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, outcomes[invalid].Err, &argument)
		require.Equal(t, terminal49.TrackingCreated, outcomes[slow].Request.Status)
	})
}

// A list may lag behind (docs/service.md#lagging-lists). Requests that it does not show, or shows
// in an earlier state, are not lost.
func TestWaitAll_AListThatLags(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 10, time.Minute)
		client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			if info, _ := terminal49.CallFromContext(req.Context()); info.Op == listOp {
				return testkit.Answer(http.StatusOK, `{"data":[]}`)(req)
			}
			return next.RoundTrip(req)
		}))
		for _, o := range waitAll(t.Context(), t, client, ids, nil) {
			require.NoError(t, o.Err)
			require.Equal(t, terminal49.TrackingCreated, o.Request.Status)
		}
	})
}

// Any error of the list but a temporary one leaves the requests to be read one by one.
func TestWaitAll_AListThatFails(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 10, time.Minute)
		srv.AddFault(terminal49test.Fault{Operation: listOp, Status: http.StatusBadRequest, Times: -1})
		for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil) {
			require.NoError(t, o.Err)
		}
	})
	for failures, want := range map[int]struct {
		err   error
		reads int // of the last request, which may be left alone
	}{terminal49MaxPollFailures - 1: {nil, 1}, terminal49MaxPollFailures: {terminal49.ErrServer, 0}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			ids := pendingRequests(srv, 10, time.Hour)
			srv.AddFault(terminal49test.Fault{Operation: listOp, Status: http.StatusServiceUnavailable, Skip: 1, Times: 4 * failures})
			for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil) {
				require.ErrorIs(t, o.Err, want.err)
				require.NotNil(t, o.Request, "the last state")
			}
			require.LessOrEqual(t, len(testkit.Received(srv, getOp)), want.reads)
		})
	}
}

// terminal49MaxPollFailures is documented at Wait: up to four temporary errors in a row are
// ignored.
const terminal49MaxPollFailures = 5

func TestWaitAll_EndsWithItsContext(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 150, time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		for _, o := range waitAll(ctx, t, testkit.SimulatedClient(t, srv), ids, nil) {
			require.ErrorIs(t, o.Err, context.DeadlineExceeded)
			require.Equal(t, terminal49.TrackingPending, o.Request.Status)
		}
		require.Equal(t, 20*time.Second, testkit.Elapsed(start))
		sent := len(srv.Requests())
		for range testkit.SimulatedClient(t, srv).TrackingRequests.WaitAll(ctx, ids, nil) {
			break
		}
		for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, &terminal49.WaitParams{MinInterval: -1}) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, o.Err, &argument)
			require.Equal(t, "MinInterval", argument.Field)
		}
		waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), nil, nil)
		require.Len(t, srv.Requests(), sent)
	})
}

// filter[created_at] is documented (docs/service.md#other-filters), but not whether its bounds are
// inclusive, and a filter may be ignored. The bounds leave a second on each side.
func TestWaitAll_BoundsOfTheList(t *testing.T) {
	const id, other = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4e"
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		item := func(id, created, status string) string {
			return fmt.Sprintf(`{"id":%q,"type":"tracking_request","attributes":{"request_number":"1","created_at":%q,"status":%q}}`, id, created, status)
		}
		var sent []url.Values
		client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req.URL.Query())
			status := []string{"pending", "created"}[len(sent)-1]
			return testkit.Answer(http.StatusOK, `{"data":[`+item(id, "2026-08-10T10:00:00.7Z", status)+`,`+item(other, "2026-08-10T09:59:58.2Z", status)+`]}`)(req)
		}))
		waitAll(t.Context(), t, client, []string{id, other}, nil)
		require.Equal(t, url.Values{"page[size]": {"100"}}, sent[0])
		require.Equal(t, url.Values{"page[size]": {"100"}, "filter[created_at][start]": {"2026-08-10T09:59:57Z"},
			"filter[created_at][end]": {"2026-08-10T10:00:01Z"}}, sent[1])
	})
}
