package terminal49_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/jsonapi"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestNew_AcceptsTheTokenInEveryForm(t *testing.T) {
	for _, token := range []string{testkit.Token, "  " + testkit.Token + "\n", "Token " + testkit.Token,
		"token  " + testkit.Token + " "} {
		api := testkit.NewFakeAPI()
		api.On("GET", "/shipments/"+testkit.ShipmentID, 200, testkit.OneShipment)
		client, err := terminal49.New(token, terminal49.WithBaseURL(testkit.Base),
			terminal49.WithHTTPClient(&http.Client{Transport: api}))
		require.NoError(t, err, token)
		_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
		require.NoError(t, err)
		require.Equal(t, "Token "+testkit.Token, api.Requests()[0].Header.Get("Authorization"))
	}
}

func TestNew_RefusesAnInvalidToken(t *testing.T) {
	for _, token := range []string{"", "   ", "Token ", "Bearer ", "two words", "a\nb", "a\x00b", "a\x7fb", "schlüssel"} {
		_, err := terminal49.New(token)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, "%q", token)
		require.Equal(t, "token", argument.Field)
	}
}

// A shell takes quotes away, docker run --env-file does not.
func TestNew_RefusesAQuotedToken(t *testing.T) {
	for _, token := range []string{`"abc"`, `'abc'`, `Token "abc"`, `"Bearer abc"`, `abc"`} {
		_, err := terminal49.New(token)
		require.EqualError(t, err, "terminal49: New: token must not be in quotes; docker run --env-file, for example, does not remove them")
		t.Setenv("T49_API_TOKEN", token)
		_, err = terminal49.NewFromEnv()
		require.ErrorContains(t, err, "NewFromEnv: T49_API_TOKEN must not be in quotes")
	}
}

func TestNew_AWrongTokenNamesTheRemedy(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"status":"401","title":"Unauthorized"}]}`))
	_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.EqualError(t, err, "terminal49: shipments.get "+testkit.ShipmentID+": 401 Unauthorized (the token, "+
		"such as that in T49_API_TOKEN, must be an API key from https://app.terminal49.com/developers/api-keys)")
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	for _, token := range []string{"Bearer abc", "bearer  abc", "BEARER abc"} { // for OAuth only, says the service's changelog of 2026-06-22
		client, err := terminal49.New(token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
		require.NoError(t, err)
		_, err = client.Me(t.Context())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.ErrorContains(t, err, `(the prefix "Bearer " is for a user's access token; an API key must not have it)`)
	}
}

func TestNewFromEnv_ReadsTheVariables(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/shipments/"+testkit.ShipmentID, 200, testkit.OneShipment)
	over := terminal49.WithHTTPClient(&http.Client{Transport: api})

	t.Setenv("T49_API_TOKEN", "")
	t.Setenv("T49_API_BASE_URL", "")
	t.Setenv("T49_ACCOUNT_ID", "")
	_, err := terminal49.NewFromEnv(over)
	require.ErrorContains(t, err, "T49_API_TOKEN is not set")

	t.Setenv("T49_API_TOKEN", testkit.Token)
	client, err := terminal49.NewFromEnv(over)
	require.NoError(t, err)
	require.Equal(t, terminal49.DefaultBaseURL, client.Base())

	t.Setenv("T49_API_BASE_URL", testkit.Base)
	t.Setenv("T49_ACCOUNT_ID", testkit.Account)
	client, err = terminal49.NewFromEnv(over)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "Token "+testkit.Token, api.Requests()[0].Header.Get("Authorization"))
	require.Equal(t, testkit.Account, api.Requests()[0].Header.Get("X-Account-Id"))

	client, err = terminal49.NewFromEnv(terminal49.WithBaseURL("https://elsewhere.test/v2"))
	require.NoError(t, err)
	require.Equal(t, "https://elsewhere.test/v2", client.Base(), "an option overrides the environment")

	for _, base := range []string{"ftp://nowhere", `"https://api.terminal49.com/v2"`, "http://another-machine/v2"} {
		t.Setenv("T49_API_BASE_URL", base)
		_, err = terminal49.NewFromEnv(over)
		require.ErrorContains(t, err, "NewFromEnv: T49_API_BASE_URL must be ")
	}
	t.Setenv("T49_API_BASE_URL", "")
	_, err = terminal49.NewFromEnv(terminal49.WithBaseURL("ftp://nowhere"))
	require.ErrorContains(t, err, "New: WithBaseURL must be ")
	t.Setenv("T49_ACCOUNT_ID", "a\nb")
	_, err = terminal49.NewFromEnv(over)
	require.ErrorContains(t, err, "NewFromEnv: T49_ACCOUNT_ID must be ")
}

func TestDo_SendsTheRequest(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("POST", "/parties", 201, `{"data":{"id":"p"}}`)
	var out struct{ Data struct{ ID string } }
	err := testkit.NewClient(t, api).Do(t.Context(), terminal49.Request{
		Method: "POST", Path: "/parties", Query: url.Values{"page[size]": {"2"}, "a": {"b c"}},
		Body: map[string]any{"data": map[string]any{"type": "party"}},
	}, &out)
	require.NoError(t, err)
	require.Equal(t, "p", out.Data.ID)

	got := api.Requests()[0]
	require.Equal(t, "POST", got.Method)
	require.Equal(t, "/proxy/v2/parties", got.Path)
	require.Equal(t, "a=b c&page[size]=2", got.Query)
	require.JSONEq(t, `{"data":{"type":"party"}}`, got.Body)
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, "Token "+testkit.Token, got.Header.Get("Authorization"))
}

func TestDo_KeepsEscapedPaths(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.RegisterNoResponder(func(*http.Request) (*http.Response, error) { return testkit.Answer(204, "")(nil) })
	out := "untouched"
	err := testkit.NewClient(t, api).Do(t.Context(),
		terminal49.Request{Method: "GET", Path: "/document_schemas/commercial_invoice%402026-03-23"}, &out)
	require.NoError(t, err)
	require.Equal(t, "/proxy/v2/document_schemas/commercial_invoice%402026-03-23", api.Requests()[0].Path)
	require.Equal(t, "untouched", out, "an empty answer decodes into nothing")
}

func TestDo_RefusesPathsThatLeaveTheBase(t *testing.T) {
	for _, r := range []terminal49.Request{
		{Path: "/parties"}, {Method: "GET"}, {Method: "GET", Path: "parties"}, {Method: "GET", Path: "https://evil.test/"},
		{Method: "GET", Path: "/../admin"}, {Method: "GET", Path: "/a/%2e%2E/b"}, {Method: "GET", Path: "/a/./b"},
		{Method: "GET", Path: "/a%2F..%2Fb"}, {Method: "GET", Path: "/a?b=c"}, {Method: "GET", Path: "/a#b"},
		{Method: "GET", Path: "/%zz"}, {Method: "GET", Path: "/a\nb"}, {Method: "B AD", Path: "/a"},
		{Method: "POST", Path: "/a", Body: func() {}},
	} {
		refused(t, func(ctx context.Context, c *terminal49.Client) error { return c.Do(ctx, r, nil) })
	}
}

func TestDo_StaysOnTheConfiguredHost(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.RegisterNoResponder(func(req *http.Request) (*http.Response, error) {
		require.Equal(t, "api.example.test", req.URL.Host)
		return testkit.Answer(200, `{}`)(nil)
	})
	require.NoError(t, testkit.NewClient(t, api).Do(t.Context(),
		terminal49.Request{Method: "GET", Path: "//evil.test/x"}, nil))
	require.Equal(t, "/proxy/v2//evil.test/x", api.Requests()[0].Path)
}

func TestDo_Errors(t *testing.T) {
	get := terminal49.Request{Method: "GET", Path: "/parties"}
	var out map[string]any
	err := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"title":"Not Found"}]}`)).Do(t.Context(), get, &out)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	err = testkit.NewClient(t, testkit.Answer(200, `<html>`)).Do(t.Context(), get, &out)
	var decode *terminal49.DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "web page")
	for body, problem := range map[string]string{ // as in protocol.md, and as lists of a type report it
		`{"data":{"type":"x","id":"1","attributes":{"new":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}}}`: "want at most 200 levels",
		`{"new":` + strings.Repeat(`{"a":`, 300) + `1` + strings.Repeat("}", 300) + `}`:                                   "want at most 200 levels",
	} {
		err = testkit.NewClient(t, testkit.Answer(200, body)).Do(t.Context(), get, new(jsonapi.Document))
		require.ErrorAs(t, err, &decode)
		require.ErrorContains(t, err, problem)
	}
	// As in reliability.md, where the row has no exception for operations that ignore the body.
	err = testkit.NewClient(t, testkit.Answer(200, `<html>`)).Do(t.Context(), get, nil)
	require.ErrorAs(t, err, &decode, "it is not from the service")
	require.NoError(t, testkit.NewClient(t, testkit.Answer(200, `[`)).Do(t.Context(), get, nil), "nobody asked for the body")
}

// A call with Do is the operation that the method calls: named, counted and retried alike.
func TestDo_IsTheOperation(t *testing.T) {
	for _, c := range testkit.EveryCall() {
		api := testkit.NewFakeAPI()
		api.On(c.Method, c.Path, 200, c.Reply)
		client := testkit.NewClient(t, api)
		require.NoError(t, c.Do(t.Context(), client))
		require.NoError(t, client.Do(t.Context(), terminal49.Request{Method: c.Method, Path: c.Path}, nil))
		byMethod, byHand := api.Requests()[0].Info, api.Requests()[1].Info
		if c.Op == "vessels.get_by_imo" { // the same route as vessels.get
			byMethod.Op, byMethod.Route = byHand.Op, byHand.Route
		}
		require.Equal(t, byMethod, byHand)
		found, known := terminal49.FindOperation(c.Method, c.Path)
		require.True(t, known, c.Op)
		require.Equal(t, byHand.Op, found.Name)
		require.Equal(t, byHand.Class != transport.Write, found.Repeatable, c.Op)
	}
}

func TestOperations_DescribeBodiesAndResponses(t *testing.T) {
	all := map[string]terminal49.Operation{}
	for _, o := range terminal49.Operations() {
		all[o.Name] = o
	}
	require.Len(t, all, len(terminal49.Operations()), "no name is there twice")
	require.Equal(t, terminal49.Operation{
		Name: "shipments.update", Method: "PATCH", Path: "/shipments/{id}", Body: []string{"ref_numbers", "tags"},
		BodyType: "shipment", Attributes: all["shipments.get"].Attributes, Bucket: terminal49.BucketDefault, Repeatable: true,
	}, all["shipments.update"])
	require.Contains(t, all["containers.list"].Attributes, "pickup_lfd")
	require.Contains(t, all["containers.list"].Query, "filter[current_status]")
	require.Empty(t, all["tracking_requests.infer"].BodyType, "its body is plain")
	require.Empty(t, all["webhooks.delete"].Attributes)
	require.False(t, all["tracking_requests.create"].Repeatable)
	all["shipments.update"].Body[0] = "mine"
	require.Equal(t, "ref_numbers", must(terminal49.FindOperation("PATCH", "/shipments/x")).Body[0], "they are copies")
}

func must(o terminal49.Operation, known bool) terminal49.Operation {
	if !known {
		panic("not an operation")
	}
	return o
}

func TestFindOperation(t *testing.T) {
	for request, name := range map[string]string{
		"GET /webhooks/ips": "webhooks.ips", "GET /webhooks/x": "webhooks.get", "GET /containers/summary": "containers.summary",
		"PATCH /containers": "containers.update", "PATCH /containers/x": "containers.update", "GET /shipments/": "shipments.list",
		"GET /document_schemas/a%2Fb": "document_schemas.get", "GET /parties": "parties.list",
		"GET /": "", "GET /shipments//custom_fields": "", "GET /shipments/x/y": "", "PUT /shipments/x": "", "GET /%zz": "", "get /parties": "",
	} {
		method, path, _ := strings.Cut(request, " ")
		found, known := terminal49.FindOperation(method, path)
		require.Equal(t, name, found.Name, request)
		require.Equal(t, name != "", known, request)
	}
}

func TestClient_LeavesTheCallersHTTPClientAlone(t *testing.T) {
	base := &idler{}
	theirs := &http.Client{Transport: base, Timeout: time.Minute}
	copied := *theirs
	client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(testkit.Base), terminal49.WithHTTPClient(theirs))
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, copied, *theirs)
	require.False(t, base.closed, "idle connections belong to the caller")
}

type idler struct{ closed bool }

func (i *idler) CloseIdleConnections() { i.closed = true }

func (i *idler) RoundTrip(req *http.Request) (*http.Response, error) {
	return testkit.Answer(200, testkit.OneShipment)(req)
}

func TestClient_NilContextIsAnError(t *testing.T) {
	var none context.Context
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	for name, call := range map[string]func() error{
		"a call": func() error {
			_, err := client.Shipments.Get(none, testkit.ShipmentID, nil)
			return err
		},
		"a list with prefetching": func() (err error) {
			for _, err = range client.Shipments.All(none, nil, terminal49.WithPrefetch(2)) {
			}
			return err
		},
		"TrackAll": func() (err error) {
			for outcome := range client.TrackingRequests.TrackAll(none, terminal49.NumbersToTrack("MAEU240711002"), nil) {
				err = outcome.Err
			}
			return err
		},
		"WaitAll": func() (err error) {
			for outcome := range client.TrackingRequests.WaitAll(none, []string{testkit.RequestID, testkit.ShipmentID}, nil) {
				err = outcome.Err
			}
			return err
		},
		"Upload": func() error {
			_, err := client.Documents.Upload(none, terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("a")})
			return err
		},
	} {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, call(), &argument, name)
		require.Equal(t, "ctx", argument.Field, name)
	}
}

// Nothing that the package starts may outlive the call that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The published OpenAPI document has only the first of these.
func TestOperations_MarkThoseOfLaterDocuments(t *testing.T) {
	for name, recent := range map[string]bool{"GET /shipments": false, "GET /me": true} {
		method, path, _ := strings.Cut(name, " ")
		o, known := terminal49.FindOperation(method, path)
		require.True(t, known, name)
		require.Equal(t, recent, o.Recent, name)
	}
}

func TestMe_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("me")) }

// An API key has no user; a user's access token may leave out the account, and lists those that it
// may use; tracking_slots are null if unlimited (docs/service.md#credential).
func TestMe_KeyAndUser(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRouting())
	defer srv.Close()
	me, err := testkit.SimulatedClient(t, srv).Me(t.Context())
	require.NoError(t, err)
	require.Equal(t, "api_key", me.Kind)
	require.Equal(t, terminal49.RelationshipNull, me.User.State())
	require.Equal(t, terminal49.FeatureStatusNotEnabled, me.Status(terminal49.FeatureRoutingData))
	require.Equal(t, terminal49.FeatureStatusAvailable, me.Status(terminal49.FeatureCustomFields))
	require.Empty(t, me.Status("new_feature"), "not reported")
	account, ok := me.Account.Value()
	require.True(t, ok)
	require.True(t, account.TrackingSlots.Unlimited)

	user, err := terminal49.New("Bearer "+srv.Token, terminal49.WithBaseURL(srv.URL),
		terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithStrictDecoding())
	require.NoError(t, err)
	me, err = user.Me(t.Context())
	require.NoError(t, err)
	require.Equal(t, "user", me.Kind)
	person, ok := me.User.Value()
	require.True(t, ok)
	require.Equal(t, me.ID, person.ID)
	accounts, complete := person.Accounts.Values()
	require.True(t, complete)
	require.Len(t, accounts, 1)
	accounts[0].AsOf = account.AsOf // another request
	require.Equal(t, account, accounts[0])
	srv.CheckViolations(t)
}

// Both texts of a key that is not accepted (docs/service.md#error-bodies).
func TestMe_Errors(t *testing.T) {
	for _, detail := range []string{"Invalid or missing API token.", "Terminal49 API key could not be verified"} {
		_, err := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"detail":"`+detail+`"}]}`)).Me(t.Context())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.NotContains(t, err.Error(), "may not have")
	}
	for _, body := range []string{"", "<html>", `{"errors":[{"title":"Not Found"}]}`} {
		_, err := testkit.NewClient(t, testkit.Answer(404, body)).Me(t.Context())
		require.ErrorIs(t, err, terminal49.ErrNotFound)
		require.ErrorContains(t, err, "the service may not have this operation yet")
	}
}
