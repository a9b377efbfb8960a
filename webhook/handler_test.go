package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// The cases mutate one valid delivery. Only those that the service could have sent reach a
// callback.
func TestHandler_AcceptsOnlySignedPosts(t *testing.T) {
	body := testkit.SampleDelivery(t, terminal49.EventContainerUpdated)
	sign := func(r *http.Request, body []byte) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(testkit.WebhookSecret, body))
	}
	replace := func(r *http.Request, body []byte) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	swap := func(old, new string) []byte {
		changed := bytes.Replace(body, []byte(old), []byte(new), 1)
		require.NotEqual(t, body, changed)
		return changed
	}
	header := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(webhook.SignatureHeader, value) }
	}
	good := terminal49test.SignWebhook(testkit.WebhookSecret, body)
	for _, c := range []struct {
		name   string
		mutate func(*http.Request)
		status int
		want   webhook.Outcome
		err    error
	}{
		{"as it is", func(*http.Request) {}, 200, webhook.OutcomeHandled, nil},
		{"header in other case", func(r *http.Request) {
			r.Header = http.Header{}
			r.Header.Set("x-t49-webhook-signature", good)
		}, 200, webhook.OutcomeHandled, nil},
		{"chunked", func(r *http.Request) { r.ContentLength = -1 }, 200, webhook.OutcomeHandled, nil},
		{"another path", func(r *http.Request) { r.URL.Path = "/elsewhere" }, 200, webhook.OutcomeHandled, nil},
		{"no user agent", func(r *http.Request) { r.Header.Del("User-Agent") }, 200, webhook.OutcomeHandled, nil},
		{"another content type", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 200, webhook.OutcomeHandled, nil},
		{"signature in upper case", header(strings.ToUpper(good)), 200, webhook.OutcomeHandled, nil},
		{"other JSON, signed", func(r *http.Request) { sign(r, swap(`{"data"`, "{\n\"data\"")) }, 200, webhook.OutcomeHandled, nil},

		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, 405, webhook.OutcomeMethodNotAllowed, nil},
		{"HEAD", func(r *http.Request) { r.Method = http.MethodHead }, 405, webhook.OutcomeMethodNotAllowed, nil},
		{"PUT", func(r *http.Request) { r.Method = http.MethodPut }, 405, webhook.OutcomeMethodNotAllowed, nil},
		{"DELETE", func(r *http.Request) { r.Method = http.MethodDelete }, 405, webhook.OutcomeMethodNotAllowed, nil},
		{"post in lower case", func(r *http.Request) { r.Method = "post" }, 405, webhook.OutcomeMethodNotAllowed, nil},

		{"no signature", func(r *http.Request) { r.Header.Del(webhook.SignatureHeader) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMissing},
		{"empty signature", header(""), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMissing},
		{"signature under another name", func(r *http.Request) {
			r.Header.Del(webhook.SignatureHeader)
			r.Header.Set("X-Webhook-Signature", good)
		}, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMissing},
		{"signature in the query", func(r *http.Request) {
			r.Header.Del(webhook.SignatureHeader)
			r.URL.RawQuery = webhook.SignatureHeader + "=" + good
		}, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMissing},
		{"two signatures", func(r *http.Request) { r.Header.Add(webhook.SignatureHeader, good) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"a wrong one before it", func(r *http.Request) {
			r.Header[webhook.SignatureHeader] = []string{flipDigit(good), good}
		}, 401, webhook.OutcomeUnauthorized, nil},
		{"two in one line", header(good + ", " + good), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"prefixed", header("sha256=" + good), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"truncated signature", header(good[:62]), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"longer signature", header(good + "00"), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"not hex", header("z" + good[1:]), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"base64", header("bm90IHRoZSBzaWduYXR1cmUgb2YgdGhpcyBib2R5IGF0IGFsbCwgbm90IGF0IGFs"), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMalformed},
		{"another digit", header(flipDigit(good)), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"all zeros", header(strings.Repeat("0", 64)), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"signed by somebody", header(terminal49test.SignWebhook("guess", body)), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"signed with nothing", header(terminal49test.SignWebhook("", body)), 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},

		{"one byte changed", func(r *http.Request) { replace(r, swap("false", "fals3")) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"a value changed", func(r *http.Request) { replace(r, swap("[null,false]", "[false,true]")) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"another event", func(r *http.Request) { replace(r, swap("container.updated", "container.created")) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"encoded again", func(r *http.Request) {
			var v any
			require.NoError(t, json.Unmarshal(body, &v))
			again, err := json.MarshalIndent(v, "", " ")
			require.NoError(t, err)
			replace(r, again)
		}, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"a byte short", func(r *http.Request) { replace(r, body[:len(body)-1]) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"a line end more", func(r *http.Request) { replace(r, append(bytes.Clone(body), '\n')) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"a byte order mark", func(r *http.Request) { replace(r, append([]byte("\xef\xbb\xbf"), body...)) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"twice", func(r *http.Request) { replace(r, append(bytes.Clone(body), body...)) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"no body", func(r *http.Request) { replace(r, nil) }, 401, webhook.OutcomeUnauthorized, webhook.ErrSignatureMismatch},
		{"nil body", func(r *http.Request) { r.Body = nil }, 400, webhook.OutcomeUnreadable, nil},
		{"a body that breaks off", func(r *http.Request) {
			r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:100]), breakingOff{}))
		}, 400, webhook.OutcomeUnreadable, io.ErrUnexpectedEOF},
		{"said to be too long", func(r *http.Request) { r.ContentLength = webhook.DefaultBodyLimit + 1 }, 413, webhook.OutcomeTooLarge, nil},
		{"too long without saying", func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", webhook.DefaultBodyLimit+1))), -1
		}, 413, webhook.OutcomeTooLarge, nil},

		{"signed, empty", func(r *http.Request) { sign(r, nil) }, 200, webhook.OutcomeDeadLettered, terminal49.ErrNotNotification},
		{"signed, no JSON", func(r *http.Request) { sign(r, []byte("<html>")) }, 200, webhook.OutcomeDeadLettered, terminal49.ErrNotNotification},
		{"signed, cut", func(r *http.Request) { sign(r, body[:len(body)/2]) }, 200, webhook.OutcomeDeadLettered, terminal49.ErrNotNotification},
		{"signed, a list", func(r *http.Request) { sign(r, []byte(`{"data":[]}`)) }, 200, webhook.OutcomeDeadLettered, terminal49.ErrNotNotification},
		{"signed, no event", func(r *http.Request) { sign(r, []byte(`{"data":{"id":"a","type":"webhook_notification"}}`)) }, 200, webhook.OutcomeDeadLettered, terminal49.ErrNotNotification},
		{"signed, unknown event", func(r *http.Request) { sign(r, swap("container.updated", "container.sang")) }, 200, webhook.OutcomeHandled, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls, letters atomic.Int64
			var seen []webhook.Delivery
			h := testkit.NewHandler(t, testkit.Counting(&calls),
				webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { letters.Add(1); return nil }),
				webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { seen = append(seen, d) }))
			r := testkit.SignedRequest(body)
			c.mutate(r)
			w := testkit.Serve(h, r)
			require.Equal(t, c.status, w.Code)
			require.Len(t, seen, 1)
			d := seen[0]
			require.Equal(t, c.want, d.Outcome)
			require.Equal(t, c.status, d.StatusCode)
			if c.err != nil {
				require.ErrorIs(t, d.Err, c.err)
			}
			require.Equal(t, c.want == webhook.OutcomeHandled, d.Err == nil, "%v", d.Err)
			require.Equal(t, c.want == webhook.OutcomeHandled, calls.Load() == 1)
			require.Equal(t, c.want == webhook.OutcomeDeadLettered, letters.Load() == 1)
			require.Equal(t, c.status == 405, w.Header().Get("Allow") == http.MethodPost)
			requireNoSecret(t, d, w.Body.String())
		})
	}
}

type breakingOff struct{}

func (breakingOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestNewHandler_RefusesInvalidOptions(t *testing.T) {
	secret := webhook.WithSecrets(terminal49.NewSecret(testkit.WebhookSecret))
	var calls atomic.Int64
	some := testkit.Counting(&calls)
	for name, opts := range map[string][]webhook.Option{
		"no secret":                {some},
		"no secrets":               {some, webhook.WithSecrets()},
		"an empty secret":          {some, webhook.WithSecrets(terminal49.Secret{})},
		"one empty secret":         {some, secret, webhook.WithSecrets(terminal49.NewSecret(""))},
		"no callback":              {secret},
		"nil callback":             {secret, webhook.OnAny(nil)},
		"nil typed":                {secret, webhook.OnContainerUpdated(nil)},
		"nil container callback":   {secret, webhook.OnContainer(nil, nil, nil)},
		"no timeout":               {secret, some, webhook.WithTimeout(0)},
		"negative limit":           {secret, some, webhook.WithBodyLimit(-1)},
		"no store":                 {secret, some, webhook.WithDedupe(nil, time.Hour)},
		"no memory":                {secret, some, webhook.WithDedupe(webhook.NewMemoryDedupe(1), 0)},
		"nil observer":             {secret, some, webhook.OnDelivery(nil)},
		"nil dead letter callback": {secret, some, webhook.OnDeadLetter(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := webhook.NewHandler(opts...)
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "webhook.NewHandler", argument.Op)
			require.Nil(t, h)
			requireNoSecret(t, err)
		})
	}
	h, err := webhook.NewHandler(nil, secret, some)
	require.NoError(t, err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("made", "handler", h)
	require.NotContains(t, log.String(), testkit.WebhookSecret)
	requireNoSecret(t, h)
}

// Secrets of several WithSecrets add up: testkit.NewHandler sets the first.
func TestWithSecrets_AddUp(t *testing.T) {
	h := testkit.NewHandler(t, webhook.WithSecrets(terminal49.NewSecret("an0ther-s3cret")),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }))
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
}

// Callbacks run in order until one fails; at the next delivery all of them run again.
func TestHandler_RunsCallbacksInOrderUntilOneFails(t *testing.T) {
	var got []int
	fail := true
	h := testkit.NewHandler(t,
		webhook.OnAny(func(context.Context, *webhook.Notification) error { got = append(got, 1); return nil }),
		webhook.OnAny(func(context.Context, *webhook.Notification) error {
			got = append(got, 2)
			if fail {
				return errors.New("the database said " + testkit.WebhookSecret)
			}
			return nil
		}),
		webhook.OnContainerUpdated(func(context.Context, *webhook.Notification, *webhook.ContainerUpdatedPayload) error {
			got = append(got, 3)
			return nil
		}))
	w := testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1)))
	require.Equal(t, 500, w.Code)
	require.Equal(t, "Internal Server Error\n", w.Body.String(), "the error is internal")
	fail = false
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
	require.Equal(t, []int{1, 2, 1, 2, 3}, got)
}

func TestHandler_IgnoresEventsWithoutCallback(t *testing.T) {
	var d webhook.Delivery
	h := testkit.NewHandler(t, webhook.OnMilestone(func(context.Context, *webhook.Notification, *webhook.MilestonePayload) error {
		return errors.New("not mine")
	}),
		webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) { d = seen }))
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
	require.Equal(t, webhook.OutcomeIgnored, d.Outcome)
	require.Equal(t, "n-1", d.NotificationID)
	require.Equal(t, terminal49.EventContainerUpdated, d.Event)
}

func TestHandler_SurvivesPanicsAndExits(t *testing.T) {
	for name, end := range map[string]func(){
		"panic": func() { panic("boom") }, "abort": func() { panic(http.ErrAbortHandler) }, "exit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			bad := true
			var d webhook.Delivery
			h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error {
				if bad {
					end()
				}
				return nil
			}), webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) { d = seen }))
			require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
			require.Error(t, d.Err)
			var panicked *webhook.CallbackPanicError
			require.Equal(t, name != "exit", errors.As(d.Err, &panicked))
			bad = false
			require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "the claim was released")
			require.Equal(t, webhook.OutcomeHandled, d.Outcome)
		})
	}
}

// A dead letter is acknowledged, and its callback runs until it succeeds once.
func TestHandler_AcknowledgesDeadLetters(t *testing.T) {
	var letters []webhook.DeadLetter
	fail := true
	var calls atomic.Int64
	h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.OnDeadLetter(func(_ context.Context, letter webhook.DeadLetter) error {
		letters = append(letters, letter)
		if fail {
			return errors.New("no room")
		}
		return nil
	}))
	odd := []byte(`{"odd":true}`)
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(odd)).Code, "acknowledged although the callback failed")
	fail = false
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(odd)).Code)
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(odd)).Code)
	require.Len(t, letters, 2)
	require.Equal(t, odd, letters[1].Body)
	require.ErrorIs(t, letters[1].Err, terminal49.ErrNotNotification)
	require.Zero(t, calls.Load())
	require.Equal(t, 200, testkit.Serve(testkit.NewHandler(t, testkit.Counting(&calls)), testkit.SignedRequest(odd)).Code, "also without a callback")
}

func TestHandler_AcknowledgesFailedDeadLetters(t *testing.T) {
	var calls atomic.Int64
	noRoom := errors.New("no room")
	for name, fail := range map[string]func() error{
		"error": func() error { return noRoom }, "panic": func() error { panic(noRoom) },
	} {
		var d webhook.Delivery
		h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { return fail() }),
			webhook.OnDelivery(func(_ context.Context, seen webhook.Delivery) { d = seen }))
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest([]byte(`{}`))).Code, name)
		require.Equal(t, webhook.OutcomeDeadLettered, d.Outcome)
		require.ErrorIs(t, d.Err, terminal49.ErrNotNotification)
		require.ErrorContains(t, d.Err, "no room")
	}
	other := []byte(`{"data":{"id":"a","type":"shipment","attributes":{"event":"container.updated"}}}`)
	_, err := webhook.ParseNotification(other)
	require.ErrorIs(t, err, terminal49.ErrNotNotification)
}

func TestHandler_DiscardsPanicsOfOnDelivery(t *testing.T) {
	var calls atomic.Int64
	h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.OnDelivery(func(context.Context, webhook.Delivery) { panic("boom") }))
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code)
	require.EqualValues(t, 1, calls.Load())
}

func TestHandler_HandleCountsAsADelivery(t *testing.T) {
	var calls atomic.Int64
	h := testkit.NewHandler(t, testkit.Counting(&calls))
	n := testkit.ParsedDelivery(t, testkit.Numbered(1))
	require.NoError(t, h.Handle(t.Context(), n))
	require.NoError(t, h.Handle(t.Context(), n))
	require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "the same notification, delivered")
	require.EqualValues(t, 1, calls.Load())
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, h.Handle(t.Context(), nil), &argument)
	require.ErrorAs(t, h.Handle(t.Context(), &webhook.Notification{}), &argument)
}

func TestHandler_HandleRejectsInvalidArguments(t *testing.T) {
	h, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("k")), webhook.OnAny(
		func(context.Context, *webhook.Notification) error { return errors.New("must not be called") }))
	require.NoError(t, err)
	var none context.Context
	for field, err := range map[string]error{
		"ctx": h.Handle(none, &webhook.Notification{ID: "n-1"}),
		"n":   h.Handle(t.Context(), &webhook.Notification{}),
	} {
		var invalid *terminal49.ArgumentError
		require.ErrorAs(t, err, &invalid, field)
		require.Equal(t, field, invalid.Field)
	}
}

// A nil context is an *ArgumentError, as in every other call of this module.
func TestHandler_RefusesNilContexts(t *testing.T) {
	var calls atomic.Int64
	h, none := testkit.NewHandler(t, testkit.Counting(&calls)), context.Context(nil)
	testkit.RequireArgument(t, h.Handle(none, testkit.ParsedDelivery(t, testkit.Numbered(1))), "ctx")
	testkit.RequireArgument(t, h.Shutdown(none), "ctx")
	require.NoError(t, h.Handle(t.Context(), testkit.ParsedDelivery(t, testkit.Numbered(1))), "it was not shut down")
	require.EqualValues(t, 1, calls.Load())
}
