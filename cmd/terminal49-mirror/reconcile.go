package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) reconcile() *cobra.Command {
	var share float64
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Walk over everything now, and compare the inbox with the service's log",
		Long: `Walk over everything now, compare the inbox with the service's log of
notifications, read what that marks, and end. If a mirror is running, it does the work.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().Float64Var(&share, "share", 0.6, "`part` of the rate limit that walks may use")
	cmd.RunE = a.online(func(ctx context.Context, m *mirror.Mirror) error {
		ctx, stop := context.WithCancel(ctx)
		shown := a.showProgress(ctx, m)
		err := m.Reconcile(ctx)
		stop()
		<-shown
		if err != nil {
			return err
		}
		s, err := m.Status(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		return printStatus(a.out, s)
	}, func() []mirror.Option { return []mirror.Option{mirror.WithShare(share)} })
	return cmd
}
