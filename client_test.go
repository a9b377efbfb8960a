package terminal49

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNew_AcceptsTheTokenInEveryForm(t *testing.T) {
	for _, token := range []string{testToken, "  " + testToken + "\n", "Token " + testToken, "token  " + testToken + " "} {
		api := newFakeAPI()
		api.on("GET", "/shipments/"+shipmentID, 200, oneShipment)
		client, err := New(token, WithBaseURL(testBase), WithHTTPClient(&http.Client{Transport: api}))
		require.NoError(t, err, token)
		_, err = client.Shipments.Get(t.Context(), shipmentID, nil)
		require.NoError(t, err)
		require.Equal(t, "Token "+testToken, api.requests()[0].Header.Get("Authorization"))
	}
}

func TestNew_RefusesAnInvalidToken(t *testing.T) {
	for _, token := range []string{"", "   ", "Token ", "Bearer ", "two words", "a\nb", "a\x00b", "a\x7fb", "schlüssel"} {
		_, err := New(token)
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument, "%q", token)
		require.Equal(t, "token", argument.Field)
	}
}

func TestNewFromEnv_ReadsTheVariables(t *testing.T) {
	api := newFakeAPI()
	api.on("GET", "/shipments/"+shipmentID, 200, oneShipment)
	over := WithHTTPClient(&http.Client{Transport: api})

	t.Setenv("T49_API_TOKEN", "")
	t.Setenv("T49_API_BASE_URL", "")
	t.Setenv("T49_ACCOUNT_ID", "")
	_, err := NewFromEnv(over)
	require.ErrorContains(t, err, "T49_API_TOKEN is not set")

	t.Setenv("T49_API_TOKEN", testToken)
	client, err := NewFromEnv(over)
	require.NoError(t, err)
	require.Equal(t, DefaultBaseURL, client.Base())

	t.Setenv("T49_API_BASE_URL", testBase)
	t.Setenv("T49_ACCOUNT_ID", testAccount)
	client, err = NewFromEnv(over)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "Token "+testToken, api.requests()[0].Header.Get("Authorization"))
	require.Equal(t, testAccount, api.requests()[0].Header.Get("X-Account-Id"))

	client, err = NewFromEnv(WithBaseURL("https://elsewhere.test/v2"))
	require.NoError(t, err)
	require.Equal(t, "https://elsewhere.test/v2", client.Base(), "an option beats the environment")

	t.Setenv("T49_API_BASE_URL", "ftp://nowhere")
	_, err = NewFromEnv(over)
	require.ErrorContains(t, err, "WithBaseURL")
}

func TestDo_SendsTheRequest(t *testing.T) {
	api := newFakeAPI()
	api.on("POST", "/parties", 201, `{"data":{"id":"p"}}`)
	var out struct{ Data struct{ ID string } }
	err := newClient(t, api).Do(t.Context(), Request{
		Method: "POST", Path: "/parties", Query: url.Values{"page[size]": {"2"}, "a": {"b c"}},
		Body: map[string]any{"data": map[string]any{"type": "party"}},
	}, &out)
	require.NoError(t, err)
	require.Equal(t, "p", out.Data.ID)

	got := api.requests()[0]
	require.Equal(t, "POST", got.Method)
	require.Equal(t, "/proxy/v2/parties", got.Path)
	require.Equal(t, "a=b c&page[size]=2", got.Query)
	require.JSONEq(t, `{"data":{"type":"party"}}`, got.Body)
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, "Token "+testToken, got.Header.Get("Authorization"))
}

func TestDo_KeepsEscapedPaths(t *testing.T) {
	api := newFakeAPI()
	api.RegisterNoResponder(func(*http.Request) (*http.Response, error) { return answer(204, "")(nil) })
	out := "untouched"
	err := newClient(t, api).Do(t.Context(), Request{Method: "GET", Path: "/document_schemas/commercial_invoice%402026-03-23"}, &out)
	require.NoError(t, err)
	require.Equal(t, "/proxy/v2/document_schemas/commercial_invoice%402026-03-23", api.requests()[0].Path)
	require.Equal(t, "untouched", out, "an empty answer decodes into nothing")
}

func TestDo_RefusesPathsThatLeaveTheBase(t *testing.T) {
	for _, r := range []Request{
		{Path: "/parties"}, {Method: "GET"}, {Method: "GET", Path: "parties"}, {Method: "GET", Path: "https://evil.test/"},
		{Method: "GET", Path: "/../admin"}, {Method: "GET", Path: "/a/%2e%2E/b"}, {Method: "GET", Path: "/a/./b"},
		{Method: "GET", Path: "/a%2F..%2Fb"}, {Method: "GET", Path: "/a?b=c"}, {Method: "GET", Path: "/a#b"},
		{Method: "GET", Path: "/%zz"}, {Method: "GET", Path: "/a\nb"}, {Method: "B AD", Path: "/a"},
		{Method: "POST", Path: "/a", Body: func() {}},
	} {
		refused(t, func(ctx context.Context, c *Client) error { return c.Do(ctx, r, nil) })
	}
}

func TestDo_StaysOnTheConfiguredHost(t *testing.T) {
	api := newFakeAPI()
	api.RegisterNoResponder(func(req *http.Request) (*http.Response, error) {
		require.Equal(t, "api.example.test", req.URL.Host)
		return answer(200, `{}`)(nil)
	})
	require.NoError(t, newClient(t, api).Do(t.Context(), Request{Method: "GET", Path: "//evil.test/x"}, nil))
	require.Equal(t, "/proxy/v2//evil.test/x", api.requests()[0].Path)
}

func TestDo_Errors(t *testing.T) {
	get := Request{Method: "GET", Path: "/parties"}
	var out map[string]any
	err := newClient(t, answer(404, `{"errors":[{"title":"Not Found"}]}`)).Do(t.Context(), get, &out)
	require.ErrorIs(t, err, ErrNotFound)
	err = newClient(t, answer(200, `<html>`)).Do(t.Context(), get, &out)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "web page")
	require.NoError(t, newClient(t, answer(200, `<html>`)).Do(t.Context(), get, nil), "nobody asked for the body")
}

// A call by hand has the class and the bucket of the call by method.
func TestDo_ClassesAndBuckets(t *testing.T) {
	for _, c := range everyCall() {
		api := newFakeAPI()
		api.on(c.method, c.path, 200, c.reply)
		client := newClient(t, api)
		require.NoError(t, c.do(t.Context(), client))
		require.NoError(t, client.Do(t.Context(), Request{Method: c.method, Path: c.path}, nil))
		byMethod, byHand := api.requests()[0].Info, api.requests()[1].Info
		require.Equal(t, byMethod.Bucket, byHand.Bucket, c.op)
		// Only the methods know that these POSTs are a read and an upsert.
		if c.op != "tracking_requests.infer" && !strings.HasSuffix(c.op, ".custom_fields.set") {
			require.Equal(t, byMethod.Class, byHand.Class, c.op)
		}
	}
}

func TestClient_LeavesTheCallersHTTPClientAlone(t *testing.T) {
	base := &idler{}
	theirs := &http.Client{Transport: base, Timeout: time.Minute}
	copied := *theirs
	client, err := New(testToken, WithBaseURL(testBase), WithHTTPClient(theirs))
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, copied, *theirs)
	require.False(t, base.closed, "idle connections belong to the caller")
}

type idler struct{ closed bool }

func (i *idler) CloseIdleConnections() { i.closed = true }

func (i *idler) RoundTrip(req *http.Request) (*http.Response, error) {
	return answer(200, oneShipment)(req)
}

func TestClient_NilContextIsAnError(t *testing.T) {
	var none context.Context
	_, err := newClient(t, newFakeAPI()).Shipments.Get(none, shipmentID, nil)
	var argument *ArgumentError
	require.ErrorAs(t, err, &argument)
}
