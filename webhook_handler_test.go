package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func newHandler(t testing.TB, opts ...WebhookOption) *WebhookHandler {
	t.Helper()
	h, err := NewWebhookHandler(append([]WebhookOption{WithWebhookSecrets(NewSecret(webhookSecret))}, opts...)...)
	require.NoError(t, err)
	return h
}

func signedRequest(body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "https://example.com/t49", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Terminal49 Webhook Bot")
	r.Header.Set(WebhookSignatureHeader, terminal49test.SignWebhook(webhookSecret, body))
	return r
}

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// numbered is a delivery of its own for each i.
func numbered(i int) []byte {
	return bytes.ReplaceAll(delivered(EventContainerUpdated, "container_updated_event", "", ""), []byte("n-1"), fmt.Appendf(nil, "n-%d", i))
}

func counting(n *atomic.Int64) WebhookOption {
	return OnAny(func(context.Context, *Notification) error { n.Add(1); return nil })
}

// One valid delivery, mutated case by case: only what the service could have sent reaches a callback.
func TestWebhookHandlerMutations(t *testing.T) {
	body := sampleDelivery(t, EventContainerUpdated)
	sign := func(r *http.Request, body []byte) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set(WebhookSignatureHeader, terminal49test.SignWebhook(webhookSecret, body))
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
		return func(r *http.Request) { r.Header.Set(WebhookSignatureHeader, value) }
	}
	good := terminal49test.SignWebhook(webhookSecret, body)
	for _, c := range []struct {
		name   string
		mutate func(*http.Request)
		status int
		want   WebhookOutcome
		err    error
	}{
		{"as it is", func(*http.Request) {}, 200, WebhookHandled, nil},
		{"header in other case", func(r *http.Request) {
			r.Header = http.Header{}
			r.Header.Set("x-t49-webhook-signature", good)
		}, 200, WebhookHandled, nil},
		{"chunked", func(r *http.Request) { r.ContentLength = -1 }, 200, WebhookHandled, nil},
		{"another path", func(r *http.Request) { r.URL.Path = "/elsewhere" }, 200, WebhookHandled, nil},
		{"no user agent", func(r *http.Request) { r.Header.Del("User-Agent") }, 200, WebhookHandled, nil},
		{"another content type", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 200, WebhookHandled, nil},
		{"signature in upper case", header(strings.ToUpper(good)), 200, WebhookHandled, nil},
		{"other JSON, signed", func(r *http.Request) { sign(r, swap(`{"data"`, "{\n\"data\"")) }, 200, WebhookHandled, nil},

		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, 405, WebhookRefused, nil},
		{"HEAD", func(r *http.Request) { r.Method = http.MethodHead }, 405, WebhookRefused, nil},
		{"PUT", func(r *http.Request) { r.Method = http.MethodPut }, 405, WebhookRefused, nil},
		{"DELETE", func(r *http.Request) { r.Method = http.MethodDelete }, 405, WebhookRefused, nil},
		{"post in lower case", func(r *http.Request) { r.Method = "post" }, 405, WebhookRefused, nil},

		{"no signature", func(r *http.Request) { r.Header.Del(WebhookSignatureHeader) }, 401, WebhookUnauthorized, ErrSignatureMissing},
		{"empty signature", header(""), 401, WebhookUnauthorized, ErrSignatureMissing},
		{"signature under another name", func(r *http.Request) {
			r.Header.Del(WebhookSignatureHeader)
			r.Header.Set("X-Webhook-Signature", good)
		}, 401, WebhookUnauthorized, ErrSignatureMissing},
		{"signature in the query", func(r *http.Request) {
			r.Header.Del(WebhookSignatureHeader)
			r.URL.RawQuery = WebhookSignatureHeader + "=" + good
		}, 401, WebhookUnauthorized, ErrSignatureMissing},
		{"two signatures", func(r *http.Request) { r.Header.Add(WebhookSignatureHeader, good) }, 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"a wrong one before it", func(r *http.Request) {
			r.Header[WebhookSignatureHeader] = []string{flipDigit(good), good}
		}, 401, WebhookUnauthorized, nil},
		{"two in one line", header(good + ", " + good), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"prefixed", header("sha256=" + good), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"truncated signature", header(good[:62]), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"longer signature", header(good + "00"), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"not hex", header("z" + good[1:]), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"base64", header("bm90IHRoZSBzaWduYXR1cmUgb2YgdGhpcyBib2R5IGF0IGFsbCwgbm90IGF0IGFs"), 401, WebhookUnauthorized, ErrSignatureMalformed},
		{"another digit", header(flipDigit(good)), 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"all zeros", header(strings.Repeat("0", 64)), 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"signed by somebody", header(terminal49test.SignWebhook("guess", body)), 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"signed with nothing", header(terminal49test.SignWebhook("", body)), 401, WebhookUnauthorized, ErrSignatureMismatch},

		{"one byte changed", func(r *http.Request) { replace(r, swap("false", "fals3")) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"a value changed", func(r *http.Request) { replace(r, swap("[null,false]", "[false,true]")) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"another event", func(r *http.Request) { replace(r, swap("container.updated", "container.created")) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"encoded anew", func(r *http.Request) {
			var v any
			require.NoError(t, json.Unmarshal(body, &v))
			again, err := json.MarshalIndent(v, "", " ")
			require.NoError(t, err)
			replace(r, again)
		}, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"a byte short", func(r *http.Request) { replace(r, body[:len(body)-1]) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"a line end more", func(r *http.Request) { replace(r, append(bytes.Clone(body), '\n')) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"a byte order mark", func(r *http.Request) { replace(r, append([]byte("\xef\xbb\xbf"), body...)) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"twice", func(r *http.Request) { replace(r, append(bytes.Clone(body), body...)) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"no body", func(r *http.Request) { replace(r, nil) }, 401, WebhookUnauthorized, ErrSignatureMismatch},
		{"nil body", func(r *http.Request) { r.Body = nil }, 400, WebhookRefused, nil},
		{"a body that breaks off", func(r *http.Request) {
			r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:100]), breakingOff{}))
		}, 400, WebhookRefused, io.ErrUnexpectedEOF},
		{"said to be too long", func(r *http.Request) { r.ContentLength = DefaultWebhookBodyLimit + 1 }, 413, WebhookRefused, nil},
		{"too long without saying", func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", DefaultWebhookBodyLimit+1))), -1
		}, 413, WebhookRefused, nil},

		{"signed, empty", func(r *http.Request) { sign(r, nil) }, 200, WebhookDeadLettered, ErrNotNotification},
		{"signed, no JSON", func(r *http.Request) { sign(r, []byte("<html>")) }, 200, WebhookDeadLettered, ErrNotNotification},
		{"signed, cut", func(r *http.Request) { sign(r, body[:len(body)/2]) }, 200, WebhookDeadLettered, ErrNotNotification},
		{"signed, a list", func(r *http.Request) { sign(r, []byte(`{"data":[]}`)) }, 200, WebhookDeadLettered, ErrNotNotification},
		{"signed, no event", func(r *http.Request) { sign(r, []byte(`{"data":{"id":"a","type":"webhook_notification"}}`)) }, 200, WebhookDeadLettered, ErrNotNotification},
		{"signed, unknown event", func(r *http.Request) { sign(r, swap("container.updated", "container.sang")) }, 200, WebhookHandled, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls, letters atomic.Int64
			var seen []WebhookDelivery
			h := newHandler(t, counting(&calls),
				OnDeadLetter(func(context.Context, DeadLetter) error { letters.Add(1); return nil }),
				OnDelivery(func(_ context.Context, d WebhookDelivery) { seen = append(seen, d) }))
			r := signedRequest(body)
			c.mutate(r)
			w := serve(h, r)
			require.Equal(t, c.status, w.Code)
			require.Len(t, seen, 1)
			d := seen[0]
			require.Equal(t, c.want, d.Outcome)
			require.Equal(t, c.status, d.Status)
			if c.err != nil {
				require.ErrorIs(t, d.Err, c.err)
			}
			require.Equal(t, c.want == WebhookHandled, d.Err == nil, "%v", d.Err)
			require.Equal(t, c.want == WebhookHandled, calls.Load() == 1)
			require.Equal(t, c.want == WebhookDeadLettered, letters.Load() == 1)
			require.Equal(t, c.status == 405, w.Header().Get("Allow") == http.MethodPost)
			requireNoSecret(t, d, w.Body.String())
		})
	}
}

type breakingOff struct{}

func (breakingOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestNewWebhookHandlerRefuses(t *testing.T) {
	secret := WithWebhookSecrets(NewSecret(webhookSecret))
	var calls atomic.Int64
	some := counting(&calls)
	for name, opts := range map[string][]WebhookOption{
		"no secret":         {some},
		"no secrets":        {some, WithWebhookSecrets()},
		"an empty secret":   {some, WithWebhookSecrets(Secret{})},
		"one empty secret":  {some, secret, WithWebhookSecrets(NewSecret(""))},
		"no callback":       {secret},
		"nil callback":      {secret, OnAny(nil)},
		"nil typed":         {secret, OnContainerUpdated(nil)},
		"no timeout":        {secret, some, WithWebhookTimeout(0)},
		"negative limit":    {secret, some, WithWebhookBodyLimit(-1)},
		"no store":          {secret, some, WithWebhookDedupe(nil, time.Hour)},
		"no memory":         {secret, some, WithWebhookDedupe(NewMemoryDedupe(1), 0)},
		"nil observer":      {secret, some, OnDelivery(nil)},
		"nil letter reader": {secret, some, OnDeadLetter(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := NewWebhookHandler(opts...)
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "NewWebhookHandler", argument.Op)
			require.Nil(t, h)
			requireNoSecret(t, err)
		})
	}
	h, err := NewWebhookHandler(nil, secret, some)
	require.NoError(t, err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("made", "handler", h)
	require.NotContains(t, log.String(), webhookSecret)
	requireNoSecret(t, h)
}

// Each callback gets its own events, and nobody else's.
func TestWebhookCallbacks(t *testing.T) {
	var got []string
	tell := func(name string) { got = append(got, name) }
	h := newHandler(t,
		OnTrackingSucceeded(func(context.Context, *Notification, *TrackingRequestPayload) error { tell("succeeded"); return nil }),
		OnTrackingFailed(func(context.Context, *Notification, *TrackingRequestPayload) error { tell("failed"); return nil }),
		OnTrackingAwaitingManifest(func(context.Context, *Notification, *TrackingRequestPayload) error { tell("awaiting"); return nil }),
		OnTrackingStopped(func(context.Context, *Notification, *TrackingRequestPayload) error { tell("stopped"); return nil }),
		OnMilestone(func(context.Context, *Notification, *MilestonePayload) error { tell("milestone"); return nil }),
		OnEstimate(func(context.Context, *Notification, *EstimatePayload) error { tell("estimate"); return nil }),
		OnContainerCreated(func(context.Context, *Notification, *ContainerCreatedPayload) error { tell("created"); return nil }),
		OnContainerUpdated(func(context.Context, *Notification, *ContainerUpdatedPayload) error { tell("updated"); return nil }),
		OnTerminalChanged(func(context.Context, *Notification, *TerminalChangedPayload) error { tell("terminal"); return nil }),
		OnLastFreeDayChanged(func(context.Context, *Notification, *LastFreeDayPayload) error { tell("lfd"); return nil }),
		OnAppointmentChanged(func(context.Context, *Notification, *AppointmentPayload) error { tell("appointment"); return nil }),
		OnDocumentExtracted(func(context.Context, *Notification, *DocumentPayload) error { tell("extracted"); return nil }),
		OnDocumentExtractionFailed(func(context.Context, *Notification, *DocumentPayload) error { tell("not extracted"); return nil }),
		OnUnknown(func(context.Context, *Notification, *UnknownPayload) error { tell("unknown"); return nil }),
		OnAny(func(context.Context, *Notification) error { tell("any"); return nil }),
	)
	special := map[EventName]string{
		EventTrackingRequestSucceeded: "succeeded", EventTrackingRequestFailed: "failed",
		EventTrackingRequestAwaitingManifest: "awaiting", EventTrackingRequestTrackingStopped: "stopped",
		EventDocumentExtracted: "extracted", EventDocumentExtractionFailed: "not extracted",
	}
	families := map[EventFamily]string{
		FamilyMilestone: "milestone", FamilyEstimate: "estimate", FamilyContainerCreated: "created", FamilyContainerUpdated: "updated",
		FamilyTerminalChanged: "terminal", FamilyLastFreeDay: "lfd", FamilyAppointment: "appointment",
		FamilyLink: "unknown", FamilyEmailSubmission: "unknown", FamilyUnknown: "unknown",
	}
	for i, event := range append(WebhookEvents(), EventLinkCreated, EventEmailSubmissionCreated, "crane.sang") {
		got = nil
		n := parsedDelivery(t, delivered(event, "transport_event", "", ""))
		n.ID = fmt.Sprint(i)
		require.NoError(t, h.Handle(t.Context(), n))
		require.Equal(t, []string{cmp.Or(special[event], families[event.Family()]), "any"}, got, event)
	}
}

// Callbacks run in order and the first error ends it; next time all of them run again.
func TestWebhookCallbackErrors(t *testing.T) {
	var got []int
	fail := true
	h := newHandler(t,
		OnAny(func(context.Context, *Notification) error { got = append(got, 1); return nil }),
		OnAny(func(context.Context, *Notification) error {
			got = append(got, 2)
			if fail {
				return errors.New("the database said " + webhookSecret)
			}
			return nil
		}),
		OnContainerUpdated(func(context.Context, *Notification, *ContainerUpdatedPayload) error { got = append(got, 3); return nil }))
	w := serve(h, signedRequest(numbered(1)))
	require.Equal(t, 500, w.Code)
	require.Equal(t, "Internal Server Error\n", w.Body.String(), "what went wrong is not told outside")
	fail = false
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code)
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code)
	require.Equal(t, []int{1, 2, 1, 2, 3}, got)
}

func TestWebhookEventWithoutCallback(t *testing.T) {
	var d WebhookDelivery
	h := newHandler(t, OnMilestone(func(context.Context, *Notification, *MilestonePayload) error { return errors.New("not mine") }),
		OnDelivery(func(_ context.Context, seen WebhookDelivery) { d = seen }))
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code)
	require.Equal(t, WebhookIgnored, d.Outcome)
	require.Equal(t, "n-1", d.NotificationID)
	require.Equal(t, EventContainerUpdated, d.Event)
}

func TestWebhookPanicsAndExits(t *testing.T) {
	for name, end := range map[string]func(){
		"panic": func() { panic("boom") }, "abort": func() { panic(http.ErrAbortHandler) }, "exit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			bad := true
			var d WebhookDelivery
			h := newHandler(t, OnAny(func(context.Context, *Notification) error {
				if bad {
					end()
				}
				return nil
			}), OnDelivery(func(_ context.Context, seen WebhookDelivery) { d = seen }))
			require.Equal(t, 500, serve(h, signedRequest(numbered(1))).Code)
			require.Error(t, d.Err)
			var panicked *CallbackPanicError
			require.Equal(t, name != "exit", errors.As(d.Err, &panicked))
			bad = false
			require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code, "the claim was given back")
			require.Equal(t, WebhookHandled, d.Outcome)
		})
	}
}

// A letter that is no notification is acknowledged, and taken once.
func TestWebhookDeadLetters(t *testing.T) {
	var letters []DeadLetter
	fail := true
	var calls atomic.Int64
	h := newHandler(t, counting(&calls), OnDeadLetter(func(_ context.Context, letter DeadLetter) error {
		letters = append(letters, letter)
		if fail {
			return errors.New("no room")
		}
		return nil
	}))
	odd := []byte(`{"odd":true}`)
	require.Equal(t, 200, serve(h, signedRequest(odd)).Code, "not sent again, though it failed")
	fail = false
	require.Equal(t, 200, serve(h, signedRequest(odd)).Code)
	require.Equal(t, 200, serve(h, signedRequest(odd)).Code)
	require.Len(t, letters, 2)
	require.Equal(t, odd, letters[1].Body)
	require.ErrorIs(t, letters[1].Err, ErrNotNotification)
	require.Zero(t, calls.Load())
	require.Equal(t, 200, serve(newHandler(t, counting(&calls)), signedRequest(odd)).Code, "nobody asked for them")
}

func TestWebhookCallbackContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		began := time.Now()
		var late error
		h := newHandler(t, WithWebhookTimeout(3*time.Second), OnAny(func(ctx context.Context, n *Notification) error {
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, began.Add(3*time.Second), deadline)
			require.Equal(t, "value", ctx.Value(key{}))
			time.Sleep(time.Second)
			late = ctx.Err()
			return nil
		}))
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
		time.AfterFunc(time.Millisecond, cancel) // the service hangs up
		require.Equal(t, 500, serve(h, signedRequest(numbered(1)).WithContext(ctx)).Code)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.NoError(t, late, "work that was begun goes on")
		began = time.Now()
		require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code, "and is noted")
	})
}

// A callback that overstays is answered for at its deadline. What it comes to counts all the same.
func TestWebhookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		var outcomes []WebhookOutcome
		h := newHandler(t, WithWebhookTimeout(2*time.Second), OnAny(func(context.Context, *Notification) error {
			calls.Add(1)
			time.Sleep(5 * time.Second)
			return nil
		}), OnDelivery(func(_ context.Context, d WebhookDelivery) { outcomes = append(outcomes, d.Outcome) }))
		began := time.Now()
		require.Equal(t, 500, serve(h, signedRequest(numbered(1))).Code)
		require.Equal(t, 2*time.Second, time.Since(began))
		require.Equal(t, 500, serve(h, signedRequest(numbered(1))).Code, "still at it: no second call")
		require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code, "shares the success")
		require.Equal(t, 5*time.Second, time.Since(began))
		require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code)
		require.Equal(t, []WebhookOutcome{WebhookFailed, WebhookFailed, WebhookDuplicate, WebhookDuplicate}, outcomes)
		require.EqualValues(t, 1, calls.Load())
	})
}

// Deliveries of one notification that come together run its callbacks once and share the outcome, good or bad.
func TestWebhookDuplicatesInFlight(t *testing.T) {
	for _, outcome := range []error{nil, errors.New("no")} {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int64
			h := newHandler(t, OnAny(func(context.Context, *Notification) error {
				calls.Add(1)
				time.Sleep(time.Second)
				return outcome
			}))
			codes := make(chan int, 8)
			for range cap(codes) {
				go func() { codes <- serve(h, signedRequest(numbered(1))).Code }()
			}
			want := 200
			if outcome != nil {
				want = 500
			}
			for range cap(codes) {
				require.Equal(t, want, <-codes)
			}
			require.EqualValues(t, 1, calls.Load())
		})
	}
}

func TestWebhookShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cancelled atomic.Bool
		h := newHandler(t, OnAny(func(ctx context.Context, n *Notification) error {
			select {
			case <-time.After(3 * time.Second):
			case <-ctx.Done():
				cancelled.Store(true)
				return ctx.Err()
			}
			return nil
		}))
		code := make(chan int, 1)
		go func() { code <- serve(h, signedRequest(numbered(1))).Code }()
		time.Sleep(time.Second)
		began := time.Now()
		require.NoError(t, h.Shutdown(t.Context()))
		require.Equal(t, 2*time.Second, time.Since(began), "what is in hand is waited for")
		require.Equal(t, 200, <-code)
		require.Equal(t, 503, serve(h, signedRequest(numbered(2))).Code)
		require.ErrorIs(t, h.Handle(t.Context(), parsedDelivery(t, numbered(3))), ErrWebhookClosed)
		require.NoError(t, h.Shutdown(t.Context()), "twice is fine")
		require.False(t, cancelled.Load())

		h = newHandler(t, OnAny(func(ctx context.Context, _ *Notification) error {
			<-ctx.Done()
			cancelled.Store(true)
			return ctx.Err()
		}))
		go func() { code <- serve(h, signedRequest(numbered(1))).Code }()
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, h.Shutdown(ctx), context.DeadlineExceeded)
		require.Equal(t, 500, <-code)
		require.True(t, cancelled.Load(), "patience has an end")
	})
}

func TestWebhookHandle(t *testing.T) {
	var calls atomic.Int64
	h := newHandler(t, counting(&calls))
	n := parsedDelivery(t, numbered(1))
	require.NoError(t, h.Handle(t.Context(), n))
	require.NoError(t, h.Handle(t.Context(), n))
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code, "the same notification, delivered")
	require.EqualValues(t, 1, calls.Load())
	var argument *ArgumentError
	require.ErrorAs(t, h.Handle(t.Context(), nil), &argument)
	require.ErrorAs(t, h.Handle(t.Context(), &Notification{}), &argument)
}
