package terminal49_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

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
