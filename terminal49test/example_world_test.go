package terminal49test_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Half of the notifications are never delivered. The service's log has all of them.
func ExampleWithWebhookNoise() {
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: 0.5}))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	for serial := range 6 {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", serial)})
	}
	srv.Advance(time.Minute)
	for _, n := range srv.WebhookNotifications() {
		fmt.Println(n.Event, n.DeliveryStatus)
	}
	// Output:
	// container.created pending
	// container.created succeeded
	// container.created pending
	// container.created pending
	// container.created succeeded
	// container.created pending
}

// A million containers, which take no memory until they change.
func ExampleWithSyntheticContainers() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSyntheticContainers(1_000_000))
	defer srv.Close()
	srv.TouchContainers(100, time.Hour) // 100 of them change within an hour
	srv.Advance(time.Hour)

	resp, err := srv.HTTPClient().Do(newRequest(srv, "GET", "/shipments?include=containers&page[size]=100&page[number]=4000", ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	var page struct {
		Data, Included []json.RawMessage
		Meta           struct{ Total int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Data), len(page.Included), page.Meta.Total)
	// Output:
	// 100 250 400000
}

// A demonstration with 200 shipments. On the usual clock, such as with WithSpeed(3600), it moves by
// itself; here two days pass at once.
func ExampleServer_SeedTraffic() {
	events := map[string]int{}
	endpoint := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			Data struct{ Attributes struct{ Event string } }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			fmt.Println(err)
		}
		events[body.Data.Attributes.Event]++
	})
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithStart(time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)), terminal49test.WithSpeed(0))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.updated", "tracking_request.succeeded"}})
	shipments := srv.SeedTraffic(200)
	srv.Advance(48 * time.Hour)

	fmt.Println(len(shipments) > 150, events["container.updated"] > 20, events["tracking_request.succeeded"] > 2)
	// Output:
	// true true true
}

// A hold is placed on a container of the demonstration, now.
func ExampleServer_Step() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.SeedDemo()
	id, _ := srv.ContainerID("MSKU7182047")
	srv.Step(id, terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"}))
	container, _ := srv.Container(id)
	fmt.Println(container.Holds[0].Name)
	// Output: customs
}

// A program serves the simulator on its own socket, with the files of documents below /files.
func ExampleWithStorageURL() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStorageURL("/files"))
	socket := httptest.NewServer(srv)
	defer socket.Close()

	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(socket.URL+"/v2"))
	if err != nil {
		log.Fatal(err)
	}
	document, err := client.Documents.Upload(context.Background(), terminal49.DocumentFile{
		FileName: "invoice.pdf", ContentType: "application/pdf", Content: strings.NewReader("%PDF-1.7"),
	})
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder
	if _, err := client.Documents.Download(context.Background(), document.ID, &file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.String())
	for _, r := range srv.Requests() {
		fmt.Println(r.Operation, strings.HasPrefix(r.Path, "/files/"))
	}
	// Output:
	// %PDF-1.7
	// documents.direct_upload false
	// storage.put true
	// documents.create false
	// documents.download_url false
	// storage.get true
}

// status returns the status of a GET request.
func status(srv *terminal49test.Server, path string) int {
	resp, err := srv.HTTPClient().Do(newRequest(srv, "GET", path, ""))
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}

// A server with another seed has another account, as a token of another customer has: GET /me names
// it, and nothing of the first account exists there.
func ExampleWithSeed() {
	ours := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer ours.Close()
	theirs := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(2))
	defer theirs.Close()
	shipments := ours.SeedTraffic(10)
	theirs.SeedTraffic(10)

	fmt.Println(ours.AccountID == theirs.AccountID, ours.Token == theirs.Token)
	fmt.Println(status(ours, "/shipments/"+shipments[0]), status(theirs, "/shipments/"+shipments[0]))
	// Output:
	// false true
	// 200 404
}

// An account without the features that cost extra, and on which a program's errors can be tried.
func ExampleWithoutRouting() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRouting(), terminal49test.WithoutRefresh(),
		terminal49test.WithoutDocuments(), terminal49test.WithoutWebhooks(), terminal49test.WithBrokenCustomFieldList())
	client, ctx := newClient(srv), context.Background()
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})

	_, mapped := client.Containers.Map(ctx, container)
	_, refreshed := client.Containers.Refresh(ctx, container)
	_, documents := client.Documents.List(ctx, nil)
	_, webhooks := client.Webhooks.List(ctx, nil)
	for _, err := range []error{mapped, refreshed, documents, webhooks} {
		fmt.Println(errors.Is(err, terminal49.ErrForbidden))
	}
	_, fields := client.CustomFields.List(ctx, nil, terminal49.WithMaxAttempts(1))
	fmt.Println(errors.Is(fields, terminal49.ErrServer))
	// Output:
	// true
	// true
	// true
	// true
	// true
}

// A service with a token of its own, on an address that is known beforehand, with lower limits.
func ExampleWithListener() {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a fixed port, such as 127.0.0.1:8051
	if err != nil {
		log.Fatal(err)
	}
	srv := terminal49test.NewServer(terminal49test.WithListener(listener), terminal49test.WithToken("a-key-of-the-test"),
		terminal49test.WithRateLimits(map[string]int{"default": 2}), terminal49test.WithLog(1))
	defer srv.Close()
	client, err := terminal49.New("a-key-of-the-test", terminal49.WithBaseURL("http://"+listener.Addr().String()+"/v2"),
		terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1))
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		_, err := client.ShippingLines.List(context.Background())
		fmt.Println(errors.Is(err, terminal49.ErrRateLimited))
	}
	fmt.Println(srv.RequestCount(), "requests,", len(srv.RequestsAfter(1)), "kept after the first")
	// Output:
	// false
	// false
	// true
	// 3 requests, 1 kept after the first
}
