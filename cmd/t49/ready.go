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
)

func (a *app) ready() *cobra.Command {
	var maxAge time.Duration
	cmd := &cobra.Command{
		Use:   "ready ID|NUMBER...",
		Short: "Show whether containers can be picked up; exit status 0 if all can",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, which []string) error {
			return a.whichReady(cmd.Context(), which, maxAge)
		},
	}
	cmd.Flags().DurationVar(&maxAge, "max-age", 24*time.Hour, "how `long` ago the terminal may have been checked")
	return cmd
}

// verdict is the JSON form of a row of ready.
type verdict struct {
	ID        string                `json:"id"`
	Number    string                `json:"number"`
	CanPickUp bool                  `json:"can_pick_up"`
	Readiness terminal49.Readiness  `json:"readiness"`
	Urgency   terminal49.Urgency    `json:"urgency"`
	Fees      terminal49.FeeSummary `json:"fees"`
}

// MarshalJSON implements json.Marshaler.
func (v verdict) MarshalJSON() ([]byte, error) {
	type plainVerdict verdict
	return json.Marshal(plainVerdict(v))
}

func (a *app) whichReady(ctx context.Context, which []string, maxAge time.Duration) error {
	if len(a.fields) > 0 {
		return usageError{errors.New("--fields works with resources only")}
	}
	now := time.Now()
	t := a.print("CONTAINER", "PICK UP?", "WHY", "LAST FREE DAY", "DAYS LEFT", "FEES")
	err := a.each(ctx, which, presentJourney, func(c *terminal49.Container) error {
		v := verdict{
			ID: c.ID, Number: c.Number, Readiness: terminal49.PickupReadiness(c), Fees: terminal49.SumFees(c.Fees),
			Urgency: terminal49.LastFreeDays(c).Urgency(now, terminal49.UrgencyRules{}),
		}
		v.CanPickUp = v.Readiness.CanPickUp(now, maxAge)
		err := t.row(v, v.Number, yesNo(v.CanPickUp), reason(v, now, maxAge), day(v.Urgency.Deadline.At), daysLeft(v.Urgency), v.Fees.String())
		if err == nil && !v.CanPickUp {
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

// reason explains the verdict.
func reason(v verdict, now time.Time, maxAge time.Duration) string {
	r := v.Readiness
	age, known := r.TerminalCheckedAge(now)
	switch {
	case r.Left:
		return "It has left."
	case v.CanPickUp || !r.Ready():
		return r.Reason()
	case !known:
		return r.Reason() + " But it is not known when the terminal was checked."
	case age > maxAge:
		return fmt.Sprintf("%s But the terminal was checked %s ago.", r.Reason(), age.Round(time.Minute))
	}
	return r.Reason() + " But " + doubts(r) + ": check again."
}

func doubts(r terminal49.Readiness) string {
	words := make([]string, len(r.Warnings))
	for i, w := range r.Warnings {
		words[i] = strings.ReplaceAll(string(w), "_", " ")
	}
	return strings.Join(words, ", ")
}

func daysLeft(u terminal49.Urgency) string {
	if days, ok := u.DaysLeft.Get(); ok {
		return fmt.Sprint(days)
	}
	return ""
}

func (a *app) fees() *cobra.Command {
	return &cobra.Command{
		Use:   "fees ID|NUMBER...",
		Short: "Show what is owed for containers, without counting totals twice",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, which []string) error {
			t := a.print("CONTAINER", "FEE", "AMOUNT")
			var all terminal49.FeeSummary
			n := 0
			err := a.each(cmd.Context(), which, presentJourney, func(c *terminal49.Container) error {
				sum := terminal49.SumFees(c.Fees)
				if n++; n == 1 {
					all = sum
				} else {
					all = all.Add(sum)
				}
				if a.json {
					return t.row(c)
				}
				for _, fee := range c.Fees {
					t.cells(c.Number, string(fee.Type), amount(fee))
				}
				t.cells(c.Number, "owed", sum.String())
				return nil
			})
			if n > 1 && !a.json {
				t.cells("all", "owed", all.String())
			}
			return t.end(err)
		},
	}
}

// amount is a fee's amount; the service sends 0 for one that is not posted yet.
func amount(fee terminal49.Fee) string {
	if fee.Amount.IsZero() {
		return "not posted yet"
	}
	return terminal49.FormatMoney(fee.Amount, fee.CurrencyCode)
}
