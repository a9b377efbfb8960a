package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// simulation stands in for the service, so that the examples run without an account. It is the afternoon of 1 July 2024,
// and the account has the shipments of [terminal49test.Server.SeedDemo].
func simulation() (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	service := terminal49test.NewServer(
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)),
	)
	demo := service.SeedDemo()
	return service, demo, connect(service)
}

// connect makes a client of the simulated service.
func connect(service *terminal49test.Server, opts ...terminal49.Option) *terminal49.Client {
	opts = append([]terminal49.Option{
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()),
	}, opts...)
	client, err := terminal49.New(service.Token, opts...)
	if err != nil {
		log.Fatal(err)
	}
	return client
}

// List the account's containers and say of each whether it can be picked up.
func Example() {
	service, _, _ := simulation()
	client, err := terminal49.New(service.Token, // in production: os.Getenv("T49_API_TOKEN") and no options
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			fmt.Println(err)
			return
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

func ExampleNew() {
	client, err := terminal49.New("your-API-key",
		terminal49.WithUserAgent("dispatcher/2.1"),
		terminal49.WithLogger(slog.Default()),
	)
	fmt.Println(client != nil, err)
	// Output: true <nil>
}

func ExampleNewFromEnv() {
	_ = os.Setenv("T49_API_TOKEN", "your-API-key")
	defer func() { _ = os.Unsetenv("T49_API_TOKEN") }()
	client, err := terminal49.NewFromEnv()
	fmt.Println(client != nil, err)
	// Output: true <nil>
}

// Errors are told apart by kind, and one that is of no known kind still says what happened.
func Example_errors() {
	_, _, client := simulation()
	_, err := client.Shipments.Get(context.Background(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	var answer *terminal49.APIError
	switch {
	case errors.Is(err, terminal49.ErrNotFound):
		fmt.Println("there is no such shipment")
	case errors.Is(err, terminal49.ErrRateLimited) && errors.As(err, &answer):
		fmt.Println("try again in", answer.RetryAfter.Or(time.Minute))
	case err != nil:
		fmt.Println(err)
	}
	// Output: there is no such shipment
}

// What cannot work is not sent, and the error says what to do.
func ExampleArgumentError() {
	_, _, client := simulation()
	_, err := client.Containers.Get(context.Background(), "MSKU7182047", nil)
	var argument *terminal49.ArgumentError
	fmt.Println(errors.As(err, &argument), argument.Field)
	// Output: true id
}

// A creation whose answer is lost may have happened: look before sending it again.
func ExampleIsOutcomeUnknown() {
	service, _, client := simulation()
	service.Fault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
	_, err := client.TrackingRequests.Create(context.Background(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestBillOfLading, RequestNumber: "MAEU240799001", SCAC: "MAEU",
	})
	fmt.Println(terminal49.IsOutcomeUnknown(err))
	// Output: true
}

func ExampleShipmentsService_All() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(false)}
	for shipment, err := range client.Shipments.All(context.Background(), params) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(shipment.BillOfLadingNumber, shipment.CustomerName, shipment.ReferenceNumbers)
		if shipment.ShippingLineSCAC == "CMDU" {
			break // no further page is fetched
		}
	}
	// Output:
	// COSU240377906 Lakeside Home Goods [PO-7733]
	// EGLV240803771 Harbor Street Imports [PO-10260]
	// CMDU240512339 Lakeside Home Goods [PO-7702]
}

// While you work on one page, the next is fetched.
func ExampleWithPrefetch() {
	_, _, client := simulation()
	count := 0
	for _, err := range client.Shipments.All(context.Background(), nil, terminal49.WithPrefetch(2)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		count++
	}
	fmt.Println(count)
	// Output: 6
}

func ExampleShipmentsService_List() {
	_, _, client := simulation()
	page, err := client.Shipments.List(context.Background(), &terminal49.ShipmentListParams{
		PageParams: terminal49.PageParams{PageSize: 4},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	total, known := page.Total.Get()
	fmt.Println(len(page.Items), "of", total, known, "more:", page.HasNext())
	// Output: 4 of 6 true more: true
}

func ExampleShipmentsService_Pages() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: 4}}
	for page, err := range client.Shipments.Pages(context.Background(), params) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(page.Items))
	}
	// Output:
	// 4
	// 2
}

// A relationship tells whether its resource came along.
func ExampleShipmentsService_Get() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.Get(context.Background(), demo.Shipments[5], &terminal49.ShipmentGetParams{
		Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePortOfDischarge, terminal49.ShipmentIncludeDestination},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if port, ok := shipment.PortOfDischarge.Value(); ok {
		fmt.Println(port.Name, port.LOCODE)
	}
	if place, ok := shipment.Destination.Value(); ok {
		switch p := place.(type) {
		case *terminal49.Port:
			fmt.Println("port", p.Name)
		case *terminal49.MetroArea:
			fmt.Println("inland", p.Name)
		}
	}
	fmt.Println("containers:", shipment.Containers.State())
	// Output:
	// Los Angeles USLAX
	// inland Chicago
	// containers: linked
}

func ExampleShipmentsService_Update() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.Update(context.Background(), demo.Shipments[0], terminal49.ShipmentUpdate{
		Tags: terminal49.Some([]string{"spring", "urgent"}), // the reference numbers are not mentioned, so they stay
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shipment.Tags, shipment.ReferenceNumbers)
	// Output: [spring urgent] [PO-10231]
}

func ExampleShipmentsService_StopTracking() {
	_, demo, client := simulation()
	ctx := context.Background()
	shipment, err := client.Shipments.StopTracking(ctx, demo.Shipments[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shipment.LineTrackingStoppedAt, shipment.LineTrackingStoppedReason)

	shipment, err = client.Shipments.ResumeTracking(ctx, demo.Shipments[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shipment.LineTrackingStoppedAt.IsZero())
	// Output:
	// 2024-07-01 20:00 UTC cancelled_by_user
	// true
}

func ExampleShipmentsService_ResumeTracking() {
	_, demo, client := simulation()
	shipment, err := client.Shipments.ResumeTracking(context.Background(), demo.Shipments[0])
	fmt.Println(shipment.LineTrackingStoppedAt.IsZero(), err)
	// Output: true <nil>
}

func ExampleShippingLinesService_List() {
	_, _, client := simulation()
	lines, err := client.ShippingLines.List(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range lines {
		if !line.Supports(terminal49.RequestContainer) {
			fmt.Println(line.SCAC, line.ShortName)
		}
	}
	// Output:
	// TEST Test
	// ZIMU ZIM
}

func ExampleShippingLinesService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	for line, err := range client.ShippingLines.All(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if line.SCAC == "MAEU" {
			again, err := client.ShippingLines.Get(ctx, line.ID)
			fmt.Println(again.Name, again.AlternativeSCACs, err)
		}
	}
	// Output: Maersk [SEAU] <nil>
}

// Any part of the client can be what your code depends on: declare the one method you need.
func Example_interface() {
	_, demo, client := simulation()
	fmt.Println(label(context.Background(), client.Shipments, demo.Shipments[1]))
	fmt.Println(label(context.Background(), fakeShipments{}, "any"))
	// Output:
	// MSCU240988417 (MSC) <nil>
	// FAKE123 (Fake Line) <nil>
}

// shipmentGetter is all that label needs; *terminal49.ShipmentsService has it, and so does a fake of three lines.
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

func (fakeShipments) Get(context.Context, string, *terminal49.ShipmentGetParams, ...terminal49.CallOption) (*terminal49.Shipment, error) {
	return &terminal49.Shipment{BillOfLadingNumber: "FAKE123", ShippingLineShortName: "Fake Line"}, nil
}

// Middleware wraps every attempt, as otelhttp.NewTransport does, and can ask which call it belongs to.
func ExampleWithMiddleware() {
	service, demo, _ := simulation()
	service.Fault(terminal49test.Fault{Operation: "shipments.get", Status: http.StatusServiceUnavailable})
	trace := func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if call, ok := terminal49.CallFromContext(req.Context()); ok && err == nil {
				fmt.Println(call.Op, call.Route, call.Attempt, resp.StatusCode)
			}
			return resp, err
		})
	}
	client := connect(service, terminal49.WithMiddleware(trace), terminal49.WithRetry(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
	_, err := client.Shipments.Get(context.Background(), demo.Shipments[0], nil)
	fmt.Println(err)
	// Output:
	// shipments.get /shipments/{id} 1 503
	// shipments.get /shipments/{id} 2 200
	// <nil>
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func ExampleWithLogger() {
	service, demo, _ := simulation()
	onlyStable := func(_ []string, a slog.Attr) slog.Attr {
		if slices.Contains([]string{"time", "duration", "limiter_wait", "bytes"}, a.Key) {
			return slog.Attr{}
		}
		return a
	}
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: onlyStable}))
	_, err := connect(service, terminal49.WithLogger(logger)).Shipments.Get(context.Background(), demo.Shipments[0], nil)
	if err != nil {
		fmt.Println(err)
	}
	// Output: level=DEBUG msg="terminal49 request" op=shipments.get method=GET route=/shipments/{id} attempt=1 status=200
}

func ExampleWithHooks() {
	service, _, _ := simulation()
	service.Fault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusTooManyRequests, RetryAfter: terminal49test.RetryAfterSeconds(0)})
	client := connect(service, terminal49.WithHooks(terminal49.Hooks{
		OnRetry: func(_ context.Context, r terminal49.Retry) { fmt.Println("retry of", r.Op, "after", r.Status) },
	}))
	page, err := client.Shipments.List(context.Background(), nil)
	fmt.Println(len(page.Items), err)
	// Output:
	// retry of shipments.list after 429
	// 6 <nil>
}

// A batch job can afford more patience than the defaults, a web handler less.
func ExampleWithRetry() {
	service, _, _ := simulation()
	service.Fault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway, Times: 5})
	batch := connect(service, terminal49.WithRetry(terminal49.RetryPolicy{MaxAttempts: 10, MinBackoff: time.Millisecond, MaxBackoff: 5 * time.Millisecond}))
	var response terminal49.Response
	_, err := batch.Shipments.List(context.Background(), nil, terminal49.WithResponse(&response))
	fmt.Println(response.Attempts, err)

	service.Fault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway})
	_, err = batch.Shipments.List(context.Background(), nil, terminal49.WithMaxAttempts(1)) // for this call only
	fmt.Println(errors.Is(err, terminal49.ErrServer))
	// Output:
	// 6 <nil>
	// true
}

// Several clients of one API key share its limits.
func ExampleNewLimiter() {
	service, _, _ := simulation()
	limiter, err := terminal49.NewLimiter(terminal49.Limits{PerSecond: 5})
	if err != nil {
		fmt.Println(err)
		return
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

// Do makes calls that there is no method for yet.
func ExampleClient_Do() {
	_, demo, client := simulation()
	var answer struct {
		Data struct {
			Attributes map[string]any
		}
	}
	err := client.Do(context.Background(), terminal49.Request{
		Method: http.MethodGet, Path: "/shipments/" + demo.Shipments[0],
	}, &answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Data.Attributes["bill_of_lading_number"])
	// Output: MAEU240711002
}

// Raw has the members of a resource that this package does not know.
func ExampleWithRawJSON() {
	service, demo, client := simulation()
	service.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"carbon_kg": 912}
	})
	shipment, err := client.Shipments.Get(context.Background(), demo.Shipments[0], nil, terminal49.WithRawJSON())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(string(shipment.Raw()), `"carbon_kg":912`))
	// Output: true
}
