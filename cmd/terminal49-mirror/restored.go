package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) restored() *cobra.Command {
	return &cobra.Command{
		Use:   "restored",
		Short: "Say that the database was restored from a backup while no mirror ran",
		Long: `Say that the database was restored from a backup while no mirror ran. The running mirror,
or the next one, then reads everything again. A mirror that was running when the database was
restored notices it by itself, and tail --after always does.`,
		Args: cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error { return m.Restored(ctx) }),
	}
}
