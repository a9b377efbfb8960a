package terminal49_test

import (
	"context"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
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
