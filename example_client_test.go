package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExampleNew() {
	client, err := terminal49.New("your-API-key",
		terminal49.WithUserAgent("dispatcher/2.1"),
		terminal49.WithLogger(slog.Default()),
	)
	fmt.Println(client != nil, err)
	// Output: true <nil>
}

// A creation whose response was lost may have happened. Read before sending it again.
func ExampleIsOutcomeUnknown() {
	service, _, client := simulation()
	service.AddFault(terminal49test.Fault{
		Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true,
	})
	_, err := client.TrackingRequests.Create(context.Background(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU240799001", SCAC: "MAEU",
	})
	fmt.Println(terminal49.IsOutcomeUnknown(err))
	// Output: true
}

// Middleware wraps every attempt, as otelhttp.NewTransport does. CallFromContext names the
// operation.
func ExampleWithMiddleware() {
	service, demo, _ := simulation()
	service.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: http.StatusServiceUnavailable})
	trace := func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if call, ok := terminal49.CallFromContext(req.Context()); ok && err == nil {
				fmt.Println(call.Op, call.Route, call.Attempt, resp.StatusCode)
			}
			return resp, err
		})
	}
	client := connect(service, terminal49.WithMiddleware(trace),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
	_, err := client.Shipments.Get(context.Background(), demo.Shipments[0], nil)
	fmt.Println(err)
	// Output:
	// shipments.get /shipments/{id} 1 503
	// shipments.get /shipments/{id} 2 200
	// <nil>
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A batch job can wait longer than the defaults allow, a web handler less.
func ExampleWithRetryPolicy() {
	service, _, _ := simulation()
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway, Times: 5})
	batch := connect(service, terminal49.WithRetryPolicy(terminal49.RetryPolicy{
		MaxAttempts: 10, MinBackoff: time.Millisecond, MaxBackoff: 5 * time.Millisecond,
	}))
	var response terminal49.Response
	_, err := batch.Shipments.List(context.Background(), nil, terminal49.WithResponse(&response))
	fmt.Println(response.Attempts, err)

	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway})
	_, err = batch.Shipments.List(context.Background(), nil, terminal49.WithMaxAttempts(1)) // for this call only
	fmt.Println(errors.Is(err, terminal49.ErrServer))
	// Output:
	// 6 <nil>
	// true
}

// Clients that use the same API key share one limiter.
func ExampleNewLimiter() {
	service, _, _ := simulation()
	limiter, err := terminal49.NewLimiter(terminal49.RateLimits{PerSecond: 5})
	if err != nil {
		log.Fatal(err)
	}
	imports := connect(service, terminal49.WithLimiter(limiter))
	billing := connect(service, terminal49.WithLimiter(limiter))
	for _, client := range []*terminal49.Client{imports, billing} {
		_, err := client.ShippingLines.List(context.Background())
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// <nil>
}

// A key is replaced while the program runs: the same options make another client, and the limiter
// still counts what the first one sent. Calls under way end with the old key.
func ExampleNewLimiter_newKey() {
	service, _, _ := simulation()
	limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
	if err != nil {
		log.Fatal(err)
	}
	opts := []terminal49.Option{terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()), terminal49.WithLimiter(limiter)}
	var current atomic.Pointer[terminal49.Client] // read it for each call
	for _, key := range []string{"old-key", service.Token} {
		client, err := terminal49.New(key, opts...)
		if err != nil {
			log.Fatal(err) // such as a key in quotes; keep the client that works
		}
		current.Store(client)
		_, err = current.Load().ShippingLines.List(context.Background())
		fmt.Println(errors.Is(err, terminal49.ErrUnauthorized))
	}
	// Output:
	// true
	// false
}

// Do sends calls that the client has no method for.
func ExampleClient_Do() {
	_, demo, client := simulation()
	var document struct {
		Data struct {
			Attributes map[string]any
		}
	}
	err := client.Do(context.Background(), terminal49.Request{
		Method: http.MethodGet, Path: "/shipments/" + demo.Shipments[0],
	}, &document)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.Data.Attributes["bill_of_lading_number"])
	// Output: MAEU240711002
}

// Print what an API key may do. A service may not have the operation yet.
func ExampleClient_Me() {
	_, _, client := simulation()
	me, err := client.Me(context.Background())
	if errors.Is(err, terminal49.ErrNotFound) {
		fmt.Println("the service does not report it yet")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	account, _ := me.Account.Value()
	fmt.Println(me.Kind, "of", account.CompanyName, account.Plan)
	for _, access := range me.Features {
		fmt.Println(access.Feature, access.Status)
	}
	if left, ok := account.TrackingSlots.Remaining.Get(); ok {
		fmt.Println(left, "tracking slots left")
	} else if account.TrackingSlots.Unlimited {
		fmt.Println("unlimited tracking slots")
	}
	if me.Status(terminal49.FeatureTradeIntel) == terminal49.FeatureStatusRequiresUserCredential {
		fmt.Println("log in as a user for trade intelligence")
	}
	// Output:
	// api_key of Simulated Account customer
	// data_out_api available
	// custom_fields available
	// routing_data available
	// rail_data available
	// stop_tracking available
	// trade_intel requires_user_credential
	// unlimited tracking slots
	// log in as a user for trade intelligence
}

// FindOperation reports whether the service has an operation for a path.
func ExampleFindOperation() {
	found, known := terminal49.FindOperation(http.MethodGet, "/ports/USLAX")
	fmt.Println(found.Name, known)
	_, known = terminal49.FindOperation(http.MethodGet, "/port/USLAX")
	fmt.Println(known)
	// Output:
	// ports.get true
	// false
}

// An account whose limit is half of the usual one.
func ExampleWithRateLimits() {
	service, _, _ := simulation()
	client := connect(service, terminal49.WithRateLimits(terminal49.RateLimits{Default: 50, PerSecond: 2}))
	_, err := client.Shipments.List(context.Background(), nil)
	fmt.Println(err)
	// Output: <nil>
}
