package dispatch

import (
	"errors"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestDecide(t *testing.T) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	shipment := service.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	add := func(change func(*terminal49test.Container)) string {
		c := terminal49test.Container{ // released, nothing owed, checked just now
			Number: "MSKU7182047", Shipment: shipment, CurrentStatus: "available", AvailabilityKnown: terminal49test.Bool(true),
			AvailableForPickup: terminal49test.Bool(true), Holds: []terminal49test.Hold{}, Fees: []terminal49test.Fee{},
			PODDischargedAt: service.Now().Add(-48 * time.Hour), TerminalCheckedAt: service.Now(),
		}
		change(&c)
		return service.AddContainer(c)
	}
	for name, test := range map[string]struct {
		change func(*terminal49test.Container)
		want   Decision
	}{
		"released": {func(*terminal49test.Container) {}, Decision{Send, "WBCT (USLAX)"}},
		"owed": {func(c *terminal49test.Container) {
			c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: 250}}
		}, Decision{Pay, "WBCT (USLAX)"}},
		"availability is null": {func(c *terminal49test.Container) {
			c.AvailabilityKnown, c.AvailableForPickup, c.CurrentStatus = terminal49test.Bool(false), nil, "new"
		}, Decision{Do: Ask}},
		"held": {func(c *terminal49test.Container) {
			c.AvailableForPickup, c.CurrentStatus, c.Holds = terminal49test.Bool(false), "not_available", []terminal49test.Hold{{Name: "customs"}}
		}, Decision{Do: Wait}},
		"left, and still reported as available": {func(c *terminal49test.Container) {
			c.PODFullOutAt = service.Now().Add(-time.Hour)
		}, Decision{Do: Nothing}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Decide(t.Context(), client, add(test.change), service.Now())
			if err != nil || got != test.want {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}

	id := add(func(*terminal49test.Container) {})
	service.AddFault(terminal49test.Fault{Operation: "containers.get", Status: 403}) // not retried
	if got, err := Decide(t.Context(), client, id, service.Now()); !errors.Is(err, terminal49.ErrForbidden) || got != (Decision{}) {
		t.Errorf("%+v, %v for an error of the service", got, err)
	}
	if _, err := Decide(t.Context(), client, "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", service.Now()); !errors.Is(err, ErrNotOurs) {
		t.Errorf("%v for an id of another account", err)
	}
	service.CheckViolations(t)
}
