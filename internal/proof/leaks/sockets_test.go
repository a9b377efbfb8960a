package leaks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Some leaks show only in large numbers and over real sockets: a connection that is not returned, a
// goroutine that waits for a response. So the test makes many calls with every kind of fault, and
// compares what is open before and after.

// leakMargin is the number of additional descriptors or goroutines allowed after the calls, for the
// runtime.
const leakMargin = 2

// openDescriptors returns the number of open descriptors; 0 if the system does not report it.
func openDescriptors() int {
	for _, directory := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(directory); err == nil {
			return len(entries)
		}
	}
	return 0
}

// steady waits until count stays the same for a while, and then, for as long as a busy machine may
// take, until it is at most most.
func steady(count func() int, most int) int {
	last, same := count(), 0
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		now := count()
		if same++; now != last {
			last, same = now, 0
		}
		if same >= 20 && now <= most {
			break
		}
	}
	return last
}

// leakFaults returns all kinds of faults, with few that stall, because they take time.
func leakFaults(i int) (f terminal49test.Fault, stalls bool) {
	if i%200 == 50 {
		return terminal49test.Fault{Kind: terminal49test.FaultStallHeaders}, true
	}
	if i%200 == 151 {
		return terminal49test.Fault{Kind: terminal49test.FaultStallBody}, true
	}
	faults := []terminal49test.Fault{
		{Status: 500}, {Status: 502, Times: 2}, {Status: 503, Times: -1}, {Status: 504, Shape: terminal49test.ShapeHTML},
		{Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(0)}, {Status: 404}, {Status: 422},
		{Kind: terminal49test.FaultRefuse}, {Kind: terminal49test.FaultDrop},
		{Kind: terminal49test.FaultDrop, Acted: true, Times: -1},
		{Kind: terminal49test.FaultTruncate}, {Kind: terminal49test.FaultTruncate, NoLength: true},
		{Kind: terminal49test.FaultReset},
		{Kind: terminal49test.FaultMalformedJSON}, {Kind: terminal49test.FaultEmpty},
		{Kind: terminal49test.FaultDeep, Depth: 1000},
		{Kind: terminal49test.FaultContentType}, {Kind: terminal49test.FaultSlow, Delay: time.Millisecond},
		{Kind: terminal49test.FaultGzip}, {Kind: terminal49test.FaultBrokenGzip},
		{Kind: terminal49test.FaultHuge, Bytes: 100 << 10},
		{Kind: terminal49test.FaultHuge, Bytes: 1 << 20}, {Kind: terminal49test.FaultRedirect},
		{Kind: terminal49test.FaultRedirect, Times: -1},
		{Kind: terminal49test.FaultRedirect, Location: "http://127.0.0.1:1/elsewhere"},
	}
	return faults[i%len(faults)], false
}

// fullWriter accepts no bytes, so that a download ends early.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestLeaks_ManyFaultyCalls(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	file := srv.AddDocument(terminal49test.Document{FileName: "scan.png", Content: make([]byte, 64<<10)})
	sockets := &http.Transport{}
	defer sockets.CloseIdleConnections()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL),
		terminal49.WithHTTPClient(&http.Client{Transport: sockets}), terminal49.WithoutRateLimits(),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 3, MinBackoff: time.Microsecond,
			MaxBackoff: time.Microsecond}), terminal49.WithMaxResponseBytes(256<<10))
	require.NoError(t, err)
	calls := []func(context.Context, int, ...terminal49.CallOption) error{
		func(x context.Context, _ int, o ...terminal49.CallOption) error {
			return testkit.First(client.Shipments.Get(x, testkit.ShipmentID, nil, o...))
		},
		func(x context.Context, _ int, o ...terminal49.CallOption) error {
			return testkit.First(client.Containers.List(x, nil, o...))
		},
		func(x context.Context, i int, o ...terminal49.CallOption) error {
			tags := terminal49.Some([]string{fmt.Sprint(i)})
			return testkit.First(client.Shipments.Update(x, testkit.ShipmentID, terminal49.ShipmentUpdate{Tags: tags}, o...))
		},
		func(x context.Context, i int, o ...terminal49.CallOption) error {
			return testkit.First(client.Parties.Create(x,
				terminal49.PartyFields{CompanyName: fmt.Sprintf("Quay %d", i)}, o...))
		},
		func(x context.Context, i int, o ...terminal49.CallOption) error {
			for _, err := range client.Containers.All(x, nil, append(o, terminal49.WithPrefetch(1+i%3))...) {
				return err
			}
			return nil
		},
		func(x context.Context, i int, o ...terminal49.CallOption) error {
			file := terminal49.DocumentFile{FileName: "a.txt",
				Content: strings.NewReader(strings.Repeat(fmt.Sprint(i), 1000))}
			return testkit.First(client.Documents.Upload(x, file, o...))
		},
		func(x context.Context, i int, o ...terminal49.CallOption) error {
			var to io.Writer = io.Discard
			if i%2 == 0 {
				to = fullWriter{}
			}
			return testkit.First(client.Documents.Download(x, file, to, o...))
		},
	}
	open := func(most [2]int) [2]int {
		sockets.CloseIdleConnections()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections() // of earlier tests
		return [2]int{steady(openDescriptors, most[0]), steady(runtime.NumGoroutine, most[1])}
	}
	before := open([2]int{math.MaxInt, math.MaxInt})
	most := [2]int{before[0] + leakMargin, before[1] + leakMargin}
	var after [2]int
	leakCalls, faults, failures := testkit.Scale(1_000, 10_000), 0, 0
	for i := range leakCalls {
		ctx, cancel := t.Context(), func() {} // that continues: its end would clean up after the call
		limit := time.Minute
		if i%5 > 0 {
			fault, stalls := leakFaults(i)
			if stalls {
				limit = 5 * time.Millisecond
			}
			srv.AddFault(fault)
			faults++
		}
		moment := time.Duration(i%9) * 50 * time.Microsecond // before, within or after the call
		switch {
		case i%11 == 0:
			ctx, cancel = context.WithCancel(ctx)
			time.AfterFunc(moment, cancel)
		case i%13 == 0:
			ctx, cancel = context.WithTimeout(ctx, moment)
		}
		if calls[i%len(calls)](ctx, i, terminal49.WithAttemptTimeout(limit)) != nil {
			failures++
		}
		cancel()
		srv.ClearFaults()
		if i%(leakCalls/4) == leakCalls/4-1 {
			after = open(most)
			require.LessOrEqual(t, after[0], most[0], "descriptors after %d calls", i+1)
			require.LessOrEqual(t, after[1], most[1], "goroutines after %d calls", i+1)
		}
	}
	require.Greater(t, failures, leakCalls/4, "the faults strike")
	require.Less(t, failures, leakCalls*3/4, "calls are made")
	t.Logf("figure: leaks: %d calls, %d faults: descriptors %d -> %d, goroutines %d -> %d",
		leakCalls, faults, before[0], after[0], before[1], after[1])
}
