package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/worklist"
)

func (a *app) worklist() *cobra.Command {
	var asJSON bool
	opts := mirror.WorklistOptions{}
	cmd := &cobra.Command{
		Use:   "worklist WHAT",
		Short: "Print the containers of a kind, the most urgent first",
		Long: `Print the containers of a kind, the most urgent first. WHAT is waiting, overdue, imminent,
at_risk, owing, holds, arriving, eta_slipped, dwelling or empty_due, or a situation: pay_first,
ready, stale, held, unknown, not_released_inland, not_released, awaiting_transfer, on_rail, at_sea, before_voyage, out or returned.

It only reads the database. The last lines say how many there are, and whether the mirror has
stored something that it has not assessed yet.`,
		Example: `  terminal49-mirror worklist overdue
  terminal49-mirror worklist arriving --days 3 --limit 200
  terminal49-mirror worklist ready --json | jq -r .container.attributes.number`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for name, value := range map[string]int{"limit": opts.Limit, "days": opts.Days} {
				if value == 0 && cmd.Flags().Changed(name) {
					return usageError("--" + name + " must be at least 1, not 0; without it the default applies")
				}
			}
			return a.printWorklist(cmd.Context(), worklist.Work(args[0]), opts, asJSON)
		},
	}
	cmd.Flags().IntVar(&opts.Limit, "limit", 0, "how many to print at most, as a `number` (default 50)")
	cmd.Flags().IntVar(&opts.Days, "days", 0, "of arriving, eta_slipped, dwelling and empty_due, as a `number` (default 5, of eta_slipped 1)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print lines of JSON, with the container and its verdict")
	return cmd
}

func (a *app) printWorklist(ctx context.Context, what worklist.Work, opts mirror.WorklistOptions, asJSON bool) error {
	db, err := a.open(false)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	var of []mirror.Option
	if a.schema != "" {
		of = append(of, mirror.WithSchema(a.schema))
	}
	list, err := mirror.NewReader(db, of...).Worklist(ctx, what, time.Now(), opts)
	if err != nil {
		return explainFile(a.name(), err)
	}
	if asJSON {
		return a.worklistLines(list, list.Days[what])
	}
	return a.worklistTable(list, list.Days[what])
}

// workLine is a line of JSON.
type workLine struct {
	Container *terminal49.Container `json:"container"`
	Verdict   terminal49.Verdict    `json:"verdict"`
	Days      int                   `json:"days,omitempty"` // that were used, if the kind has days
}

func (a *app) worklistLines(list *mirror.Worklist, days int) error {
	lines := json.NewEncoder(jsonLines{a.out})
	lines.SetEscapeHTML(false)
	for _, item := range list.Items {
		if err := lines.Encode(workLine{item.Container, item.Verdict, days}); err != nil {
			return err
		}
	}
	if len(list.Items) < list.Total {
		a.complain(fmt.Sprintf("%d of %d; --limit prints more", len(list.Items), list.Total))
	}
	if list.Waiting > 0 {
		a.complain(waiting(list))
	}
	return nil
}

func (a *app) worklistTable(list *mirror.Worklist, days int) error {
	var rows [][]string
	for _, item := range list.Items {
		rows = append(rows, []string{item.Container.Number, item.Verdict.String()})
	}
	if err := printColumns(a.out, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%d of %d", len(list.Items), list.Total)
	if days > 0 {
		fmt.Fprintf(a.out, ", days: %d", days)
	}
	fmt.Fprintln(a.out)
	if list.Waiting > 0 {
		fmt.Fprintln(a.out, waiting(list))
	}
	return nil
}

func waiting(list *mirror.Worklist) string {
	return fmt.Sprintf("%d stored resources wait to be assessed, so the list may be incomplete; is terminal49-mirror run running?", list.Waiting)
}
