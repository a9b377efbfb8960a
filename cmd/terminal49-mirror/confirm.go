package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

func (a *app) confirmDeletions() *cobra.Command {
	expect := 0
	var share float64
	cmd := &cobra.Command{
		Use:   "confirm-deletions [LIST | TYPE ID...]",
		Short: "Delete rows that the service no longer shows, and that nothing proves to be gone",
		Long: `Delete rows that the service no longer shows, and that nothing proves to be gone:
for example because a list has suddenly become empty. status names them as a problem.

Without --expect and ids, it only prints the rows that wait, of all lists or of LIST,
such as containers. With --expect, it deletes those of LIST, if there are as many. With
ids, it deletes the rows of TYPE, such as container. Each is read once more before: what
the service still shows is never deleted, and then nothing is.`,
		Example: `  terminal49-mirror confirm-deletions containers
  terminal49-mirror confirm-deletions containers --expect 28
  terminal49-mirror confirm-deletions container 4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11`,
	}
	cmd.Flags().IntVar(&expect, "expect", 0, "`number` of rows that wait; if there are more or fewer, nothing is deleted")
	cmd.Flags().Float64Var(&share, "share", 0.6, "`part` of the rate limit that it may use")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		expects := cmd.Flags().Changed("expect")
		switch {
		case expects && len(args) != 1:
			return usageError("--expect needs one LIST, such as containers")
		case len(args) < 2 && !expects:
			return a.local(func(ctx context.Context, m *mirror.Mirror) error { return a.printUnconfirmed(ctx, m, args) })(cmd, nil)
		}
		return a.online(func(ctx context.Context, m *mirror.Mirror) error {
			return a.confirm(ctx, m, args, expect)
		}, func() []mirror.Option { return []mirror.Option{mirror.WithRateLimitShare(share)} })(cmd, nil)
	}
	return cmd
}

// confirm deletes the rows that the arguments name.
func (a *app) confirm(ctx context.Context, m *mirror.Mirror, args []string, expect int) error {
	n, err := expect, error(nil)
	if len(args) == 1 {
		err = m.ConfirmList(ctx, args[0], expect)
	} else {
		n = len(args) - 1
		err = m.ConfirmDeletions(ctx, refs(args[0], args[1:])...)
	}
	var wrong *terminal49.ArgumentError
	switch {
	case errors.Is(err, mirror.ErrNotConfirmed):
		return usageError(err.Error())
	case errors.As(err, &wrong) && len(args) > 1:
		return usageError("confirm-deletions: TYPE must be that of a row, such as container or containers, and each ID an id")
	}
	if err == nil {
		fmt.Fprintf(a.out, "%d deleted\n", n)
	}
	return err
}

// printUnconfirmed prints the rows that wait, of one list or of all.
func (a *app) printUnconfirmed(ctx context.Context, m *mirror.Mirror, lists []string) error {
	rows, err := m.Unconfirmed(ctx)
	if err != nil {
		return err
	}
	n := map[string]int{}
	for _, r := range rows {
		if len(lists) > 0 && r.List != lists[0] {
			continue
		}
		n[r.List]++
		answer := orElse(r.Answer, "not read yet")
		fmt.Fprintln(a.out, cli.Printable(fmt.Sprintf("%s %s: %s; the answer by id: %s", r.Type, r.ID, r.Reason, answer)))
	}
	if len(n) == 0 {
		fmt.Fprintln(a.out, "no row waits for a confirmation")
	}
	return nil
}

// refs returns resources of one type.
func refs(of string, ids []string) (all []mirror.Ref) {
	for _, id := range ids {
		all = append(all, mirror.Ref{Type: of, ID: id})
	}
	return all
}
