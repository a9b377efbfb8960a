package terminal49test_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestRateLimits_RollingWindow(t *testing.T) {
	for _, c := range []struct {
		bucket, method, path, body string
		limit                      int
	}{
		{"default", "GET", "/shipments", "", 100},
		{"create", "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"container"}}}`, 100},
		{"infer", "POST", "/tracking_requests/infer_number", `{"number":"MSKU7182047"}`, 200},
		{"refresh", "PATCH", "/containers/nope/refresh", "", 10},
	} {
		t.Run(c.bucket, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(1000))
				send := func() testReply { return callAPI(t, srv, c.method, c.path, c.body) }
				for i := range c.limit {
					if a := send(); a.status == 429 {
						t.Fatalf("request %d was refused, the limit is %d", i+1, c.limit)
					}
					time.Sleep(100 * time.Millisecond)
				}
				a := send()
				spent := time.Duration(c.limit) * 100 * time.Millisecond
				wait := time.Minute - spent
				if got := a.header.Get("Retry-After"); a.status != 429 || got != retryAfterText(wait) {
					t.Errorf("%d with Retry-After %q, want 429 and %s", a.status, got, retryAfterText(wait))
				}
				if a.at("errors/0/status") != "429" || a.at("errors/0/detail") == nil || a.has("errors/0/title") == (c.bucket == "infer") {
					t.Errorf("body %s", a.raw)
				}
				// Other buckets are unaffected.
				other := getAPI(t, srv, "/shipments")
				if c.bucket != "default" && other.status != 200 {
					t.Errorf("another bucket returned %d", other.status)
				}
				// A refused request does not count: after the wait there is room for one.
				time.Sleep(wait)
				if a := send(); a.status == 429 {
					t.Error("refused when the first request is a minute old")
				}
				if a := send(); a.status != 429 {
					t.Error("accepted when the second request is not a minute old")
				}
			})
		})
	}
}

func retryAfterText(d time.Duration) string {
	return terminal49test.RetryAfterSeconds(d).Value(time.Time{})
}

func TestRateLimits_Configured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithRateLimits(map[string]int{"default": 2, "refresh": 0}))
		for _, status := range []int{200, 200, http.StatusTooManyRequests} {
			checkReply(t, getAPI(t, srv, "/shipments"), status, nil)
		}
		checkReply(t, callAPI(t, srv, "PATCH", "/containers/x/refresh", ""), 429, nil)
		checkReply(t, callAPI(t, srv, "POST", "/tracking_requests/infer_number", `{"number":"MSKU7182047"}`), 200, nil)
		// Rate limits do not use the simulated clock.
		srv.Advance(time.Hour)
		checkReply(t, getAPI(t, srv, "/shipments"), 429, nil)
		time.Sleep(time.Minute)
		checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
	})
}

func TestRateLimits_CountFaultedRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithRateLimits(map[string]int{"default": 2}))
		srv.AddFault(terminal49test.Fault{Status: 503})
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultRefuse, Skip: 1})
		checkReply(t, getAPI(t, srv, "/shipments"), 503, nil) // received, so it counts
		if o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "")); o.err == nil {
			t.Error("the second request must fail to connect")
		}
		checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
		checkReply(t, getAPI(t, srv, "/shipments"), 429, nil)
	})
}
