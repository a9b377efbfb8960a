package secrets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A journey runs a client and a receiver whose service, storage, proxy and transport repeat
// everything they receive. The tests of secrets check every resulting value and every written line.

const (
	previousSecret = "0ld-5ecre7-before-the-change"
	proxySecret    = "pr0xy-pa55word-of-the-user"
	cookieValue    = "c00kie-of-the-session"
	loggedOperands = "%v %+v %#v %s %q %x %d\n"
)

// secretRun is one journey: its values and everything that was written.
type secretRun struct {
	t        testing.TB
	srv      *terminal49test.Server
	base     http.RoundTripper // reaches srv
	detector *detector
	logger   *slog.Logger

	mu      sync.Mutex
	written bytes.Buffer // log, and all printed values
	values  []any
	calls   int
}

func newSecretRun(t testing.TB, srv *terminal49test.Server, base http.RoundTripper, asJSON bool) *secretRun {
	r := &secretRun{
		t: t, srv: srv, base: base,
		detector: newDetector(testkit.Token, testkit.Account, testkit.WebhookSecret, testkit.HeaderValue,
			previousSecret, proxySecret, cookieValue),
	}
	options := &slog.HandlerOptions{Level: slog.LevelDebug, AddSource: true}
	r.logger = slog.New(slog.NewTextHandler(r, options))
	if asJSON {
		r.logger = slog.New(slog.NewJSONHandler(r, options))
	}
	return r
}

// Write collects log output.
func (r *secretRun) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.written.Write(p)
}

// keep keeps values to be checked, and logs and prints them as a program would, including every
// error of a chain.
func (r *secretRun) keep(values ...any) {
	for _, v := range values {
		if v == nil {
			continue
		}
		r.values = append(r.values, v)
		r.logger.Info("kept", "value", v)
		text := fmt.Sprintf(strings.NewReplacer("%", "%[1]").Replace(loggedOperands), v)
		_, _ = r.Write([]byte(text))
		switch err := v.(type) {
		case interface{ Unwrap() error }:
			r.keep(err.Unwrap())
		case interface{ Unwrap() []error }:
			for _, link := range err.Unwrap() {
				r.keep(link)
			}
		}
	}
}

// learn plants the secrets that the service generates: signed ids and signatures of addresses.
func (r *secretRun) learn(req *http.Request) (*http.Response, error) {
	resp, err := r.base.RoundTrip(req)
	path := req.URL.Path
	if err != nil || !strings.HasSuffix(path, "/direct_uploads") && !strings.HasSuffix(path, "/download_url") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	require.NoError(r.t, resp.Body.Close())
	resp.Body = io.NopCloser(bytes.NewReader(body))
	made := regexp.MustCompile(`(?:"signed_id":"|X-Amz-Signature=)([\w-]+)`).FindAllSubmatch(body, -1)
	require.True(r.t, len(made) > 0 || resp.StatusCode != http.StatusOK)
	for _, m := range made {
		r.detector.plant(string(m[1]))
	}
	return resp, nil
}

// note is a middleware that logs everything that it sees: the request before the credentials are
// added, and the header of the response.
func (r *secretRun) note(next http.RoundTripper) http.RoundTripper {
	_, _ = fmt.Fprintf(r, "%v %+v %#v %s %q\n", next, next, next, next, next)
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		_, _ = fmt.Fprintf(r, "%s %v %v %v\n", req.Method, req.URL, req.Header, req.Context())
		if err == nil {
			seen := resp.Header.Clone()
			delete(seen, "Location") // middleware may see what the service sends, but not what the client adds
			delete(seen, "Set-Cookie")
			_, _ = fmt.Fprintln(r, resp.Status, seen, resp.Request.Header)
		}
		return resp, err
	})
}

// client returns a client with a logger, hooks and middleware.
func (r *secretRun) client(rt http.RoundTripper, opts ...terminal49.Option) *terminal49.Client {
	hooks := terminal49.Hooks{
		OnAttempt:       func(_ context.Context, a terminal49.Attempt) { r.keep(a, a.Err) },
		OnRetry:         func(_ context.Context, a terminal49.Retry) { r.keep(a, a.Err) },
		OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { r.keep(w) },
	}
	client, err := terminal49.New(testkit.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(r.srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: rt}),
		terminal49.WithAccountID(testkit.Account), terminal49.WithLogger(r.logger),
		terminal49.WithHooks(hooks), terminal49.WithMiddleware(r.note), terminal49.WithoutRateLimits(),
		terminal49.WithRawJSON(), terminal49.WithMaxAttempts(2),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Nanosecond, MaxBackoff: time.Nanosecond}),
	}, opts...)...)
	require.NoError(r.t, err)
	return client
}

// everyOperation makes each call, and the calls that everyCall lacks because they need a file or a
// long secret.
func (r *secretRun) everyOperation(client *terminal49.Client) { r.operations(client, 0, 1) }

// operations makes every step-th call, beginning with first.
func (r *secretRun) operations(client *terminal49.Client, first, step int) {
	ctx := r.t.Context()
	for i, c := range testkit.EveryCall() {
		if i%step != first%step {
			continue
		}
		r.calls++
		r.keep(c.Do(ctx, client))
	}
	r.keep(client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "bill.pdf", Content: strings.NewReader("paper")}))
	_, err := client.Documents.Create(ctx,
		terminal49.DocumentCreate{Name: "n", AttachedDocument: terminal49.NewSecret(previousSecret)})
	r.keep(err, client.Do(ctx, terminal49.Request{Method: "GET", Path: "/shipments"}, new(json.RawMessage)))
	_, err = client.Documents.Download(ctx, r.paper(), io.Discard)
	r.keep(err)
	r.calls += 4
}

// results keeps the values that calls return.
func (r *secretRun) results(client *terminal49.Client) {
	ctx := r.t.Context()
	kept := func(v any, err error) {
		require.NoError(r.t, err)
		r.keep(v)
	}
	demo := r.srv.SeedDemo()
	var response terminal49.Response
	shipment, err := client.Shipments.Get(ctx, demo.Shipments[5],
		&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{"containers", "port_of_lading"}},
		terminal49.WithResponse(&response))
	kept(shipment, err)
	r.keep(&response, client, *client)
	page, err := client.Containers.List(ctx, nil)
	kept(page, err)
	r.keep(terminal49.Journey(page.Items[0], terminal49.JourneyOptions{}), terminal49.PickupReadiness(page.Items[0]),
		terminal49.DiffContainers(page.Items[0], page.Items[1]))
	webhook, err := client.Webhooks.Get(ctx, testkit.WebhookID)
	kept(webhook, err)
	require.Equal(r.t, testkit.WebhookSecret, webhook.Secret.Reveal())
	require.Equal(r.t, testkit.HeaderValue, webhook.Headers[0].Value.Reveal())
	require.Contains(r.t, string(webhook.Raw()), testkit.WebhookSecret)
	ensured, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL,
		[]terminal49.EventName{terminal49.EventContainerUpdated})
	kept(ensured, err)
	kept(client.Webhooks.Trigger(ctx,
		terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventContainerUpdated,
			Secret: terminal49.NewSecret(testkit.WebhookSecret)}))
	kept(client.WebhookNotifications.List(ctx,
		&terminal49.WebhookNotificationListParams{Include: []terminal49.WebhookNotificationInclude{"webhook",
			"reference_object"}}))
	address, err := client.Documents.DownloadURL(ctx, r.paper())
	kept(address, err)
	require.Contains(r.t, address.Reveal(), "X-Amz-Signature=")
	kept(client.Documents.List(ctx, nil))
	kept(client.TrackingRequests.Track(ctx, demo.Untracked, nil))
	for found := range client.Containers.FindByNumbers(ctx, []string{"MSKU7182047", "no number"}, nil) {
		r.keep(found) // one has an error
	}

	file := func() terminal49.DocumentFile {
		return terminal49.DocumentFile{FileName: "invoice.pdf", Content: strings.NewReader("the contents"),
			OnProgress: func(int64, int64) {}}
	}
	kept(client.Documents.Upload(ctx, file()))
	_, err = client.Documents.Upload(ctx, file())
	var unfinished *terminal49.DocumentNotCreatedError
	require.ErrorAs(r.t, err, &unfinished)
	require.ErrorIs(r.t, err, terminal49.ErrDuplicate)
	r.keep(err, unfinished.SignedID(), terminal49.DocumentCreate{Name: "n", AttachedDocument: unfinished.SignedID()})

	headers := []terminal49.WebhookHeader{{Name: "X-Key", Value: terminal49.NewSecret(testkit.HeaderValue)}}
	r.keep(headers, terminal49.WebhookCreate{Headers: headers},
		terminal49.WebhookUpdate{Headers: terminal49.Some(headers)},
		terminal49.WebhookTrigger{Secret: terminal49.NewSecret(testkit.WebhookSecret)})
	wrong := []terminal49.WebhookHeader{{Name: "X-Key: " + testkit.HeaderValue,
		Value: terminal49.NewSecret(testkit.HeaderValue)}}
	_, err = client.Webhooks.Create(ctx,
		terminal49.WebhookCreate{URL: testkit.EndpointURL,
			Events: []terminal49.EventName{terminal49.EventContainerUpdated}, Headers: wrong})
	r.keep(err)
	for _, opt := range []terminal49.Option{
		terminal49.WithAccountID(testkit.Account + "\n"), terminal49.WithUserAgent(testkit.Token + "\n"),
		terminal49.WithBaseURL("http://" + testkit.Token + ".test"),
		terminal49.WithBaseURL("https://user:" + proxySecret + "@x.test"),
	} {
		_, err = terminal49.New(testkit.Token, opt)
		require.Error(r.t, err)
		r.keep(err)
	}
	_, err = terminal49.New(testkit.Token + " " + testkit.Token)
	r.keep(err)
}

// receive delivers to a handler: with good and bad signatures, known and unknown secrets, to
// callbacks that fail.
func (r *secretRun) receive() {
	var deliveries []any
	h, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret(testkit.WebhookSecret), terminal49.NewSecret(previousSecret)),
		webhook.WithDedupe(webhook.NewMemoryDedupe(0), time.Hour),
		webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			deliveries = append(deliveries, n, *n)
			switch n.ID {
			case "n-1":
				return errors.New("not now")
			case "n-2":
				panic(terminal49.NewSecret(testkit.WebhookSecret))
			}
			return nil
		}),
		webhook.OnDeadLetter(func(_ context.Context, l webhook.DeadLetter) error {
			deliveries = append(deliveries, l)
			return nil
		}),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { deliveries = append(deliveries, d) }),
	)
	require.NoError(r.t, err)
	signed := func(secret string, body []byte) *http.Request {
		req := testkit.SignedRequest(body)
		req.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(secret, body))
		return req
	}
	require.Equal(r.t, http.StatusInternalServerError,
		testkit.Serve(h, signed(testkit.WebhookSecret, testkit.Numbered(1))).Code)
	require.Equal(r.t, http.StatusInternalServerError,
		testkit.Serve(h, signed(testkit.WebhookSecret, testkit.Numbered(2))).Code)
	require.Equal(r.t, http.StatusOK, testkit.Serve(h, signed(previousSecret, testkit.Numbered(3))).Code)
	require.Equal(r.t, http.StatusUnauthorized, testkit.Serve(h, signed(testkit.Token, testkit.Numbered(4))).Code)
	require.Equal(r.t, http.StatusOK, testkit.Serve(h, signed(testkit.WebhookSecret, []byte("no notification"))).Code)
	for _, signature := range []string{"", testkit.WebhookSecret, strings.Repeat("z", 64)} {
		req := testkit.SignedRequest(testkit.Numbered(5))
		req.Header.Set(webhook.SignatureHeader, signature)
		answered := testkit.Serve(h, req)
		require.Equal(r.t, http.StatusUnauthorized, answered.Code)
		r.keep(answered.Body.String(),
			webhook.Verify(testkit.Numbered(5), signature, terminal49.NewSecret(testkit.WebhookSecret)))
	}
	require.NoError(r.t, h.Shutdown(r.t.Context()))
	r.keep(h, webhook.NewMemoryDedupe(0), webhook.WithSecrets(terminal49.NewSecret(testkit.WebhookSecret)),
		webhook.Verify(nil, "", terminal49.NewSecret(testkit.WebhookSecret), terminal49.Secret{}))
	for _, v := range deliveries {
		r.keep(v)
		if d, ok := v.(webhook.Delivery); ok {
			r.keep(d.Err)
		}
	}
}

// tellingError is an error of a transport that keeps the whole request, partly in fields that only
// printing shows.
type tellingError struct {
	Header string
	header http.Header
	URL    string
}

func (e tellingError) Error() string { return "connection lost" }

// repeating returns the ways in which a service, a proxy or a transport repeats a request in its
// response or error.
func repeating() map[string]func(req *http.Request, sent string) (*http.Response, error) {
	const link = "https://files.example.test/f?X-Amz-Credential=" + previousSecret + "&X-Amz-Signature=" + cookieValue
	reply := func(status int, body string, header http.Header) (*http.Response, error) {
		resp, _ := testkit.Answer(status, body)(nil)
		for name, values := range header {
			resp.Header[name] = values
		}
		return resp, nil
	}
	quoted := func(s string) string { text, _ := json.Marshal(s); return string(text) }
	type responder = func(req *http.Request, sent string) (*http.Response, error)
	return map[string]responder{
		"problem": func(_ *http.Request, sent string) (*http.Response, error) {
			q := quoted(sent)
			return reply(422, `{"errors":[{"title":`+q+`,"detail":`+q+`,"code":`+q+`,"status":`+q+`,"source":{"pointer":`+q+`,"parameter":`+q+`},"meta":{`+q+`:[{"x":`+q+`}]}}]}`, nil)
		},
		"conflict": func(_ *http.Request, sent string) (*http.Response, error) {
			q := quoted(sent)
			return reply(409, `{"errors":[{"code":"duplicate_document","meta":{"existing_document_id":`+q+`,"existing_document_name":`+q+`}}]}`, nil)
		},
		"page":  func(_ *http.Request, sent string) (*http.Response, error) { return reply(502, "<html>"+sent, nil) },
		"limit": func(_ *http.Request, sent string) (*http.Response, error) { return reply(429, sent, nil) },
		"other JSON": func(_ *http.Request, sent string) (*http.Response, error) {
			return reply(400, `{"sent":`+quoted(sent)+`}`, nil)
		},
		"unreadable": func(_ *http.Request, sent string) (*http.Response, error) { return reply(200, sent, nil) },
		"header": func(req *http.Request, sent string) (*http.Response, error) {
			value := req.Header.Get("Authorization") + " for " + req.Header.Get("X-Account-Id")
			return reply(401, sent, http.Header{"X-Request-Id": {value}, "X-Echo": {value}, "Set-Cookie": {"session=" + cookieValue}})
		},
		"redirect": func(*http.Request, string) (*http.Response, error) {
			return reply(302, `You are being <a href="`+link+`">redirected</a>.`, http.Header{"Location": {link}})
		},
		"cut off": func(req *http.Request, _ string) (*http.Response, error) {
			resp, err := reply(500, "", nil)
			whole := "bad key " + req.Header.Get("Authorization")
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(whole[:len(whole)-3]), broken{io.ErrUnexpectedEOF}))
			return resp, err
		},
		"answer, then error": func(req *http.Request, sent string) (*http.Response, error) {
			if call, _ := terminal49.CallFromContext(req.Context()); call.Attempt < 2 {
				return reply(503, sent, nil) // is kept as the last response
			}
			return nil, errors.New("cannot send it again")
		},
		"broken body": func(_ *http.Request, sent string) (*http.Response, error) {
			resp, err := reply(200, "", nil)
			resp.Body = io.NopCloser(broken{errors.New("lost what answers " + sent)})
			return resp, err
		},
		"error": func(_ *http.Request, sent string) (*http.Response, error) {
			return nil, errors.New("cannot send " + sent)
		},
		"wrapped error": func(req *http.Request, sent string) (*http.Response, error) {
			return nil, &url.Error{Op: "Get", URL: req.URL.String(), Err: fmt.Errorf("%s: %w", sent, context.DeadlineExceeded)}
		},
		"error with fields": func(req *http.Request, sent string) (*http.Response, error) {
			return nil, fmt.Errorf("sent: %w", tellingError{sent, req.Header, req.URL.String()})
		},
	}
}

// broken is a body that ends in an error.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// contentOf returns the content of a request. Errors of a transport do not contain the body.
func contentOf(req *http.Request, withBody bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\r\n", req.Method, req.URL)
	for name, values := range req.Header {
		fmt.Fprintf(&b, "%s: %s\r\n", name, strings.Join(values, ", "))
	}
	if withBody && req.Body != nil {
		body, _ := io.ReadAll(req.Body)
		b.Write(body)
	}
	return b.String()
}

// repeat makes every call against each of the ways of repeating.
func (r *secretRun) repeat() {
	turn := 0
	for name, respond := range repeating() {
		withBody := !slices.Contains([]string{"error", "wrapped error", "error with fields", "broken body"}, name)
		client := r.client(testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { return respond(req, contentOf(req, withBody)) }))
		r.operations(client, turn, testkit.Scale(5, 1))
		turn++
		// Only the storage, whose addresses are secret, repeats them.
		partly := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if strings.HasPrefix(req.URL.String(), r.storage()) {
				return respond(req, contentOf(req, false))
			}
			return r.learn(req)
		})
		client = r.client(partly)
		_, err := client.Documents.Upload(r.t.Context(),
			terminal49.DocumentFile{FileName: "bill.pdf", Content: strings.NewReader("paper " + name)})
		r.keep(err)
		_, err = client.Documents.Download(r.t.Context(), r.paper(), io.Discard)
		r.keep(err)
	}
}

// paper adds a document, because everyCall deletes the others.
func (r *secretRun) paper() string {
	return r.srv.AddDocument(terminal49test.Document{FileName: "scan.png", FileContentType: "image/png",
		Content: []byte("png")})
}

// storage returns the prefix of the addresses of files.
func (r *secretRun) storage() string {
	address, err := r.client(testkit.RoundTripper(r.learn)).Documents.DownloadURL(r.t.Context(), r.paper())
	require.NoError(r.t, err)
	u, err := url.Parse(address.Reveal())
	require.NoError(r.t, err)
	return u.Scheme + "://" + u.Host
}

// travel runs the whole journey.
func (r *secretRun) travel() {
	testkit.AddNamedResources(r.srv)
	r.srv.UpdateWebhook(testkit.WebhookID, func(w *terminal49test.Webhook) {
		w.Secret, w.Headers = testkit.WebhookSecret, []terminal49test.WebhookHeader{{Name: "X-Key",
			Value: testkit.HeaderValue}}
	})
	r.results(r.client(testkit.RoundTripper(r.learn)))
	r.receive()
	r.everyOperation(r.client(testkit.RoundTripper(r.learn)))
	r.repeat()
}
