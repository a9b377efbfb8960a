package terminal49test_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestServer_Socket(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	a := sendRequest(t, http.DefaultClient, newAPIRequest(t, srv, "GET", "/shipments?page[size]=2", ""))
	checkReply(t, a, 200, map[string]any{"meta/total": 6.0, "links/self": srv.URL + "/shipments?page[size]=2"})
	srv.CheckViolations(t)
	srv.Close()
	srv.Close()
	if _, err := http.DefaultClient.Do(newAPIRequest(t, srv, "GET", "/shipments", "")); err == nil {
		t.Error("a closed server responded")
	}
}

func TestServer_Listener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := terminal49test.NewServer(terminal49test.WithListener(listener))
	defer srv.Close()
	if want := "http://" + listener.Addr().String() + "/v2"; srv.URL != want {
		t.Fatalf("URL %s, want %s", srv.URL, want)
	}
	client := &http.Client{}
	defer client.CloseIdleConnections()
	checkReply(t, sendRequest(t, client, newAPIRequest(t, srv, "GET", "/shipments", "")), 200, nil)

	if err := srv.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(newAPIRequest(t, srv, "GET", "/shipments", "")); err == nil {
		t.Error("the server responded after the shutdown")
	}
}

// Requests that outlast the context are cut off.
func TestServer_ShutdownEndsWithTheContext(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultSlow, Delay: time.Hour})
	answered := make(chan error, 1)
	client := &http.Client{}
	defer client.CloseIdleConnections()
	req := newAPIRequest(t, srv, "GET", "/shipments", "")
	go func() {
		resp, err := client.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	for len(srv.Requests()) == 0 {
		select {
		case err := <-answered:
			t.Fatalf("response before the shutdown: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := srv.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown returned %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("the request got a response after the shutdown")
	}
}

func TestServer_SeedDeterminesIDs(t *testing.T) {
	page := func(seed int64) string {
		srv := newServer(t, terminal49test.WithSeed(seed))
		srv.SeedDemo()
		return getAPI(t, srv, "/shipments?include=containers").raw
	}
	first, again, other := page(7), page(7), page(8)
	if first != again {
		t.Error("one seed produced two different pages")
	}
	if first == other {
		t.Error("two seeds produced the same page")
	}
}

func TestTransport_InvalidRequests(t *testing.T) {
	srv := newServer(t)
	req := newAPIRequest(t, srv, "GET", "/shipments", "")
	req.URL.Host, req.Host = "", ""
	if resp, err := srv.Transport().RoundTrip(req); err == nil {
		_ = resp.Body.Close()
		t.Error("a request without a host got a response")
	}
	req = newAPIRequest(t, srv, "GET", "/shipments", "")
	req.Header, req.Method = nil, ""
	resp, err := srv.Transport().RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Fatalf("%v %v", resp, err)
	}
	_ = resp.Body.Close()
	if _, err := resp.Body.Read(make([]byte, 1)); err == nil {
		t.Error("a closed body can be read")
	}
}

func TestServer_Authorization(t *testing.T) {
	srv := newServer(t, terminal49test.WithToken("right"))
	for _, header := range []string{"", "Token wrong", "Basic right", "Bearer wrong", "right"} {
		req := newAPIRequest(t, srv, "GET", "/shipments", "")
		req.Header.Set("Authorization", header)
		checkReply(t, sendRequest(t, srv.HTTPClient(), req), 401, map[string]any{"errors/0/detail": "Invalid or missing API token."})
	}
	checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
}

// Anyone who reaches a simulator that runs for weeks can send requests without a token.
func TestServer_BoundsWhatStrangersSend(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutRateLimits())
	body := strings.Repeat("x", 60<<10)
	for range 1000 {
		for _, path := range []string{"/shipments", "/" + strings.Repeat("a", 5000), "/tracking_requests?q=" + strings.Repeat("b", 5000)} {
			req := newAPIRequest(t, srv, "POST", path, body)
			req.Header.Set("Authorization", "Token wrong")
			if status := sendRequest(t, srv.HTTPClient(), req).status; status < 400 {
				t.Fatalf("status %d", status)
			}
		}
		req := newAPIRequest(t, srv, "GET", "", "")
		req.URL.Host, req.URL.Path, req.Host = "storage.terminal49.test", "/"+strings.Repeat("k", 5000), ""
		sendRequest(t, srv.HTTPClient(), req)
	}
	kept := 0
	for _, r := range srv.Requests() {
		kept += len(r.Body) + len(r.Path) + len(r.Query)
	}
	for _, v := range srv.Violations() {
		kept += len(v.String())
	}
	if kept == 0 || kept > 5<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
	before := len(srv.Requests())
	checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
	if got := len(srv.Requests()); got != before+1 {
		t.Errorf("%d requests are kept, want %d: one with the token is", got, before+1)
	}
}

func TestServer_SpeedsThatAreNone(t *testing.T) {
	for _, speed := range []float64{math.NaN(), math.Inf(-1), -1} {
		srv := newServer(t, terminal49test.WithSpeed(speed))
		if !srv.Now().Equal(start) {
			t.Errorf("speed %v: the clock runs", speed)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		srv := newServer(t, terminal49test.WithSpeed(math.Inf(1)))
		time.Sleep(24 * 365 * time.Hour)
		if year := srv.Now().Sub(start).Hours() / 24 / 365; year < 99 || year > 101 {
			t.Errorf("the clock is %v years ahead", year)
		}
		srv.Close()
	})
}

// Source: the documentation of WithStart.
func TestServer_StartsIn1970AtTheEarliest(t *testing.T) {
	first := time.Unix(0, 0).UTC()
	srv := newServer(t, terminal49test.WithStart(first))
	srv.SeedTraffic(100) // also of the weeks before
	srv.Advance(24 * time.Hour)
	defer func() {
		if p := fmt.Sprint(recover()); p != "terminal49test: WithStart must be in 1970 or later, not 1969-12-31T23:59:59Z" {
			t.Error(p)
		}
	}()
	terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStart(first.Add(-time.Second)))
}
