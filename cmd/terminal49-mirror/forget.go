package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) forget() *cobra.Command {
	return &cobra.Command{
		Use:   "forget TYPE ID...",
		Short: "Delete resources from the copy for good",
		Long: `Delete resources of one type from the copy for good: rows, history and stored
notifications. They are not stored again, even if the service still has them.
TYPE is that of the service, such as shipment, container or party.`,
		Example: "  terminal49-mirror forget party 4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.local(func(ctx context.Context, m *mirror.Mirror) error { return m.Forget(ctx, refs(args[0], args[1:])...) })(cmd, nil)
		},
	}
}
