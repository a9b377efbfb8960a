package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) rebuild() *cobra.Command {
	return &cobra.Command{
		Use:   "rebuild",
		Short: "Fill all columns again from the stored JSON, without any request",
		Long: `Fill all columns again from the stored JSON, without a request. Use it after an
update that adds columns, while no mirror runs.`,
		Args: cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error { return m.Rebuild(ctx) }),
	}
}
