package hostile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// The service's texts appear in errors, and errors appear in logs and on terminals. No response may
// begin a new line there, move a cursor or reverse the text. Nor may a response exceed its bounds.

const forged = "\r\n2026-01-01 level=INFO msg=\"all is well\" \x1b[2J\x1b[31m\u202e\u200b\u2028\x00\u009b\x7f"

// obeyed matches characters that a terminal or a log reader would interpret: no error may contain
// them.
var obeyed = regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{200b}\x{200e}\x{200f}\x{2028}\x{2029}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func TestHostile_ErrorsStayOnOneLine(t *testing.T) {
	f := asJSON(t, forged)
	resource := `{"id":` + f + `,"type":` + f + `,"attributes":{` + f + `:1,"number":{},"status":` + f +
		`,"created_at":` + f + `},"links":{"self":` + f + `}}`
	tried := 0
	for _, reply := range []struct {
		status int
		body   string
	}{
		{422, `{"errors":[{"title":` + f + `,"detail":` + f + `,"code":` + f + `,"source":{"pointer":` + f +
			`,"parameter":` + f + `}},{"title":` + f + `}]}`},
		{409, `{"errors":[{"code":"duplicate_document","detail":` + f + `,"meta":{"existing_document_id":` + f +
			`,"existing_document_name":` + f + `}}]}`},
		{403, `{"errors":[` + f + `]}`},
		{400, `{"error":` + f + `}`},
		{502, "<html>" + forged},
		{500, forged},
		{200, forged},
		{200, `{"data":` + resource + `}`},
		{200, `{"data":[` + resource + `],"included":[` + resource + `]}`},
		{200, `{"data":[],"links":{"next":` + f + `}}`},
		{200, `{"message":1,` + f + `:` + f + `,"download_url":5}`},
		{302, ""},
	} {
		rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := testkit.Answer(reply.status, reply.body)(r)
			resp.Header.Set("X-Request-Id", "id\r\nforged: yes")
			resp.Header.Set("Location", "https://a.test/\x1b")
			return resp, err
		})
		for _, m := range testkit.Methods() {
			if strings.Contains(m.Name, ".Watch") || strings.Contains(m.Name, "Wait") {
				continue // they search with Get
			}
			args := make([]reflect.Value, len(m.Args))
			for i := range args {
				args[i] = testkit.Usable(t, m.Args[i])
			}
			err := testkit.OutcomeOf(m.Results(testkit.NewClient(t, rt, terminal49.WithStrictDecoding()), t.Context(),
				args, nil))
			if err == nil {
				continue
			}
			tried++
			require.NotRegexp(t, obeyed, err.Error(), "%s, answered %d %.60s", m.Name, reply.status, reply.body)
		}
	}
	require.Greater(t, tried, 1000)
	t.Logf("figure: %d errors of hostile answers, each on one line without control characters", tried)
}

func TestHostile_DomainErrorsStayOnOneLine(t *testing.T) {
	inference := &terminal49.Inference{}
	inference.Carrier.Decision = forged
	proxyRefuses := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New(forged) })
	inference.Carrier.Candidates = []terminal49.CarrierCandidate{{SCAC: forged, Name: forged}}
	for _, err := range []error{
		&terminal49.CarrierUndecidedError{Number: forged, Inference: inference},
		&terminal49.InvalidNumberError{Number: forged, Reason: forged},
		&terminal49.TrackingFailedError{Request: &terminal49.TrackingRequest{RequestNumber: forged, FailedReason: forged}},
		&terminal49.DuplicateDocumentError{ExistingID: forged, ExistingName: forged, Err: &terminal49.APIError{}},
		&terminal49.DecodeError{Err: io.EOF,
			Warnings: []terminal49.DecodeWarning{{ResourceType: forged, ResourceID: forged, Field: forged}}},
		&terminal49.DocumentNotCreatedError{Name: forged,
			Err: &terminal49.APIError{Errors: []terminal49.ErrorObject{{Title: forged}}}},
		&terminal49.APIError{Errors: []terminal49.ErrorObject{{Title: forged, Pointer: forged}}},
		&terminal49.TransportError{Err: errors.New(forged)},
		(&terminal49.Extraction{Resource: terminal49.Resource{ID: forged}, Payload: []byte("{")}).Decode(new(int)),
		testkit.First(terminal49.ParseContainerNumber(forged)),
		testkit.First(testkit.NewClient(t, proxyRefuses, terminal49.WithMaxAttempts(1)).Shipments.Get(t.Context(),
			testkit.ShipmentID, nil)),
		testkit.First(webhook.ParseNotification([]byte(`{"data":{"id":` + asJSON(t, forged) + `,"type":` +
			asJSON(t, forged) + `}}`))),
	} {
		require.Error(t, err)
		require.NotRegexp(t, obeyed, err.Error(), "%T", err)
	}
}

// A proxy's reason for a refusal and the names in a certificate appear in errors.
func TestHostile_NetworkErrorsStayOnOneLine(t *testing.T) {
	logged := 0
	look := func(_ []string, a slog.Attr) slog.Attr {
		logged++
		require.NotRegexp(t, obeyed, a.Value.String())
		return a
	}
	logger := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: look}))
	broken := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New(forged) })
	err := testkit.First(testkit.NewClient(t, broken, terminal49.WithLogger(logger),
		terminal49.WithMaxAttempts(1)).Shipments.Get(t.Context(), testkit.ShipmentID, nil))
	var lost *terminal49.TransportError
	require.ErrorAs(t, err, &lost)
	require.NotRegexp(t, obeyed, err.Error())
	require.Contains(t, err.Error(), `\r\n2026-01-01 level=INFO`)
	require.Positive(t, logged)
}

// The text handler of slog quotes, so a forged id stays on its line; no body is logged.
func TestHostile_LogsStayOnTheirLines(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	f := asJSON(t, forged)
	lines := 0
	for _, body := range []string{`{"errors":[{"title":` + f + `}]}`,
		`{"data":{"id":` + f + `,"type":` + f + `,"attributes":{"tags":5}}}`} {
		for _, status := range []int{200, 503} {
			client := testkit.NewClient(t, testkit.Answer(status, body), terminal49.WithLogger(logger),
				terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 2, MinBackoff: 1, MaxBackoff: 1}))
			_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
			logger.Error("failed", "err", err)
			lines += map[int]int{200: 2, 503: 4}[status]
		}
	}
	lines++ // the tags that are none
	// A signed delivery with a hostile id and event.
	h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }), webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
		logger.Info("delivery", "notification", d.NotificationID, "event", d.Event, "error", d.Err)
	}))
	for _, old := range []string{`"n-1"`, `"container.updated"`} {
		body := bytes.Replace(testkit.Delivered(terminal49.EventContainerUpdated, "container_updated_event", "", ""),
			[]byte(old), []byte(f), 1)
		require.Equal(t, http.StatusOK, testkit.Serve(h, testkit.SignedRequest(body)).Code)
		lines++
	}
	require.Equal(t, lines, strings.Count(log.String(), "\n"), log.String())
	for line := range strings.Lines(log.String()) {
		require.NotRegexp(t, obeyed, strings.TrimSuffix(line, "\n"))
	}
}

// A handler of JSON writes most characters as they are, so the attributes are harmless by
// themselves.
func TestHostile_LoggedAttributes(t *testing.T) {
	var seen []string
	look := func(_ []string, a slog.Attr) slog.Attr {
		seen = append(seen, a.Key)
		require.NotRegexp(t, obeyed, a.Value.String(), a.Key)
		return a
	}
	logger := slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: look}))
	f := asJSON(t, forged)
	body := `{"data":{"id":` + f + `,"type":` + f + `,"attributes":{"tags":5,` + f + `:1}}}`
	_, _ = testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithLogger(logger)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.Subset(t, seen, []string{"type", "field", "problem"})
}

// String is for people: what it returns stays on its line too.
func TestHostile_StringsStayOnTheirLines(t *testing.T) {
	fee := terminal49.Fee{Type: forged, Amount: decimal.NewFromInt(5), CurrencyCode: forged}
	err := &terminal49.APIError{RequestID: forged}
	for _, v := range []fmt.Stringer{
		fee, terminal49.Fee{Type: forged}, terminal49.Hold{Name: forged}, terminal49.SumFees([]terminal49.Fee{fee}), err.LogValue(),
	} {
		require.NotRegexp(t, obeyed, v.String(), "%T", v)
		require.Contains(t, strings.ToLower(v.String()), "level=info", "%T", v)
	}
}

// The transport limits headers, by default to 10 MB; headers within the limit are kept and do no
// harm.
func TestHostile_HeaderFloods(t *testing.T) {
	var flood func(http.Header)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		flood(w.Header())
		_, _ = io.WriteString(w, testkit.OneShipment)
	}))
	defer srv.Close()
	base := &http.Transport{MaxResponseHeaderBytes: 1 << 20}
	defer base.CloseIdleConnections()
	client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(srv.URL),
		terminal49.WithHTTPClient(&http.Client{Transport: base}), terminal49.WithMaxAttempts(1))
	require.NoError(t, err)

	flood = func(h http.Header) {
		for i := range 2000 {
			h.Add("Set-Cookie", fmt.Sprintf("c%d=%d; Domain=evil.test", i, i))
		}
		h["Retry-After"] = []string{"9999999999999999999", "1", "Wed"}
		h["Link"] = []string{"<https://evil.test/>; rel=next"}
	}
	var r terminal49.Response
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, terminal49.WithResponse(&r))
	require.NoError(t, err)
	require.Len(t, r.Header["Set-Cookie"], 2000)

	flood = func(h http.Header) { h.Set("X-Flood", strings.Repeat("a", 4<<20)) }
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	var lost *terminal49.TransportError
	require.ErrorAs(t, err, &lost)
	require.Less(t, len(err.Error()), 500)
}

// A repeated or invalid Retry-After means no wait or the first value, never a negative one.
func TestHostile_InvalidRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"-1": -1, "1, 2": -1, "1;2": -1, "1.5": -1, "٣": -1, "1e3": -1, "0x10": -1, "99999999999999999999": -1,
		"": -1, " ": -1,
		"NaN": -1, "Infinity": -1, "\t7 ": 7 * time.Second, "007": 7 * time.Second, "Wed, 21 Oct 1015 07:28:00 GMT": 0,
	} {
		rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := testkit.Answer(429, `{}`)(r)
			resp.Header["Retry-After"] = []string{value, "3600"}
			return resp, err
		})
		_, err := testkit.NewClient(t, rt).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
		var refused *terminal49.APIError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, want, refused.RetryAfter.Or(-1), "%q", value)
	}
}
