package terminal49_test

import (
	"container/list"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
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

func TestEscapedPath_OfATemplate(t *testing.T) {
	tests := []struct {
		name, template string
		args           []string
		want           string
	}{
		{"no parameter", "/shipments", nil, "/shipments"},
		{"one", "/shipments/{id}", []string{"e1c7-44"}, "/shipments/e1c7-44"},
		{"two, text after", "/shipments/{id}/custom_fields/{api_slug}/x", []string{"1", "po_number"}, "/shipments/1/custom_fields/po_number/x"},
		{"reserved", "/a/{id}", []string{"a/b?c#d%e@f"}, "/a/a%2Fb%3Fc%23d%25e%40f"},
		{"space and plus", "/a/{id}", []string{"a b+c"}, "/a/a%20b%2Bc"},
		{"semicolon, colon, comma", "/a/{id}", []string{"a;b:c,d"}, "/a/a%3Bb%3Ac%2Cd"},
		{"already escaped is data", "/a/{id}", []string{"%2e%2e"}, "/a/%252e%252e"},
		{"dots inside", "/a/{id}", []string{"..."}, "/a/..."},
		{"braces in an argument", "/a/{id}", []string{"{id}"}, "/a/%7Bid%7D"},
		{"unicode", "/a/{id}", []string{"ö"}, "/a/%C3%B6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, problem := terminal49.EscapedPath(tt.template, tt.args...)
			require.Empty(t, problem)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestEscapedPath_Refuses(t *testing.T) {
	tests := []struct {
		name, template string
		args           []string
		param, says    string
	}{
		{"empty", "/shipments/{id}", []string{""}, "id", "empty"},
		{"dot", "/shipments/{id}", []string{"."}, "id", "relative"},
		{"dot dot, second", "/a/{id}/b/{api_slug}", []string{"1", ".."}, "api_slug", "relative"},
		{"NUL", "/a/{id}", []string{"a\x00b"}, "id", "control"},
		{"newline", "/a/{id}", []string{"a\r\nb"}, "id", "control"},
		{"DEL", "/a/{id}", []string{"a\x7f"}, "id", "control"},
		{"C1", "/a/{id}", []string{"a\u0085"}, "id", "control"},
		{"bad UTF-8", "/a/{id}", []string{"a\xff"}, "id", "UTF-8"},
		{"missing argument", "/a/{id}/b/{api_slug}", []string{"1"}, "api_slug", "no argument"},
		{"one too many", "/a/{id}", []string{"1", "2"}, "", "2 arguments for 1"},
		{"argument without parameter", "/a", []string{"1"}, "", "1 arguments for 0"},
		{"open brace", "/a/{id", []string{"1"}, "", "brace"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, param, problem := terminal49.EscapedPath(tt.template, tt.args...)
			require.Empty(t, got)
			require.Equal(t, tt.param, param)
			require.Contains(t, problem, tt.says)
		})
	}
}

// FuzzEscapedPath checks that an argument remains one segment of the path and can be unescaped, and
// that it is refused only for the documented reasons.
func FuzzEscapedPath(f *testing.F) {
	for _, s := range []string{"...", "%2e%2e", "a\\b", "+", "a;b=c", "\u202e", "\u0085", "", ".", "..", "a/b", "%2f", "a?b#c", "\x00", "ö", "a@2026-03-23", "{id}", " ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		path, param, problem := terminal49.EscapedPath("/v2/x/{id}/y", arg)
		refused := arg == "" || arg == "." || arg == ".." || !utf8.ValidString(arg) || regexp.MustCompile(`\p{Cc}`).MatchString(arg)
		if refused != (problem != "") || refused && param != "id" {
			t.Fatalf("%q is refused: %s %s", arg, param, problem)
		}
		if refused {
			return
		}
		if !regexp.MustCompile(`^/v2/x/([A-Za-z0-9_.~-]|%[0-9A-F]{2})+/y$`).MatchString(path) {
			t.Fatalf("%q became %q", arg, path)
		}
		u, err := url.Parse("https://api.example.test" + path + "?q=1")
		if err != nil {
			t.Fatalf("%q does not parse: %v", path, err)
		}
		parts := strings.Split(u.EscapedPath(), "/")
		if len(parts) != 5 || u.RawQuery != "q=1" || u.Fragment != "" || u.Host != "api.example.test" {
			t.Fatalf("%q changed the shape of the URL: %q", arg, u)
		}
		if back, err := url.PathUnescape(parts[3]); err != nil || back != arg {
			t.Fatalf("%q came back as %q, %v", arg, back, err)
		}
		if clean := u.JoinPath().EscapedPath(); clean != path {
			t.Fatalf("%q is not in clean form: %q", path, clean)
		}
	})
}
