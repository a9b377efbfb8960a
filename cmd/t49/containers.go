package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// related is what a container is read with.
var related = []terminal49.ContainerInclude{
	terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal, terminal49.ContainerIncludePickupFacility,
}

func (a *app) containers() *cobra.Command {
	params := terminal49.ContainerListParams{Include: related}
	var statuses []string
	var holds, noHolds bool
	cmd := &cobra.Command{
		Use:   "containers [ID|NUMBER...]",
		Short: "List containers, or show some of them",
		RunE: func(cmd *cobra.Command, which []string) error {
			for _, status := range statuses {
				params.Filter.CurrentStatus = append(params.Filter.CurrentStatus, terminal49.ContainerStatus(status))
			}
			if holds || noHolds {
				params.Filter.HasHolds = terminal49.Some(holds)
			}
			return a.listContainers(cmd.Context(), which, params)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&statuses, "status", nil, "only these `statuses`, such as available")
	flags.StringSliceVar(&params.Filter.PODTerminalID, "terminal", nil, "only these terminals, `ids`")
	flags.StringSliceVar(&params.Filter.CustomerID, "customer", nil, "only these customers, `ids` of parties")
	flags.BoolVar(&holds, "holds", false, "only those with holds")
	flags.BoolVar(&noHolds, "no-holds", false, "only those whose terminal reported that there are none")
	cmd.MarkFlagsMutuallyExclusive("holds", "no-holds")
	return cmd
}

func (a *app) listContainers(ctx context.Context, which []string, params terminal49.ContainerListParams) error {
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("CONTAINER", "BILL OF LADING", "TERMINAL", "STATUS", "AVAILABLE", "HOLDS", "FEES", "LAST FREE DAY")
	show := func(c *terminal49.Container) error {
		return t.row(c, c.Number, billOfLading(c), terminal(c), string(c.CurrentStatus), available(c), holdNames(c),
			terminal49.SumFees(c.Fees).String(), day(c.PickupLFD))
	}
	if len(which) > 0 {
		return errors.Join(a.each(ctx, which, show), t.end())
	}
	for c, err := range client.Containers.All(ctx, &params) {
		if err == nil {
			err = show(c)
		}
		if err != nil {
			return errors.Join(err, t.end())
		}
	}
	return t.end()
}

// each calls f with the containers that have these ids or numbers. A number that no container has
// is reported, and the others are still shown.
func (a *app) each(ctx context.Context, which []string, f func(*terminal49.Container) error) (failed error) {
	if _, err := a.connect(); err != nil {
		return err
	}
	for _, one := range which {
		found, err := a.find(ctx, one)
		if err == nil && len(found) == 0 {
			err = errNotFound
		}
		for _, c := range found {
			err = errors.Join(err, f(c))
		}
		if err != nil && !errors.Is(err, errNo) {
			err = fmt.Errorf("%s: %w", plain(one), err)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func (a *app) find(ctx context.Context, which string) ([]*terminal49.Container, error) {
	params := &terminal49.ContainerGetParams{Include: related}
	if isID(which) {
		c, err := a.client.Containers.Get(ctx, which, params)
		if err != nil {
			return nil, err
		}
		return []*terminal49.Container{c}, nil
	}
	return a.client.Containers.FindByNumber(ctx, which, params)
}

// billOfLading is the number of a container's shipment, which was included.
func billOfLading(c *terminal49.Container) string {
	if s, ok := c.Shipment.Value(); ok {
		return s.BillOfLadingNumber
	}
	return ""
}

// terminal is where to pick a container up.
func terminal(c *terminal49.Container) string {
	if place, ok := c.PickupPlace(); ok {
		return place.Name
	}
	return ""
}

// available distinguishes "no" from "not known".
func available(c *terminal49.Container) string {
	yes, ok := c.AvailableForPickup.Get()
	switch {
	case !ok:
		return "unknown"
	case yes:
		return "yes"
	}
	return "no"
}

func holdNames(c *terminal49.Container) string {
	if c.Holds == nil {
		return "unknown"
	}
	var names []string
	for _, h := range c.Holds {
		name := string(h.Name)
		if h.Status != terminal49.HoldActive {
			name += " (" + string(h.Status) + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// day is the day of a time at its place.
func day(t terminal49.Time) string {
	if d, ok := t.Date(); ok {
		return d.String()
	}
	return t.String()
}
