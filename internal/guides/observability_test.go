package guides_test

import (
	"context"
	"expvar"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

var (
	requests = expvar.NewMap("terminal49_requests")       // by operation and status
	waits    = expvar.NewMap("terminal49_limiter_wait_s") // by rate limit
	warnings = expvar.NewMap("terminal49_decode_warnings")
	arrivals = expvar.NewMap("terminal49_deliveries") // by outcome
)

// metrics counts what a dashboard needs. The same hooks feed Prometheus or OpenTelemetry.
func metrics() terminal49.Hooks {
	return terminal49.Hooks{
		OnAttempt: func(_ context.Context, a terminal49.Attempt) {
			requests.Add(fmt.Sprint(a.Op, " ", a.StatusCode), 1)
			waits.AddFloat(string(a.Bucket), a.LimiterWait.Seconds())
		},
		OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) {
			warnings.Add(w.ResourceType+"."+w.Field, 1)
		},
	}
}

func observed(token string) (*terminal49.Client, error) {
	return terminal49.New(token,
		terminal49.WithLogger(slog.New(slog.NewJSONHandler(os.Stderr, nil))),
		terminal49.WithHooks(metrics()),
	)
}

func deliveries() webhook.Option {
	return webhook.OnDelivery(func(ctx context.Context, d webhook.Delivery) {
		arrivals.Add(string(d.Outcome), 1)
		if d.Err != nil {
			slog.WarnContext(ctx, "delivery", "notification", d.NotificationID, "outcome", d.Outcome, "error", d.Err)
		}
	})
}

var _, _ = observed, deliveries // compiled only

// spans makes each call a span, and each attempt a span in it; start creates the spans.
func spans(start func(context.Context, string) (context.Context, func(error))) terminal49.Hooks {
	return terminal49.Hooks{
		OnCall: func(ctx context.Context, call terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
			ctx, end := start(ctx, "terminal49."+call.Op)
			return ctx, func(r terminal49.CallResult) { end(r.Err) }
		},
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// announced calls report with the operation and the day of an announced removal, "" if it is not
// known.
func announced(report func(operation, sunset string)) terminal49.Option {
	return terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if call, ok := terminal49.CallFromContext(req.Context()); ok && err == nil {
				if sunset := resp.Header.Get("Sunset"); sunset != "" || resp.Header.Get("Deprecation") != "" {
					report(call.Op, sunset)
				}
			}
			return resp, err
		})
	})
}

// RFC 8594, section 3: the example of the header.
func Example_announced() {
	const day = "Sat, 31 Dec 2018 23:59:59 GMT"
	service := roundTripper(func(req *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Sunset": {day}},
			Body: io.NopCloser(strings.NewReader(`{"data":[]}`))}, nil
	})
	client, err := terminal49.New("a-key", terminal49.WithHTTPClient(&http.Client{Transport: service}),
		announced(func(operation, sunset string) { fmt.Println(operation, sunset) }))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.ShippingLines.List(context.Background())
	fmt.Println(err)
	// Output:
	// shipping_lines.list Sat, 31 Dec 2018 23:59:59 GMT
	// <nil>
}

func Example_observability() {
	service, _, _ := simulation()
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway})
	start := func(ctx context.Context, name string) (context.Context, func(error)) {
		fmt.Println("start", name)
		return ctx, func(err error) { fmt.Println("end", name, err) }
	}
	for _, hooks := range []terminal49.Hooks{metrics(), spans(start)} {
		client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHooks(hooks),
			terminal49.WithHTTPClient(service.HTTPClient()), terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := client.Shipments.List(context.Background(), nil); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(requests)
	// Output:
	// start terminal49.shipments.list
	// end terminal49.shipments.list <nil>
	// {"shipments.list 200": 1, "shipments.list 502": 1}
}

// The dashboard asks only for metrics and attributes that the page lists, as Prometheus names them:
// with _ in place of dots, the unit, and _total for a counter.
func TestObservability_DashboardNamesExist(t *testing.T) {
	names := regexp.MustCompile(`\b(?:terminal49|http|error)_\w+`).FindAllString(read(t, "../otelterminal49/dashboard.json"), -1)
	if len(names) < 10 {
		t.Fatalf("the dashboard has the names %q", names)
	}
	page := strings.ReplaceAll(read(t, "observability.md"), ".", "_")
	suffix := regexp.MustCompile(`(_total|_seconds_(count|bucket|sum))$`)
	for _, name := range names {
		if name = suffix.ReplaceAllString(name, ""); !strings.Contains(page, "`"+name+"`") {
			t.Errorf("observability.md does not list %s", name)
		}
	}
}
