package terminal49test_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

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

// The service answers 404 for everything until the fault is cleared. A copy must not take that for
// a deletion.
func ExampleServer_AddFault_everythingIsNotFound() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	shipments := srv.SeedTraffic(10)

	srv.AddFault(terminal49test.Fault{Status: 404, Shape: terminal49test.ShapeTitleOnly, Times: -1})
	fmt.Println(status(srv, "/me"), status(srv, "/shipments"), status(srv, "/shipments/"+shipments[0]))
	srv.ClearFaults()
	fmt.Println(status(srv, "/shipments/"+shipments[0]))
	// Output:
	// 404 404 404
	// 200
}

// The service switches a webhook off for a day: what happens then is not even in its log of
// notifications. After five failed notifications in a row it does so by itself.
func ExampleServer_UpdateWebhook() {
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(endpoint))
	defer srv.Close()
	webhook := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	add := func(serial int) {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", serial)})
		srv.Advance(24 * time.Hour)
	}
	add(1)
	srv.UpdateWebhook(webhook, func(h *terminal49test.Webhook) { h.Inactive = true })
	add(2)
	srv.UpdateWebhook(webhook, func(h *terminal49test.Webhook) { h.Inactive = false })
	add(3)

	fmt.Println(len(srv.WebhookNotifications()), "notifications of 3 containers")
	// Output:
	// 2 notifications of 3 containers
}
