package main

import (
	"context"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// rules applies the pure functions to every container.
func rules(ctx context.Context, a *account) error {
	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for container, err := range a.client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		number, err := terminal49.ParseContainerNumber(container.Number)
		if err != nil {
			return err
		}
		verdict := terminal49.Assess(container, a.service.Now(), terminal49.VerdictOptions{})
		milestones := terminal49.Journey(container, terminal49.JourneyOptions{})
		if len(milestones) == 0 {
			return fmt.Errorf("container %s has no milestones", number)
		}
		say("%s %s %-8s milestones: %d", number, verdict, verdict.Urgency, len(milestones))
	}

	before := &terminal49.Container{AvailableForPickup: terminal49.Some(false), Holds: []terminal49.Hold{}}
	after := &terminal49.Container{
		AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{},
		PODTerminal: terminal49.Included("t1", &terminal49.Terminal{Nickname: "WBCT"}),
	}
	changes := terminal49.DiffContainers(before, after).Changes(after)
	say("became ready: %t; formatted: %s", changes.BecameReady(), terminal49.FormatMoney(decimal.New(130_000, -2), "USD"))
	eta := terminal49.NewTime(a.service.Now(), "America/Los_Angeles")
	slipped := terminal49.DiffShipments(&terminal49.Shipment{PODETA: eta}, &terminal49.Shipment{PODATA: eta})
	slip, ok := slipped.PODETA.Slip()
	say("slip: %v %t %q; arrived: %v; other vessel: %t", slip, ok, slipped.PODETA.Move(), slipped.PODATA.New, slipped.VesselChanged())
	return costs(after, a.service.Now())
}

// costs estimates what a stay costs that has not begun.
func costs(container *terminal49.Container, now time.Time) error {
	tariff, err := demurrage.ParseTariff([]byte(`{"currency": "USD", "charges": [{"kind": "demurrage", "starts": ["discharge"], "stops": "full_out",
		"free_days": 4, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "75.00"}]}]}`))
	if err != nil {
		return err
	}
	estimate, err := tariff.Estimate(demurrage.StayOf(container), terminal49.DateOf(now))
	if err != nil {
		return err
	}
	say("cost: %s", estimate)
	return nil
}
