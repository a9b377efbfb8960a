package terminal49_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestErrors_Bodies(t *testing.T) {
	const html = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"
	for name, test := range map[string]struct {
		status int
		body   string
		want   []terminal49.ErrorObject
		text   string
		kept   string // of the body
	}{
		"full": {
			422, `{"errors":[{"status":"422","title":"Unprocessable","detail":"SCAC can't be blank","code":"blank",` +
				`"source":{"pointer":"/data/attributes/scac"},"meta":{"a":1}},{"title":"b","source":{"parameter":"include"}}]}`,
			[]terminal49.ErrorObject{
				{Title: "Unprocessable", Detail: "SCAC can't be blank", Code: "blank", Status: "422",
					Pointer: "/data/attributes/scac", Meta: map[string]any{"a": 1.0}},
				{Title: "b", Parameter: "include"},
			}, "422 Unprocessable Entity: SCAC can't be blank (/data/attributes/scac); b (include)", "",
		},
		"no detail": {404, `{"errors":[{"status":"404","title":"Not Found"}]}`,
			[]terminal49.ErrorObject{{Title: "Not Found", Status: "404"}}, "404 Not Found", ""},
		"no title": {422, `{"errors":[{"status":"422","detail":"not valid"}]}`,
			[]terminal49.ErrorObject{{Detail: "not valid", Status: "422"}}, ": not valid", ""},
		"detail only": {400, `{"errors":[{"detail":"Query parameter is required"}]}`,
			[]terminal49.ErrorObject{{Detail: "Query parameter is required"}}, ": Query parameter", ""},
		"null detail": {400, `{"errors":[{"status":"400","source":{"parameter":"event"},"title":"Bad","detail":null}]}`, []terminal49.ErrorObject{{Title: "Bad", Status: "400", Parameter: "event"}}, ": Bad (event)", ""},
		"null source": {500, `{"errors":[{"status":"500","source":null,"title":"Internal","detail":null}]}`,
			[]terminal49.ErrorObject{{Title: "Internal", Status: "500"}}, ": Internal", ""},
		"singular key": {422, `{"error":[{"title":"Bad","detail":"no such filter"}]}`,
			[]terminal49.ErrorObject{{Title: "Bad", Detail: "no such filter"}}, ": no such filter", ""},
		"error text": {401, `{"error":"Invalid or missing API token."}`,
			[]terminal49.ErrorObject{{Detail: "Invalid or missing API token."}}, ": Invalid or missing", ""},
		"errors text": {400, `{"errors":"broken"}`, []terminal49.ErrorObject{{Detail: "broken"}}, ": broken", ""},
		"list of texts": {400, `{"errors":["one","two"]}`,
			[]terminal49.ErrorObject{{Detail: "one"}, {Detail: "two"}}, ": one; two", ""},
		"single object": {400, `{"errors":{"title":"alone"}}`, []terminal49.ErrorObject{{Title: "alone"}}, ": alone", ""},
		"message":       {503, `{"message":"down"}`, []terminal49.ErrorObject{{Detail: "down"}}, ": down", ""},
		"detail":        {400, `{"detail":"what"}`, []terminal49.ErrorObject{{Detail: "what"}}, ": what", ""},
		"status number": {400, `{"errors":[{"status":400,"title":"a"}]}`,
			[]terminal49.ErrorObject{{Title: "a", Status: "400"}}, ": a", ""},
		"odd members": {400, `{"errors":[{"title":{"x":1},"detail":"kept","source":"x","meta":[1]}]}`,
			[]terminal49.ErrorObject{{Detail: "kept"}}, ": kept", ""},
		"code only":      {400, `{"errors":[{"code":"blank"}]}`, []terminal49.ErrorObject{{Code: "blank"}}, ": blank", ""},
		"empty list":     {400, `{"errors":[]}`, nil, "400 Bad Request", `{"errors":[]}`},
		"no error shape": {400, `{"data":null}`, nil, "400 Bad Request", `{"data":null}`},
		"web page":       {502, html, nil, "502 Bad Gateway", html},
		"empty":          {503, "", nil, "503 Service Unavailable", ""},
		"other status":   {418, `[]`, nil, "418 I'm a teapot", "[]"},
		"redirect":       {304, "", nil, "304 Not Modified", ""},
		"long page": {500, strings.Repeat("x", 5000), nil, "500 Internal Server Error",
			strings.Repeat("x", terminal49.Snippet)},
		"cut in a rune": {500, strings.Repeat("x", terminal49.Snippet-1) + "ü", nil, "500",
			strings.Repeat("x", terminal49.Snippet-1)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testkit.NewClient(t, testkit.Answer(test.status, test.body)).Shipments.Get(t.Context(),
				testkit.ShipmentID, nil)
			var got *terminal49.APIError
			require.ErrorAs(t, err, &got)
			require.Equal(t, "shipments.get", got.Op)
			require.Equal(t, test.status, got.StatusCode)
			require.Equal(t, test.want, got.Errors)
			require.Equal(t, test.kept, got.Body)
			require.Equal(t, 1, got.Attempts)
			require.Contains(t, err.Error(), "terminal49: shipments.get "+testkit.ShipmentID+": ")
			require.Contains(t, err.Error(), test.text)
			require.NotContains(t, err.Error(), "Not Found: Not Found", "the status is said once")
		})
	}
}

func TestErrors_Sentinels(t *testing.T) {
	all := []error{
		terminal49.ErrInvalid, terminal49.ErrUnauthorized, terminal49.ErrForbidden, terminal49.ErrFeatureNotEnabled,
		terminal49.ErrNotFound, terminal49.ErrConflict, terminal49.ErrDuplicate, terminal49.ErrRateLimited,
		terminal49.ErrServer,
	}
	for name, test := range map[string]struct {
		status int
		body   string
		want   []error
	}{
		"400": {400, ``, []error{terminal49.ErrInvalid}},
		"401": {401, ``, []error{terminal49.ErrUnauthorized}},
		"403": {403, `{"errors":[{"title":"Forbidden"}]}`, []error{terminal49.ErrForbidden}},
		"403 detail": {403,
			`{"errors":[{"title":"Forbidden","detail":"Routing data feature is not enabled for this account"}]}`,
			[]error{terminal49.ErrForbidden, terminal49.ErrFeatureNotEnabled}},
		"403 title": {403, `{"errors":[{"title":"API access Not Enabled"}]}`,
			[]error{terminal49.ErrForbidden, terminal49.ErrFeatureNotEnabled}},
		"404": {404, `<html>`, []error{terminal49.ErrNotFound}},
		"409": {409, ``, []error{terminal49.ErrConflict}},
		"409 duplicate": {409, `{"errors":[{"code":"duplicate_document"}]}`,
			[]error{terminal49.ErrConflict, terminal49.ErrDuplicate}},
		"422": {422, ``, []error{terminal49.ErrInvalid}},
		"422 duplicate": {422, `{"errors":[{"code":"blank"},{"code":"duplicate"}]}`,
			[]error{terminal49.ErrInvalid, terminal49.ErrDuplicate}},
		"422 says duplicate": {422, `{"errors":[{"detail":"duplicate"}]}`, []error{terminal49.ErrInvalid}},
		"429":                {429, ``, []error{terminal49.ErrRateLimited}},
		"500":                {500, ``, []error{terminal49.ErrServer}},
		"599":                {599, ``, []error{terminal49.ErrServer}},
		"418":                {418, ``, nil},
		"302":                {302, ``, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testkit.NewClient(t, testkit.Answer(test.status, test.body)).Shipments.Get(t.Context(),
				testkit.ShipmentID, nil)
			require.Error(t, err)
			for _, sentinel := range all {
				require.Equal(t, slices.Contains(test.want, sentinel), errors.Is(err, sentinel), sentinel)
			}
		})
	}
}

// rateLimited responds 429 with a Retry-After and the token in its body.
func rateLimited(after string) testkit.RoundTripper {
	return func(*http.Request) (*http.Response, error) {
		resp, _ := testkit.Answer(429, `{"errors":[{"status":"429","detail":"key `+testkit.Token+` is too fast"}]}`)(nil)
		resp.Header = http.Header{"Retry-After": {after}, "X-Request-Id": {"req-7"}}
		return resp, nil
	}
}

func TestErrors_RetryAfterIsReportedWithoutSleeping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testkit.NewClient(t, rateLimited("3600"), terminal49.WithMaxAttempts(5))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Shipments.Get(ctx, testkit.ShipmentID, nil)
		require.Zero(t, time.Since(start))
		var limited *terminal49.APIError
		require.ErrorAs(t, err, &limited)
		require.Equal(t, terminal49.Some(time.Hour), limited.RetryAfter)
		require.Equal(t, "req-7", limited.RequestID)
		require.ErrorContains(t, err, "try again in 1h0m0s")
	})
}

func TestErrors_TheLastResponseSurvivesCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := testkit.NewClient(t, rateLimited("60"), terminal49.WithMaxAttempts(5))
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := client.Shipments.Get(ctx, testkit.ShipmentID, nil)
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, terminal49.ErrRateLimited)
		var lost *terminal49.TransportError
		require.ErrorAs(t, err, &lost)
		require.Equal(t, "shipments.get", lost.Op)
		require.Equal(t, 1, lost.Attempts)
		require.Equal(t, "req-7", lost.Last.RequestID)
		require.NotContains(t, lost.Last.Error(), testkit.Token)
	})
}

func TestErrors_ThroughIteratorsAndExhaustedRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testkit.NewClient(t, testkit.Answer(502, "<html>"), terminal49.WithMaxAttempts(3))
		for name, opts := range prefetches() {
			_, err := testkit.Drain(client.Shipments.All(t.Context(), nil, opts...))
			var answered *terminal49.APIError
			require.ErrorAs(t, err, &answered, name)
			require.ErrorIs(t, err, terminal49.ErrServer)
			require.Equal(t, 502, answered.StatusCode)
			require.Equal(t, "<html>", answered.Body)
			require.Equal(t, 3, answered.Attempts)
			require.ErrorContains(t, err, "(after 3 attempts)")
		}
	})
}

func TestErrors_Transport(t *testing.T) {
	reset := errors.New(`Get "https://api.example.test/proxy/v2/shipments?q=private": connection reset by peer`)
	broken := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, reset })
	_, err := testkit.NewClient(t, broken).Shipments.List(t.Context(), &terminal49.ShipmentListParams{Query: "private"})
	var lost *terminal49.TransportError
	require.ErrorAs(t, err, &lost)
	require.ErrorIs(t, err, reset)
	require.Equal(t, "shipments.list", lost.Op)
	require.Equal(t, 1, lost.Attempts)
	require.Nil(t, lost.Last)
	require.ErrorContains(t, err, "connection reset by peer")
	require.NotContains(t, err.Error(), "private")
	require.NotContains(t, err.Error(), "https://")
}

func TestErrors_IsOutcomeUnknown(t *testing.T) {
	create := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.TrackingRequests.Create(ctx, testkit.FullCreate()))
	}
	update := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.Shipments.Update(ctx, testkit.ShipmentID,
			terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"a"})}))
	}
	read := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.Shipments.Get(ctx, testkit.ShipmentID, nil))
	}
	infer := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.TrackingRequests.Infer(ctx, "MEDU0000001"))
	}
	lost := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	cut := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		resp, _ := testkit.Answer(201, "")(nil)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"data"`), iotest.ErrReader(io.ErrUnexpectedEOF)))
		return resp, nil
	})
	for name, test := range map[string]struct {
		rt   testkit.RoundTripper
		do   func(context.Context, *terminal49.Client) error
		want bool
	}{
		"create lost":             {lost, create, true},
		"create cut":              {cut, create, true},
		"create 500":              {testkit.Answer(500, ""), create, true},
		"create 502":              {testkit.Answer(502, "<html>"), create, true},
		"create 429":              {testkit.Answer(429, ""), create, false},
		"create 422":              {testkit.Answer(422, ""), create, false},
		"create unreadable":       {testkit.Answer(201, "<html>"), create, true},
		"read unreadable":         {testkit.Answer(200, "<html>"), read, false},
		"update lost":             {lost, update, true},
		"update 503":              {testkit.Answer(503, ""), update, true},
		"update 404":              {testkit.Answer(404, ""), update, false},
		"read lost":               {lost, read, false},
		"read 500":                {testkit.Answer(500, ""), read, false},
		"infer lost, a pure read": {lost, infer, false},
		"infer 500":               {testkit.Answer(500, ""), infer, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.do(t.Context(), testkit.NewClient(t, test.rt))
			require.Error(t, err)
			require.Equal(t, test.want, terminal49.IsOutcomeUnknown(err))
			require.Equal(t, test.want, terminal49.IsOutcomeUnknown(errors.Join(errors.New("wrapped"), err)))
		})
	}
	require.False(t, terminal49.IsOutcomeUnknown(nil))
	require.False(t, terminal49.IsOutcomeUnknown(errors.New("other")))
	require.False(t, terminal49.IsOutcomeUnknown(&terminal49.ArgumentError{}))
}

// A call that ended before it was sent has a known outcome.
func TestErrors_ACancelledWriteWasNotSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	api := testkit.NewFakeAPI()
	_, err := testkit.NewClient(t, api).TrackingRequests.Create(ctx, testkit.FullCreate())
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, terminal49.IsOutcomeUnknown(err))
	require.Empty(t, api.Requests())
}

func TestErrors_LogValue(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	answered := &terminal49.APIError{Op: "shipments.get", StatusCode: 404, Attempts: 2, RequestID: "r",
		Errors: []terminal49.ErrorObject{{Title: "Not Found"}}}
	log.Error("x", "err", answered)
	require.Contains(t, out.String(),
		`err.op=shipments.get err.status=404 err.attempts=2 err.request_id=r err.error="terminal49:`)
	out.Reset()
	log.Error("x", "err", terminal49.LostWrite(io.EOF))
	require.Contains(t, out.String(),
		`err.op=a.b err.attempts=3 err.outcome_unknown=true err.error="terminal49: a.b (POST /a): no response`)
}

// A typed nil that is logged must not panic; slog would print the panic instead of the value.
func TestErrors_LogValueOfNil(t *testing.T) {
	require.Equal(t, slog.Value{}, (*terminal49.APIError)(nil).LogValue())
	require.Equal(t, slog.Value{}, (*terminal49.TransportError)(nil).LogValue())
}

// The doc comment of TransportError.ID: what the call names in its path or body, printable and
// short.
func TestErrors_NameTheResource(t *testing.T) {
	const a, b = testkit.ContainerID, testkit.ShipmentID
	long, path := strings.Repeat("x", 300), "\u200bx"
	for name, c := range map[string]struct {
		do   func(context.Context, *terminal49.Client) error
		want string
	}{
		"a read": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.Get(ctx, a, nil))
		}, a},
		"an update with the id in the body": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.Update(ctx, a, terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"1"})}))
		}, a},
		"two ids": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.CustomFieldOptions.Get(ctx, a, b))
		}, a + "/" + b},
		"a code that is long": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.UpdateCustomField(ctx, a, long, terminal49.CustomText("x")))
		}, a + "/" + long[:63] + "..."},
		"a code that is not printable": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.UpdateCustomField(ctx, a, path, terminal49.CustomText("x")))
		}, a + `/\u200bx`},
		"a code that is the token": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.UpdateCustomField(ctx, a, testkit.Token, terminal49.CustomText("x")))
		}, a + "/[secret]"},
		"a list": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.List(ctx, nil))
		}, ""},
		"a creation": {func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Create(ctx, testkit.FullCreate()))
		}, ""},
	} {
		for kind, rt := range map[string]http.RoundTripper{
			"refused": testkit.Answer(404, `{"errors":[{"title":"Not Found"}]}`), "unread": testkit.Answer(200, "{"),
			"lost": testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, io.EOF }),
		} {
			err := c.do(t.Context(), testkit.NewClient(t, rt, terminal49.WithMaxAttempts(1)))
			var refused *terminal49.APIError
			var unread *terminal49.DecodeError
			var lost *terminal49.TransportError
			var got, op string
			switch {
			case errors.As(err, &refused):
				got, op = refused.ID, refused.Op
			case errors.As(err, &unread):
				got, op = unread.ID, unread.Op
			case errors.As(err, &lost):
				got, op = lost.ID, lost.Op
			}
			require.Equal(t, c.want, got, "%s, %s: %v", name, kind, err)
			text, ok := strings.CutPrefix(err.Error(), "terminal49: "+op)
			require.True(t, ok, err)
			if c.want != "" {
				require.True(t, strings.HasPrefix(text, " "+c.want), "%s, %s: %v", name, kind, err)
			} else {
				require.Regexp(t, `^(: | \()`, text)
			}
		}
	}
}

func TestErrors_Texts(t *testing.T) {
	require.EqualError(t, &terminal49.ArgumentError{Op: "shipments.list", Field: "PageSize",
		Problem: "must be 1 to 100, not 101"},
		"terminal49: shipments.list: PageSize must be 1 to 100, not 101")
	require.EqualError(t, &terminal49.APIError{Op: "a.b", StatusCode: 429, RetryAfter: terminal49.Some(time.Minute),
		Attempts: 2},
		"terminal49: a.b: 429 Too Many Requests; try again in 1m0s (after 2 attempts)")
	require.Equal(t, "unknown problem (include)", terminal49.ErrorObject{Parameter: "include"}.String())
	require.EqualError(t, &terminal49.DecodeError{Op: "a.b", Status: 200, Err: io.EOF, Warnings: []terminal49.DecodeWarning{
		{ResourceType: "container", ResourceID: "c", Field: "pickup_lfd", Problem: "not a time"},
	}}, "terminal49: a.b: cannot read the 200 response: EOF; container c: pickup_lfd: not a time")
	require.ErrorIs(t, &terminal49.DecodeError{Err: io.EOF}, io.EOF)
}
