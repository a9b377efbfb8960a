package terminal49test_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: the documentation of Server.Load: the world, its logs and its faults stay.
func TestLoad_WhatItRefusesChangesNothing(t *testing.T) {
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Times: 3})
	getAPI(t, srv, "/containers?sort=weight")
	before, violations := saved(t, srv), len(srv.Violations())
	world, _, _ := strings.Cut(before, "\n")
	removed := func(id, successor string) string {
		return fmt.Sprintf(`{"removed":{"type":"shipment","id":%q,"successor":%q}}`, id, successor)
	}
	for _, try := range []struct {
		lines []string
		want  terminal49test.LineError
	}{
		{[]string{world, world}, terminal49test.LineError{Line: 2, Name: "world"}},
		{[]string{world, "", `{"removed":{"type":"shipment"}}`}, terminal49test.LineError{Line: 3, Name: "removed", Member: "id"}},
		{[]string{world, `{"vessel":{"id":"v"},"party":{"id":"p"}}`}, terminal49test.LineError{Line: 2}},
		{[]string{world, `{"vessel":{"id":"v"}}`, `{"vessel":{"id":"v"}}`}, terminal49test.LineError{Line: 3, Name: "vessel", Member: "id"}},
		{[]string{world, removed("a", "b"), removed("b", "a")}, terminal49test.LineError{Line: 3, Name: "removed", Member: "successor"}},
		{[]string{world, `{"merged":{"shipment":"a","into":"b"}}`, `{"merged":{"shipment":"b","into":"a"}}`}, terminal49test.LineError{Line: 3, Name: "merged", Member: "into"}},
		{[]string{world, `{"poll_shipment":{"shipment":"a"}}`}, terminal49test.LineError{Line: 2, Name: "poll_shipment", Member: "at"}},
	} {
		var refused *terminal49test.LineError
		err := srv.Load(strings.NewReader(strings.Join(try.lines, "\n")))
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", try.lines[1:], err)
			continue
		}
		try.want.Problem = refused.Problem
		if *refused != try.want || refused.Problem == "" {
			t.Errorf("%s: %v", try.lines[1:], err)
		}
	}
	if saved(t, srv) != before || len(srv.Requests()) != 1 || len(srv.Violations()) != violations {
		t.Error("a world that was refused changed the server")
	}
}

// Source: the documentation of Server.Load and Server.Reset.
func TestLoad_TheClockGoesOnAtItsSpeedAndResetSetsThatOfTheOptions(t *testing.T) {
	srv := newServer(t)
	srv.SetSpeed(1e-6)
	var file bytes.Buffer
	other := newServer(t)
	if err := errors.Join(srv.Save(&file), other.Load(&file)); err != nil {
		t.Fatal(err)
	}
	if other.Speed() != 1e-6 {
		t.Errorf("speed %v", other.Speed())
	}
	if other.Reset(); other.Speed() != 0 || !other.Now().Equal(start) {
		t.Errorf("after Reset: speed %v, %v", other.Speed(), other.Now())
	}
}

// Source: the documentation of WithWebhookNoise, Redeliver and the service's webhooks.
func TestLoad_TheDeliveriesGoOn(t *testing.T) {
	var saves func()
	failing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if saves != nil {
			saves()
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	srv, _, change := newWebhookServer(t, failing, terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 2}))
	srv.SetWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3})
	change()
	var due, during bytes.Buffer
	if err := srv.Save(&due); err != nil {
		t.Fatal(err)
	}
	saves = func() {
		if saves = nil; srv.Save(&during) != nil {
			t.Error("cannot save while a receiver is asked")
		}
	}
	srv.Advance(time.Second)
	var between bytes.Buffer
	if err := srv.Save(&between); err != nil {
		t.Fatal(err)
	}
	middle := srv.Now()
	change()
	change()
	srv.Advance(30 * 24 * time.Hour)
	want := saved(t, srv)
	for name, file := range map[string]io.Reader{"due": &due, "during": &during, "between": &between} {
		other, _, _ := newWebhookServer(t, failing)
		if err := other.Load(file); err != nil {
			t.Fatal(err)
		}
		container := ""
		for r := range other.Snapshot("container") {
			container = r.ID
		}
		other.Advance(srv.Now().Sub(other.Now()) - 30*24*time.Hour)
		for _, available := range []bool{false, true} {
			other.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(available) })
		}
		other.Advance(30 * 24 * time.Hour)
		compareText(t, name, saved(t, other), want)
		if got, want := deliveriesAfter(other, middle), deliveriesAfter(srv, middle); got != want {
			t.Errorf("%s: deliveries\n%s\nwant\n%s", name, got, want)
		}
	}
}

// deliveriesAfter are the attempts after a time, in lines.
func deliveriesAfter(srv *terminal49test.Server, t time.Time) string {
	var text strings.Builder
	for _, d := range srv.WebhookDeliveries() {
		if d.At.After(t) {
			fmt.Fprintln(&text, d.At, d.Attempt, d.Status)
		}
	}
	return text.String()
}

// Source: the documentation of Redeliver and WebhookDeliveriesAfter.
func TestLoad_WhatWasDeliveredCanBeDeliveredAgain(t *testing.T) {
	in := &recordingEndpoint{}
	srv, _, change := newWebhookServer(t, in)
	change()
	srv.Advance(time.Second)
	file := saved(t, srv)
	if err := srv.Load(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	srv.Redeliver(srv.WebhookNotifications()[0].ID)
	srv.Advance(time.Second)
	if len(in.bodies) != 2 || in.bodies[1] != in.bodies[0] {
		t.Errorf("%d deliveries: %q", len(in.bodies), in.bodies)
	}
	if d := srv.WebhookDeliveriesAfter(1); len(d) != 1 {
		t.Errorf("the numbers begin again: %+v", d)
	}
}

// Source: five failed notifications in a row deactivate a webhook, as the package documents.
func TestLoad_FailuresInARowCountOn(t *testing.T) {
	failing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	srv, webhook, change := newWebhookServer(t, failing)
	for range 4 {
		change()
	}
	srv.Advance(48 * time.Hour)
	if err := srv.Load(strings.NewReader(saved(t, srv))); err != nil {
		t.Fatal(err)
	}
	if h, _ := srv.Webhook(webhook); h.Inactive {
		t.Error("deactivated too early")
	}
	change()
	srv.Advance(48 * time.Hour)
	if h, _ := srv.Webhook(webhook); !h.Inactive {
		t.Error("the fifth failure does not deactivate the webhook")
	}
}

// Source: the documentation of SetWebhookNoise and Server.Load.
func TestLoad_TheNoiseIsThatWhichWasSetLast(t *testing.T) {
	in := &recordingEndpoint{}
	srv, _, change := newWebhookServer(t, in)
	srv.SetWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 1})
	if err := srv.Load(strings.NewReader(saved(t, srv))); err != nil {
		t.Fatal(err)
	}
	change()
	srv.Advance(time.Minute)
	if len(in.bodies) != 2 {
		t.Errorf("%d deliveries, want 2 of the one notification", len(in.bodies))
	}
}
