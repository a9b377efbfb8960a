package main

import (
	"context"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

// isType matches a wire type. Ids are UUIDs.
var isType = regexp.MustCompile(`^[a-z_]+$`)

func (a *app) repair() *cobra.Command {
	return &cobra.Command{
		Use:   "repair [TYPE] ID...",
		Short: "Read resources again and write their rows whole, even if nothing seems to have changed",
		Long: `Read resources again by id, and write their rows whole, even if the digests say that
nothing has changed: raw JSON and all columns. Use it for what verify finds. TYPE is that
of the service, such as container; without it, the row with the id says it. The exit
status is 1 if a resource could not be repaired.`,
		Example: `  terminal49-mirror repair 4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11
  terminal49-mirror repair container 4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			of := ""
			if len(args) > 1 && isType.MatchString(args[0]) {
				of, args = args[0], args[1:]
			}
			return a.online(func(ctx context.Context, m *mirror.Mirror) error {
				return a.repairAll(ctx, m, refs(of, args))
			}, func() []mirror.Option { return nil })(cmd, nil)
		},
	}
}

// repairAll repairs resources and prints what was done.
func (a *app) repairAll(ctx context.Context, m *mirror.Mirror, all []mirror.Ref) error {
	done, err := m.Repair(ctx, all...)
	for _, r := range done {
		fmt.Fprintln(a.out, cli.Printable(r.String()))
		if err == nil && r.Outcome != mirror.Written && r.Outcome != mirror.Unchanged {
			err = errDiffers
		}
	}
	return err
}
