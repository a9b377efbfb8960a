package terminal49

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestErrors_Bodies(t *testing.T) {
	const html = "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"
	for name, test := range map[string]struct {
		status int
		body   string
		want   []ErrorObject
		text   string
		kept   string // of the body
	}{
		"full": {
			422, `{"errors":[{"status":"422","title":"Unprocessable","detail":"SCAC can't be blank","code":"blank",` +
				`"source":{"pointer":"/data/attributes/scac"},"meta":{"a":1}},{"title":"b","source":{"parameter":"include"}}]}`,
			[]ErrorObject{
				{Title: "Unprocessable", Detail: "SCAC can't be blank", Code: "blank", Status: "422", Pointer: "/data/attributes/scac", Meta: map[string]any{"a": 1.0}},
				{Title: "b", Parameter: "include"},
			}, "422 Unprocessable Entity: SCAC can't be blank (/data/attributes/scac); b (include)", "",
		},
		"no detail":      {404, `{"errors":[{"status":"404","title":"Not Found"}]}`, []ErrorObject{{Title: "Not Found", Status: "404"}}, "404 Not Found: Not Found", ""},
		"no title":       {422, `{"errors":[{"status":"422","detail":"not valid"}]}`, []ErrorObject{{Detail: "not valid", Status: "422"}}, ": not valid", ""},
		"detail only":    {400, `{"errors":[{"detail":"Query parameter is required"}]}`, []ErrorObject{{Detail: "Query parameter is required"}}, ": Query parameter", ""},
		"null detail":    {400, `{"errors":[{"status":"400","source":{"parameter":"event"},"title":"Bad","detail":null}]}`, []ErrorObject{{Title: "Bad", Status: "400", Parameter: "event"}}, ": Bad (event)", ""},
		"null source":    {500, `{"errors":[{"status":"500","source":null,"title":"Internal","detail":null}]}`, []ErrorObject{{Title: "Internal", Status: "500"}}, ": Internal", ""},
		"singular key":   {422, `{"error":[{"title":"Bad","detail":"no such filter"}]}`, []ErrorObject{{Title: "Bad", Detail: "no such filter"}}, ": no such filter", ""},
		"error text":     {401, `{"error":"Invalid or missing API token."}`, []ErrorObject{{Detail: "Invalid or missing API token."}}, ": Invalid or missing", ""},
		"errors text":    {400, `{"errors":"broken"}`, []ErrorObject{{Detail: "broken"}}, ": broken", ""},
		"list of texts":  {400, `{"errors":["one","two"]}`, []ErrorObject{{Detail: "one"}, {Detail: "two"}}, ": one; two", ""},
		"single object":  {400, `{"errors":{"title":"alone"}}`, []ErrorObject{{Title: "alone"}}, ": alone", ""},
		"message":        {503, `{"message":"down"}`, []ErrorObject{{Detail: "down"}}, ": down", ""},
		"detail":         {400, `{"detail":"what"}`, []ErrorObject{{Detail: "what"}}, ": what", ""},
		"status number":  {400, `{"errors":[{"status":400,"title":"a"}]}`, []ErrorObject{{Title: "a", Status: "400"}}, ": a", ""},
		"odd members":    {400, `{"errors":[{"title":{"x":1},"detail":"kept","source":"x","meta":[1]}]}`, []ErrorObject{{Detail: "kept"}}, ": kept", ""},
		"code only":      {400, `{"errors":[{"code":"blank"}]}`, []ErrorObject{{Code: "blank"}}, ": blank", ""},
		"empty list":     {400, `{"errors":[]}`, nil, "400 Bad Request", `{"errors":[]}`},
		"no error shape": {400, `{"data":null}`, nil, "400 Bad Request", `{"data":null}`},
		"web page":       {502, html, nil, "502 Bad Gateway", html},
		"empty":          {503, "", nil, "503 Service Unavailable", ""},
		"other status":   {418, `[]`, nil, "418 I'm a teapot", "[]"},
		"redirect":       {304, "", nil, "304 Not Modified", ""},
		"long page":      {500, strings.Repeat("x", 5000), nil, "500 Internal Server Error", strings.Repeat("x", Snippet)},
		"cut in a rune":  {500, strings.Repeat("x", Snippet-1) + "ü", nil, "500", strings.Repeat("x", Snippet-1)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newClient(t, answer(test.status, test.body)).Shipments.Get(t.Context(), shipmentID, nil)
			var got *APIError
			require.ErrorAs(t, err, &got)
			require.Equal(t, "shipments.get", got.Op)
			require.Equal(t, test.status, got.Status)
			require.Equal(t, test.want, got.Errors)
			require.Equal(t, test.kept, got.Body)
			require.Equal(t, 1, got.Attempts)
			require.Contains(t, err.Error(), "terminal49: shipments.get: ")
			require.Contains(t, err.Error(), test.text)
		})
	}
}

func TestErrors_Sentinels(t *testing.T) {
	all := []error{
		ErrInvalid, ErrUnauthorized, ErrForbidden, ErrFeatureNotEnabled, ErrNotFound, ErrConflict, ErrDuplicate, ErrRateLimited, ErrServer,
	}
	for name, test := range map[string]struct {
		status int
		body   string
		want   []error
	}{
		"400":                {400, ``, []error{ErrInvalid}},
		"401":                {401, ``, []error{ErrUnauthorized}},
		"403":                {403, `{"errors":[{"title":"Forbidden"}]}`, []error{ErrForbidden}},
		"403 detail":         {403, `{"errors":[{"title":"Forbidden","detail":"Routing data feature is not enabled for this account"}]}`, []error{ErrForbidden, ErrFeatureNotEnabled}},
		"403 title":          {403, `{"errors":[{"title":"API access Not Enabled"}]}`, []error{ErrForbidden, ErrFeatureNotEnabled}},
		"404":                {404, `<html>`, []error{ErrNotFound}},
		"409":                {409, ``, []error{ErrConflict}},
		"409 duplicate":      {409, `{"errors":[{"code":"duplicate_document"}]}`, []error{ErrConflict, ErrDuplicate}},
		"422":                {422, ``, []error{ErrInvalid}},
		"422 duplicate":      {422, `{"errors":[{"code":"blank"},{"code":"duplicate"}]}`, []error{ErrInvalid, ErrDuplicate}},
		"422 says duplicate": {422, `{"errors":[{"detail":"duplicate"}]}`, []error{ErrInvalid}},
		"429":                {429, ``, []error{ErrRateLimited}},
		"500":                {500, ``, []error{ErrServer}},
		"599":                {599, ``, []error{ErrServer}},
		"418":                {418, ``, nil},
		"302":                {302, ``, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newClient(t, answer(test.status, test.body)).Shipments.Get(t.Context(), shipmentID, nil)
			require.Error(t, err)
			for _, sentinel := range all {
				require.Equal(t, contains(test.want, sentinel), errors.Is(err, sentinel), sentinel)
			}
		})
	}
}

func contains(list []error, want error) bool {
	for _, err := range list {
		if err == want {
			return true
		}
	}
	return false
}

// rateLimited answers 429 with a Retry-After and the token in its body.
func rateLimited(after string) roundTripper {
	return func(*http.Request) (*http.Response, error) {
		resp, _ := answer(429, `{"errors":[{"status":"429","detail":"key `+testToken+` is too fast"}]}`)(nil)
		resp.Header = http.Header{"Retry-After": {after}, "X-Request-Id": {"req-7"}}
		return resp, nil
	}
}

func TestErrors_RetryAfterIsReportedWithoutSleeping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, rateLimited("3600"), WithMaxAttempts(5))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Shipments.Get(ctx, shipmentID, nil)
		require.Zero(t, time.Since(start))
		var limited *APIError
		require.ErrorAs(t, err, &limited)
		require.Equal(t, Some(time.Hour), limited.RetryAfter)
		require.Equal(t, "req-7", limited.RequestID)
		require.ErrorContains(t, err, "try again in 1h0m0s")
	})
}

func TestErrors_TheLastResponseSurvivesCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := newClient(t, rateLimited("60"), WithMaxAttempts(5))
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := client.Shipments.Get(ctx, shipmentID, nil)
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, ErrRateLimited)
		var lost *TransportError
		require.ErrorAs(t, err, &lost)
		require.Equal(t, "shipments.get", lost.Op)
		require.Equal(t, 1, lost.Attempts)
		require.Equal(t, "req-7", lost.Last.RequestID)
		require.NotContains(t, lost.Last.Error(), testToken)
	})
}

func TestErrors_ThroughIteratorsAndExhaustedRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, answer(502, "<html>"), WithMaxAttempts(3))
		for name, opts := range prefetches() {
			_, err := drain(client.Shipments.All(t.Context(), nil, opts...))
			var answered *APIError
			require.ErrorAs(t, err, &answered, name)
			require.ErrorIs(t, err, ErrServer)
			require.Equal(t, 502, answered.Status)
			require.Equal(t, "<html>", answered.Body)
			require.Equal(t, 3, answered.Attempts)
			require.ErrorContains(t, err, "(after 3 attempts)")
		}
	})
}

func TestErrors_Transport(t *testing.T) {
	reset := errors.New(`Get "https://api.example.test/proxy/v2/shipments?q=private": connection reset by peer`)
	broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, reset })
	_, err := newClient(t, broken).Shipments.List(t.Context(), &ShipmentListParams{Query: "private"})
	var lost *TransportError
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
	create := func(ctx context.Context, c *Client) error { return first(c.TrackingRequests.Create(ctx, fullCreate())) }
	update := func(ctx context.Context, c *Client) error {
		return first(c.Shipments.Update(ctx, shipmentID, ShipmentUpdate{Tags: Some([]string{"a"})}))
	}
	read := func(ctx context.Context, c *Client) error { return first(c.Shipments.Get(ctx, shipmentID, nil)) }
	infer := func(ctx context.Context, c *Client) error { return first(c.TrackingRequests.Infer(ctx, "MEDU0000001")) }
	lost := roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	cut := roundTripper(func(*http.Request) (*http.Response, error) {
		resp, _ := answer(201, "")(nil)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"data"`), brokenReader{}))
		return resp, nil
	})
	for name, test := range map[string]struct {
		rt   roundTripper
		do   func(context.Context, *Client) error
		want bool
	}{
		"create lost":             {lost, create, true},
		"create cut":              {cut, create, true},
		"create 500":              {answer(500, ""), create, true},
		"create 502":              {answer(502, "<html>"), create, true},
		"create 429":              {answer(429, ""), create, false},
		"create 422":              {answer(422, ""), create, false},
		"create unreadable":       {answer(201, "<html>"), create, true},
		"read unreadable":         {answer(200, "<html>"), read, false},
		"update lost":             {lost, update, true},
		"update 503":              {answer(503, ""), update, true},
		"update 404":              {answer(404, ""), update, false},
		"read lost":               {lost, read, false},
		"read 500":                {answer(500, ""), read, false},
		"infer lost, a pure read": {lost, infer, false},
		"infer 500":               {answer(500, ""), infer, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.do(t.Context(), newClient(t, test.rt))
			require.Error(t, err)
			require.Equal(t, test.want, IsOutcomeUnknown(err))
			require.Equal(t, test.want, IsOutcomeUnknown(errors.Join(errors.New("wrapped"), err)))
		})
	}
	require.False(t, IsOutcomeUnknown(nil))
	require.False(t, IsOutcomeUnknown(errors.New("other")))
	require.False(t, IsOutcomeUnknown(&ArgumentError{}))
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A call that ended before it was sent leaves nothing open.
func TestErrors_ACancelledWriteWasNotSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	api := newFakeAPI()
	_, err := newClient(t, api).TrackingRequests.Create(ctx, fullCreate())
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, IsOutcomeUnknown(err))
	require.Empty(t, api.requests())
}

func TestErrors_LogValue(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	answered := &APIError{Op: "shipments.get", Status: 404, Attempts: 2, RequestID: "r", Errors: []ErrorObject{{Title: "Not Found"}}}
	log.Error("x", "err", answered)
	require.Contains(t, out.String(), `err.op=shipments.get err.status=404 err.attempts=2 err.request_id=r err.error="terminal49:`)
	out.Reset()
	log.Error("x", "err", LostWrite(io.EOF))
	require.Contains(t, out.String(), `err.op=a.b err.attempts=3 err.outcome_unknown=true err.error="terminal49: a.b (POST /a): no response`)
}

func TestErrors_Texts(t *testing.T) {
	require.EqualError(t, &ArgumentError{Op: "shipments.list", Field: "PageSize", Problem: "must be 1 to 100, not 101"},
		"terminal49: shipments.list: PageSize must be 1 to 100, not 101")
	require.EqualError(t, &APIError{Op: "a.b", Status: 429, RetryAfter: Some(time.Minute), Attempts: 2},
		"terminal49: a.b: 429 Too Many Requests; try again in 1m0s (after 2 attempts)")
	require.Equal(t, "unknown problem (include)", ErrorObject{Parameter: "include"}.String())
	require.EqualError(t, &DecodeError{Op: "a.b", Status: 200, Err: io.EOF, Warnings: []DecodeWarning{
		{ResourceType: "container", ResourceID: "c", Field: "pickup_lfd", Problem: "not a time"},
	}}, "terminal49: a.b: cannot read the 200 response: EOF; container c: pickup_lfd: not a time")
	require.ErrorIs(t, &DecodeError{Err: io.EOF}, io.EOF)
}
