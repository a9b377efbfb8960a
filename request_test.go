package terminal49_test

import (
	"container/list"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/stretchr/testify/require"
)

// refused checks that a call ends in an *ArgumentError before anything is sent.
func refused(t *testing.T, do func(context.Context, *terminal49.Client) error) *terminal49.ArgumentError {
	t.Helper()
	api := testkit.NewFakeAPI()
	err := do(t.Context(), testkit.NewClient(t, api))
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Empty(t, api.Requests())
	require.NotEmpty(t, argument.Op)
	require.NotEmpty(t, argument.Problem)
	return argument
}

func TestRequest_IDsAreCheckedBeforeSending(t *testing.T) {
	update := terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"a"})}
	byID := map[string]func(context.Context, *terminal49.Client, string) error{
		"shipments.get": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Shipments.Get(ctx, id, nil))
		},
		"shipments.update": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Shipments.Update(ctx, id, update))
		},
		"shipments.stop_tracking": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Shipments.StopTracking(ctx, id))
		},
		"shipments.resume_tracking": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Shipments.ResumeTracking(ctx, id))
		},
		"containers.get": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Containers.Get(ctx, id, nil))
		},
		"containers.update": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Containers.Update(ctx, id,
				terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"a"})}))
		},
		"containers.refresh": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Containers.Refresh(ctx, id))
		},
		"containers.transport_events": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Containers.TransportEvents(ctx, id, nil))
		},
		"containers.raw_events": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.Containers.RawEvents(ctx, id))
		},
		"tracking_requests.get": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.TrackingRequests.Get(ctx, id, nil))
		},
		"tracking_requests.update": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.TrackingRequests.Update(ctx, id,
				terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("a")}))
		},
		"shipping_lines.get": func(ctx context.Context, c *terminal49.Client, id string) error {
			return testkit.First(c.ShippingLines.Get(ctx, id))
		},
	}
	notUUIDs := map[string]string{
		"empty": "", "a container number": "MSCU1234566", "dots": "..", "a path": testkit.ShipmentID + "/stop_tracking",
		"braces": "{" + testkit.ShipmentID + "}", "a URN": "urn:uuid:" + testkit.ShipmentID,
		"no hyphens":          strings.ReplaceAll(testkit.ShipmentID, "-", ""),
		"36 other characters": strings.Repeat("x", 36), "a query": testkit.ShipmentID[:35] + "?",
		"a line break": testkit.ShipmentID[:35] + "\n",
	}
	for op, do := range byID {
		for name, id := range notUUIDs {
			t.Run(op+" "+name, func(t *testing.T) {
				argument := refused(t, func(ctx context.Context, c *terminal49.Client) error { return do(ctx, c, id) })
				require.Equal(t, op, argument.Op)
				require.Equal(t, "id", argument.Field)
				require.Contains(t, argument.Problem, "must be a UUID")
			})
		}
	}
}

func TestRequest_AnInvalidIDNamesTheRemedy(t *testing.T) {
	argument := refused(t, func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.Containers.Get(ctx, "MSCU1234566", nil))
	})
	require.EqualError(t, argument, "terminal49: containers.get: id must be a UUID such as "+
		"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; a container number is not an id: "+
		"find the container with Containers.FindByNumber")
	for hint, do := range map[string]func(context.Context, *terminal49.Client) error{
		"find the shipment with Shipments.List and its Number": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.Get(ctx, "MAEU240711301", nil))
		},
		"find the request with TrackingRequests.List and its RequestNumber": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Get(ctx, "MAEU240711301", nil))
		},
		"find other numbers with Shipments.List and its Number": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.FindByNumber(ctx, "MAEU240711301", nil))
		},
	} {
		require.Contains(t, refused(t, do).Problem, hint)
	}

	argument = refused(t, func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.ShippingLines.Get(ctx, "MAEU"))
	})
	require.Contains(t, argument.Problem, "ShippingLines.List")
}

func TestRequest_UpperCaseIDsAreAccepted(t *testing.T) {
	const id = "ABCDEF01-2345-4789-ABCD-EF0123456789"
	api := testkit.NewFakeAPI()
	api.On("GET", "/shipments/"+id, 200, `{"data":{"id":"`+strings.ToLower(id)+`","type":"shipment"}}`)
	_, err := testkit.NewClient(t, api).Shipments.Get(t.Context(), id, nil)
	require.NoError(t, err)
}

func TestRequest_PageParamsAreCheckedBeforeSending(t *testing.T) {
	for name, test := range map[string]struct {
		page  terminal49.PageParams
		field string
	}{
		"negative number": {terminal49.PageParams{PageNumber: -1}, "PageNumber"},
		"negative size":   {terminal49.PageParams{PageSize: -1}, "PageSize"},
		"too large":       {terminal49.PageParams{PageSize: 101}, "PageSize"},
	} {
		for listName, list := range map[string]func(context.Context, *terminal49.Client) error{
			"shipments.List": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(c.Shipments.List(ctx, &terminal49.ShipmentListParams{PageParams: test.page}))
			},
			"shipments.All": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(testkit.Drain(c.Shipments.All(ctx,
					&terminal49.ShipmentListParams{PageParams: test.page})))
			},
			"shipments.All ahead": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(testkit.Drain(c.Shipments.All(ctx,
					&terminal49.ShipmentListParams{PageParams: test.page}, terminal49.WithPrefetch(2))))
			},
			"containers.Pages": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(testkit.Drain(c.Containers.Pages(ctx,
					&terminal49.ContainerListParams{PageParams: test.page})))
			},
			"tracking_requests.List": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(c.TrackingRequests.List(ctx,
					&terminal49.TrackingRequestListParams{PageParams: test.page}))
			},
		} {
			t.Run(listName+" "+name, func(t *testing.T) { require.Equal(t, test.field, refused(t, list).Field) })
		}
	}
}

func TestRequest_IncludesAreCheckedBeforeSending(t *testing.T) {
	for _, include := range []terminal49.ShipmentInclude{"", "containers,pod_terminal"} {
		argument := refused(t, func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.List(ctx,
				&terminal49.ShipmentListParams{Include: []terminal49.ShipmentInclude{"containers", include}}))
		})
		require.Equal(t, "include", argument.Field)
	}
}

func TestRequest_EmptyUpdatesAreRefused(t *testing.T) {
	for name, do := range map[string]func(context.Context, *terminal49.Client) error{
		"shipment": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.Update(ctx, testkit.ShipmentID, terminal49.ShipmentUpdate{}))
		},
		"container": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.Update(ctx, testkit.ContainerID, terminal49.ContainerUpdate{}))
		},
		"tracking_request": func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Update(ctx, testkit.RequestID, terminal49.TrackingRequestUpdate{}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			argument := refused(t, do)
			require.Equal(t, name, argument.Field)
			require.Contains(t, argument.Problem, "set at least one field")
		})
	}
}

func TestRequest_InvalidCallOptionsAreRefused(t *testing.T) {
	for field, opt := range map[string]terminal49.CallOption{
		"WithMaxAttempts": terminal49.WithMaxAttempts(0), "WithAttemptTimeout": terminal49.WithAttemptTimeout(-1),
		"WithMaxResponseBytes": terminal49.WithMaxResponseBytes(0), "WithPrefetch": terminal49.WithPrefetch(101),
		"WithResponse": terminal49.WithResponse(nil), "WithRateLimitShare": terminal49.WithRateLimitShare(-0.5),
		"WithUnstable": terminal49.WithUnstable(99),
	} {
		for name, do := range map[string]func(context.Context, *terminal49.Client) error{
			"get": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(c.Shipments.Get(ctx, testkit.ShipmentID, nil, opt))
			},
			"all": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(testkit.Drain(c.Shipments.All(ctx, nil, opt)))
			},
			"do": func(ctx context.Context, c *terminal49.Client) error {
				return c.Do(ctx, terminal49.Request{Method: "GET", Path: "/x"}, nil, opt)
			},
			"text": func(ctx context.Context, c *terminal49.Client) error {
				return testkit.First(c.Containers.Refresh(ctx, testkit.ContainerID, opt))
			},
		} {
			t.Run(field+" "+name, func(t *testing.T) { require.Equal(t, field, refused(t, do).Field) })
		}
	}
}

func TestRequest_NilCallOptionsAreIgnored(t *testing.T) {
	_, err := testkit.NewClient(t, testkit.Answer(200, testkit.OneShipment)).Shipments.Get(t.Context(),
		testkit.ShipmentID, nil, nil)
	require.NoError(t, err)
}

func TestRequest_WithResponse(t *testing.T) {
	reply := func(status int) testkit.RoundTripper {
		return func(*http.Request) (*http.Response, error) {
			resp, _ := testkit.Answer(status, testkit.OneShipment)(nil)
			resp.Header = http.Header{"X-Request-Id": {"req-1"}, "X-Other": {"o"}}
			return resp, nil
		}
	}
	for _, status := range []int{200, 404} {
		response := terminal49.Response{StatusCode: -1, Attempts: -1}
		_, err := testkit.NewClient(t, reply(status)).Shipments.Get(t.Context(), testkit.ShipmentID, nil,
			terminal49.WithResponse(&response))
		require.Equal(t, status != 200, err != nil)
		require.Equal(t, status, response.StatusCode)
		require.Equal(t, 1, response.Attempts)
		require.Equal(t, "req-1", response.RequestID)
		require.Equal(t, "o", response.Header.Get("X-Other"))
		require.Positive(t, response.Duration)
	}
}

func TestRequest_ResponsesThatAreNotAShipment(t *testing.T) {
	for name, test := range map[string]struct{ body, want string }{
		"null data":     {`{"data":null}`, "0 resources"},
		"empty list":    {`{"data":[]}`, "0 resources"},
		"two resources": {`{"data":[{"id":"a","type":"shipment"},{"id":"b","type":"shipment"}]}`, "2 resources"},
		"no data":       {`{"message":"hello"}`, "no data member"},
		"empty":         {"", "it is empty"},
		"blank":         {" \r\n\t", "it is empty"},
		"a web page":    {"\n<!DOCTYPE html><html></html>", "web page"},
		"truncated":     {`{"data":{"id":"a","type":"ship`, "cannot read"},
		"trailing":      {testkit.OneShipment + "garbage", "cannot read"},
		"not an object": {`["data"]`, "not a JSON:API document"},
	} {
		t.Run(name, func(t *testing.T) {
			shipment, err := testkit.NewClient(t, testkit.Answer(200, test.body)).Shipments.Get(t.Context(),
				testkit.ShipmentID, nil)
			require.Nil(t, shipment)
			var decode *terminal49.DecodeError
			require.ErrorAs(t, err, &decode)
			require.Equal(t, "shipments.get", decode.Op)
			require.Equal(t, 200, decode.Status)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// JSON cannot represent bytes that are not UTF-8: encoding/json would silently replace them. How it
// writes the replacement depends on the version of Go.
func TestRequest_InvalidUTF8IsRefused(t *testing.T) {
	api := testkit.NewFakeAPI()
	client := testkit.NewClient(t, api)
	for _, name := range []string{"\xff", "a\xc3", `\` + "\xff", `\\` + "\xff"} {
		err := testkit.First(client.Parties.Create(t.Context(), terminal49.PartyFields{CompanyName: name}))
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, "%q", name)
		require.Contains(t, argument.Problem, "UTF-8")
	}
	for _, body := range []any{
		map[string]any{"a": []any{map[string]string{"\xff": "b"}}}, &[]string{"a\xc3"}, struct{ A any }{[1]string{"\xff"}},
	} {
		err := client.Do(t.Context(), terminal49.Request{Method: "POST", Path: "/parties", Body: body}, nil)
		require.ErrorContains(t, err, "must contain only valid UTF-8", "%q", body)
	}
	require.Empty(t, api.Requests())
	around := list.New() // refers to itself, in fields that are not written
	around.PushBack("a")
	api.On("POST", "/parties", 201, `{"data":{"id":"p","type":"party"}}`)
	require.NoError(t, client.Do(t.Context(), terminal49.Request{Method: "POST", Path: "/parties", Body: map[string]any{"a": "\ufffd", "b": around}}, nil))
	for _, name := range []string{"\ufffd", `\ufffd`, `\\ufffd`, "ÿ"} {
		require.NoError(t, testkit.First(client.Parties.Create(t.Context(),
			terminal49.PartyFields{CompanyName: name})), "%q", name)
	}
}

// Plain responses are limited, because encoding/json allocates many times their length.
func TestRequest_PlainResponsesAreBounded(t *testing.T) {
	long := `{"ips":["` + strings.Repeat("1.2.3.4\",\"", terminal49.MaxPlain/10) + `1.2.3.4"]}`
	client := testkit.NewClient(t, testkit.Answer(200, long))
	_, err := client.Webhooks.IPs(t.Context())
	require.ErrorIs(t, err, transport.ErrBodyTooLarge)
	_, err = client.Webhooks.IPs(t.Context(), terminal49.WithMaxResponseBytes(2*terminal49.MaxPlain))
	require.NotErrorIs(t, err, transport.ErrBodyTooLarge)
}

// Even a warning may repeat the token: as the id of a resource, or as the name of a member.
func TestRequest_WarningsShowNoToken(t *testing.T) {
	var seen []terminal49.DecodeWarning
	body := fmt.Sprintf(`{"data":{"id":"a %[1]s","type":"b %[1]s","attributes":{"c %[1]s":1,"pod_eta_at":"d"}}}`,
		testkit.Token)
	client := testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithStrictDecoding(),
		terminal49.WithHooks(terminal49.Hooks{
			OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { seen = append(seen, w) },
		}))
	err := testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil))
	require.Error(t, err)
	require.NotEmpty(t, seen)
	for _, v := range []any{seen, err} {
		require.NotContains(t, fmt.Sprintf("%+v %#v", v, v), testkit.Token)
	}
}

// A request has the URL that net/url parses from the base URL, the path and the query (RFC 3986,
// section 3), whatever the form of the base URL.
func TestRequest_HasTheURLThatNetURLParses(t *testing.T) {
	for base, to := range map[string]string{
		"https://api.example.test":        "https://api.example.test",
		"https://api.example.test/":       "https://api.example.test",
		"https://api.example.test/v2":     "https://api.example.test/v2",
		"HTTPS://api.example.test:/v2//":  "https://api.example.test/v2",
		"https://[fe80::1]:8443/v2":       "https://[fe80::1]:8443/v2",
		"https://api.example.test/a%2Fb/": "https://api.example.test/a%2Fb",
		"https://api.example.test/a%20b":  "https://api.example.test/a%20b",
		"https://api.example.test/é":      "https://api.example.test/%C3%A9",
	} {
		var got *http.Request
		client, err := terminal49.New("key", terminal49.WithBaseURL(base), terminal49.WithMaxAttempts(1),
			terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				got = req
				return nil, http.ErrServerClosed
			})}))
		require.NoError(t, err)
		for _, params := range []*terminal49.ContainerGetParams{nil, {Include: []terminal49.ContainerInclude{"shipment"}}} {
			_, err = client.Containers.Get(t.Context(), testkit.ShipmentID, params)
			require.ErrorIs(t, err, http.ErrServerClosed)
			query := ""
			if params != nil {
				query = "?include=shipment"
			}
			want, err := http.NewRequest(http.MethodGet, to+"/containers/"+testkit.ShipmentID+query, nil)
			require.NoError(t, err)
			require.Equal(t, want.URL, got.URL, base)
			require.Equal(t, want.Host, got.Host, base)
			require.Equal(t, want.Method, got.Method)
		}
	}
}

// Package context: do not pass a nil Context. Every method refuses one like another invalid
// argument, with an *ArgumentError, and sends nothing.
func TestContext_NilIsRefused(t *testing.T) {
	client := testkit.NewClient(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, http.ErrHandlerTimeout
	}))
	none := context.Context(nil)
	alsoInvalid := map[string][]string{ // of the arguments that Usable returns
		"Containers.FindByNumber": {"number"}, "Containers.FindByNumbers": {"number"}, "DocumentSchemas.For": {"document"}, "DocumentSchemas.Get": {"id"}, "Vessels.GetByIMO": {"imo"}, "Webhooks.Ensure": {"URL"},
	}
	for _, m := range testkit.Methods() {
		args := make([]reflect.Value, len(m.Args))
		for i := range args {
			args[i] = testkit.Usable(t, m.Args[i])
		}
		for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(2)}} {
			err := testkit.OutcomeOf(m.Results(client, none, args, opts))
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument, m.Name)
			require.Contains(t, append(alsoInvalid[m.Name], "ctx"), argument.Field, m.Name)
		}
	}
	_, err := client.Documents.Upload(none, terminal49.DocumentFile{Content: strings.NewReader("%PDF-1.7"), FileName: "a.pdf"})
	testkit.RequireArgument(t, err, "ctx")
}

// Ensure checks its arguments first, and then the context.
func TestContext_NilIsRefusedByEnsure(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, `{"data":[]}`))
	_, err := client.Webhooks.Ensure(context.Context(nil), testkit.EndpointURL, ensured)
	testkit.RequireArgument(t, err, "ctx")
}

// The tests of the catalogue compare the library with what the service has, in both directions.

// serviceMethods returns the doc comments of the exported methods of all services, by
// "ShipmentsService.List".
func serviceMethods(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, file := range gosource.Files(t, ".") {
		for _, decl := range file.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || method.Recv == nil || !method.Name.IsExported() {
				continue
			}
			pointer, ok := method.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if of, ok := pointer.X.(*ast.Ident); ok && of.IsExported() && (strings.HasSuffix(of.Name, "Service") ||
				of.Name+"."+method.Name.Name == "Client.Me") {
				docs[of.Name+"."+method.Name.Name] = method.Doc.Text()
			}
		}
	}
	return docs
}

var (
	apiLine    = regexp.MustCompile(`(?s)\nAPI: (.+)$`) // the last paragraph
	apiRoute   = regexp.MustCompile(`(GET|POST|PATCH|PUT|DELETE) (/[a-z_/{}]*)`)
	bucketName = regexp.MustCompile(`Rate buckets?: ([a-z, ]+(?: and [a-z]+)?)\.`)
)

func TestCatalogue_EveryMethodNamesItsOperation(t *testing.T) {
	operations := map[string]operation.Operation{}
	for _, o := range operation.All() {
		operations[o.Method+" "+o.Path] = o
	}
	called := map[string]bool{}
	methods := serviceMethods(t)
	require.Greater(t, len(methods), 20)
	for method, doc := range methods {
		line := apiLine.FindStringSubmatch(doc)
		require.NotNil(t, line, "%s has no API: line", method)
		routes := apiRoute.FindAllString(line[1], -1)
		require.NotEmpty(t, routes, "%s: %s", method, line[1])
		var buckets []string
		for _, route := range routes {
			o, ok := operations[route]
			require.True(t, ok, "%s: %s is not in the catalogue", method, route)
			called[route] = true
			buckets = append(buckets, string(o.Bucket))
		}
		if len(routes) == 1 {
			said := operation.BucketDefault // unless another is named
			if named := bucketName.FindStringSubmatch(line[1]); named != nil {
				said = named[1]
			}
			require.Equal(t, buckets[0], said, method)
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(operations)), slices.Collect(maps.Keys(called)),
		"operations without a method")
}

// filterForm matches the forms of a filter that the catalogue has once: with several values, by
// role or slug, or with an operator.
var filterForm = regexp.MustCompile(`^(filter\[(?:parties|party_id|custom_fields)\]).+$|^(filter\[[a-z_0-9]+\])\[\]$`)

func TestCatalogue_Calls(t *testing.T) {
	sentBy := map[string][]testkit.Sent{}
	for _, c := range testkit.EveryCall() {
		api := testkit.NewFakeAPI()
		api.On(c.Method, c.Path, http.StatusOK, c.Reply)
		require.NoError(t, c.Do(t.Context(), testkit.NewClient(t, api)))
		for _, s := range api.Requests() {
			sentBy[s.Info.Op] = append(sentBy[s.Info.Op], s)
		}
	}
	for _, o := range operation.All() {
		t.Run(o.Name, func(t *testing.T) {
			require.NotEmpty(t, sentBy[o.Name], "no call in these tests sends it")
			query, body := map[string]bool{}, map[string]bool{}
			routes := map[string]bool{}
			for _, s := range sentBy[o.Name] {
				require.Equal(t, o.Method, s.Method)
				require.Equal(t, string(o.Bucket), s.Info.Bucket)
				require.Equal(t, o.Retry, s.Info.Class)
				routes[s.Info.Route] = true
				for _, pair := range strings.Split(s.Query, "&") {
					if name, _, ok := strings.Cut(pair, "="); ok {
						query[filterForm.ReplaceAllString(name, "$1$2")] = true
					}
				}
				addMembers(t, body, s.Body)
			}
			require.Equal(t, []string{o.Path}, slices.Collect(maps.Keys(routes)))
			require.ElementsMatch(t, o.Query, slices.Collect(maps.Keys(query)))
			require.ElementsMatch(t, o.Body, slices.Collect(maps.Keys(body)))
		})
	}
}

// AllContainerFilters and AllShipmentFilters set every field, so that TestCatalogue_Calls sees
// every filter.
func TestCatalogue_CallsSetEveryFilter(t *testing.T) {
	for _, filter := range []any{testkit.AllContainerFilters(), testkit.AllShipmentFilters()} {
		v := reflect.ValueOf(filter)
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s.%s is not set", v.Type(), v.Type().Field(i).Name)
		}
	}
}

// addMembers adds the dotted members of a request body: its attributes, or itself where it is
// plain.
func addMembers(t *testing.T, to map[string]bool, body string) {
	t.Helper()
	if body == "" {
		return
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &doc))
	if data, ok := doc["data"].(map[string]any); ok {
		doc, _ = data["attributes"].(map[string]any)
	}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				to[prefix+name] = true
				walk(prefix+name+".", member)
			}
		case []any:
			for _, element := range v {
				walk(prefix, element)
			}
		}
	}
	walk("", doc)
}

// Examples are documentation that is checked: each has an output, so that it runs.
func TestExamples_Run(t *testing.T) {
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		require.True(t, example.Output != "" || example.EmptyOutput, "Example%s has no output", example.Name)
	}
}

// Each service has an example, so that its page shows a call. The guides have the rest.
func TestExamples_ShowEachService(t *testing.T) {
	shown := map[string]bool{}
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		owner, _, _ := strings.Cut(example.Name, "_")
		shown[owner] = true
	}
	services := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[terminal49.Client]()) {
		if field.IsExported() && field.Type.Kind() == reflect.Pointer {
			services++
			require.True(t, shown[field.Type.Elem().Name()], "no example of %s", field.Type.Elem().Name())
		}
	}
	require.Greater(t, services, 15)
}
