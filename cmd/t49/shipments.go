package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

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
// none. A number without letters and digits would select every shipment.
func findShipments(ctx context.Context, client *terminal49.Client, which string) ([]*terminal49.Shipment, error) {
	if isID(which) {
		s, err := client.Shipments.Get(ctx, which, nil)
		return []*terminal49.Shipment{s}, err
	}
	if !strings.ContainsFunc(which, isAlphanumeric) {
		return nil, usageError{errors.New("NUMBER must contain a letter or a digit")}
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

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// oneShipment returns the shipment with an id or number, for a write. The service may ignore the
// filter, so the number is compared.
func oneShipment(ctx context.Context, client *terminal49.Client, which string) (*terminal49.Shipment, error) {
	found, err := findShipments(ctx, client, which)
	switch {
	case err != nil:
		return nil, err
	case len(found) > 1:
		return nil, usageError{fmt.Errorf("%d shipments were found by this number; use an id", len(found))}
	case !isID(which) && !hasNumber(found[0], which):
		return nil, usageError{fmt.Errorf("the shipment that was found by this number has the number %q; if it is meant, use its id %s",
			found[0].BillOfLadingNumber, found[0].ID)}
	}
	return found[0], nil
}

// hasNumber reports whether a shipment has a number, as submitted or in the form of its line.
// Spaces, dashes and case are ignored.
func hasNumber(s *terminal49.Shipment, number string) bool {
	number = terminal49.NormalizeContainerNumber(number)
	return number == terminal49.NormalizeContainerNumber(s.BillOfLadingNumber) ||
		number == terminal49.NormalizeContainerNumber(s.NormalizedNumber)
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
			found, err := oneShipment(cmd.Context(), client, which[0])
			if err != nil {
				return err
			}
			s, err := do(client.Shipments, cmd.Context(), found.ID)
			if err != nil {
				return err
			}
			t := a.print("BILL OF LADING", "TRACKING STOPPED")
			return t.end(t.row(s, s.BillOfLadingNumber, s.LineTrackingStoppedAt.String()))
		},
	}
}
