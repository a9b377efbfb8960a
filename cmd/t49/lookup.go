package main

import (
	"iter"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) search() *cobra.Command {
	return a.listing(&cobra.Command{
		Use:   "search TEXT",
		Short: "Find shipments, containers and tracking requests by part of their numbers",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, text []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			hits, err := client.Search.Query(cmd.Context(), text[0])
			if err != nil {
				return err
			}
			t := a.print("WHAT", "NUMBER", "LINE", "TO", "ID")
			return printList(t, succeeded(hits), func(hit *terminal49.SearchHit) error {
				return t.row(hit, string(hit.Kind()), hit.Number, hit.SCAC, hit.PortOfDischargeName, hit.ID)
			})
		},
	}, "search.query")
}

// succeeded returns a list that was read at once in the form of one that is read by pages.
func succeeded[R any](list []R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (a *app) shippingLines() *cobra.Command {
	return a.listing(&cobra.Command{
		Use:     "shipping-lines [TEXT]",
		Aliases: []string{"lines"},
		Short:   "List the shipping lines that the account can track",
		Long:    "List the shipping lines that the account can track, or those that match a name or a SCAC, the best match first.",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, text []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			lines, err := client.ShippingLines.List(cmd.Context())
			if err != nil {
				return err
			}
			if len(text) > 0 {
				lines = terminal49.SearchShippingLines(lines, text[0])
				if len(lines) == 0 {
					return noMatch("no shipping line matches " + text[0] + "; without a name, all are listed")
				}
			}
			t := a.print("SCAC", "NAME", "BILL OF LADING", "BOOKING", "CONTAINER")
			return printList(t, succeeded(lines), func(l *terminal49.ShippingLine) error {
				return t.row(l, l.SCAC, l.Name, yesNo(l.BillOfLadingTrackingSupport), yesNo(l.BookingNumberTrackingSupport),
					yesNo(l.ContainerNumberTrackingSupport))
			})
		},
	}, "shipping_lines.list")
}

// noMatch is the error of a name that nothing has.
type noMatch string

// Error implements error.
func (e noMatch) Error() string { return string(e) }

// Is makes it an ErrNotFound.
func (e noMatch) Is(target error) bool { return target == terminal49.ErrNotFound }

func (a *app) parties() *cobra.Command {
	return a.listing(&cobra.Command{
		Use:   "parties [TEXT]",
		Short: "List the companies of the account, or those whose names contain a text",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, text []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			params := terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: a.pageSize()}}
			if len(text) > 0 {
				params.Query = text[0]
			}
			t := a.print("NAME", "ID")
			return printList(t, client.Parties.All(cmd.Context(), &params, terminal49.WithResponse(&a.read)), func(p *terminal49.Party) error {
				return t.row(p, p.CompanyName, p.ID)
			})
		},
	}, "parties.list")
}
