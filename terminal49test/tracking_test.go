package terminal49test_test

import (
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func trackingRequest(t *testing.T, srv *terminal49test.Server, id string) terminal49test.TrackingRequest {
	t.Helper()
	r, ok := srv.TrackingRequest(id)
	if !ok {
		t.Fatalf("no tracking request %s", id)
	}
	return r
}

func TestTracking_Lifecycle(t *testing.T) {
	const hour, week = time.Hour, 7 * 24 * time.Hour
	type check struct {
		after    time.Duration // after the request was made
		status   string
		reason   string
		retrying bool
		tries    int
	}
	for name, c := range map[string]struct {
		journey terminal49test.Journey
		checks  []check
	}{
		"found at once": {terminal49test.Journey{}, []check{
			{4 * time.Second, "pending", "", false, 0}, {5 * time.Second, "created", "", false, 0}}},
		"found later": {terminal49test.Journey{TrackingDelay: hour}, []check{
			{59 * time.Minute, "pending", "", false, 0}, {hour, "created", "", false, 0}}},
		"two failed attempts": {terminal49test.Journey{FailedAttempts: 2}, []check{
			{5 * time.Second, "pending", "shipping_line_unreachable", true, 1},
			{15 * time.Second, "pending", "shipping_line_unreachable", true, 2},
			{34 * time.Second, "pending", "shipping_line_unreachable", true, 2},
			{35 * time.Second, "created", "", false, 2}}},
		"retries exhausted": {terminal49test.Journey{FailedAttempts: 14, RetryReason: "unrecognized_response"}, []check{
			{20 * hour, "pending", "unrecognized_response", true, 13}, {24 * hour, "failed", "retries_exhausted", false, 14}}},
		"not found": {terminal49test.Journey{Outcome: terminal49test.OutcomeFailed}, []check{
			{5 * time.Second, "failed", "not_found", false, 0}}},
		"cancelled": {terminal49test.Journey{Outcome: terminal49test.OutcomeFailed, FailedReason: "booking_cancelled"}, []check{
			{5 * time.Second, "failed", "booking_cancelled", false, 0}}},
		"manifest comes": {terminal49test.Journey{Outcome: terminal49test.OutcomeAwaitingManifest, ManifestAfter: 30 * hour}, []check{
			{6 * time.Second, "awaiting_manifest", "", false, 0}, {40 * hour, "awaiting_manifest", "", false, 0}, {49 * hour, "created", "", false, 0}}},
		"manifest never comes": {terminal49test.Journey{Outcome: terminal49test.OutcomeAwaitingManifest}, []check{
			{week - hour, "awaiting_manifest", "", false, 0}, {week + hour, "failed", "expired", false, 0}}},
		"wrong kind of request": {terminal49test.Journey{RequestType: "booking_number"}, []check{
			{5 * time.Second, "failed", "not_found", false, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			srv.Script("MAEU123456789", c.journey)
			id := createRequest(t, srv, "MAEU123456789", "MAEU")
			for _, l := range c.checks {
				srv.Advance(start.Add(l.after).Sub(srv.Now()))
				r := trackingRequest(t, srv, id)
				if r.Status != l.status || r.FailedReason != l.reason || r.IsRetrying != l.retrying || r.RetryCount != l.tries {
					t.Errorf("after %v: %s %q retrying=%v tries=%d, want %+v", l.after, r.Status, r.FailedReason, r.IsRetrying, r.RetryCount, l)
				}
				if (r.Shipment != "") != (l.status == "created") {
					t.Errorf("after %v: status %s with shipment %q", l.after, r.Status, r.Shipment)
				}
			}
			srv.CheckViolations(t)
		})
	}
}

func TestTracking_TestCarrier(t *testing.T) {
	srv := newServer(t)
	good, bad := createRequest(t, srv, "TEST-TR-SUCCEEDED", "TEST"), createRequest(t, srv, "TEST-TR-FAILED", "TEST")
	srv.Advance(time.Minute)
	if r := trackingRequest(t, srv, good); r.Status != "created" || r.Shipment == "" {
		t.Errorf("TEST-TR-SUCCEEDED is %s", r.Status)
	}
	if r := trackingRequest(t, srv, bad); r.Status != "failed" || r.FailedReason == "" {
		t.Errorf("TEST-TR-FAILED is %s", r.Status)
	}
	a := callAPI(t, srv, "POST", "/tracking_requests",
		`{"data":{"type":"tracking_request","attributes":{"request_type":"container","request_number":"MSKU7182047","scac":"TEST"}}}`)
	checkReply(t, a, 422, map[string]any{"errors/0/source/pointer": "/data/attributes/scac"})
}

func TestTracking_UnscriptedNumbers(t *testing.T) {
	for _, c := range []struct{ kind, number, scac, status, reason string }{
		{"bill_of_lading", "MAEU998877665", "MAEU", "created", ""},
		{"booking_number", "2613098841", "MAEU", "created", ""},
		{"container", "MSKU7182047", "MAEU", "created", ""},
		{"container", "MSKU7182048", "MAEU", "failed", "invalid_number"}, // wrong check digit
		// a container number
		{"bill_of_lading", "MSKU7182047", "MAEU", "failed", "invalid_number"},
		{"container", "MAEU998877665", "MAEU", "failed", "invalid_number"},
		{"bill_of_lading", "??", "MAEU", "failed", "invalid_number"},
	} {
		srv := newServer(t)
		id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: c.number, RequestType: c.kind, SCAC: c.scac})
		srv.Advance(time.Minute)
		r := trackingRequest(t, srv, id)
		if r.Status != c.status || r.FailedReason != c.reason {
			t.Errorf("%s %s: %s %q, want %s %q", c.kind, c.number, r.Status, r.FailedReason, c.status, c.reason)
		}
		if c.status == "created" {
			containers := srv.ContainerIDs(r.Shipment)
			if len(containers) < 1 || len(containers) > 2 {
				t.Errorf("%s has %d containers", c.number, len(containers))
			}
			if container, _ := srv.Container(containers[0]); c.kind == "container" && container.Number != c.number {
				t.Errorf("tracked %s, got %s", c.number, container.Number)
			}
		}
	}
}

func TestTracking_StopAndResume(t *testing.T) {
	srv := newServer(t)
	id := createRequest(t, srv, "MAEU123456789", "MAEU")
	srv.Advance(time.Minute)
	shipment := trackingRequest(t, srv, id).Shipment
	container := srv.ContainerIDs(shipment)[0]
	checkReply(t, callAPI(t, srv, "PATCH", "/shipments/"+shipment+"/stop_tracking", ""), 200, map[string]any{
		"data/relationships/line_tracking_stopped_by_user/data/id": srv.UserID})
	if s := trackingRequest(t, srv, id).Status; s != "tracking_stopped" {
		t.Errorf("the request has status %s", s)
	}
	srv.Advance(18 * 24 * time.Hour) // the vessel arrives meanwhile
	if c, _ := srv.Container(container); !c.PODArrivedAt.IsZero() {
		t.Error("an event arrived while tracking was stopped")
	}
	if again := createRequest(t, srv, "MAEU123456789", "MAEU"); again == id {
		t.Error("a new request must have a new id")
	} else {
		srv.Advance(time.Minute)
		if r := trackingRequest(t, srv, again); r.Shipment != shipment || r.Status != "created" {
			t.Errorf("tracking again led to %s %s", r.Status, r.Shipment)
		}
	}
	if s, _ := srv.Shipment(shipment); !s.LineTrackingStoppedAt.IsZero() || s.LineTrackingStoppedReason != "" {
		t.Error("tracking did not resume")
	}
	srv.Advance(20 * 24 * time.Hour)
	if c, _ := srv.Container(container); c.CurrentStatus != "empty_returned" {
		t.Errorf("after resuming the container has status %s", c.CurrentStatus)
	}
}
