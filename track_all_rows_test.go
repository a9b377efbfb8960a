package terminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

type trackingRow = terminal49.TrackingRequestCreate

// billRows returns rows whose type and line are known.
func billRows(n int) []trackingRow {
	rows := make([]trackingRow, n)
	for i := range rows {
		rows[i] = trackingRow{
			RequestNumber: fmt.Sprintf("MAEU%06d", i+1), RequestType: terminal49.RequestTypeBillOfLading, SCAC: "MAEU",
		}
	}
	return rows
}

func bareRows(n int) []trackingRow {
	rows := billRows(n)
	for i := range rows {
		rows[i] = trackingRow{RequestNumber: rows[i].RequestNumber}
	}
	return rows
}

// trackRows returns the outcomes, which must be in the order of the rows.
func trackRows(t *testing.T, client *terminal49.Client, rows []trackingRow, params *terminal49.TrackAllParams) []terminal49.TrackOutcome {
	t.Helper()
	outcomes := slices.Collect(client.TrackingRequests.TrackAll(t.Context(), slices.Values(rows), params))
	for i, o := range outcomes {
		require.Equal(t, rows[o.Index].RequestNumber, o.Number)
		require.True(t, i == 0 || outcomes[i-1].Index < o.Index)
	}
	return outcomes
}

// 100 creations, 200 inferences and 100 other requests in any 60 s (docs/service.md#rate-limits). A
// creation needs type and SCAC (docs/service-tracking.md#creating-requests), and the service
// refuses a duplicate itself.
func TestTrackAll_RequestsAndTime(t *testing.T) {
	const n = 500
	for _, c := range []struct {
		name                   string
		rows                   []trackingRow
		existing               int
		infers, creates, lists int
	}{
		{"rows with type and SCAC", billRows(n), 0, 0, n, 0},
		{"bare numbers", bareRows(n), 0, n, n, 0},
		{"rows with 30 duplicates", billRows(n), 30, 0, n, 30},
		{"bare numbers with 30 duplicates", bareRows(n), 30, n, n, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				for i := range c.existing {
					srv.AddTrackingRequest(terminal49test.TrackingRequest{
						RequestNumber: c.rows[i*n/c.existing].RequestNumber, SCAC: "MAEU", Status: "created",
					})
				}
				client := testkit.SimulatedClient(t, srv, testkit.Distant(400*time.Millisecond))
				start, results := time.Now(), map[terminal49.TrackResult]int{}
				for _, o := range trackRows(t, client, c.rows, nil) {
					require.NoError(t, o.Err)
					require.Equal(t, o.Number, o.Request.RequestNumber)
					results[o.Result]++
				}
				took := testkit.Elapsed(start)
				require.Equal(t, n-c.existing, results[terminal49.TrackResultCreated])
				require.Equal(t, c.existing, results[terminal49.TrackResultExisting])
				require.Len(t, testkit.Received(srv, "tracking_requests.infer"), c.infers)
				require.Len(t, testkit.Received(srv, "tracking_requests.create"), c.creates)
				require.Len(t, testkit.Received(srv, "tracking_requests.list"), c.lists)
				require.Len(t, srv.Requests(), c.infers+c.creates+c.lists)
				require.Less(t, took, 4*time.Minute+30*time.Second, "five hundred creations take four minutes and a burst")
				t.Logf("figure: track rows: %s: %d requests in %v", c.name, len(srv.Requests()), took.Round(time.Second))
			}, terminal49test.WithTrackingDelay(time.Hour)) // all stay pending, which is cheap to simulate
		})
	}
}

// The attributes and the customer are those of a creation
// (docs/service-tracking.md#creating-requests). A row's own value replaces that of the params.
func TestTrackAll_SendsEachRowsFields(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		first, second := srv.AddParty(terminal49test.Party{CompanyName: "A"}), srv.AddParty(terminal49test.Party{CompanyName: "B"})
		rows := []trackingRow{
			{RequestNumber: " MAEU000001 ", ReferenceNumbers: []string{"PO-1", "PO-2"}, ShipmentTags: []string{"hot"}, CustomerID: first},
			{RequestNumber: "HLCU000002", RequestType: terminal49.RequestTypeBookingNumber, SCAC: "HLCU"},
			{RequestNumber: "mscu 663987-0", RequestType: terminal49.RequestTypeContainer, AutoDetectSCAC: true},
		}
		params := &terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{
			SCAC: "MAEU", RequestType: terminal49.RequestTypeBillOfLading, ReferenceNumbers: []string{"ALL"}, ShipmentTags: []string{"all"}, CustomerID: second,
		}}
		want := []terminal49test.TrackingRequest{
			{RequestNumber: "MAEU000001", RequestType: "bill_of_lading", SCAC: "MAEU", ReferenceNumbers: []string{"PO-1", "PO-2"}, ShipmentTags: []string{"hot"}, Customer: first},
			{RequestNumber: "HLCU000002", RequestType: "booking_number", SCAC: "HLCU", ReferenceNumbers: []string{"ALL"}, ShipmentTags: []string{"all"}, Customer: second},
			{RequestNumber: "MSCU6639870", RequestType: "container", AutoDetectSCAC: true, ReferenceNumbers: []string{"ALL"}, ShipmentTags: []string{"all"}, Customer: second},
		}
		for i, o := range trackRows(t, testkit.SimulatedClient(t, srv), rows, params) {
			require.NoError(t, o.Err)
			got, _ := srv.TrackingRequest(o.Request.ID)
			require.Equal(t, want[i], terminal49test.TrackingRequest{
				RequestNumber: got.RequestNumber, RequestType: got.RequestType, SCAC: got.SCAC, AutoDetectSCAC: got.AutoDetectSCAC,
				ReferenceNumbers: got.ReferenceNumbers, ShipmentTags: got.ShipmentTags, Customer: got.Customer,
			})
		}
		require.Empty(t, testkit.Received(srv, "tracking_requests.infer"))
	}, terminal49test.WithTrackingDelay(time.Hour))
}

// Inference returns the type and the line (docs/service-tracking.md#inference). What a row has is
// kept.
func TestTrackAll_InfersOnlyWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		row    trackingRow
		infers int
		typ    terminal49.RequestType
		scac   string
	}{
		"nothing missing": {trackingRow{RequestType: terminal49.RequestTypeBookingNumber, SCAC: "HLCU"}, 0, terminal49.RequestTypeBookingNumber, "HLCU"},
		"the line":        {trackingRow{RequestType: terminal49.RequestTypeBookingNumber}, 1, terminal49.RequestTypeBookingNumber, "MAEU"},
		"the type":        {trackingRow{SCAC: "HLCU"}, 1, terminal49.RequestTypeBillOfLading, "HLCU"},
		"the type, for a line that the service detects": {trackingRow{AutoDetectSCAC: true}, 1, terminal49.RequestTypeBillOfLading, ""},
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			c.row.RequestNumber = testkit.SureNumber
			o := trackRows(t, testkit.SimulatedClient(t, srv), []trackingRow{c.row}, nil)[0]
			require.NoError(t, o.Err, name)
			require.Equal(t, c.typ, o.Request.RequestType, name)
			require.Equal(t, c.scac, o.Request.SCAC, name)
			require.Len(t, testkit.Received(srv, "tracking_requests.infer"), c.infers, name)
		}, terminal49test.WithTrackingDelay(time.Hour))
	}
}

// Requests are duplicates by number (docs/service.md#repeated-requests); another line may use the
// same number. Rows in any spelling share a request, and one without a line takes the one that is
// there.
func TestTrackAll_SameNumber(t *testing.T) {
	bill := terminal49.RequestTypeBillOfLading
	rows := []trackingRow{
		{RequestNumber: "MAEU240711301", RequestType: bill, SCAC: "MAEU", ReferenceNumbers: []string{"PO-1"}},
		{RequestNumber: "maeu 240711301", RequestType: bill, SCAC: "MAEU", ReferenceNumbers: []string{"PO-2"}},
		{RequestNumber: "MAEU240711301", RequestType: bill, SCAC: "HLCU"},
		{RequestNumber: "MAEU240711301"},
	}
	made, existing := terminal49.TrackResultCreated, terminal49.TrackResultExisting
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		outcomes := trackRows(t, testkit.SimulatedClient(t, srv), rows, nil)
		for i, want := range []terminal49.TrackResult{made, existing, made, existing} {
			require.NoError(t, outcomes[i].Err)
			require.Equal(t, want, outcomes[i].Result, i)
		}
		require.Equal(t, []string{"PO-1"}, outcomes[1].Request.ReferenceNumbers, "those that are stored, not the row's")
		require.Equal(t, "HLCU", outcomes[2].Request.SCAC)
		require.Len(t, testkit.Received(srv, "tracking_requests.create"), 2)
		// Skip resumes: the positions count all rows.
		params := &terminal49.TrackAllParams{Skip: func(index int, _ string) bool { return index != 2 }}
		again := trackRows(t, testkit.SimulatedClient(t, srv), rows, params)
		require.Len(t, again, 1)
		require.Equal(t, 2, again[0].Index)
		require.Equal(t, existing, again[0].Result)
		require.Equal(t, outcomes[2].Request.ID, again[0].Request.ID)
	}, terminal49test.WithTrackingDelay(time.Hour))
}

// A duplicate is refused with 422 for the number (docs/service.md#repeated-requests). The existing
// request may be in another spelling: the filter is exact, so the lookup tries both, and then the
// newest requests.
func TestTrackAll_FindsADuplicateInAnySpelling(t *testing.T) {
	for stored, lists := range map[string]int{"HLCUSHA2406118": 2, "HLCU-SHA 2406118": 1, "HLCU SHA 2406118": 3} {
		row := trackingRow{RequestNumber: "HLCU-SHA 2406118", RequestType: terminal49.RequestTypeBillOfLading, SCAC: "HLCU"}
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: stored, SCAC: "HLCU", Status: "created"})
			client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if req.Method == http.MethodPost {
					return testkit.Answer(http.StatusUnprocessableEntity, `{"errors":[{"status":"422","code":"duplicate"}]}`)(req)
				}
				return next.RoundTrip(req)
			}))
			o := trackRows(t, client, []trackingRow{row}, nil)[0]
			require.NoError(t, o.Err)
			require.Equal(t, terminal49.TrackResultExisting, o.Result)
			require.Equal(t, id, o.Request.ID)
			require.Len(t, testkit.Received(srv, "tracking_requests.list"), lists, stored)
		})
	}
}

// A row whose SCAC or type cannot be right fails again however often it is tried, so it is invalid,
// as it is if the service refuses either.
func TestTrackAll_InvalidSCACAndTypeAreDefinite(t *testing.T) {
	bill := terminal49.RequestTypeBillOfLading
	for want, row := range map[string]trackingRow{
		"its SCAC must be exactly four letters or digits":           {RequestNumber: "A", RequestType: bill, SCAC: "MAERSK"},
		"its SCAC must be exactly four letters or digits, such as":  {RequestNumber: "A", RequestType: bill, SCAC: "MA-U"},
		"its SCAC must be empty if AutoDetectSCAC is set":           {RequestNumber: "A", RequestType: bill, SCAC: "MAEU", AutoDetectSCAC: true},
		`its RequestType must be RequestBookingNumber ("booking_nu`: {RequestNumber: "A", RequestType: "booking", SCAC: "MAEU"},
	} {
		api := inferring("")
		o := trackRows(t, testkit.NewClient(t, api), []trackingRow{row}, nil)[0]
		require.Equal(t, terminal49.TrackResultInvalid, o.Result, want)
		require.Contains(t, o.Reason, want)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, o.Err, &argument)
		require.Empty(t, created(api))
	}
}

// Validation and duplicates share status 422 (docs/service.md#status-codes), so one whose body
// broke off may be either. Existing if the lookup finds it, otherwise failed: the reason is not
// known.
func TestTrackAll_RefusalThatBrokeOff(t *testing.T) {
	for _, exists := range []bool{true, false} {
		for _, body := range []string{"", `{"errors":[{"status":"422","code":"dup`, "<html>", "{}"} {
			api := inferring("")
			api.On("POST", requestsPath, http.StatusUnprocessableEntity, body)
			if exists {
				api.On("GET", requestsPath, 200, `{"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request",
					"attributes":{"request_number":"MAEU000001","request_type":"bill_of_lading","scac":"MAEU","status":"pending"}}]}`)
			}
			o := trackRows(t, testkit.NewClient(t, api), billRows(1), nil)[0]
			if exists {
				require.NoError(t, o.Err, body)
				require.Equal(t, terminal49.TrackResultExisting, o.Result)
				require.Equal(t, testkit.RequestID, o.Request.ID)
				continue
			}
			require.Equal(t, terminal49.TrackResultFailed, o.Result, body)
			require.ErrorIs(t, o.Err, terminal49.ErrInvalid)
			require.NotContains(t, o.Err.Error(), "newest", "nothing says that it is a duplicate")
		}
	}
	// Of another refusal nothing is unknown.
	api := inferring("")
	api.On("POST", requestsPath, http.StatusForbidden, "<html>")
	o := trackRows(t, testkit.NewClient(t, api), billRows(1), nil)[0]
	require.ErrorIs(t, o.Err, terminal49.ErrForbidden)
	require.Len(t, api.Requests(), 1, "nothing is looked up")
}

// After a cancellation at any outcome, TrackAll starts no further number, yields those in progress,
// and ends.
func TestTrackAll_CancelledAtEveryOutcome(t *testing.T) {
	numbers := bulkNumbers(24)
	for stop := range len(numbers) + 1 {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
			srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultSlow,
				Delay: time.Second, Times: -1})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if stop == 0 {
				cancel()
			}
			taken, atStop, count, canceled := 0, 0, 0, 0
			for outcome := range client.TrackingRequests.TrackAll(ctx, pulled(numbers, &taken),
				&terminal49.TrackAllParams{Concurrency: 3}) {
				require.Equal(t, count, outcome.Index)
				if count++; count == stop {
					cancel()
					atStop = taken
				}
				if outcome.Result == terminal49.TrackResultFailed {
					require.GreaterOrEqual(t, count, stop)
					require.ErrorIs(t, outcome.Err, context.Canceled)
					canceled++
				} else {
					require.Equal(t, terminal49.TrackResultCreated, outcome.Result)
				}
			}
			require.Equal(t, atStop, taken, "nothing is taken after the end")
			require.Equal(t, taken, count, "nothing that was taken is lost")
			if stop > 0 && stop <= 12 {
				require.NotZero(t, canceled, "some were in work")
			}

			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
				require.NoError(t, outcome.Err)
			}
			requireOnce(t, srv, numbers)
		}, terminal49test.WithoutRateLimits())
	}
}

// After an interruption at any request nothing continues to run, and after another run each number
// is tracked once.
func TestTrackAll_InterruptedAtEveryRequest(t *testing.T) {
	numbers := bulkNumbers(6)
	for position := range 3 * len(numbers) {
		for _, lost := range []bool{false, true} { // the request is the last to arrive, or the first not to
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				for _, op := range []string{"tracking_requests.infer", "tracking_requests.list",
					"tracking_requests.create"} {
					srv.AddFault(terminal49test.Fault{Operation: op, Kind: terminal49test.FaultSlow, Delay: time.Second,
						Times: -1})
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var sent atomic.Int64
				interrupted := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					switch n := int(sent.Add(1)) - 1; {
					case n == position && lost:
						cancel()
					case n == position:
						time.AfterFunc(time.Millisecond, cancel)
					}
					return next.RoundTrip(req)
				}))
				count := 0
				for outcome := range interrupted.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack(numbers...),
					&terminal49.TrackAllParams{Concurrency: 2}) {
					if count++; outcome.Result == terminal49.TrackResultFailed {
						require.ErrorIs(t, outcome.Err, context.Canceled)
					}
				}
				srv.ClearFaults()
				for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
					require.NoError(t, outcome.Err)
				}
				requireOnce(t, srv, numbers)
			})
		}
	}
}

func TestTrackAll_BrokenOffAtEveryOutcome(t *testing.T) {
	numbers := bulkNumbers(20)
	for stop := 1; stop <= len(numbers); stop++ {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			var after atomic.Bool
			var working atomic.Int64
			client := testkit.SimulatedClient(t, srv, terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if after.Load() {
						t.Error("something was sent after the loop")
					}
					working.Add(1)
					defer working.Add(-1)
					defer testkit.Advance(time.Millisecond) // it notices late
					return next.RoundTrip(req)
				})
			}))
			srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultSlow,
				Delay: time.Second, Times: -1})
			count, taken := 0, 0
			for range client.TrackingRequests.TrackAll(t.Context(), pulled(numbers, &taken), nil) {
				if count++; count == stop {
					break
				}
			}
			require.Zero(t, working.Load(), "the loop ends when all it started has")
			was := taken
			after.Store(true)
			testkit.Advance(time.Minute)
			require.Equal(t, was, taken)
			after.Store(false)
			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
				require.NoError(t, outcome.Err)
			}
			requireOnce(t, srv, numbers)
		})
	}
}

// A panic in the loop's body ends all goroutines.
func TestTrackAll_PanicInTheLoop(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		require.PanicsWithValue(t, "mine", func() {
			for range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(50)...), nil) {
				panic("mine")
			}
		})
		sent := len(srv.Requests())
		testkit.Advance(time.Minute)
		require.Len(t, srv.Requests(), sent)
	})
}

// A deadline that the rate limits put out of reach ends the whole run at once, not number by
// number.
func TestTrackAll_DeadlineOutOfReach(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithRateLimits(terminal49.RateLimits{Create: 10}))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
		defer cancel()
		numbers, taken, count := bulkNumbers(500), 0, 0
		for outcome := range client.TrackingRequests.TrackAll(ctx, pulled(numbers, &taken), nil) {
			if count++; outcome.Result == terminal49.TrackResultFailed {
				require.ErrorIs(t, outcome.Err, context.DeadlineExceeded)
			}
		}
		require.GreaterOrEqual(t, count, 10)
		require.Less(t, taken, 10+2*8*4)
		require.Equal(t, taken, count)
		require.NoError(t, ctx.Err(), "it did not wait for the deadline")
	})
}

func TestTrackAll_ThroughFaults(t *testing.T) {
	operations := []string{"tracking_requests.infer", "tracking_requests.list", "tracking_requests.create"}
	faults := []terminal49test.Fault{
		{Status: 500}, {Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(3 * time.Second)},
		{Status: 502, Shape: terminal49test.ShapeHTML},
		{Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(7 * time.Second)}, {Status: 500, Acted: true},
		{Kind: terminal49test.FaultRefuse}, {Kind: terminal49test.FaultDrop}, {Kind: terminal49test.FaultDrop, Acted: true},
		{Kind: terminal49test.FaultStallHeaders}, {Kind: terminal49test.FaultStallHeaders, Acted: true},
		{Kind: terminal49test.FaultStallBody},
		{Kind: terminal49test.FaultTruncate}, {Kind: terminal49test.FaultMalformedJSON}, {Kind: terminal49test.FaultEmpty},
		{Kind: terminal49test.FaultSlow, Delay: 5 * time.Second}, {Kind: terminal49test.FaultBrokenGzip},
	}
	numbers := bulkNumbers(15)
	for _, op := range operations {
		for i, fault := range faults {
			t.Run(fmt.Sprintf("%s/%d %s", op, i, fault.Kind), func(t *testing.T) {
				testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					fault.Operation, fault.Skip, fault.Times = op, 2, 6
					srv.AddFault(fault)
					client := testkit.SimulatedClient(t, srv,
						terminal49.WithRateLimits(terminal49.RateLimits{Default: 1000, Create: 1000, Infer: 1000}))
					var left []string
					for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
						switch outcome.Result {
						case terminal49.TrackResultCreated, terminal49.TrackResultExisting, terminal49.TrackResultFoundAfterUnknown:
							require.NotNil(t, outcome.Request)
						case terminal49.TrackResultFailed:
							require.Error(t, outcome.Err)
							left = append(left, outcome.Number)
						default:
							require.Fail(t, "no fault makes a number bad", "%v", outcome)
						}
					}
					require.LessOrEqual(t, len(left), 6)
					srv.ClearFaults()
					for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(left...), nil) {
						require.NoError(t, outcome.Err)
					}
					requireOnce(t, srv, numbers)
				}, terminal49test.WithoutRateLimits())
			})
		}
	}
}

// TrackAll states its requests: one for each 100 container numbers, and an inference and a creation
// for each number that is not tracked.
func TestTrackAll_ContainersThatAreTracked(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		const total, tracked = 5000, 1000
		numbers := sheet(total)
		var before []string // every fifth
		for i := 0; i < total; i += total / tracked {
			before = append(before, numbers[i])
		}
		addContainers(srv, before)
		client, start := testkit.SimulatedClient(t, srv), time.Now()
		var progress terminal49.TrackProgress
		params := &terminal49.TrackAllParams{OnProgress: func(p terminal49.TrackProgress) { progress = p }}
		for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), params) {
			require.NoError(t, outcome.Err)
			require.Equal(t, outcome.Index%5 == 0, outcome.Result == terminal49.TrackResultContainerTracked)
		}
		require.Equal(t, terminal49.TrackProgress{Created: total - tracked, ContainerTracked: tracked}, progress)
		finds, infers := len(testkit.Received(srv, "containers.list")), len(testkit.Received(srv, "tracking_requests.infer"))
		creates := len(testkit.Received(srv, "tracking_requests.create"))
		t.Logf("figure: track %d container numbers, %d of them tracked: %d requests to find, %d inferences, %d creations, in %v; 0 tracked twice",
			total, tracked, finds, infers, creates, testkit.Elapsed(start).Round(time.Minute))
		require.Equal(t, total/100, finds)
		require.Equal(t, total-tracked, infers)
		require.Equal(t, total-tracked, creates)
		require.Len(t, srv.Requests(), finds+infers+creates)
		for _, r := range srv.Requests() {
			require.NotEqual(t, http.StatusTooManyRequests, r.Status)
		}
	}, terminal49test.WithTrackingDelay(100*time.Hour)) // all stay pending, which is cheap to simulate
}

// Rows of several kinds are in one run, and rows with one number may need different things.
func TestTrackAll_MixedRows(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := sheet(3)
		addContainers(srv, numbers[:2])
		rows := []trackingRow{
			{RequestNumber: "MAEU000001"},
			{RequestNumber: numbers[0]},
			{RequestNumber: numbers[0], ReferenceNumbers: []string{"PO-1"}},
			{RequestNumber: numbers[0]},
			{RequestNumber: numbers[2]},
			{RequestNumber: numbers[1], ShipmentTags: []string{"hot"}},
			{RequestNumber: "no number"},
			{RequestNumber: numbers[1]},
		}
		outcomes := trackRows(t, testkit.SimulatedClient(t, srv), rows, &terminal49.TrackAllParams{Concurrency: 2})
		created, tracked := terminal49.TrackResultCreated, terminal49.TrackResultContainerTracked
		for i, want := range []terminal49.TrackResult{
			created, tracked, created, terminal49.TrackResultExisting, created, created, terminal49.TrackResultInvalid,
			terminal49.TrackResultExisting,
		} {
			require.Equal(t, want, outcomes[i].Result, "%d: %v", i, outcomes[i].Err)
		}
		require.Len(t, testkit.Received(srv, "containers.list"), 1)
	}, terminal49test.WithTrackingDelay(time.Hour))
}

// The sequence may be endless. A container number makes TrackAll read up to a hundred rows more.
func TestTrackAll_KeepsFewOfEndlessContainers(t *testing.T) {
	for _, concurrency := range []int{1, 3, 30} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			taken, yielded := 0, 0
			endless := func(yield func(trackingRow) bool) {
				for yield(trackingRow{RequestNumber: terminal49test.ContainerNumber("MSKU", taken+1)}) {
					taken++
				}
			}
			client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
			for range client.TrackingRequests.TrackAll(t.Context(), endless, &terminal49.TrackAllParams{Concurrency: concurrency}) {
				yielded++
				require.LessOrEqual(t, taken+1-yielded, 4*concurrency+100)
				if yielded == 450 {
					break
				}
			}
		}, terminal49test.WithoutRateLimits())
	}
}

// A lookup that is interrupted or fails tracks nothing, and another run does. Functions of the
// caller may end it too.
func TestTrackAll_LookupThatFails(t *testing.T) {
	numbers := sheet(150)
	for name, c := range map[string]struct {
		end    func(cancel context.CancelFunc) (*http.Response, error)
		failed int
	}{
		"cancelled": {func(cancel context.CancelFunc) (*http.Response, error) { cancel(); return nil, context.Canceled }, 132},
		"refused": {func(context.CancelFunc) (*http.Response, error) {
			return testkit.Answer(http.StatusForbidden, `{"errors":[{"title":"Forbidden"}]}`)(nil)
		}, 100},
		"invalid": {func(context.CancelFunc) (*http.Response, error) {
			return testkit.Answer(http.StatusUnprocessableEntity, `{"errors":[{"title":"Invalid"}]}`)(nil)
		}, 100},
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var lookups atomic.Int64
			client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if info, _ := terminal49.CallFromContext(req.Context()); info.Op == "containers.list" && lookups.Add(1) <= 4 {
					return c.end(cancel)
				}
				return next.RoundTrip(req)
			}))
			failed := 0
			for outcome := range client.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack(numbers...), nil) {
				if outcome.Err != nil {
					require.Equal(t, terminal49.TrackResultFailed, outcome.Result, name)
					require.Nil(t, outcome.Container)
					failed++
				}
			}
			require.LessOrEqual(t, failed, c.failed, name)
			require.GreaterOrEqual(t, failed, 100, name)
			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
				require.NoError(t, outcome.Err, name)
			}
			requireOnce(t, srv, numbers)
		}, terminal49test.WithoutRateLimits(), terminal49test.WithTrackingDelay(time.Hour))
	}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, testkit.Before("containers.list", func() { panic("mine") }))
		require.PanicsWithValue(t, "mine", func() {
			for range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
			}
		})
	})
}
