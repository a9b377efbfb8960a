package concurrency_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A client is shared by a whole program. Each concurrent call must have the same result as alone,
// and must not write to its arguments, which belong to the caller.

// tape replays the service's responses. It first fails some requests that may be repeated, so that
// retries happen concurrently too.
type tape struct {
	answers map[string]recorded
	flaky   bool
	sent    atomic.Int64
}

type recorded struct {
	status int
	header http.Header
	body   []byte
}

func taped(req *http.Request) (key string, err error) {
	var body []byte
	if req.Body != nil {
		if body, err = io.ReadAll(req.Body); err != nil {
			return "", err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	return req.Method + " " + req.URL.String() + " " + string(body), nil
}

func (tp *tape) record(next http.RoundTripper) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		key, err := taped(req)
		if err != nil {
			return nil, err
		}
		resp, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		if len(body) > 256<<10 {
			body = []byte(testkit.OneVessel) // two weeks of positions would be read repeatedly
		}
		tp.answers[key] = recorded{resp.StatusCode, resp.Header, body}
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return resp, err
	}
}

func (tp *tape) RoundTrip(req *http.Request) (*http.Response, error) {
	key, err := taped(req)
	if err != nil {
		return nil, err
	}
	is, ok := tp.answers[key]
	if !ok {
		return nil, fmt.Errorf("never asked when alone: %s", key)
	}
	info, _ := transport.InfoFromContext(req.Context())
	if n := tp.sent.Add(1); tp.flaky && n%11 == 0 && info.Class != transport.Write && info.Attempt == 1 {
		return testkit.Answer(503, `{}`)(req)
	}
	return &http.Response{StatusCode: is.status, Header: is.header.Clone(),
		Body: io.NopCloser(bytes.NewReader(is.body)), Request: req}, nil
}

// job is a method with valid arguments.
type job struct {
	testkit.Method
	given []reflect.Value
}

// jobs returns all methods, with arguments that all callers share.
func jobs(t *testing.T) (list []job) {
	t.Helper()
	ids := map[string][]string{
		"Shipments": {testkit.ShipmentID, "a?b c"}, "Containers": {testkit.ContainerID, "a?b c"},
		"TrackingRequests": {testkit.RequestID, "a?b c"},
		"ShippingLines":    {testkit.LineID}, "Documents": {testkit.DocumentID}, "DocumentSchemas": {testkit.SchemaID},
		"EmailSubmissions": {testkit.EmailID},
		"CustomFields":     {testkit.CustomFieldID}, "CustomFieldDefinitions": {testkit.DefinitionID},
		"CustomFieldOptions": {testkit.DefinitionID, testkit.OptionID},
		"Parties":            {testkit.PartyID}, "Ports": {testkit.PortID}, "MetroAreas": {testkit.MetroID},
		"Terminals": {testkit.TerminalID}, "Vessels": {testkit.VesselID},
		"Search": {"MAEU"}, "Webhooks": {testkit.WebhookID}, "WebhookNotifications": {testkit.NotificationID},
		"Vessels.GetByIMO": {testkit.VesselIMO}, "Webhooks.Ensure": {testkit.EndpointURL},
		"Containers.FindByNumber": {"MSCU1234566"},
	}
	for _, m := range []string{"Infer", "Track"} {
		ids["TrackingRequests."+m] = []string{"MAEU240711301"}
	}
	for _, m := range testkit.Methods() {
		service, _, _ := strings.Cut(m.Name, ".")
		texts := ids[service]
		if own, ok := ids[m.Name]; ok {
			texts = own
		}
		var given []reflect.Value
		for _, typ := range m.Args {
			if typ.Kind() == reflect.String && typ.Name() == "string" {
				given, texts = append(given, reflect.ValueOf(texts[0])), texts[1:]
				continue
			}
			given = append(given, reflect.New(typ).Elem())
			given[len(given)-1].Set(testkit.Usable(t, typ))
		}
		list = append(list, job{m, given})
	}
	return list
}

// outcome returns everything that a method returned, as text; iterators are walked to their end.
func (j job) outcome(ctx context.Context, c *terminal49.Client, opts []terminal49.CallOption) string {
	if strings.Contains(j.Name, ".Watch") { // which ends only with the context
		short, cancel := context.WithTimeout(ctx, 3*time.Minute)
		defer cancel()
		ctx = short
	}
	var b strings.Builder
	for _, result := range j.Results(c, ctx, j.given, opts) {
		if result.Type().CanSeq() && !result.Type().CanSeq2() && strings.HasPrefix(result.Type().Name(), "Seq[") {
			for outcome := range result.Seq() {
				b.WriteString(dump(outcome))
			}
			continue
		}
		if result.Kind() == reflect.Func && !result.IsNil() {
			for v, err := range result.Seq2() {
				b.WriteString(dump(v) + dump(err))
			}
			continue
		}
		b.WriteString(dump(result))
	}
	return b.String()
}

// attemptsTold matches the number of attempts in an error, which may be higher under concurrency.
var attemptsTold = regexp.MustCompile(` \(after \d+ attempts\)| after \d+ attempts`)

// dump returns a value as text, with unexported fields and secrets.
func dump(v reflect.Value) string {
	var b strings.Builder
	seen := map[uintptr]int{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if !v.IsValid() {
			b.WriteString("nil ")
			return
		}
		if v.CanInterface() {
			switch v := v.Interface().(type) {
			case error:
				fmt.Fprintf(&b, "error %T %s ", v, attemptsTold.ReplaceAllString(v.Error(), ""))
				return
			case terminal49.Secret:
				b.WriteString(v.Reveal() + " ")
				return
			case time.Time:
				b.WriteString(v.String() + " ")
				return
			}
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() {
				b.WriteString("nil ")
				return
			}
			if v.Kind() == reflect.Pointer {
				if at, ok := seen[v.Pointer()]; ok {
					fmt.Fprintf(&b, "#%d ", at)
					return
				}
				seen[v.Pointer()] = len(seen)
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).Name != "AsOf" { // the time of the call
					walk(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			if v.Kind() == reflect.Slice && v.IsNil() {
				b.WriteString("nil")
			}
			if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
				b.Write(v.Bytes())
				return
			}
			b.WriteString("[")
			for i := range v.Len() {
				walk(v.Index(i))
			}
			b.WriteString("] ")
		case reflect.Map:
			keys := v.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
			for _, k := range keys {
				b.WriteString(k.String() + ":")
				walk(v.MapIndex(k))
			}
		case reflect.Func, reflect.Chan:
			fmt.Fprintf(&b, "%t ", v.IsNil())
		default:
			fmt.Fprintf(&b, "%v ", v) // including unexported fields
		}
	}
	walk(v)
	return b.String()
}

// recordAll calls each method once, alone, with its own service.
func recordAll(t *testing.T, list []job) *tape {
	t.Helper()
	tp := &tape{answers: map[string]recorded{}}
	for _, j := range list {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		testkit.AddNamedResources(srv)
		client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(testkit.Base), terminal49.WithoutRateLimits(),
			terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 2}), terminal49.WithHTTPClient(&http.Client{
				Transport: tp.record(moved(t, srv)),
			}))
		require.NoError(t, err)
		j.outcome(t.Context(), client, nil)
		srv.Close()
	}
	return tp
}

// moved sends requests for testBase to a simulated service, which has another token.
func moved(t *testing.T, srv *terminal49test.Server) testkit.RoundTripper {
	t.Helper()
	home, err := url.Parse(srv.URL)
	require.NoError(t, err)
	return func(req *http.Request) (*http.Response, error) {
		req = req.Clone(req.Context())
		if rest, ours := strings.CutPrefix(req.URL.String(), testkit.Base); ours {
			to, err := url.Parse(srv.URL + rest)
			if err != nil {
				return nil, err
			}
			req.URL, req.Host = to, home.Host
			req.Header.Set("Authorization", "Token "+srv.Token)
		}
		return srv.Transport().RoundTrip(req)
	}
}

// countingLimiter is a user-defined limiter that counts.
type countingLimiter struct {
	mu            sync.Mutex
	out, acquired int
}

func (l *countingLimiter) Acquire(context.Context, terminal49.Bucket) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out++
	l.acquired++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.out--
	}, nil
}

func (l *countingLimiter) Pause(terminal49.Bucket, time.Duration) {}

const crowd = 100

func TestConcurrency_EveryCallFromManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := jobs(t)
		tp := recordAll(t, list)

		alone := testkit.NewClient(t, tp, terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 2}))
		want, given := make([]string, len(list)), make([]string, len(list))
		answered := 0
		for i, j := range list {
			for _, arg := range j.given {
				given[i] += dump(arg)
			}
			want[i] = j.outcome(t.Context(), alone, []terminal49.CallOption{terminal49.WithRawJSON()})
			require.NotContains(t, want[i], "never asked", j.Name)
			if !strings.Contains(want[i], "error ") {
				answered++
			}
		}

		var log bytes.Buffer
		var mu sync.Mutex
		var client *terminal49.Client
		var err error
		limiter, attempts, retries, called := &countingLimiter{}, 0, 0, atomic.Int64{}
		type within struct{}
		client, err = terminal49.New(testkit.Token, terminal49.WithBaseURL(testkit.Base),
			terminal49.WithHTTPClient(&http.Client{Transport: tp}),
			terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 3}),
			terminal49.WithLimiter(limiter),
			terminal49.WithLogger(slog.New(slog.NewTextHandler(&lockedWriter{w: &log, mu: &mu}, nil))),
			terminal49.WithHooks(terminal49.Hooks{
				OnAttempt: func(ctx context.Context, a terminal49.Attempt) {
					mu.Lock()
					attempts++
					again := attempts%50 == 0 && ctx.Value(within{}) == nil
					mu.Unlock()
					if again { // a hook may use the client too
						_, err := client.ShippingLines.Get(context.WithValue(ctx, within{}, true), testkit.LineID)
						if err == nil || ctx.Err() == nil {
							called.Add(1)
						}
					}
				},
				OnRetry: func(context.Context, terminal49.Retry) { mu.Lock(); retries++; mu.Unlock() },
			}), testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				req = req.Clone(req.Context())
				req.Header.Set("X-Traced", "yes")
				return next.RoundTrip(req)
			}))
		require.NoError(t, err)
		tp.flaky = true
		opts := append(make([]terminal49.CallOption, 0, 8), terminal49.WithRawJSON(), nil) // with capacity: all callers would see an append to it
		var wg sync.WaitGroup
		wrong := make(chan string, crowd*len(list))
		for g := range crowd {
			wg.Go(func() {
				for n := 0; n < len(list); n += 4 { // so a quarter of the goroutines calls each method
					i := (g*7 + n) % len(list)
					if got := list[i].outcome(t.Context(), client, opts); got != want[i] {
						wrong <- fmt.Sprintf("%s\ngot  %.600s\nwant %.600s", list[i].Name, got, want[i])
					}
				}
			})
		}
		wg.Wait()
		close(wrong)
		for text := range wrong {
			t.Fatal(text)
		}
		for i, j := range list {
			var now string
			for _, arg := range j.given {
				now += dump(arg)
			}
			require.Equal(t, given[i], now, "%s changed what it was given", j.Name)
		}
		require.Equal(t, make([]terminal49.CallOption, 6), opts[:8][2:], "the callers' slice has room, which is theirs")
		require.Zero(t, limiter.out, "each slot is given back")
		require.Greater(t, limiter.acquired, crowd*len(list)/8)
		require.Positive(t, retries)
		require.Positive(t, called.Load())
		require.Greater(t, answered, len(list)*8/10, "nearly all succeeded")
		t.Logf("figure: %d goroutines, %d methods each with shared arguments, %d requests, %d retries: every outcome as when called alone",
			crowd, len(list), attempts, retries)
	})
}

type lockedWriter struct {
	w  io.Writer
	mu *sync.Mutex
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}
