package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) reconcile() *cobra.Command {
	var share float64
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Walk over everything now, and compare the inbox with the service's log",
		Long: `Walk over everything now, compare the inbox with the service's log of
notifications, read what that marks, and end. If a mirror is running, it does the work.
The exit status is 1 if rows wait for confirm-deletions afterwards.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().Float64Var(&share, "share", 0.6, "`part` of the rate limit that walks may use")
	cmd.RunE = a.online(func(ctx context.Context, m *mirror.Mirror) error {
		ctx, stop := context.WithCancel(ctx)
		shown := a.showProgress(ctx, m)
		err := m.Reconcile(ctx)
		stop()
		<-shown
		var unconfirmed *mirror.UnconfirmedError
		if err != nil && !errors.As(err, &unconfirmed) {
			return err
		}
		s, err := m.Status(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		if err := printStatus(a.out, s); err != nil || unconfirmed == nil {
			return err
		}
		a.complain(unconfirmed.Error())
		return errDiffers
	}, func() []mirror.Option { return []mirror.Option{mirror.WithRateLimitShare(share)} })
	return cmd
}
