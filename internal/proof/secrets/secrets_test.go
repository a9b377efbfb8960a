package secrets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/gosource"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// hides checks that no way of printing v shows a secret.
func hides(t *testing.T, name string, v any) {
	t.Helper()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		text := fmt.Sprintf(verb, v)
		for _, secret := range []string{testkit.Token, testkit.Account, fmt.Sprintf("%x", testkit.Token),
			fmt.Sprintf("%d", []byte(testkit.Token))} {
			require.NotContains(t, text, secret, "%s %s", name, verb)
		}
	}
}

// echo repeats everything that it receives, in the response or in an error.
func echo(status int) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		if status == 0 {
			return nil, fmt.Errorf("cannot send %v to %v", req.Header["Authorization"], req.URL)
		}
		resp, _ := testkit.Answer(status, fmt.Sprintf(`{"errors":[{"detail":"bad key %s","meta":{"sent":%q}}]}`,
			req.Header.Get("Authorization"), req.Header.Get("Authorization")))(nil)
		if status == 502 {
			resp, _ = testkit.Answer(status, "<html>"+req.Header.Get("Authorization"))(nil)
		}
		return resp, nil
	}
}

func TestSecrets_ClientsAndOptions(t *testing.T) {
	account := terminal49.WithAccountID(testkit.Account)
	client := testkit.NewClient(t, echo(200), account, terminal49.WithLogger(slog.New(slog.DiscardHandler)))
	hides(t, "client", client)
	hides(t, "client by value", *client)
	hides(t, "service", client.Shipments)
	hides(t, "service by value", *client.Shipments)
	hides(t, "option", account)
	hides(t, "holder", struct{ C *terminal49.Client }{client})
	_, err := terminal49.New(testkit.Token+" "+testkit.Token, account)
	hides(t, "argument error", err)
	_, err = terminal49.New(testkit.Token, terminal49.WithBaseURL("https://user:"+testkit.Token+"@x.test"))
	hides(t, "option error", err)
}

// Secrets in responses and arguments have the type Secret, which is never printed.
func TestSecrets_AreOfTypeSecret(t *testing.T) {
	found := 0
	fields := func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		for _, name := range field.Names {
			switch name.Name {
			case "Secret", "Secrets", "PreviousSecret", "SignedID", "AttachedDocument", "DownloadURL":
				require.Contains(t, types.ExprString(field.Type), "Secret", name.Name)
				found++
			}
		}
		return true
	}
	files := slices.Concat(gosource.Files(t, "."), gosource.Files(t, "webhook"))
	for _, file := range files {
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range group.Specs {
					if typ, ok := spec.(*ast.TypeSpec); ok && typ.Name.IsExported() {
						ast.Inspect(typ.Type, fields)
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, found, 3) // of Webhook, WebhookTrigger and DocumentCreate
}

func TestSecrets_Errors(t *testing.T) {
	for _, status := range []int{0, 200, 401, 422, 429, 502} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			var log bytes.Buffer
			var seen []any
			logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			client := testkit.NewClient(t, echo(status), terminal49.WithAccountID(testkit.Account),
				terminal49.WithLogger(logger), terminal49.WithHooks(terminal49.Hooks{
					OnAttempt:       func(_ context.Context, a terminal49.Attempt) { seen = append(seen, a, a.Err) },
					OnRetry:         func(_ context.Context, r terminal49.Retry) { seen = append(seen, r, r.Err) },
					OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { seen = append(seen, w) },
				}))
			for name, do := range map[string]func() error{
				"get": func() error { return testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)) },
				"an id that is the token": func() error {
					return testkit.First(client.Containers.UpdateCustomField(t.Context(), testkit.ContainerID, testkit.Token, terminal49.CustomText("a")))
				},
				"create": func() error {
					return testkit.First(client.TrackingRequests.Create(t.Context(), testkit.FullCreate()))
				},
				"do": func() error {
					return client.Do(t.Context(), terminal49.Request{Method: "GET", Path: "/x"}, new([]int))
				},
				"all": func() error {
					return testkit.First(testkit.Drain(client.Shipments.All(t.Context(), nil, terminal49.WithPrefetch(2))))
				},
			} {
				err := do()
				require.Error(t, err, name)
				logger.Error("failed", "err", err)
				for e := err; e != nil; e = errors.Unwrap(e) {
					hides(t, name, e)
				}
				var answered *terminal49.APIError
				if errors.As(err, &answered) {
					hides(t, name+" by value", *answered)
					hides(t, name+" objects", answered.Errors)
					hides(t, name+" body", answered.Body)
				}
				var lost *terminal49.TransportError
				if errors.As(err, &lost) {
					hides(t, name+" by value", *lost)
					hides(t, name+" cause", lost.Err)
				}
			}
			for _, v := range seen {
				hides(t, "hook", v)
			}
			require.NotEmpty(t, seen)
			require.NotContains(t, log.String(), testkit.Token)
			require.NotContains(t, log.String(), testkit.Account)
		})
	}
}

// The header of a response may be logged, with any content from the service or a storage.
func TestSecrets_Responses(t *testing.T) {
	const address = "https://files.example.test/f?X-Amz-Credential=AKIAEXAMPLE&X-Amz-Signature="
	escaped := strings.Replace(url.QueryEscape(testkit.Token), "a", "%61", 1)
	require.NotEqual(t, testkit.Token, escaped)
	echo := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := testkit.Answer(http.StatusFound, "")(req)
		resp.Header = http.Header{"Location": {address + testkit.WebhookSecret},
			"X-Echo": {req.Header.Get("Authorization"), escaped}, "X-Request-Id": {escaped}}
		return resp, err
	})
	var response terminal49.Response
	_, err := testkit.NewClient(t, echo, terminal49.WithAccountID(testkit.Account)).Documents.DownloadURL(t.Context(),
		testkit.DocumentID, terminal49.WithResponse(&response))
	require.Error(t, err)
	require.Equal(t, "https://files.example.test/f?X-Amz-Credential=[secret]&X-Amz-Signature=[secret]",
		response.Header.Get("Location"))
	text := fmt.Sprintf("%+v", response)
	for _, secret := range []string{testkit.Token, escaped, testkit.WebhookSecret} {
		require.NotContains(t, text, secret)
	}
}

func TestSecrets_Middleware(t *testing.T) {
	var seen []http.Header
	watch := func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			seen = append(seen, req.Header.Clone())
			resp, err := next.RoundTrip(req)
			if resp != nil && resp.Request != nil {
				seen = append(seen, resp.Request.Header)
			}
			return resp, err
		})
	}
	api := testkit.NewFakeAPI()
	api.On("GET", "/shipments/"+testkit.ShipmentID, 200, testkit.OneShipment)
	client := testkit.NewClient(t, api, terminal49.WithAccountID(testkit.Account), terminal49.WithMiddleware(watch))
	_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "Token "+testkit.Token, api.Requests()[0].Header.Get("Authorization"))
	require.Equal(t, testkit.Account, api.Requests()[0].Header.Get("X-Account-Id"))
	require.Len(t, seen, 2)
	for _, header := range seen {
		require.Empty(t, header.Get("Authorization"))
		require.Empty(t, header.Get("X-Account-Id"))
	}
}

// A redirect to another host is not followed, and a host that middleware chooses gets no
// credentials.
func TestSecrets_StayOnTheConfiguredHost(t *testing.T) {
	var strayed []*http.Request
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		strayed = append(strayed, r)
		_, _ = io.WriteString(w, testkit.OneShipment)
	}))
	defer stranger.Close()
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, stranger.URL+r.URL.Path, http.StatusFound)
	}))
	defer home.Close()
	base := &http.Transport{}
	defer base.CloseIdleConnections()

	client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(home.URL),
		terminal49.WithHTTPClient(&http.Client{Transport: base, Timeout: time.Minute}))
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	var answered *terminal49.APIError
	require.ErrorAs(t, err, &answered)
	require.Equal(t, http.StatusFound, answered.StatusCode)
	require.Empty(t, strayed)

	elsewhere, err := url.Parse(stranger.URL)
	require.NoError(t, err)
	reroute := func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			req = req.Clone(req.Context())
			req.URL.Host = elsewhere.Host
			return next.RoundTrip(req)
		})
	}
	client, err = terminal49.New(testkit.Token, terminal49.WithBaseURL(home.URL),
		terminal49.WithAccountID(testkit.Account), terminal49.WithMiddleware(reroute),
		terminal49.WithHTTPClient(&http.Client{Transport: base, Timeout: time.Minute}))
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Len(t, strayed, 1)
	require.Empty(t, strayed[0].Header.Get("Authorization"))
	require.Empty(t, strayed[0].Header.Get("X-Account-Id"))
}
