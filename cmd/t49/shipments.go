package main

import (
	"context"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// isID recognizes the id of a resource. What is not one is a number.
var isID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`).MatchString

func (a *app) shipments() *cobra.Command {
	var params terminal49.ShipmentListParams
	var active, stopped bool
	cmd := &cobra.Command{
		Use:   "shipments [ID|NUMBER...]",
		Short: "List shipments, or show some of them",
		Long:  "List shipments, the newest first, or show some of them. A NUMBER is the bill of lading or booking number that was tracked.",
		RunE: func(cmd *cobra.Command, which []string) error {
			if active || stopped {
				params.TrackingStopped = terminal49.Some(stopped)
			}
			return a.listShipments(cmd.Context(), which, params)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&active, "active", false, "only those that are tracked")
	flags.BoolVar(&stopped, "stopped", false, "only those that are not tracked any more")
	flags.StringSliceVar(&params.Filter.PODCode, "pod", nil, "only these ports of discharge, UN/LOCODE `codes`")
	flags.StringSliceVar(&params.Filter.CustomerID, "customer", nil, "only these customers, `ids` of parties")
	flags.StringVar(&params.Filter.Search, "search", "", "only those whose number, reference or container begins with this `text`")
	cmd.MarkFlagsMutuallyExclusive("active", "stopped")
	cmd.AddCommand(a.tracking("stop", (*terminal49.ShipmentsService).StopTracking), a.tracking("resume", (*terminal49.ShipmentsService).ResumeTracking))
	return cmd
}

func (a *app) listShipments(ctx context.Context, which []string, params terminal49.ShipmentListParams) error {
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("BILL OF LADING", "LINE", "FROM", "TO", "ETA", "FIRST ETA", "ARRIVED", "CUSTOMER")
	show := func(s *terminal49.Shipment) error {
		return t.row(s, s.BillOfLadingNumber, s.ShippingLineSCAC, s.PortOfLadingName, s.PortOfDischargeName,
			s.PODETA.String(), s.PODOriginalETA.String(), s.PODATA.String(), s.CustomerName)
	}
	if len(which) == 0 {
		return printList(t, client.Shipments.All(ctx, &params), show)
	}
	for _, one := range which {
		found, err := findShipments(ctx, client, one)
		if err != nil {
			return t.end(fmt.Errorf("%s: %w", plain(one), err))
		}
		for _, s := range found {
			if err := show(s); err != nil {
				return err
			}
		}
	}
	return t.end(nil)
}

// findShipments returns the shipment with an id, or those with a number; errNotFound if there is
// none.
func findShipments(ctx context.Context, client *terminal49.Client, which string) ([]*terminal49.Shipment, error) {
	if isID(which) {
		s, err := client.Shipments.Get(ctx, which, nil)
		return []*terminal49.Shipment{s}, err
	}
	var found []*terminal49.Shipment
	for s, err := range client.Shipments.All(ctx, &terminal49.ShipmentListParams{Number: which}) {
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	if len(found) == 0 {
		return nil, errNotFound
	}
	return found, nil
}

// tracking returns a command that stops or resumes the tracking of a shipment.
func (a *app) tracking(verb string, do func(*terminal49.ShipmentsService, context.Context, string, ...terminal49.CallOption) (*terminal49.Shipment, error)) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " ID|NUMBER",
		Short: "Change a shipment: " + verb + " tracking all of its containers",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, which []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			found, err := findShipments(cmd.Context(), client, which[0])
			if err != nil {
				return err
			}
			if len(found) > 1 {
				return usageError{fmt.Errorf("%d shipments have this number; use an id", len(found))}
			}
			s, err := do(client.Shipments, cmd.Context(), found[0].ID)
			if err != nil {
				return err
			}
			t := a.print("BILL OF LADING", "TRACKING STOPPED")
			return t.end(t.row(s, s.BillOfLadingNumber, s.LineTrackingStoppedAt.String()))
		},
	}
}
