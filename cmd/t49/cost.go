package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// costFlags are the flags of cost.
type costFlags struct {
	tariff, until string
	days          bool

	is   *demurrage.Tariff
	last terminal49.Date
}

func (a *app) cost() *cobra.Command {
	var f costFlags
	cmd := a.numbered(a.tabular(&cobra.Command{
		Use:   "cost ID|NUMBER... --tariff FILE",
		Short: "Estimate what a stay costs until a day, by a tariff of yours",
		Long: `Estimate what a stay costs until a day, and what one more day costs, by a tariff of yours:
demurrage, detention (per diem) and storage. --days prints each day, with the reason.
What is not reported makes a range, or is unknown; it is never zero. Fees that the terminal
has posted are in "t49 fees". The form of a tariff is described in
https://github.com/go-freight/terminal49/blob/main/docs/money.md`,
		Example: `  t49 cost MSCU1234566 --tariff contract.json --until 2026-12-04
  t49 cost MSCU1234566 --tariff contract.json --until 2026-12-04 --days`,
		RunE: func(cmd *cobra.Command, which []string) error {
			if err := a.readTariff(cmd.Context(), &f); err != nil {
				return err
			}
			return a.costOf(cmd.Context(), which, &f)
		},
	}, ""), true)
	cmd.Flags().StringVar(&f.tariff, "tariff", "", "`file` of JSON with the tariff, or - for standard input")
	cmd.Flags().StringVar(&f.until, "until", "", "the last `day` that counts, such as 2026-12-04 (default today, at the container's place)")
	cmd.Flags().BoolVar(&f.days, "days", false, "print each day")
	completeFiles(cmd, "tariff")
	return cmd
}

// mostTariff bounds the file of a tariff, in bytes.
const mostTariff = 4 << 20

// readTariff reads what the flags name.
func (a *app) readTariff(ctx context.Context, f *costFlags) (err error) {
	switch {
	case len(a.fields) > 0:
		return usageError{errors.New("--fields works with resources only")}
	case f.tariff == "":
		return usageError{errors.New("--tariff is required: a file with what a day costs; see docs/money.md")}
	}
	if f.until != "" {
		if f.last, err = terminal49.ParseDate(f.until); err != nil {
			return usageError{fmt.Errorf("--until %s is not a day such as 2026-12-04", plain(f.until))}
		}
	}
	text, err := a.readFile(ctx, f.tariff, mostTariff)
	if err != nil {
		return err
	}
	f.is, err = demurrage.ParseTariff(text)
	var argument *terminal49.ArgumentError
	if errors.As(err, &argument) {
		return usageError{fmt.Errorf("--tariff %s: %s %s", fileName(f.tariff), plain(argument.Field), plain(argument.Problem))}
	}
	return err
}

// costs is a row of cost, in JSON.
type costs struct {
	*demurrage.Estimate
	ID         string                 `json:"id"`
	OneMoreDay demurrage.Amount       `json:"one_more_day"`
	Posted     []demurrage.Comparison `json:"posted"` // the estimate until the last check of the terminal, and what it has posted
}

// MarshalJSON implements json.Marshaler.
func (c costs) MarshalJSON() ([]byte, error) {
	type plainCosts costs
	return json.Marshal(plainCosts(c))
}

func (a *app) costOf(ctx context.Context, which []string, f *costFlags) error {
	columns := []string{"CONTAINER", "CHARGE", "UNTIL", "COST", "FREE UNTIL", "ONE MORE DAY", "NOT KNOWN"}
	if f.days {
		columns = []string{"CONTAINER", "CHARGE", "DAY", "COST", "WHY"}
	}
	t := a.print(columns...)
	return t.end(a.each(ctx, which, presentRecord, func(c *terminal49.Container) error {
		row, err := f.costs(c, time.Now())
		switch {
		case err != nil:
			return err
		case a.json:
			return t.row(row)
		case f.days:
			t.dayCells(c, row.Estimate)
		default:
			t.costCells(c, row)
		}
		return nil
	}))
}

// costs estimates what a container costs.
func (f *costFlags) costs(c *terminal49.Container, now time.Time) (row costs, err error) {
	stay, until := demurrage.StayOf(c), f.last
	if until.IsZero() {
		until = demurrage.DayAt(c, now)
	}
	if row.Estimate, err = f.is.Estimate(stay, until); err != nil {
		return row, err
	}
	row.ID = c.ID
	if row.OneMoreDay, err = f.is.CostOfMoreDays(stay, until, 1); err != nil {
		return row, err
	}
	if checked, known := c.TerminalCheckedAt.Instant(); known && len(c.Fees) > 0 {
		then, err := f.is.Estimate(stay, demurrage.DayAt(c, checked))
		if err != nil {
			return row, err
		}
		row.Posted = demurrage.Compare(then, c.Fees)
	}
	return row, nil
}

func (t *table) dayCells(c *terminal49.Container, e *demurrage.Estimate) {
	for _, charge := range e.Charges {
		for _, day := range charge.Days {
			t.cells(c.Number, string(charge.Kind), day.Date.String(), day.Amount.Format(e.Currency), day.Why)
		}
	}
}

func (t *table) costCells(c *terminal49.Container, row costs) {
	oneMore, several := row.OneMoreDay.Format(row.Currency), len(row.Charges) > 1
	for _, charge := range row.Charges {
		more := oneMore
		if several { // it is that of all charges
			more = ""
		}
		t.cells(c.Number, string(charge.Kind), row.Until.String(), charge.Amount.Format(row.Currency), charge.LastFreeDay.String(), more,
			strings.Join(charge.Notes, "; "))
	}
	if several {
		t.cells(c.Number, "total", row.Until.String(), row.Total.Format(row.Currency), "", oneMore, "")
	}
}
