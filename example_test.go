package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"go/doc"
	"log"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

// simulation replaces the service, so that the examples run without an account. It is the afternoon
// of 1 July 2024, and the account has the shipments of [terminal49test.Server.SeedDemo].
func simulation(opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	service := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)),
	}, opts...)...)
	demo := service.SeedDemo()
	return service, demo, connect(service)
}

// connect returns a client of the simulated service.
func connect(service *terminal49test.Server, opts ...terminal49.Option) *terminal49.Client {
	client, err := terminal49.New(service.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()),
	}, opts...)...)
	if err != nil {
		log.Fatal(err)
	}
	return client
}

// containerOf returns the id of a shipment's first container.
func containerOf(service *terminal49test.Server, shipment string) string {
	return service.ContainerIDs(shipment)[0]
}

// List the account's containers and print which of them can be picked up.
func Example() {
	service, _, _ := simulation()
	client, err := terminal49.New(service.Token, // in production: os.Getenv("T49_API_TOKEN") and no options
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		switch readiness := terminal49.PickupReadiness(container); readiness.State {
		case terminal49.ReadinessReady:
			day, _ := container.PickupLFD.Date() // in the terminal's own calendar
			fmt.Println(container.Number, "can be picked up, last free day", day)
		case terminal49.ReadinessBlocked:
			fmt.Println(container.Number, "is held by", readiness.ActiveHolds[0].Name)
		default:
			fmt.Println(container.Number, readiness.State)
		}
	}
	// Output:
	// CSNU6445708 unknown
	// EGHU9023530 unknown
	// EGHU9023165 unknown
	// CMAU4716554 can be picked up, last free day 2024-06-28
	// ONEU5520871 not_released
	// MEDU3309188 is held by customs
	// MSKU7182411 can be picked up, last free day 2024-07-04
	// MSKU7182047 can be picked up, last free day 2024-07-04
}

// Log what another program answers without the secrets that it may repeat.
func ExampleRedactor() {
	password := terminal49.NewSecret("correct horse")
	redact := terminal49.Redactor(password)
	fmt.Println(redact("login with CORRECT%20HORSE failed, for user dispatch"))
	// Output: login with [secret] failed, for user dispatch
}

// Handle an error by its kind, with errors.Is; errors.As returns the details.
func Example_errors() {
	_, _, client := simulation()
	_, err := client.Shipments.Get(context.Background(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	var response *terminal49.APIError
	switch {
	case errors.Is(err, terminal49.ErrNotFound):
		fmt.Println("no such shipment")
	case errors.Is(err, terminal49.ErrRateLimited) && errors.As(err, &response):
		fmt.Println("try again in", response.RetryAfter.Or(time.Minute))
	case err != nil:
		fmt.Println(err)
	}
	// Output: no such shipment
}

// Test code that uses the client against a simulated service. Violations lists what the service
// does not document.
func Example_testing() {
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	service.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", AvailableForPickup: terminal49test.Bool(false),
		Holds: []terminal49test.Hold{{Name: "customs"}},
	})
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}

	containers, err := client.Containers.FindByNumber(context.Background(), "MSKU7182047", nil) // your code
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(terminal49.PickupReadiness(containers[0]).State)
	fmt.Println(len(service.Requests()), "request,", len(service.Violations()), "violations")
	// Output:
	// blocked
	// 1 request, 0 violations
}

// If code depends only on the method that it needs, a fake takes three lines.
func Example_interface() {
	_, demo, client := simulation()
	fmt.Println(label(context.Background(), client.Shipments, demo.Shipments[1]))
	fmt.Println(label(context.Background(), fakeShipments{}, "any"))
	// Output:
	// MSCU240988417 (MSC) <nil>
	// FAKE123 (Fake Line) <nil>
}

// shipmentGetter is all that label needs. *terminal49.ShipmentsService implements it, and so does a
// fake.
type shipmentGetter interface {
	Get(context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption) (*terminal49.Shipment, error)
}

func label(ctx context.Context, shipments shipmentGetter, id string) (string, error) {
	s, err := shipments.Get(ctx, id, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%s)", s.BillOfLadingNumber, s.ShippingLineShortName), nil
}

type fakeShipments struct{}

func (fakeShipments) Get(
	context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption,
) (*terminal49.Shipment, error) {
	return &terminal49.Shipment{BillOfLadingNumber: "FAKE123", ShippingLineShortName: "Fake Line"}, nil
}

// desk is a program that uses the client to send trucks.
type desk struct {
	containers interface {
		Get(context.Context, string, *terminal49.ContainerGetParams, ...terminal49.CallOption) (*terminal49.Container, error)
	}
	poll time.Duration
}

var errLeft = errors.New("the container has left")

// dispatch waits until the container can be picked up and returns the day by which it must be.
func (d desk) dispatch(ctx context.Context, id string) (terminal49.Date, error) {
	for {
		container, err := d.containers.Get(ctx, id, nil)
		if err != nil {
			return terminal49.Date{}, fmt.Errorf("container %s: %w", id, err)
		}
		verdict := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})
		switch verdict.Situation {
		case terminal49.SituationOut, terminal49.SituationReturned:
			return terminal49.Date{}, errLeft
		case terminal49.SituationReady:
			day, _ := verdict.LastFreeDay.At.Date()
			return day, nil
		}
		select {
		case <-ctx.Done():
			return terminal49.Date{}, ctx.Err()
		case <-time.After(d.poll):
		}
	}
}

// newDesk connects the program to a simulated service that runs on the clock of the test's bubble.
func newDesk(t *testing.T) (desk, *terminal49test.Server) {
	t.Helper()
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	return desk{client.Containers, time.Hour}, service
}

// The hold is cleared and the container released after 40 hours of the bubble's clock.
func TestDesk_WaitsForTheRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		service.Script("MAEU240711002", terminal49test.Journey{
			Elapsed: time.Hour, // discharged before tracking begins
			Steps: []terminal49test.Step{
				{After: 0, Do: terminal49test.VesselDischarged("B-14")},
				{After: 0, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"})},
				{After: 0, Do: terminal49test.Available(false)},
				{After: 30 * time.Hour, Do: terminal49test.HoldCleared("customs")},
				{After: 40 * time.Hour, Do: terminal49test.Available(true)},
				{After: 40 * time.Hour, Do: terminal49test.PickupLFD("terminal", 3)},
			},
		})
		tracking := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU240711002", SCAC: "MAEU"})
		time.Sleep(time.Minute)
		request, _ := service.TrackingRequest(tracking)
		id := service.ContainerIDs(request.Shipment)[0]

		start := time.Now()
		day, err := desk.dispatch(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited < 38*time.Hour || waited > 41*time.Hour {
			t.Errorf("a truck is sent after %v", waited)
		}
		if want := terminal49.DateOf(time.Now().In(terminalClock(t)).AddDate(0, 0, 3)); day != want {
			t.Errorf("last free day %v, want %v", day, want)
		}
		service.CheckViolations(t)
	})
}

// The client retries while the service is unavailable.
func TestDesk_OutlastsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		id := service.AddContainer(terminal49test.Container{
			Number: "MSKU7182047", AvailableForPickup: terminal49test.Bool(true), TerminalCheckedAt: time.Now(),
		})
		service.AddFault(terminal49test.Fault{
			Operation: "containers.get", Times: 2, Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute),
		})
		if _, err := desk.dispatch(t.Context(), id); err != nil {
			t.Error(err)
		}
		if n := len(service.Requests()); n != 3 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestDesk_ComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk, service := newDesk(t)
		id := service.AddContainer(terminal49test.Container{Number: "MSKU7182047", PODFullOutAt: time.Now()})
		if _, err := desk.dispatch(t.Context(), id); !errors.Is(err, errLeft) {
			t.Errorf("got %v", err)
		}
	})
}

func terminalClock(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// The guide to tests shows how a time of the service gets into an update.
func TestDesk_ChecksTheTerminalNow(t *testing.T) {
	desk, service := newDesk(t)
	id := service.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", AvailableForPickup: terminal49test.Bool(true), PODTerminal: "WBCT",
	})
	now := service.Now() // inside the function it would panic
	service.UpdateContainer(id, func(c *terminal49test.Container) { c.TerminalCheckedAt = now })
	if _, err := desk.dispatch(t.Context(), id); err != nil {
		t.Error(err)
	}
}

// Examples are documentation that is checked: each has an output, so that it runs.
func TestExamples_Run(t *testing.T) {
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		require.True(t, example.Output != "" || example.EmptyOutput, "Example%s has no output", example.Name)
	}
}

// Each service has an example, so that its page shows a call. The guides have the rest.
func TestExamples_ShowEachService(t *testing.T) {
	shown := map[string]bool{}
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		owner, _, _ := strings.Cut(example.Name, "_")
		shown[owner] = true
	}
	services := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[terminal49.Client]()) {
		if field.IsExported() && field.Type.Kind() == reflect.Pointer {
			services++
			require.True(t, shown[field.Type.Elem().Name()], "no example of %s", field.Type.Elem().Name())
		}
	}
	require.Greater(t, services, 15)
}

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
