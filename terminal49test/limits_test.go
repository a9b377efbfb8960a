package terminal49test_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestRateLimits(t *testing.T) {
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
				send := func() answer { return call(t, srv, c.method, c.path, c.body) }
				for i := range c.limit {
					if a := send(); a.status == 429 {
						t.Fatalf("request %d was refused, the limit is %d", i+1, c.limit)
					}
					time.Sleep(100 * time.Millisecond)
				}
				a := send()
				spent := time.Duration(c.limit) * 100 * time.Millisecond
				wait := time.Minute - spent
				if got := a.header.Get("Retry-After"); a.status != 429 || got != seconds(wait) {
					t.Errorf("%d with Retry-After %q, want 429 and %s", a.status, got, seconds(wait))
				}
				if a.at("errors/0/status") != "429" || a.at("errors/0/detail") == nil || a.has("errors/0/title") == (c.bucket == "infer") {
					t.Errorf("body %s", a.raw)
				}
				// Another bucket is not touched.
				other := get(t, srv, "/shipments")
				if c.bucket != "default" && other.status != 200 {
					t.Errorf("another bucket gave %d", other.status)
				}
				// A refused request does not count: at the end of the wait there is room for one.
				time.Sleep(wait)
				if a := send(); a.status == 429 {
					t.Error("refused although the first request is a minute old")
				}
				if a := send(); a.status != 429 {
					t.Error("the window does not roll: the second request is not a minute old yet")
				}
			})
		})
	}
}

func seconds(d time.Duration) string { return terminal49test.RetryAfterSeconds(d)(time.Time{}) }

func TestOwnLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithRateLimits(map[string]int{"default": 2, "refresh": 0}))
		for _, status := range []int{200, 200, http.StatusTooManyRequests} {
			want(t, get(t, srv, "/shipments"), status, nil)
		}
		want(t, call(t, srv, "PATCH", "/containers/x/refresh", ""), 429, nil)
		want(t, call(t, srv, "POST", "/tracking_requests/infer_number", `{"number":"MSKU7182047"}`), 200, nil)
		// The world's clock is not the one that limits go by.
		srv.Advance(time.Hour)
		want(t, get(t, srv, "/shipments"), 429, nil)
		time.Sleep(time.Minute)
		want(t, get(t, srv, "/shipments"), 200, nil)
	})
}

func TestFaultsAndLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithRateLimits(map[string]int{"default": 2}))
		srv.Fault(terminal49test.Fault{Status: 503})
		srv.Fault(terminal49test.Fault{Kind: terminal49test.FaultRefuse, Skip: 1})
		want(t, get(t, srv, "/shipments"), 503, nil) // received, so it counts
		if o := try(srv.HTTPClient(), request(t, srv, "GET", "/shipments", "")); o.err == nil {
			t.Error("the second request must find no connection")
		}
		want(t, get(t, srv, "/shipments"), 200, nil)
		want(t, get(t, srv, "/shipments"), 429, nil)
	})
}
