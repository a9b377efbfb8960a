package terminal49_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestOptions_InvalidOnesAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		opt   terminal49.Option
		field string
	}{
		"relative base":                             {terminal49.WithBaseURL("/v2"), "WithBaseURL"},
		"base without scheme":                       {terminal49.WithBaseURL("api.terminal49.com/v2"), "WithBaseURL"},
		"other scheme":                              {terminal49.WithBaseURL("ftp://api.terminal49.com"), "WithBaseURL"},
		"unreadable base":                           {terminal49.WithBaseURL("https://%zz"), "WithBaseURL"},
		"base with user":                            {terminal49.WithBaseURL("https://user:pass@api.terminal49.com"), "WithBaseURL"},
		"base with query":                           {terminal49.WithBaseURL("https://api.terminal49.com/v2?a=b"), "WithBaseURL"},
		"base with bare query":                      {terminal49.WithBaseURL("https://api.terminal49.com/v2?"), "WithBaseURL"},
		"base with fragment":                        {terminal49.WithBaseURL("https://api.terminal49.com/v2#a"), "WithBaseURL"},
		"http elsewhere":                            {terminal49.WithBaseURL("http://api.terminal49.com/v2"), "WithBaseURL"},
		"http to a host that resembles a local one": {terminal49.WithBaseURL("http://127.0.0.1.evil.test/v2"), "WithBaseURL"},
		"http to a name below localhost":            {terminal49.WithBaseURL("http://t49.localhost/v2"), "WithBaseURL"},
		"no host":                                   {terminal49.WithBaseURL("https://:443/v2"), "WithBaseURL"},
		"path with dots":                            {terminal49.WithBaseURL("https://api.terminal49.com/a/%2e%2e/v2"), "WithBaseURL"},
		"http to a name that ends in local":         {terminal49.WithBaseURL("http://notlocalhost/v2"), "WithBaseURL"},
		"nil HTTP client":                           {terminal49.WithHTTPClient(nil), "WithHTTPClient"},
		"empty agent":                               {terminal49.WithUserAgent(""), "WithUserAgent"},
		"agent with break":                          {terminal49.WithUserAgent("a\r\nX-Evil: 1"), "WithUserAgent"},
		"empty account":                             {terminal49.WithAccountID(""), "WithAccountID"},
		"account with break":                        {terminal49.WithAccountID("a\nb"), "WithAccountID"},
		"negative attempts":                         {terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: -1}), "WithRetryPolicy"},
		"negative wait":                             {terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxRetryAfter: -1}), "WithRetryPolicy"},
		"backoffs crossed":                          {terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Minute}), "WithRetryPolicy"},
		"negative limit":                            {terminal49.WithRateLimits(terminal49.RateLimits{Infer: -1}), "WithRateLimits"},
		"negative pace":                             {terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: -1}), "WithRateLimits"},
		"nil limiter":                               {terminal49.WithLimiter(nil), "WithLimiter"},
		"nil logger":                                {terminal49.WithLogger(nil), "WithLogger"},
		"nil middleware":                            {terminal49.WithMiddleware(nil), "WithMiddleware"},
		"no attempts":                               {terminal49.WithMaxAttempts(0), "WithMaxAttempts"},
		"no time":                                   {terminal49.WithAttemptTimeout(0), "WithAttemptTimeout"},
		"no bytes":                                  {terminal49.WithMaxResponseBytes(-1), "WithMaxResponseBytes"},
		"no pages":                                  {terminal49.WithPrefetch(0), "WithPrefetch"},
		"no share":                                  {terminal49.WithRateLimitShare(0), "WithRateLimitShare"},
		"share above 1":                             {terminal49.WithRateLimitShare(1.01), "WithRateLimitShare"},
		"share that is not a number":                {terminal49.WithRateLimitShare(math.NaN()), "WithRateLimitShare"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := terminal49.New(testkit.Token, nil, test.opt)
			require.Nil(t, client)
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "New", argument.Op)
			require.Equal(t, test.field, argument.Field)
			require.NotContains(t, err.Error(), "pass@")
		})
	}
}

func TestOptions_BaseURLs(t *testing.T) {
	for given, base := range map[string]string{
		"https://api.example.test/v2/":   "https://api.example.test/v2",
		"HTTPS://api.example.test":       "https://api.example.test",
		"http://localhost:8080/v2":       "http://localhost:8080/v2",
		"http://127.0.0.1:1/":            "http://127.0.0.1:1",
		"http://127.8.9.1/v2":            "http://127.8.9.1/v2",
		"http://[::1]:80/a//":            "http://[::1]:80/a",
		"https://api.example.test/a%2Fb": "https://api.example.test/a%2Fb",
	} {
		client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(given))
		require.NoError(t, err, given)
		require.Equal(t, base, client.Base())
	}
	for _, given := range []string{
		"http://api.example.test", "HTTP://api.example.test", "http://10.0.0.1/v2", "http://[::2]/v2",
		"http://0.0.0.0/v2", "http://localhost.example.test",
	} {
		var refused *terminal49.ArgumentError
		_, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(given))
		require.ErrorAs(t, err, &refused, given)
		require.Contains(t, refused.Problem, "unencrypted", given)
		_, err = terminal49.New(testkit.Token, terminal49.WithBaseURL(given), terminal49.WithPlainHTTP())
		require.NoError(t, err, given)
	}
}

func TestOptions_UserAgent(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/shipments/"+testkit.ShipmentID, 200, testkit.OneShipment)
	_, err := testkit.NewClient(t, api, terminal49.WithUserAgent("dispatcher/2.1")).Shipments.Get(t.Context(),
		testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "dispatcher/2.1 go-freight-terminal49/"+terminal49.Version, api.Requests()[0].Header.Get("User-Agent"))
}

func TestOptions_Retry(t *testing.T) {
	for name, test := range map[string]struct {
		client []terminal49.Option
		call   []terminal49.CallOption
		want   int // requests
	}{
		"default": {nil, nil, 4},
		"policy": {[]terminal49.Option{terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 6})},
			nil, 6},
		"policy keeps its zeroes": {[]terminal49.Option{terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxBackoff: time.Minute})}, nil, 4},
		"none":                    {[]terminal49.Option{terminal49.WithMaxAttempts(1)}, nil, 1},
		"client attempts":         {[]terminal49.Option{terminal49.WithMaxAttempts(2)}, nil, 2},
		"call attempts": {[]terminal49.Option{terminal49.WithMaxAttempts(2)},
			[]terminal49.CallOption{terminal49.WithMaxAttempts(3)}, 3},
		"call beats none": {[]terminal49.Option{terminal49.WithMaxAttempts(1)},
			[]terminal49.CallOption{terminal49.WithMaxAttempts(2)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, count := testkit.Failing(100)
				client, err := terminal49.New(testkit.Token,
					append([]terminal49.Option{terminal49.WithHTTPClient(&http.Client{Transport: rt})}, test.client...)...)
				require.NoError(t, err)
				_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, test.call...)
				var answered *terminal49.APIError
				require.ErrorAs(t, err, &answered)
				require.Equal(t, test.want, *count)
				require.Equal(t, test.want, answered.Attempts)
			})
		})
	}
}

func TestOptions_AttemptTimeouts(t *testing.T) {
	hang := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})
	for name, test := range map[string]struct {
		http http.Client
		opts []terminal49.Option
		call []terminal49.CallOption
		want time.Duration
	}{
		"default":     {http.Client{}, nil, nil, 30 * time.Second},
		"HTTP client": {http.Client{Timeout: 7 * time.Second}, nil, nil, 7 * time.Second},
		"policy": {http.Client{},
			[]terminal49.Option{terminal49.WithRetryPolicy(terminal49.RetryPolicy{AttemptTimeout: 9 * time.Second})}, nil,
			9 * time.Second},
		"client": {http.Client{}, []terminal49.Option{terminal49.WithAttemptTimeout(3 * time.Second)}, nil,
			3 * time.Second},
		"call": {http.Client{}, nil, []terminal49.CallOption{terminal49.WithAttemptTimeout(2 * time.Second)},
			2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.http.Transport = hang
				client, err := terminal49.New(testkit.Token,
					append([]terminal49.Option{terminal49.WithHTTPClient(&test.http), terminal49.WithMaxAttempts(1)},
						test.opts...)...)
				require.NoError(t, err)
				start := time.Now()
				_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, test.call...)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, test.want, time.Since(start))
			})
		})
	}
}

func TestOptions_MaxResponseBytes(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(200, testkit.OneShipment),
		terminal49.WithMaxResponseBytes(int64(len(testkit.OneShipment))))
	_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil,
		terminal49.WithMaxResponseBytes(int64(len(testkit.OneShipment)-1)))
	var lost *terminal49.TransportError
	require.ErrorAs(t, err, &lost)
	require.ErrorContains(t, err, "longer than the limit")
}

func TestOptions_MiddlewareOrder(t *testing.T) {
	var order []string
	note := func(name string) func(http.RoundTripper) http.RoundTripper {
		return func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(req)
			})
		}
	}
	client := testkit.NewClient(t, testkit.Answer(200, testkit.OneShipment),
		terminal49.WithMiddleware(note("first"), note("second")), terminal49.WithMiddleware(note("third")))
	_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"first", "second", "third"}, order)
}

const year = 365 * 24 * time.Hour

// The ends of integers and durations, and of floats.
var intEnds = map[string]int64{
	"0": 0, "1": 1, "-1": -1, "year": int64(year), "max": math.MaxInt, "min": math.MinInt,
}

var floatEnds = map[string]float64{
	"0": 0, "1": 1, "-1": -1, "tiny": math.SmallestNonzeroFloat64, "max": math.MaxFloat64, "min": -math.MaxFloat64,
	"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
}

// endsRow names the ends that are refused; all others must work.
type endsRow struct {
	refused string // names of ends, or "all" or "none"
	ints    func(n int64) (sent int, err error)
	floats  func(f float64) (sent int, err error)
}

func answered(opts ...terminal49.Option) (client *terminal49.Client, sent *int, err error) {
	sent = new(int)
	client, err = terminal49.New(testkit.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(testkit.Base), terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(
			func(req *http.Request) (*http.Response, error) {
				*sent++
				body := testkit.SomeShipment
				if strings.Contains(req.URL.Path, "tracking_requests/") {
					body = testkit.OneRequest
				}
				if strings.Contains(req.URL.Path, "documents/") {
					body = `{"data":{"id":"` + testkit.DocumentID + `","type":"document"}}`
				}
				if strings.Contains(req.URL.Path, "containers/") {
					body = `{"data":{"id":"` + testkit.ContainerID + `","type":"container"}}`
				}
				if strings.HasSuffix(req.URL.Path, "containers") {
					body = `{"data":[]}`
				}
				return testkit.Answer(http.StatusOK, body)(req)
			})}),
	}, opts...)...)
	return client, sent, err
}

// listing lists shipments with an option of the client.
func listing(option func(n int64) terminal49.Option) func(int64) (int, error) {
	return func(n int64) (int, error) {
		client, sent, err := answered(option(n))
		if err != nil {
			return 0, err
		}
		_, err = client.Shipments.List(context.Background(), nil)
		return *sent, err
	}
}

// with makes a call with params.
func with(call func(ctx context.Context, c *terminal49.Client, n int64) error) func(int64) (int, error) {
	return func(n int64) (int, error) {
		client, sent, err := answered(terminal49.WithoutRateLimits())
		if err != nil {
			return 0, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Nanosecond)
		defer cancel()
		err = call(ctx, client, n)
		if ctx.Err() != nil { // it polled until then
			err = nil
		}
		return *sent, err
	}
}

func pure(f func(n int64)) func(int64) (int, error) {
	return func(n int64) (int, error) { f(n); return 1, nil }
}

func limit(set func(l *terminal49.RateLimits, n int)) func(int64) (int, error) {
	return listing(func(n int64) terminal49.Option {
		var l terminal49.RateLimits
		set(&l, int(n))
		return terminal49.WithRateLimits(l)
	})
}

func retry(set func(p *terminal49.RetryPolicy, n int64)) func(int64) (int, error) {
	return listing(func(n int64) terminal49.Option {
		p := terminal49.RetryPolicy{MaxBackoff: math.MaxInt64}
		set(&p, n)
		return terminal49.WithRetryPolicy(p)
	})
}

// numericOptions has a row for each numeric option. The wanted results are those of the doc
// comments; limits above 1,000 are refused.
func numericOptions() map[string]endsRow {
	wait := func(set func(p *terminal49.WaitParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.WaitParams
			set(&p, time.Duration(n))
			for o := range c.TrackingRequests.WaitAll(ctx, []string{testkit.RequestID}, &p) {
				if o.Err != nil {
					return o.Err
				}
			}
			return testkit.First(c.TrackingRequests.Wait(ctx, testkit.RequestID, &p))
		})
	}
	documents := func(set func(p *terminal49.DocumentWaitParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.DocumentWaitParams
			set(&p, time.Duration(n))
			return testkit.First(c.Documents.WaitExtracted(ctx, testkit.DocumentID, &p))
		})
	}
	watch := func(set func(p *terminal49.ContainerWatchParams, d time.Duration)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.ContainerWatchParams
			set(&p, time.Duration(n))
			return testkit.First(testkit.Drain(c.Containers.Watch(ctx, testkit.ContainerID, &p)))
		})
	}
	list := func(set func(p *terminal49.PageParams, n int)) func(int64) (int, error) {
		return with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			var p terminal49.ShipmentListParams
			set(&p.PageParams, int(n))
			return testkit.First(c.Shipments.List(ctx, &p))
		})
	}
	coordinates := func(set func(*terminal49.Coordinates, float64)) func(float64) (int, error) {
		return func(f float64) (int, error) {
			return with(func(ctx context.Context, c *terminal49.Client, _ int64) error {
				var at terminal49.Coordinates
				set(&at, f)
				return testkit.First(c.Vessels.FuturePositionsFrom(ctx, testkit.VesselID, terminal49.VesselLeg{NextPortID: testkit.OtherPortID, PreviousPortID: testkit.PortID}, at))
			})(0)
		}
	}
	assess := func(set func(o *terminal49.VerdictOptions, n int64)) func(int64) (int, error) {
		return pure(func(n int64) {
			var o terminal49.VerdictOptions
			set(&o, n)
			terminal49.Assess(&terminal49.Container{}, time.Unix(0, 0), o)
		})
	}
	return map[string]endsRow{
		"RateLimits.Default": {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Default = n })},
		"RateLimits.Create":  {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Create = n })},
		"RateLimits.Infer":   {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Infer = n })},
		"RateLimits.Refresh": {refused: "-1 year max min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Refresh = n })},
		"RateLimits.Burst":   {refused: "-1 min", ints: limit(func(l *terminal49.RateLimits, n int) { l.Burst = n })},
		"RateLimits.PerSecond": {refused: "-1 tiny min inf -inf nan", floats: func(f float64) (int, error) {
			return listing(func(int64) terminal49.Option { return terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: f}) })(0)
		}},
		"WithRateLimitShare(part)": {refused: "0 -1 max min inf -inf nan", floats: func(f float64) (int, error) {
			return listing(func(int64) terminal49.Option { return terminal49.WithRateLimitShare(f) })(0)
		}},
		"WithMaxAttempts(n)":         {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithMaxAttempts(int(n)) })},
		"WithMaxResponseBytes(n)":    {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithMaxResponseBytes(n) })},
		"WithPrefetch(n)":            {refused: "0 -1 year max min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithPrefetch(int(n)) })},
		"WithAttemptTimeout(d)":      {refused: "0 -1 min", ints: listing(func(n int64) terminal49.Option { return terminal49.WithAttemptTimeout(time.Duration(n)) })},
		"RetryPolicy.MaxAttempts":    {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MaxAttempts = int(n) })},
		"RetryPolicy.MinBackoff":     {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MinBackoff = time.Duration(n) })},
		"RetryPolicy.MaxBackoff":     {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MinBackoff, p.MaxBackoff = 1, time.Duration(n) })},
		"RetryPolicy.MaxRetryAfter":  {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.MaxRetryAfter = time.Duration(n) })},
		"RetryPolicy.AttemptTimeout": {refused: "-1 min", ints: retry(func(p *terminal49.RetryPolicy, n int64) { p.AttemptTimeout = time.Duration(n) })},
		"PageParams.PageNumber":      {refused: "-1 min", ints: list(func(p *terminal49.PageParams, n int) { p.PageNumber = n })},
		"PageParams.PageSize":        {refused: "-1 year max min", ints: list(func(p *terminal49.PageParams, n int) { p.PageSize = n })},
		"TrackAllParams.Concurrency": {refused: "-1 year max min", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			for o := range c.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack("MSCU6639871"), &terminal49.TrackAllParams{Concurrency: int(n)}) {
				if o.Err != nil {
					return o.Err
				}
			}
			return nil
		})},
		"WaitParams.MinInterval":           {refused: "-1 min", ints: wait(func(p *terminal49.WaitParams, d time.Duration) { p.MinInterval = d })},
		"WaitParams.MaxInterval":           {refused: "-1 min", ints: wait(func(p *terminal49.WaitParams, d time.Duration) { p.MaxInterval = d })},
		"DocumentWaitParams.MinInterval":   {refused: "-1 min", ints: documents(func(p *terminal49.DocumentWaitParams, d time.Duration) { p.MinInterval = d })},
		"DocumentWaitParams.MaxInterval":   {refused: "-1 min", ints: documents(func(p *terminal49.DocumentWaitParams, d time.Duration) { p.MaxInterval = d })},
		"ContainerWatchParams.MinInterval": {refused: "-1 min", ints: watch(func(p *terminal49.ContainerWatchParams, d time.Duration) { p.MinInterval = d })},
		"ContainerWatchParams.MaxInterval": {refused: "-1 min", ints: watch(func(p *terminal49.ContainerWatchParams, d time.Duration) { p.MaxInterval = d })},
		"ContainerWatchAllParams.Interval": {refused: "-1 min", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			return testkit.First(testkit.Drain(c.Containers.WatchAll(ctx, &terminal49.ContainerWatchAllParams{Interval: time.Duration(n)})))
		})},
		"DocumentsService.Rotate(degrees)": {refused: "all", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			return c.Documents.Rotate(ctx, testkit.DocumentID, int(n))
		})},
		"CustomFieldOptionCreate.Position": {refused: "none", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			_, err := c.CustomFieldOptions.Create(ctx, testkit.DefinitionID, terminal49.CustomFieldOptionCreate{Label: "a", Value: "a", Position: terminal49.Some(int(n))})
			return err
		})},
		"CustomFieldOptionUpdate.Position": {refused: "none", ints: with(func(ctx context.Context, c *terminal49.Client, n int64) error {
			_, err := c.CustomFieldOptions.Update(ctx, testkit.DefinitionID, testkit.OptionID, terminal49.CustomFieldOptionUpdate{Position: terminal49.Some(int(n))})
			return err
		})},
		"Coordinates.Latitude":  {refused: "max min inf -inf nan", floats: coordinates(func(c *terminal49.Coordinates, f float64) { c.Latitude = f })},
		"Coordinates.Longitude": {refused: "max min inf -inf nan", floats: coordinates(func(c *terminal49.Coordinates, f float64) { c.Longitude = f })},
		"MapLine.Unwrap(near)": {refused: "none", floats: func(f float64) (int, error) {
			line := terminal49.MapLine{{Longitude: 179}, {Longitude: -179}}
			line.Unwrap(f)
			return 1, nil
		}},
		"VerdictOptions.MaxAge":         {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.MaxAge = time.Duration(n) })},
		"VerdictOptions.DeadlineMaxAge": {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.DeadlineMaxAge = time.Duration(n) })},
		"VerdictOptions.ImminentDays":   {refused: "none", ints: assess(func(o *terminal49.VerdictOptions, n int64) { o.ImminentDays = terminal49.Some(int(n)) })},
		"Readiness.CanPickUp(maxAge)": {refused: "none", ints: pure(func(n int64) {
			terminal49.Readiness{}.CanPickUp(time.Unix(0, 0), time.Duration(n))
		})},
	}
}

// TestNumericOptions_AtTheirEnds tries every row. A value that works may fail otherwise, for
// example because one nanosecond is too short for a response.
func TestNumericOptions_AtTheirEnds(t *testing.T) {
	for name, row := range numericOptions() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				check := func(end string, sent int, err error) {
					if row.refused != "all" && !slices.Contains(strings.Fields(row.refused), end) {
						require.NotZero(t, sent, "%s works, but: %v", end, err)
						return
					}
					var argument *terminal49.ArgumentError
					require.ErrorAs(t, err, &argument, end)
					require.Zero(t, sent, end)
				}
				for end, n := range intEnds {
					if row.ints != nil {
						sent, err := row.ints(n)
						check(end, sent, err)
					}
				}
				for end, f := range floatEnds {
					if row.floats != nil {
						sent, err := row.floats(f)
						check(end, sent, err)
					}
				}
			})
		})
	}
}

// A numeric option without a row fails. Options are the numeric fields of exported structs whose
// names end like those of arguments, and the numeric arguments of exported functions and methods.
func TestNumericOptions_EachHasARow(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	rows, found := numericOptions(), 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			for _, name := range numericNames(n) {
				found++
				require.Contains(t, rows, name, "a numeric option needs a row in numericOptions")
			}
			return true
		})
	}
	require.Equal(t, len(rows), found, "no row is out of date")
}

var argumentTypes = []string{"Params", "Create", "Update", "Limits", "Policy", "Options", "Filter", "Coordinates", "File"}

func numericNames(n ast.Node) (names []string) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		s, isStruct := n.Type.(*ast.StructType)
		is := func(end string) bool { return strings.HasSuffix(n.Name.Name, end) }
		if isStruct && n.Name.IsExported() && slices.ContainsFunc(argumentTypes, is) {
			names = numericIn(n.Name.Name+".", s.Fields, "")
		}
	case *ast.FuncDecl:
		owner := ""
		if n.Recv != nil {
			owner = strings.TrimLeft(typeName(n.Recv.List[0].Type), "*") + "."
		}
		if n.Name.IsExported() && ast.IsExported(strings.TrimSuffix(owner, ".")+"X") {
			names = numericIn(owner+n.Name.Name+"(", n.Type.Params, ")")
		}
	}
	return names
}

func numericIn(before string, fields *ast.FieldList, after string) (names []string) {
	for _, f := range fields.List {
		switch typeName(f.Type) {
		case "int", "int64", "float64", "Duration", "Opt[int]", "Opt[float64]", "Opt[Duration]":
			for _, name := range f.Names {
				names = append(names, before+name.Name+after)
			}
		}
	}
	return names
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X) + "[" + typeName(e.Index) + "]"
	}
	return ""
}
