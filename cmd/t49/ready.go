package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) ready() *cobra.Command {
	var maxAge time.Duration
	cmd := a.tabular(&cobra.Command{
		Use:   "ready ID|NUMBER...",
		Short: "Show where containers are and what to do; exit status 0 if all can be picked up",
		Long: `Show where containers are and what to do; exit status 0 if all can be picked up.
A container can be picked up if it is at its place of pickup, the terminal has
released it, no hold is in force, and the data is complete and not too old.
Fees may still have to be paid first: the sentence of each container says so.
"unknown" is not "no": the terminal must be asked.`,
		RunE: func(cmd *cobra.Command, which []string) error {
			return a.whichReady(cmd.Context(), which, maxAge)
		},
	}, "")
	a.numbered(cmd, true)
	cmd.Flags().DurationVar(&maxAge, "max-age", 24*time.Hour, "how `long` ago the terminal may have been checked")
	return cmd
}

// judged is a row of ready, also in JSON.
type judged struct {
	ID        string               `json:"id"`
	Number    string               `json:"number"`
	CanPickUp terminal49.Opt[bool] `json:"can_pick_up"` // null if it is not known
	Verdict   terminal49.Verdict   `json:"verdict"`
}

// judge assesses a container.
func judge(c *terminal49.Container, now time.Time, maxAge time.Duration) judged {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{MaxAge: maxAge})
	canPickUp := terminal49.Some(v.Readiness.CanPickUp(now, maxAge))
	if v.Situation == terminal49.SituationUnknown || v.Situation == terminal49.SituationStale {
		canPickUp = terminal49.Null[bool]()
	}
	return judged{c.ID, c.Number, canPickUp, v}
}

// MarshalJSON implements json.Marshaler.
func (j judged) MarshalJSON() ([]byte, error) {
	type plainJudged judged
	return json.Marshal(plainJudged(j))
}

// cells are those of the row.
func (j judged) cells() []string {
	v := j.Verdict
	return []string{j.Number, yesNoUnknown(j.CanPickUp), day(v.LastFreeDay.At), daysLeft(v), fees(v), v.String()}
}

func (a *app) whichReady(ctx context.Context, which []string, maxAge time.Duration) error {
	switch {
	case len(a.fields) > 0:
		return usageError{errors.New("--fields works with resources only")}
	case maxAge <= 0:
		return usageError{errors.New("--max-age must be positive")}
	}
	now := time.Now()
	columns := []string{"CONTAINER", "PICK UP?", "LAST FREE DAY", "DAYS LEFT", "FEES", "WHAT TO DO"}
	if a.csv {
		columns = append(columns, "PLACE", "TERMINAL CHECKED")
	}
	t := a.print(columns...)
	err := a.each(ctx, which, presentRecord, func(c *terminal49.Container) error {
		j := judge(c, now, maxAge)
		cells := j.cells()
		if a.csv {
			cells = append(cells, place(j.Verdict), c.TerminalCheckedAt.String())
		}
		err := t.row(j, cells...)
		if ready, _ := j.CanPickUp.Get(); err == nil && !ready {
			err = errNo
		}
		return err
	})
	return t.end(err)
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// yesNoUnknown distinguishes "no" from "not known".
func yesNoUnknown(answer terminal49.Opt[bool]) string {
	yes, known := answer.Get()
	if !known {
		return "unknown"
	}
	return yesNo(yes)
}

func availability(c *terminal49.Container) string {
	available, known := c.Availability()
	if !known {
		return "unknown"
	}
	return yesNo(available)
}

func daysLeft(v terminal49.Verdict) string {
	if days, ok := v.DaysLeft.Get(); ok {
		return fmt.Sprint(days)
	}
	return ""
}

// owed is what is owed for a container. That nothing is owed is known only at a terminal that
// reports fees.
func owed(v terminal49.Verdict) terminal49.FeeSummary {
	if hasNoTerminal(v) {
		return terminal49.SumFees(nil)
	}
	return v.Fees
}

// fees is what is owed in words, "" while no terminal could report it.
func fees(v terminal49.Verdict) string {
	if hasNoTerminal(v) {
		return ""
	}
	return owed(v).String()
}

func hasNoTerminal(v terminal49.Verdict) bool {
	return v.Place == (terminal49.VerdictPlace{}) && len(v.Fees.Currencies()) == 0
}

func (a *app) fees() *cobra.Command {
	var byPlace bool
	cmd := a.numbered(a.tabular(&cobra.Command{
		Use:   "fees ID|NUMBER...",
		Short: "Show what is owed for containers, without counting totals twice",
		Long: `Show what is owed for containers, without counting totals twice. A container on two bills of lading
is shown with each, and its fees count once. --by-place adds up what is owed at each place, without
NUMBERs for all containers. Fees that are not posted yet are not estimated.`,
		RunE: func(cmd *cobra.Command, which []string) error {
			if byPlace {
				which, err := a.numbers(cmd.Context(), which)
				if err != nil {
					return err
				}
				return a.feesByPlace(cmd.Context(), which)
			}
			columns := []string{"CONTAINER", "FEE", "AMOUNT"}
			if a.csv {
				columns = slices.Concat(columns, []string{"VALUE", "CURRENCY"}, recordColumns)
			}
			t := a.print(columns...)
			var all ledger
			records, n := a.recordsOf(presentJourney), 0
			err := a.each(cmd.Context(), which, records.choose, func(c *terminal49.Container) error {
				v := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
				all.add(c, &v, owed(v))
				if n++; a.json {
					return t.row(c)
				}
				for _, fee := range c.Fees {
					t.cells(records.cells(c, a.money(string(fee.Type), amount(fee), fee.Amount, fee.CurrencyCode, !fee.Amount.IsZero())...)...)
				}
				t.cells(records.cells(c, a.sumOf(fees(v), owed(v))...)...)
				return nil
			})
			if n > 1 && !a.json {
				cells := append([]string{"all"}, a.sumOf(all.sum().String(), all.sum())...)
				t.cells(append(cells, make([]string, len(columns)-len(cells))...)...)
			}
			return t.end(err)
		},
	}, "containers.get"), true)
	required := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if byPlace {
			return nil
		}
		return required(cmd, args)
	}
	cmd.Flags().BoolVar(&byPlace, "by-place", false, "add up what is owed at each place")
	return cmd
}

// sumOf returns the cells of a sum.
func (a *app) sumOf(text string, sum terminal49.FeeSummary) []string {
	value, currency, known := sum.Owed()
	return a.money("owed", text, value, currency, known && text != "")
}

// money returns the cells of an amount. With --csv it is also a number, which can be added, and its
// currency; both are empty if it is not known.
func (a *app) money(what, text string, value decimal.Decimal, currency string, known bool) []string {
	switch {
	case !a.csv:
		return []string{what, text}
	case !known:
		return []string{what, text, "", ""}
	}
	return []string{what, text, value.StringFixed(max(2, -value.Exponent())), currency}
}

// amount is a fee's amount; the service sends 0 for one that is not posted yet.
func amount(fee terminal49.Fee) string {
	if fee.Amount.IsZero() {
		return "not posted yet"
	}
	return terminal49.FormatMoney(fee.Amount, fee.CurrencyCode)
}
