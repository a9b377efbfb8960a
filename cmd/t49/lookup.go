package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) search() *cobra.Command {
	return &cobra.Command{
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
			for _, hit := range hits {
				if err := t.row(hit, string(hit.Kind()), hit.Number, hit.SCAC, hit.PortOfDischargeName, hit.ID); err != nil {
					return err
				}
			}
			return t.end(nil)
		},
	}
}

func (a *app) shippingLines() *cobra.Command {
	return &cobra.Command{
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
			}
			t := a.print("SCAC", "NAME", "BILL OF LADING", "BOOKING", "CONTAINER")
			for _, l := range lines {
				err := t.row(l, l.SCAC, l.Name, yesNo(l.BillOfLadingTrackingSupport), yesNo(l.BookingNumberTrackingSupport),
					yesNo(l.ContainerNumberTrackingSupport))
				if err != nil {
					return err
				}
			}
			return t.end(nil)
		},
	}
}

func (a *app) parties() *cobra.Command {
	return &cobra.Command{
		Use:   "parties [TEXT]",
		Short: "List the companies of the account, or those whose names contain a text",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, text []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			var params terminal49.PartyListParams
			if len(text) > 0 {
				params.Query = text[0]
			}
			t := a.print("NAME", "ID")
			return printList(t, client.Parties.All(cmd.Context(), &params), func(p *terminal49.Party) error {
				return t.row(p, p.CompanyName, p.ID)
			})
		},
	}
}

func (a *app) me() *cobra.Command {
	return &cobra.Command{
		Use:   "me",
		Short: "Show whose API key it is, and what it may do",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			me, err := client.Me(cmd.Context())
			if errors.Is(err, terminal49.ErrNotFound) {
				return fmt.Errorf("the service does not report it yet: %w", err)
			}
			if err != nil {
				return err
			}
			account, _ := me.Account.Value()
			t := a.print("ACCOUNT", "KEY", "FEATURE", "STATUS")
			if a.json || len(me.Features) == 0 {
				return t.end(t.row(me, accountName(account), string(me.Kind)))
			}
			for _, feature := range me.Features {
				t.cells(accountName(account), string(me.Kind), string(feature.Feature), string(feature.Status))
			}
			return t.end(nil)
		},
	}
}

func accountName(account *terminal49.Account) string {
	if account == nil {
		return ""
	}
	return account.CompanyName
}
