package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// related is what a container is read with.
var related = []terminal49.ContainerInclude{
	terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal, terminal49.ContainerIncludePickupFacility,
	terminal49.ContainerIncludeTransportEvents,
}

func (a *app) containers() *cobra.Command {
	params := terminal49.ContainerListParams{Include: related}
	var statuses []string
	var holds, noHolds bool
	var countBy string
	cmd := &cobra.Command{
		Use:   "containers [ID|NUMBER...]",
		Short: "List containers, or show some of them",
		Long: `List containers, or show some of them. A NUMBER shows each tracked journey of that container;
for ready, fees, events and watch it means the journeys from which the container has not left.

--count-by prints how many containers there are by status, terminal, line or port, in one
request. "(not known)" is what the service does not know, such as the terminal of a
container at sea.`,
		RunE: func(cmd *cobra.Command, which []string) error {
			for _, status := range statuses {
				one := terminal49.ContainerStatus(status)
				if !one.Known() {
					return usageError{fmt.Errorf("--status %s is not a status of containers, such as available, not_available, on_ship or picked_up", plain(status))}
				}
				params.Filter.CurrentStatus = append(params.Filter.CurrentStatus, one)
			}
			if holds || noHolds {
				params.Filter.HasHolds = terminal49.Some(holds)
			}
			if cmd.Flags().Changed("count-by") {
				return a.countContainers(cmd.Context(), which, countBy, params.Filter)
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
	flags.StringVar(&countBy, "count-by", "", "count them instead, by `what`: status, terminal, line or port")
	cmd.MarkFlagsMutuallyExclusive("holds", "no-holds")
	cmd.AddCommand(a.refresh())
	return cmd
}

func (a *app) refresh() *cobra.Command {
	return &cobra.Command{
		Use:   "refresh ID|NUMBER...",
		Short: "Have the service check the sources of containers now; new data arrives later",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, which []string) error {
			return a.each(cmd.Context(), which, presentJourney, func(c *terminal49.Container) error {
				message, err := a.client.Containers.Refresh(cmd.Context(), c.ID)
				if err != nil {
					return err
				}
				return a.say("%s  %s", c.Number, message)
			})
		},
	}
}

func (a *app) listContainers(ctx context.Context, which []string, params terminal49.ContainerListParams) error {
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("CONTAINER", "BILL OF LADING", "PLACE", "STATUS", "AVAILABLE", "HOLDS", "FEES", "LAST FREE DAY")
	show := func(c *terminal49.Container) error {
		v := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		return t.row(c, c.Number, billOfLading(c), place(v), string(c.CurrentStatus), available(c), holdNames(c),
			fees(v), day(v.LastFreeDay.At))
	}
	if len(which) > 0 {
		return t.end(a.each(ctx, which, everyJourney, show))
	}
	return printList(t, client.Containers.All(ctx, &params), show)
}

// each calls f with the containers that have these ids or numbers, as far as choose returns them. A
// number that no container has is reported, and the others are still shown. A no, which f printed,
// is joined without a name.
func (a *app) each(ctx context.Context, which []string, choose func([]*terminal49.Container) []*terminal49.Container, f func(*terminal49.Container) error) (failed error) {
	if _, err := a.connect(); err != nil {
		return err
	}
	for _, one := range which {
		found, err := a.find(ctx, one)
		if err == nil && len(found) == 0 {
			err = errNotFound
		}
		failed = errors.Join(failed, of(one, err))
		for _, c := range choose(found) {
			failed = errors.Join(failed, of(one, f(c)))
		}
	}
	return failed
}

// of adds what was asked for to an error.
func of(which string, err error) error {
	if err == nil || errors.Is(err, errNo) {
		return err
	}
	return fmt.Errorf("%s: %w", plain(which), err)
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

// everyJourney returns all containers with one number: one for each tracked journey of the box.
func everyJourney(found []*terminal49.Container) []*terminal49.Container { return found }

// presentJourney leaves out the journeys after which the container has left, unless it has left
// after all of them.
func presentJourney(found []*terminal49.Container) []*terminal49.Container {
	var present []*terminal49.Container
	for _, c := range found {
		switch terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Situation {
		case terminal49.SituationOut, terminal49.SituationReturned:
		default:
			present = append(present, c)
		}
	}
	if len(present) == 0 {
		return found
	}
	return present
}

// billOfLading is the number of a container's shipment, which was included.
func billOfLading(c *terminal49.Container) string {
	if s, ok := c.Shipment.Value(); ok {
		return s.BillOfLadingNumber
	}
	return ""
}

// place is where a container is, and "-> " with the place that it is bound for.
func place(v terminal49.Verdict) string {
	if next := v.BoundFor.String(); next != "" {
		return strings.TrimSpace(v.Place.String() + " -> " + next)
	}
	return v.Place.String()
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
