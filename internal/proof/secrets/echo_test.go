package secrets_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// The class of echoes: a service, a proxy or a transport repeats a secret of the client in every
// place of a response or an error, in every form, and nothing that the client passes on shows it.

// echoForms are the forms that SECURITY.md names.
func echoForms(secret string) map[string]string {
	var percent, upper, js, html string
	for _, c := range []byte(secret) {
		percent += fmt.Sprintf("%%%02x", c)
		upper += fmt.Sprintf("%%%02X", c)
		js += fmt.Sprintf(`\u%04x`, c)
		html += fmt.Sprintf("&#x%x;", c)
	}
	return map[string]string{
		"plain": secret, "upper case": strings.ToUpper(secret), "percent": percent, "percent, upper case": upper,
		"percent, twice": strings.ReplaceAll(percent, "%", "%25"), "one character": strings.Replace(secret, "a", "%61", 1),
		"plus": "Token+" + secret, "JSON": js, "JSON, twice": strings.ReplaceAll(js, `\`, `\\`), "HTML": html,
		"HTML, twice": strings.ReplaceAll(html, "&", "&amp;"), "base64": base64.StdEncoding.EncodeToString([]byte("Token " + secret)),
		"base64 of URLs": base64.RawURLEncoding.EncodeToString([]byte("u:" + secret)),
	}
}

// echoPlace changes a response so that it repeats a text, or returns an error that does.
type echoPlace func(resp *http.Response, echo string) error

func headerPlace(status int, name, format string) echoPlace {
	return func(resp *http.Response, echo string) error {
		resp.StatusCode, resp.Status = status, fmt.Sprintf("%d %s", status, http.StatusText(status))
		resp.Header[name] = []string{"other", fmt.Sprintf(format, echo)}
		if name == "Location" || name == "Retry-After" {
			resp.Header[name] = resp.Header[name][1:]
		}
		return nil
	}
}

func bodyPlace(status int, format string) echoPlace {
	return func(resp *http.Response, echo string) error {
		resp.StatusCode, resp.Status = status, fmt.Sprintf("%d %s", status, http.StatusText(status))
		resp.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(format, "ECHO", echo)))
		return nil
	}
}

func errorPlace(make func(echo string) error) echoPlace {
	return func(_ *http.Response, echo string) error { return make(echo) }
}

// echoPlaces are the places that a secret can come back from.
func echoPlaces() map[string]echoPlace {
	const data = `"data":[{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{}}]`
	return map[string]echoPlace{
		"Location, followed": headerPlace(302, "Location", "/v2/elsewhere?k=%s"), "Location, path": headerPlace(307, "Location", "/v2/%s/x"),
		"Location, refused": headerPlace(301, "Location", "https://other.test/%s"), "Location, invalid": headerPlace(308, "Location", "http://[%s"),
		"Link": headerPlace(200, "Link", `<https://x.test/?page[x]=%s>; rel="next"`), "WWW-Authenticate": headerPlace(401, "Www-Authenticate", "Token realm=%q"),
		"Proxy-Authenticate": headerPlace(407, "Proxy-Authenticate", "Basic %s"), "Set-Cookie": headerPlace(401, "Set-Cookie", "k=%s; Path=/"),
		"Set-Cookie, name": headerPlace(404, "Set-Cookie", "%s=v; Path=/"), "X-Request-Id": headerPlace(422, "X-Request-Id", "%s"),
		"Retry-After": headerPlace(429, "Retry-After", "%s"), "Content-Type": headerPlace(200, "Content-Type", "text/%s"),
		"Content-Encoding": headerPlace(200, "Content-Encoding", "%s"), "ETag": headerPlace(500, "Etag", `"%s"`),
		"Date": headerPlace(503, "Date", "%s"), "Server": headerPlace(502, "Server", "for %s"),
		"header name": func(resp *http.Response, echo string) error { resp.Header["X-"+echo] = []string{"1"}; return nil },
		"reason phrase": func(resp *http.Response, echo string) error {
			resp.StatusCode, resp.Status = 403, "403 no rights for "+echo
			return nil
		},
		"trailer": func(resp *http.Response, echo string) error {
			resp.Body = &trailing{resp.Body, resp, http.Header{"X-Sum": {echo}, "X-" + echo: {"1"}}}
			return nil
		},
		"error title": bodyPlace(422, `{"errors":[{"title":"ECHO"}]}`), "error detail": bodyPlace(400, `{"errors":[{"detail":"bad ECHO!"}]}`),
		"error code": bodyPlace(409, `{"errors":[{"code":"ECHO"}]}`), "error status": bodyPlace(403, `{"errors":[{"status":"ECHO","title":"t"}]}`),
		"error source": bodyPlace(422, `{"errors":[{"title":"t","source":{"pointer":"/data/ECHO","parameter":"ECHO"}}]}`),
		"error meta":   bodyPlace(422, `{"errors":[{"title":"t","meta":{"ECHO":[{"x":"ECHO"}]}}]}`),
		"duplicate": bodyPlace(409, `{"errors":[{"code":"duplicate_document","meta":{"existing_document_id":"ECHO","existing_document_name":"ECHO"}},`+
			`{"code":"duplicate","detail":"Tracking request exists","meta":{"tracking_request_id":"ECHO"}}]}`),
		"web page": bodyPlace(502, `<html><a href="/?k=ECHO">ECHO</a>`), "text": bodyPlace(500, "cannot read ECHO"), "other JSON": bodyPlace(400, `{"ECHO":"ECHO"}`),
		"unreadable": bodyPlace(200, "ECHO"), "page of a 200": bodyPlace(200, "<p>ECHO"), "wrong kinds": bodyPlace(200, `{"data":"ECHO","links":"ECHO","meta":"ECHO"}`),
		"next, page": bodyPlace(200, `{`+data+`,"links":{"next":"/v2/x?page[x]=ECHO"}}`), "next, number": bodyPlace(200, `{`+data+`,"links":{"next":"/v2/x?page[number]=ECHO"}}`),
		"next, cursor": bodyPlace(200, `{`+data+`,"links":{"next":"/v2/x?page%5Bcursor%5D=ECHO&page%5Bsize%5D=ECHO"}}`),
		"next, name":   bodyPlace(200, `{`+data+`,"links":{"next":"/v2/x?page[ECHO]=1"}}`), "next, invalid": bodyPlace(200, `{`+data+`,"links":{"next":"http://[ECHO"}}`),
		"links": bodyPlace(200, `{`+data+`,"links":{"self":"/x?k=ECHO","first":"/ECHO","last":"https://ECHO@x.test","prev":"ECHO","current":"ECHO"}}`),
		"meta":  bodyPlace(200, `{`+data+`,"meta":{"size":"ECHO","total":"ECHO","ECHO":1}}`),
		"type":  bodyPlace(200, `{"data":{"id":"`+testkit.ShipmentID+`","type":"ECHO"}}`), "id": bodyPlace(200, `{"data":{"id":"ECHO","type":"ECHO"}}`),
		"types of a list": bodyPlace(200, `{"data":[{"id":"ECHO","type":"ECHO"}]}`),
		"values": bodyPlace(200, `{"data":[{"id":"1","type":"container","attributes":{"pickup_lfd":"ECHO","number":["ECHO"],"weight_in_lbs":"ECHO",`+
			`"ECHO":"ECHO","pod_arrived_at":"ECHO"}},{"id":"ECHO","type":"shipment","attributes":{"pod_eta_at":"ECHO","created_at":{"ECHO":1}}}]}`),
		"included": bodyPlace(200, `{`+data+`,"included":[{"id":"ECHO","type":"ECHO","attributes":{"ECHO":"ECHO"}},{"id":"1","type":"port","attributes":{"latitude":"ECHO"}}]}`),
		"relationships": bodyPlace(200, `{"data":{"id":"`+testkit.ShipmentID+`","type":"shipment","relationships":{"ECHO":{"data":{"id":"ECHO","type":"ECHO"}},`+
			`"containers":{"data":"ECHO"}}}}`),
		"error of the body": func(resp *http.Response, echo string) error {
			resp.Body = io.NopCloser(broken{errors.New("lost " + echo)})
			return nil
		},
		"error":     errorPlace(func(echo string) error { return errors.New("cannot send " + echo) }),
		"URL error": errorPlace(func(echo string) error { return &url.Error{Op: "Get", URL: "https://" + echo, Err: errors.New(echo)} }),
		"name": errorPlace(func(echo string) error {
			return &net.DNSError{Err: "no such host", Name: echo, Server: echo, IsNotFound: true}
		}),
		"connection": errorPlace(func(echo string) error {
			return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: echo, Name: echo}}
		}),
		"certificate": errorPlace(func(echo string) error {
			return x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{echo}}, Host: echo}
		}),
		"joined": errorPlace(func(echo string) error { return errors.Join(context.DeadlineExceeded, tellingError{echo, nil, echo}) }),
	}
}

// trailing sets a trailer at the end of a body, as net/http does.
type trailing struct {
	io.ReadCloser
	resp    *http.Response
	trailer http.Header
}

func (t *trailing) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err == io.EOF {
		t.resp.Trailer = t.trailer
	}
	return n, err
}

// echoExits collects what leaves the client, by exit.
type echoExits struct {
	mu   sync.Mutex
	text map[string]*bytes.Buffer
}

func newEchoExits() *echoExits { return &echoExits{text: map[string]*bytes.Buffer{}} }

// leaks returns where a secret was found, and adds the exits that were looked at.
func (e *echoExits) leaks(about string, exits map[string]bool, secrets ...string) (list []string) {
	d := newDetector(secrets...)
	for exit, text := range e.text {
		exits[exit] = true
		if secret, around := d.locate(text.String()); secret != "" {
			list = append(list, fmt.Sprintf("%s, %s: %q", about, exit, around))
		}
	}
	return list
}

// to returns the writer of an exit.
func (e *echoExits) to(exit string) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.text[exit] == nil {
			e.text[exit] = new(bytes.Buffer)
		}
		return e.text[exit].Write(p)
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// show writes a value in every way to an exit, and every error of its chain that errors.Unwrap and
// errors.As find.
func (e *echoExits) show(exit string, v any) {
	if v == nil {
		return
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		_, _ = fmt.Fprintf(e.to(exit+" "+verb), verb+"\n", v)
	}
	raw, _ := json.Marshal(v)
	_, _ = fmt.Fprintln(e.to(exit+" json"), string(raw))
	slog.New(slog.NewTextHandler(e.to(exit+" slog text"), nil)).Info("m", "v", v)
	slog.New(slog.NewJSONHandler(e.to(exit+" slog json"), nil)).Info("m", "v", v)
	err, ok := v.(error)
	if !ok {
		return
	}
	var dns *net.DNSError
	var op *net.OpError
	var host x509.HostnameError
	for _, found := range []any{&dns, &op, &host} {
		if errors.As(err, found) {
			_, _ = fmt.Fprintf(e.to("errors.As"), "%v %+v\n", err, found)
			_, _ = fmt.Fprintf(e.to("errors.As"), "%+v %+v %+v\n", dns, op, host)
		}
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		e.show(exit, err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, link := range err.Unwrap() {
			e.show(exit, link)
		}
	}
}

// watch is a middleware that logs everything but the bodies.
func (e *echoExits) watch(next http.RoundTripper) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		_, _ = fmt.Fprintln(e.to("middleware: request"), req.Method, req.URL, req.Host, req.Header, req.Trailer)
		info, _ := terminal49.CallFromContext(req.Context())
		_, _ = fmt.Fprintf(e.to("middleware: context"), "%+v %v\n", info, req.Context())
		resp, err := next.RoundTrip(req)
		if err != nil {
			e.show("middleware: error", err)
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			e.show("middleware: error of the body", err)
			resp.Body = io.NopCloser(broken{err})
		} else {
			resp.Body = io.NopCloser(bytes.NewReader(body))
		}
		_, _ = fmt.Fprintln(e.to("middleware: response"), resp.Status, resp.Proto, resp.Header, resp.Cookies(), resp.Request.Header, resp.Request.URL)
		_, _ = fmt.Fprintln(e.to("middleware: trailer"), resp.Trailer)
		location, err := resp.Location()
		_, _ = fmt.Fprintln(e.to("middleware: location"), location, err)
		return resp, nil
	})
}

// client returns a client whose every exit is collected.
func (e *echoExits) client(t *testing.T, rt http.RoundTripper) *terminal49.Client {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	level := &slog.HandlerOptions{Level: slog.LevelDebug}
	client, err := terminal49.New(testkit.Token, terminal49.WithAccountID(testkit.Account), terminal49.WithMiddleware(e.watch),
		terminal49.WithHTTPClient(&http.Client{Transport: rt, Jar: jar}), terminal49.WithMaxAttempts(2), terminal49.WithoutRateLimits(),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Nanosecond, MaxBackoff: time.Nanosecond}),
		terminal49.WithLogger(slog.New(slog.NewTextHandler(e.to("log"), level))),
		terminal49.WithHooks(terminal49.Hooks{
			OnCall: func(ctx context.Context, c terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
				e.show("OnCall", c)
				return ctx, func(r terminal49.CallResult) { e.show("OnCall: result", r) }
			},
			OnAttempt:       func(_ context.Context, a terminal49.Attempt) { e.show("OnAttempt", a) },
			OnRetry:         func(_ context.Context, r terminal49.Retry) { e.show("OnRetry", r) },
			OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { e.show("OnDecodeWarning", w) },
		}))
	require.NoError(t, err)
	return client
}

// calls makes some operations, and those whose result is described rather than decoded.
func (e *echoExits) calls(t *testing.T, client *terminal49.Client, turn, step int) (made int) {
	for i, c := range testkit.EveryCall() {
		if i%step == turn%step {
			e.show("error", c.Do(t.Context(), client))
			made++
		}
	}
	var response terminal49.Response
	page, err := client.Shipments.List(t.Context(), nil, terminal49.WithResponse(&response))
	e.show("error", err)
	e.show("Response", response)
	if page != nil {
		e.show("links", page.Links)
	}
	for page, err := range client.Shipments.Pages(t.Context(), nil) {
		e.show("error of a list", err)
		if page != nil {
			e.show("links", page.Links)
		}
	}
	_, err = client.Containers.Get(t.Context(), testkit.ContainerID, nil, terminal49.WithStrictDecoding())
	e.show("strict error", err)
	e.show("error of Do", client.Do(t.Context(), terminal49.Request{Method: "GET", Path: "/x"}, new(struct{ Data []time.Time })))
	return made + 4
}

// deliver has a webhook receive the secret instead of a signature, and in a body without one.
func (e *echoExits) deliver(t *testing.T, echo string) {
	h, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(testkit.WebhookSecret)),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			e.show("OnDelivery", d)
			e.show("OnDelivery: error", d.Err)
		}))
	require.NoError(t, err)
	for _, body := range [][]byte{testkit.Numbered(1), []byte(`{"data":{"id":"` + echo + `","type":"webhook_notification"}}`), []byte(echo)} {
		for _, signature := range []string{echo, "", strings.Repeat("0", 64)} {
			req := testkit.SignedRequest(body)
			req.Header.Set(webhook.SignatureHeader, signature)
			_, _ = io.Copy(e.to("receiver: response"), testkit.Serve(h, req).Body)
		}
	}
	require.NoError(t, h.Shutdown(t.Context()))
}

// A leak that is planted in an exit is found, in each form.
func TestSecrets_EchoesAreFound(t *testing.T) {
	for form, echo := range echoForms(testkit.Token) {
		e, exits := newEchoExits(), map[string]bool{}
		e.show("error", fmt.Errorf("refused: %w", &terminal49.APIError{Errors: []terminal49.ErrorObject{{Detail: "bad key " + echo}}}))
		require.NotEmpty(t, e.leaks("planted", exits, testkit.Token, echo), form)
		require.GreaterOrEqual(t, len(exits), 7)
	}
}

// Source: the promises of SECURITY.md about what the service repeats.
func TestSecrets_EveryPlaceToEveryExit(t *testing.T) {
	places, forms := echoPlaces(), echoForms(testkit.Token)
	exits := map[string]bool{}
	var leaks []string
	calls, turn := 0, 0
	for _, place := range slices.Sorted(maps.Keys(places)) {
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			e := newEchoExits()
			answered := 0
			client := e.client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				resp, _ := testkit.Answer(200, `{"data":[{"id":"`+testkit.ShipmentID+`","type":"shipment"}]}`)(req)
				if answered++; answered%50 == 0 { // a walk that follows each link ends
					return nil, errors.New("enough")
				}
				if err := places[place](resp, forms[form]); err != nil {
					return nil, err
				}
				return resp, nil
			}))
			calls += e.calls(t, client, turn, testkit.Scale(40, 1))
			turn++
			leaks = append(leaks, e.leaks(place+", "+form, exits, testkit.Token, forms[form])...)
		}
	}
	for form, echo := range echoForms(testkit.WebhookSecret) {
		e := newEchoExits()
		e.deliver(t, echo)
		leaks = append(leaks, e.leaks("delivery, "+form, exits, testkit.WebhookSecret, echo)...)
	}
	require.Empty(t, leaks, "%d of them", len(leaks))
	t.Logf("figure: echoes: %d places in %d forms to %d exits with %d calls, 0 shown", len(places), len(forms), len(exits), calls)
}

// The text of an error quotes attributes, so it hides what they repeat.
func TestSecrets_ErrorsThatQuoteAttributes(t *testing.T) {
	const infer = `{"data":{"id":"1","type":"tracking_request_inference","attributes":{"number_type":"%[1]s",
		"validation":{"is_valid":%[2]s,"reason":"bad %[1]s"},"shipping_line":{"decision":"no %[1]s",
		"candidates":[{"scac":"%[1]s","name":"%[1]s"}]}}}}`
	for form, echo := range echoForms(testkit.Token) {
		for _, body := range []string{
			fmt.Sprintf(infer, echo, "false"), fmt.Sprintf(infer, echo, "true"),
			strings.Replace(fmt.Sprintf(infer, echo, "true"), `"number_type":"`+echo, `"number_type":"container`, 1),
			`{"data":{"id":"` + testkit.RequestID + `","type":"tracking_request","attributes":{"status":"failed","failed_reason":"` + echo + `","request_number":"` + echo + `"}}}`,
		} {
			client := testkit.NewClient(t, testkit.Answer(200, strings.ReplaceAll(body, `\`, `\\`)))
			_, err := client.TrackingRequests.Track(t.Context(), "MAEU240711002", nil)
			if strings.Contains(body, "failed_reason") {
				_, err = client.TrackingRequests.Wait(t.Context(), testkit.RequestID, nil)
			}
			require.Error(t, err)
			require.Contains(t, err.Error(), "[secret]", "%s: %s", form, body)
			secret, _ := newDetector(testkit.Token).locate(err.Error())
			require.Empty(t, secret, "%s: %v", form, err)
		}
	}
}
