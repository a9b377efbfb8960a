package main

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// rules applies the pure functions to every container.
func rules(ctx context.Context, a *account) error {
	params := &terminal49.ContainerListParams{Include: []terminal49.ContainerInclude{
		terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal, terminal49.ContainerIncludeTransportEvents,
	}}
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
	say("slip: %v %t %q; arrived: %v; other vessel: %t", slip, ok, slipped.PODETA.Move(), slipped.PODATA.New, slipped.OtherVessel())
	return nil
}
