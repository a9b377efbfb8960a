package main

import (
	"context"
	"errors"

	"github.com/go-freight/terminal49"
)

// places finds a container by text, its voyage, and the places on the way.
func places(ctx context.Context, a *account) error {
	hits, err := a.client.Search.Query(ctx, "PO-10231")
	if err != nil {
		return err
	}
	for _, hit := range hits {
		say("search: %s %s", hit.Kind(), hit.Number)
	}
	port, err := a.client.Ports.Get(ctx, "USLAX")
	if err != nil {
		return err
	}
	terminal, err := a.client.Terminals.Get(ctx, port.Terminals.IDs()[0])
	if err != nil {
		return err
	}
	area, err := a.client.MetroAreas.Get(ctx, "USCHI")
	if err != nil {
		return err
	}
	say("%s (%s), %s at %s; %s (%s)", port.Name, port.TimeZone, terminal.Nickname, port.LOCODE, area.Name, area.TimeZone)

	voyage, err := a.client.Containers.Map(ctx, a.service.ContainerIDs(a.demo.Shipments[4])[0])
	if errors.Is(err, terminal49.ErrFeatureNotEnabled) {
		say("the account has no Routing Data")
		return nil
	}
	if err != nil {
		return err
	}
	for _, port := range voyage.Ports() {
		say("%s %s", port.Label, port.Name)
	}
	if at, ok := voyage.CurrentVessel(); ok {
		vessel, err := a.client.Vessels.Get(ctx, at.VesselID, nil)
		if err != nil {
			return err
		}
		say("%s, IMO %s, is due in %s on %v", vessel.Name, vessel.IMO, at.Arrival.Name, at.Arrival.At)
	}
	return nil
}
