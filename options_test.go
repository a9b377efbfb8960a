package terminal49

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOptions_InvalidOnesAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		opt   Option
		field string
	}{
		"relative base":                     {WithBaseURL("/v2"), "WithBaseURL"},
		"base without scheme":               {WithBaseURL("api.terminal49.com/v2"), "WithBaseURL"},
		"other scheme":                      {WithBaseURL("ftp://api.terminal49.com"), "WithBaseURL"},
		"unreadable base":                   {WithBaseURL("https://%zz"), "WithBaseURL"},
		"base with user":                    {WithBaseURL("https://user:pass@api.terminal49.com"), "WithBaseURL"},
		"base with query":                   {WithBaseURL("https://api.terminal49.com/v2?a=b"), "WithBaseURL"},
		"base with bare query":              {WithBaseURL("https://api.terminal49.com/v2?"), "WithBaseURL"},
		"base with fragment":                {WithBaseURL("https://api.terminal49.com/v2#a"), "WithBaseURL"},
		"http elsewhere":                    {WithBaseURL("http://api.terminal49.com/v2"), "WithBaseURL"},
		"http to a host that looks local":   {WithBaseURL("http://127.0.0.1.evil.test/v2"), "WithBaseURL"},
		"http to a name below localhost":    {WithBaseURL("http://t49.localhost/v2"), "WithBaseURL"},
		"no host":                           {WithBaseURL("https://:443/v2"), "WithBaseURL"},
		"path with dots":                    {WithBaseURL("https://api.terminal49.com/a/%2e%2e/v2"), "WithBaseURL"},
		"http to a name that ends in local": {WithBaseURL("http://notlocalhost/v2"), "WithBaseURL"},
		"nil HTTP client":                   {WithHTTPClient(nil), "WithHTTPClient"},
		"empty agent":                       {WithUserAgent(""), "WithUserAgent"},
		"agent with break":                  {WithUserAgent("a\r\nX-Evil: 1"), "WithUserAgent"},
		"empty account":                     {WithAccountID(""), "WithAccountID"},
		"account with break":                {WithAccountID("a\nb"), "WithAccountID"},
		"negative attempts":                 {WithRetry(RetryPolicy{MaxAttempts: -1}), "WithRetry"},
		"negative wait":                     {WithRetry(RetryPolicy{MaxRetryAfter: -1}), "WithRetry"},
		"backoffs crossed":                  {WithRetry(RetryPolicy{MinBackoff: time.Minute}), "WithRetry"},
		"negative limit":                    {WithLimits(Limits{Infer: -1}), "WithLimits"},
		"negative pace":                     {WithLimits(Limits{PerSecond: -1}), "WithLimits"},
		"nil limiter":                       {WithLimiter(nil), "WithLimiter"},
		"nil logger":                        {WithLogger(nil), "WithLogger"},
		"nil middleware":                    {WithMiddleware(nil), "WithMiddleware"},
		"no attempts":                       {WithMaxAttempts(0), "WithMaxAttempts"},
		"no time":                           {WithAttemptTimeout(0), "WithAttemptTimeout"},
		"no bytes":                          {WithMaxResponseBytes(-1), "WithMaxResponseBytes"},
		"no pages":                          {WithPrefetch(0), "WithPrefetch"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := New(testToken, nil, test.opt)
			require.Nil(t, client)
			var argument *ArgumentError
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
		client, err := New(testToken, WithBaseURL(given))
		require.NoError(t, err, given)
		require.Equal(t, base, client.Base())
	}
	for _, given := range []string{
		"http://api.example.test", "HTTP://api.example.test", "http://10.0.0.1/v2", "http://[::2]/v2", "http://0.0.0.0/v2", "http://localhost.example.test",
	} {
		var refused *ArgumentError
		_, err := New(testToken, WithBaseURL(given))
		require.ErrorAs(t, err, &refused, given)
		require.Contains(t, refused.Problem, "unencrypted", given)
		_, err = New(testToken, WithBaseURL(given), WithPlainHTTP())
		require.NoError(t, err, given)
	}
}

func TestOptions_UserAgent(t *testing.T) {
	api := newFakeAPI()
	api.on("GET", "/shipments/"+shipmentID, 200, oneShipment)
	_, err := newClient(t, api, WithUserAgent("dispatcher/2.1")).Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "dispatcher/2.1 go-freight-terminal49/"+Version, api.requests()[0].Header.Get("User-Agent"))
}

// failing answers 503 n times and then well; it counts.
func failing(n int) (rt roundTripper, count *int) {
	count = new(int)
	return func(*http.Request) (*http.Response, error) {
		if *count++; *count <= n {
			return answer(503, "")(nil)
		}
		return answer(200, oneShipment)(nil)
	}, count
}

func TestOptions_Retry(t *testing.T) {
	for name, test := range map[string]struct {
		client []Option
		call   []CallOption
		want   int // requests
	}{
		"default":                 {nil, nil, 4},
		"policy":                  {[]Option{WithRetry(RetryPolicy{MaxAttempts: 6})}, nil, 6},
		"policy keeps its zeroes": {[]Option{WithRetry(RetryPolicy{MaxBackoff: time.Minute})}, nil, 4},
		"none":                    {[]Option{WithoutRetries()}, nil, 1},
		"client attempts":         {[]Option{WithMaxAttempts(2)}, nil, 2},
		"call attempts":           {[]Option{WithMaxAttempts(2)}, []CallOption{WithMaxAttempts(3)}, 3},
		"call beats none":         {[]Option{WithoutRetries()}, []CallOption{WithMaxAttempts(2)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt, count := failing(100)
				client, err := New(testToken, append([]Option{WithHTTPClient(&http.Client{Transport: rt})}, test.client...)...)
				require.NoError(t, err)
				_, err = client.Shipments.Get(t.Context(), shipmentID, nil, test.call...)
				var answered *APIError
				require.ErrorAs(t, err, &answered)
				require.Equal(t, test.want, *count)
				require.Equal(t, test.want, answered.Attempts)
			})
		})
	}
}

func TestOptions_AttemptTimeouts(t *testing.T) {
	hang := roundTripper(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})
	for name, test := range map[string]struct {
		http http.Client
		opts []Option
		call []CallOption
		want time.Duration
	}{
		"default":     {http.Client{}, nil, nil, 30 * time.Second},
		"HTTP client": {http.Client{Timeout: 7 * time.Second}, nil, nil, 7 * time.Second},
		"policy":      {http.Client{}, []Option{WithRetry(RetryPolicy{AttemptTimeout: 9 * time.Second})}, nil, 9 * time.Second},
		"client":      {http.Client{}, []Option{WithAttemptTimeout(3 * time.Second)}, nil, 3 * time.Second},
		"call":        {http.Client{}, nil, []CallOption{WithAttemptTimeout(2 * time.Second)}, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.http.Transport = hang
				client, err := New(testToken, append([]Option{WithHTTPClient(&test.http), WithoutRetries()}, test.opts...)...)
				require.NoError(t, err)
				start := time.Now()
				_, err = client.Shipments.Get(t.Context(), shipmentID, nil, test.call...)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, test.want, time.Since(start))
			})
		})
	}
}

func TestOptions_MaxResponseBytes(t *testing.T) {
	client := newClient(t, answer(200, oneShipment), WithMaxResponseBytes(int64(len(oneShipment))))
	_, err := client.Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), shipmentID, nil, WithMaxResponseBytes(int64(len(oneShipment)-1)))
	var lost *TransportError
	require.ErrorAs(t, err, &lost)
	require.ErrorContains(t, err, "longer than the limit")
}

func TestOptions_MiddlewareOrder(t *testing.T) {
	var order []string
	note := func(name string) func(http.RoundTripper) http.RoundTripper {
		return func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(req)
			})
		}
	}
	client := newClient(t, answer(200, oneShipment), WithMiddleware(note("first"), note("second")), WithMiddleware(note("third")))
	_, err := client.Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"first", "second", "third"}, order)
}
