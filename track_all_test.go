package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

// bulkNumbers returns bill of lading numbers whose shipping line is certain.
func bulkNumbers(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("MAEU%06d", i+1)
	}
	return list
}

// pulled counts the values taken from a sequence.
func pulled(numbers []string, count *int) iter.Seq[trackingRow] {
	return func(yield func(trackingRow) bool) {
		for row := range terminal49.NumbersToTrack(numbers...) {
			*count++
			if !yield(row) {
				return
			}
		}
	}
}

// requireOnce checks that the service tracks each number exactly once. It waits until its own
// requests no longer count against the rate limits, because the client under test does not count
// them.
func requireOnce(t *testing.T, srv *terminal49test.Server, numbers []string) {
	t.Helper()
	client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(50))
	times := map[string]int{}
	for request, err := range client.TrackingRequests.All(context.Background(), nil) {
		require.NoError(t, err)
		times[request.RequestNumber]++
	}
	for _, number := range numbers {
		require.Equal(t, 1, times[number], number)
	}
	require.Len(t, times, len(numbers))
	testkit.Advance(time.Minute)
}

func TestTrackAll_ReportsEachResult(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU000777", SCAC: "MAEU", Status: "created"})
		srv.Script("SHA7781234", terminal49test.Journey{Inference: &terminal49test.Inference{
			SCAC: "EGLV", Confidence: 0.81, NumberType: "bill_of_lading",
			OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.6}},
		}})
		srv.Script("TEUX99887766",
			terminal49test.Journey{Inference: &terminal49test.Inference{InvalidReason: "The prefix is not in use."}})
		numbers := []string{
			"MAEU000001", " MAEU000777", "SHA7781234", "99887766", "MSKU0000010", "no number", "", "TEUX99887766",
			"MAEU000002",
		}
		results := []terminal49.TrackResult{
			terminal49.TrackResultCreated, terminal49.TrackResultExisting, terminal49.TrackResultNeedsConfirmation,
			terminal49.TrackResultNeedsConfirmation, terminal49.TrackResultInvalid, terminal49.TrackResultInvalid,
			terminal49.TrackResultInvalid, terminal49.TrackResultInvalid, terminal49.TrackResultCreated,
		}
		got := slices.Collect(testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil))
		require.Len(t, got, len(numbers))
		for i, outcome := range got {
			require.Equal(t, i, outcome.Index)
			require.Equal(t, numbers[i], outcome.Number)
			require.Equal(t, results[i], outcome.Result, "%q: %v", numbers[i], outcome.Err)
			tracked := outcome.Result == terminal49.TrackResultCreated || outcome.Result == terminal49.TrackResultExisting
			require.Equal(t, tracked, outcome.Err == nil)
			if tracked {
				require.Equal(t, strings.TrimSpace(numbers[i]), outcome.Request.RequestNumber)
			} else {
				require.Nil(t, outcome.Request)
			}
			require.Equal(t, outcome.Result == terminal49.TrackResultInvalid, outcome.Reason != "", "%q", numbers[i])
		}
		require.Equal(t, []string{"EGLV", "ONEY"}, []string{got[2].Candidates[0].SCAC, got[2].Candidates[1].SCAC})
		require.Empty(t, got[3].Candidates)
		var undecided *terminal49.CarrierUndecidedError
		require.ErrorAs(t, got[3].Err, &undecided)
		require.Contains(t, got[4].Reason, "check digit")
		require.Contains(t, got[5].Reason, "This reference number is not valid.")
		require.Contains(t, got[6].Reason, "must not be empty")
		require.Contains(t, got[7].Reason, "The prefix is not in use.")
	})
}

// Errors in the params are not reported as invalid numbers: the same numbers work with other
// params.
func TestTrackAll_DoesNotBlameTheNumbers(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		params := &terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{CustomerID: srv.UserID}}
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(3)...),
			params) {
			require.Equal(t, terminal49.TrackResultFailed, outcome.Result)
			require.ErrorIs(t, outcome.Err, terminal49.ErrInvalid)
		}
		params = &terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{SCAC: "MAERSK"}}
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(3)...),
			params) {
			require.Equal(t, terminal49.TrackResultInvalid, outcome.Result)
			require.Contains(t, outcome.Reason, "its SCAC must be", "not the number")
		}
		// A lookup that is refused proves nothing about the number either.
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU000001", SCAC: "MAEU", Status: "created"})
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.list", Status: http.StatusBadRequest, Times: 3})
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(1)...), nil) {
			require.Equal(t, terminal49.TrackResultExisting, outcome.Result)
			require.ErrorIs(t, outcome.Err, terminal49.ErrDuplicate)
		}
		// A number whose shipping line does not exist is rejected for that reason.
		params = &terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{SCAC: "ZZZZ"}}
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(3)...),
			params) {
			require.Equal(t, terminal49.TrackResultInvalid, outcome.Result)
			require.Contains(t, outcome.Reason, "'ZZZZ' is not recognized")
		}
	})
}

// The service reports a duplicate that cannot be found. Another run would have the same result.
func TestTrackAll_DuplicateThatCannotBeFound(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		const refusal = `{"errors":[{"code":"duplicate","detail":"A tracking request for this number already exists","source":{"pointer":"/data/attributes/request_number"}}]}`
		client := testkit.SimulatedClient(t, srv, terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if call, _ := terminal49.CallFromContext(req.Context()); err == nil &&
					call.Op == "tracking_requests.create" {
					resp.StatusCode, resp.ContentLength = http.StatusUnprocessableEntity, int64(len(refusal))
					resp.Body = io.NopCloser(strings.NewReader(refusal))
				}
				return resp, err
			})
		}))
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Status: 500, Times: -1}) // nothing is created
		for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(1)...), nil) {
			require.Equal(t, terminal49.TrackResultExisting, outcome.Result)
			require.Nil(t, outcome.Request)
			require.ErrorIs(t, outcome.Err, terminal49.ErrDuplicate)
			require.ErrorContains(t, outcome.Err, "not among the newest 1000 tracking requests")
		}
	})
}

func TestTrackAll_ThousandNumbers(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := bulkNumbers(1000)
		var sent, sending, most atomic.Int64
		// Middleware sees requests that have passed the limiter.
		client := testkit.SimulatedClient(t, srv, terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				now := sending.Add(1)
				defer sending.Add(-1)
				for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
				}
				testkit.Advance(time.Duration(sent.Add(1)%7) * 50 * time.Millisecond) // some take longer
				return next.RoundTrip(req)
			})
		}))
		taken, yielded := 0, 0
		var progress []terminal49.TrackProgress
		params := &terminal49.TrackAllParams{OnProgress: func(p terminal49.TrackProgress) { progress = append(progress, p) }}
		start := time.Now()
		for outcome := range client.TrackingRequests.TrackAll(t.Context(), pulled(numbers, &taken), params) {
			require.Equal(t, terminal49.TrackResultCreated, outcome.Result, "%v", outcome.Err)
			require.Equal(t, yielded, outcome.Index)
			require.Equal(t, numbers[yielded], outcome.Number)
			require.Equal(t, numbers[yielded], outcome.Request.RequestNumber)
			yielded++
			require.Equal(t, yielded, progress[yielded-1].Done())
			require.LessOrEqual(t, taken-yielded, 8*4, "what is held does not grow with the input")
		}
		require.Equal(t, terminal49.TrackProgress{Created: 1000}, progress[len(progress)-1])
		require.LessOrEqual(t, most.Load(), int64(8))
		require.Greater(t, most.Load(), int64(1))
		require.Len(t, srv.Requests(), 2000, "to infer, to create")
		for _, r := range srv.Requests() {
			require.NotEqual(t, http.StatusTooManyRequests, r.Status)
		}
		require.Less(t, testkit.Elapsed(start), 10*time.Minute, "a hundred creations a minute are allowed")
		requireOnce(t, srv, numbers)

		for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers[:50]...), nil) {
			require.Equal(t, terminal49.TrackResultExisting, outcome.Result, "%v", outcome.Err)
		}
		requireOnce(t, srv, numbers)
	}, terminal49test.WithTrackingDelay(time.Hour)) // all stay pending, which is cheap to simulate
}

// One slow number delays the outcomes of the others, but not the work on them.
func TestTrackAll_KeepsTheOrder(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Kind: terminal49test.FaultSlow,
			Delay: 20 * time.Second})
		start := time.Now()
		var at []time.Duration
		params := &terminal49.TrackAllParams{Concurrency: 2}
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(8)...),
			params) {
			require.Equal(t, len(at), outcome.Index)
			at = append(at, testkit.Elapsed(start))
		}
		require.GreaterOrEqual(t, at[7], 20*time.Second)
		require.Less(t, at[7], 25*time.Second, "the others were done meanwhile")
	})
}

func TestTrackAll_RepeatedNumbers(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		for _, op := range []string{"tracking_requests.infer", "tracking_requests.list", "tracking_requests.create"} {
			srv.AddFault(terminal49test.Fault{Operation: op, Kind: terminal49test.FaultSlow, Delay: time.Second, Times: -1})
		}
		numbers := slices.Concat(slices.Repeat([]string{"MAEU000001", " maeu000001\t", "MAEU000002"}, 30),
			bulkNumbers(40), []string{"MAEU000001"})
		seen := map[string]bool{}
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
			key := strings.ToUpper(strings.TrimSpace(outcome.Number))
			want := terminal49.TrackResultCreated
			if seen[key] {
				want = terminal49.TrackResultExisting
			}
			seen[key] = true
			require.Equal(t, want, outcome.Result, "%d: %v", outcome.Index, outcome.Err)
			require.Equal(t, numbers[outcome.Index], outcome.Number)
			require.Equal(t, key, outcome.Request.RequestNumber)
		}
		require.LessOrEqual(t, len(testkit.Received(srv, "tracking_requests.create")), 41,
			"only the last number is so far from its first occurrence that its creation is tried again")
		require.Less(t, len(testkit.Received(srv, "tracking_requests.infer")), 60, "what is known of a number in work is shared")
		requireOnce(t, srv, bulkNumbers(40))
	}, terminal49test.WithoutRateLimits())
}

// A number that failed is tried again when it is repeated.
func TestTrackAll_RepeatedNumberAfterAFailure(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Status: http.StatusForbidden})
		got := slices.Collect(testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(),
			terminal49.NumbersToTrack("MAEU000001", "MAEU000001", "MAEU000001"), nil))
		require.Equal(t, terminal49.TrackResultFailed, got[0].Result)
		require.ErrorIs(t, got[0].Err, terminal49.ErrForbidden)
		require.Equal(t, terminal49.TrackResultCreated, got[1].Result)
		require.Equal(t, terminal49.TrackResultExisting, got[2].Result)
	})
}

func TestTrackAll_ConfirmAndSkip(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var asked atomic.Int64
		var last terminal49.TrackProgress
		reports := 0
		params := &terminal49.TrackAllParams{
			TrackParams: terminal49.TrackParams{
				Confirm: func(_ context.Context, i *terminal49.Inference) (string, error) {
					if asked.Add(1) == 1 {
						return "", errors.New("nobody there")
					}
					return "EGLV", nil
				},
				ReferenceNumbers: []string{"PO-1"},
			},
			Concurrency: 1,
			Skip:        func(index int, number string) bool { return index < 3 || number == "99887767" },
			OnProgress:  func(p terminal49.TrackProgress) { last = p; reports++ },
		}
		numbers := append(bulkNumbers(4), "99887766", "99887767", "99887768")
		var indexes []int
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), params) {
			indexes = append(indexes, outcome.Index)
			if outcome.Index == 4 {
				require.ErrorContains(t, outcome.Err, "nobody there")
				continue
			}
			require.Equal(t, terminal49.TrackResultCreated, outcome.Result)
			require.Equal(t, []string{"PO-1"}, outcome.Request.ReferenceNumbers)
		}
		require.Equal(t, []int{3, 4, 6}, indexes)
		require.Equal(t, terminal49.TrackProgress{Created: 2, Failed: 1, Skipped: 4}, last)
		require.Equal(t, 7, reports)
		require.Equal(t, 7, last.Done())
	})
}

func TestTrackAll_UnusableParams(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		for name, c := range map[string]struct {
			params *terminal49.TrackAllParams
			opts   []terminal49.CallOption
		}{
			"Concurrency":      {&terminal49.TrackAllParams{Concurrency: -1}, nil},
			"must be 1 to 100": {&terminal49.TrackAllParams{Concurrency: 101}, nil},
			"WithResponse":     {nil, []terminal49.CallOption{terminal49.WithResponse(&terminal49.Response{})}},
			"WithMaxAttempts":  {nil, []terminal49.CallOption{terminal49.WithMaxAttempts(0)}},
		} {
			count := 0
			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(50)...),
				c.params, c.opts...) {
				var argument *terminal49.ArgumentError
				require.ErrorAs(t, outcome.Err, &argument)
				require.Equal(t, "tracking_requests.track_all", argument.Op)
				require.ErrorContains(t, outcome.Err, name)
				require.Equal(t, terminal49.TrackResultFailed, outcome.Result)
				count++
			}
			require.Equal(t, 50, count)
		}
		for range client.TrackingRequests.TrackAll(t.Context(), nil, nil) {
			require.Fail(t, "no numbers, no outcomes")
		}
		require.Empty(t, srv.Requests())
	})
}

// Spaces, dashes and case do not make another number, as with Track.
func TestTrackAll_Spellings(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := []string{"HLCUSHA2406118", "HLCU SHA2406118", "HLCUSHA240-6118", "hlcusha2406118"}
		params := &terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{SCAC: "HLCU",
			RequestType: terminal49.RequestTypeBillOfLading}}
		var results []terminal49.TrackResult
		for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), params) {
			require.NoError(t, outcome.Err)
			require.Equal(t, numbers[len(results)], outcome.Number)
			require.Equal(t, numbers[0], outcome.Request.RequestNumber)
			results = append(results, outcome.Result)
		}
		existing := terminal49.TrackResultExisting
		require.Equal(t, []terminal49.TrackResult{terminal49.TrackResultCreated, existing, existing, existing}, results)
		require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)
	})
}

// A refused spelling does not decide about other spellings, and numbers without letters or digits
// are not equal.
func TestTrackAll_SpellingThatIsRefused(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := []string{"MAEU 000001", "MAEU000001", "", "--"}
		const refusal = `{"errors":[{"detail":"It holds a space."}]}`
		first := true
		client := testkit.SimulatedClient(t, srv, terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if err == nil && first {
					first = false
					resp.StatusCode, resp.ContentLength = http.StatusUnprocessableEntity, int64(len(refusal))
					resp.Body = io.NopCloser(strings.NewReader(refusal))
				}
				return resp, err
			})
		}))
		params := &terminal49.TrackAllParams{Concurrency: 1}
		var results []terminal49.TrackResult
		var reasons []string
		for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), params) {
			results, reasons = append(results, outcome.Result), append(reasons, outcome.Reason)
		}
		invalid := terminal49.TrackResultInvalid
		require.Equal(t, []terminal49.TrackResult{invalid, terminal49.TrackResultCreated, invalid, invalid}, results)
		require.NotEqual(t, reasons[2], reasons[3])
	})
}

// claimant is one of two programs that track the same numbers. It loses some responses to its
// creations, and remembers those that arrived.
type claimant struct {
	random      *rand.Rand
	mu          sync.Mutex
	acted, own  map[string]bool // the service created the request; and its response arrived whole
	interrupted map[string]bool // the outcome of the creation was lost
}

func newClaimant(seed uint64) *claimant {
	return &claimant{
		random: rand.New(rand.NewPCG(seed, 13)), acted: map[string]bool{}, own: map[string]bool{}, interrupted: map[string]bool{},
	}
}

var errLost = errors.New("the connection is lost")

// send passes a request on after a random delay, and loses a creation or its response in one of
// several ways.
func (c *claimant) send(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	c.mu.Lock()
	delay, fate := time.Duration(c.random.IntN(300))*time.Millisecond, c.random.IntN(8)
	c.mu.Unlock()
	testkit.Advance(delay)
	if info, _ := terminal49.CallFromContext(req.Context()); info.Op != "tracking_requests.create" {
		return next.RoundTrip(req)
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	text, _ := io.ReadAll(body)
	number := string(text[strings.Index(string(text), "MAEU"):][:10])
	if fate == 0 {
		c.note(number, false, false)
		return nil, errLost // and the request too
	}
	resp, err := next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	acted := resp.StatusCode == http.StatusCreated
	c.note(number, acted, fate > 3 || fate == 3 && !acted) // a status of 422 is certain without its body
	switch fate {
	case 1:
		_ = resp.Body.Close()
		return nil, errLost
	case 2:
		_ = resp.Body.Close()
		return testkit.Answer(http.StatusBadGateway, "<html>")(req)
	case 3:
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(io.LimitReader(resp.Body, 20), iotest.ErrReader(io.ErrUnexpectedEOF)), resp.Body}
	}
	return resp, nil
}

func (c *claimant) note(number string, acted, arrived bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acted[number], c.own[number], c.interrupted[number] = acted, acted && arrived, !arrived
}

// expected returns the result of an outcome: only a program's own response proves that it created
// a request. After a lost one, a request that is found may be its own or another program's.
func (c *claimant) expected(outcome terminal49.TrackOutcome) terminal49.TrackResult {
	switch {
	case c.own[outcome.Number]:
		return terminal49.TrackResultCreated
	case c.interrupted[outcome.Number] && outcome.Err != nil:
		return terminal49.TrackResultFailed
	case c.interrupted[outcome.Number]:
		return terminal49.TrackResultFoundAfterUnknown
	}
	return terminal49.TrackResultExisting
}

// Two programs track the same numbers at once and lose responses. The doc comment of TrackResult
// says which result each of them gets.
func TestTrackAll_OnlyTheOwnResponseClaimsACreation(t *testing.T) {
	counts := map[terminal49.TrackResult]int{}
	for seed := range testkit.Scale(uint64(100), 1500) {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			pair := [2]*claimant{newClaimant(2 * seed), newClaimant(2*seed + 1)}
			var outcomes [2][]terminal49.TrackOutcome
			var programs sync.WaitGroup
			for i, c := range pair {
				client := testkit.SimulatedClient(t, srv, testkit.Around(c.send))
				programs.Go(func() {
					numbers := []string{"MAEU000001", "MAEU000002", "MAEU000003"}
					outcomes[i] = slices.Collect(client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil))
				})
			}
			programs.Wait()
			for i, c := range pair {
				require.Len(t, outcomes[i], 3)
				for n, outcome := range outcomes[i] {
					about := fmt.Sprintf("seed %d, program %d, %s: %v", seed, i, outcome.Number, outcome.Err)
					require.Equal(t, c.expected(outcome), outcome.Result, about)
					require.Equal(t, outcome.Result == terminal49.TrackResultFailed, terminal49.IsOutcomeUnknown(outcome.Err), about)
					require.False(t, pair[0].acted[outcome.Number] && pair[1].acted[outcome.Number], about)
					other := outcomes[1-i][n]
					require.False(t, outcome.Result == terminal49.TrackResultCreated && other.Result == outcome.Result, about)
					if outcome.Request != nil && other.Request != nil {
						require.Equal(t, other.Request.ID, outcome.Request.ID, about)
					}
					counts[outcome.Result]++
				}
			}
		})
	}
	for _, result := range []terminal49.TrackResult{terminal49.TrackResultCreated, terminal49.TrackResultExisting,
		terminal49.TrackResultFoundAfterUnknown, terminal49.TrackResultFailed} {
		require.NotZero(t, counts[result], result)
	}
}
