package main

import (
	"context"
	"errors"
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
	cmd := a.listing(&cobra.Command{
		Use:   "shipments [ID|NUMBER...]",
		Short: "List shipments, or show some of them",
		Long:  "List shipments, the newest first, or show some of them. A NUMBER is the bill of lading or booking number that was tracked.",
		RunE: func(cmd *cobra.Command, which []string) error {
			if active || stopped {
				params.TrackingStopped = terminal49.Some(stopped)
			}
			if err := checkID("customer", params.Filter.CustomerID, "a party", "t49 parties NAME prints it"); err != nil {
				return err
			}
			which, err := a.chosen(cmd, which, "active", "stopped", "pod", "customer", "search")
			if err != nil {
				return err
			}
			return a.listShipments(cmd.Context(), which, params)
		},
	}, "shipments.list")
	a.numbered(cmd, false)
	flags := cmd.Flags()
	flags.BoolVar(&active, "active", false, "only those that are tracked")
	flags.BoolVar(&stopped, "stopped", false, "only those that are not tracked any more")
	flags.StringSliceVar(&params.Filter.PODCode, "pod", nil, "only these ports of discharge, UN/LOCODE `codes`")
	flags.StringSliceVar(&params.Filter.CustomerID, "customer", nil, "only these customers, `ids` of parties")
	flags.StringVar(&params.Filter.Search, "search", "", "only those whose number, reference or container begins with this `text`")
	cmd.MarkFlagsMutuallyExclusive("active", "stopped")
	cmd.AddCommand(a.tracking("stop", (*terminal49.ShipmentsService).StopTracking), a.tracking("resume", (*terminal49.ShipmentsService).ResumeTracking),
		a.references())
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
		params.PageSize = a.pageSize()
		return printList(t, client.Shipments.All(ctx, &params, terminal49.WithResponse(&a.read)), show)
	}
	var failed error
	for _, one := range which {
		found, err := findShipments(ctx, client, one)
		failed = errors.Join(failed, of(one, err))
		for _, s := range found {
			failed = errors.Join(failed, of(one, show(s)))
		}
	}
	return t.end(failed)
}

// findShipments returns the shipment with an id, or those with a number; errNotFound if there is
// none. A number without letters and digits would select every shipment.
func findShipments(ctx context.Context, client *terminal49.Client, which string) ([]*terminal49.Shipment, error) {
	if isID(which) {
		s, err := client.Shipments.Get(ctx, which, nil)
		if err != nil {
			return nil, err
		}
		return []*terminal49.Shipment{s}, nil
	}
	if !strings.ContainsFunc(which, isAlphanumeric) {
		return nil, errNoNumber
	}
	for _, number := range unique([]string{which, terminal49.NormalizeContainerNumber(which)}) { // as it is, and without spaces and dashes
		if found, err := shipmentsWith(ctx, client, number); len(found) > 0 || err != nil {
			return found, err
		}
	}
	return nil, errNotFound
}

func shipmentsWith(ctx context.Context, client *terminal49.Client, number string) (found []*terminal49.Shipment, err error) {
	for s, err := range client.Shipments.All(ctx, &terminal49.ShipmentListParams{Number: number}) {
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}

// errNoNumber means that a number would select everything.
var errNoNumber = usageError{errors.New("NUMBER must contain a letter or a digit")}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
