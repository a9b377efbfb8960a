package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

func (a *app) verify() *cobra.Command {
	var share float64
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Read everything from the service again and print each difference",
		Long: `Read everything from the service again and print each difference from the
tables. The exit status is 1 if there is any. A change still in transit does not count:
what differs is read once more after ten seconds. A column that differs from the raw JSON
of its row, such as containers.pickup_lfd, counts too; rebuild mends it. repair ID mends
any difference of a resource that the service has.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().Float64Var(&share, "share", 0.3, "`part` of the rate limit that it may use, in addition to a running mirror")
	cmd.RunE = a.online(a.printDifferences, func() []mirror.Option { return []mirror.Option{mirror.WithRateLimitShare(share)} })
	return cmd
}

// printDifferences returns errDiffers if there are any.
func (a *app) printDifferences(ctx context.Context, m *mirror.Mirror) error {
	n := 0
	for difference, err := range m.Verify(ctx) {
		if err != nil {
			return err
		}
		n++
		fmt.Fprintln(a.out, cli.Printable(difference.String()))
	}
	if n > 0 {
		fmt.Fprintf(a.out, "%d differences\n", n)
		a.complain("terminal49-mirror repair ID reads a resource again and writes its row whole; run --once reads all that has changed")
		return errDiffers
	}
	s, err := m.Status(ctx)
	if err != nil {
		return err
	}
	rows := int64(0)
	for _, of := range s.Rows {
		rows += of
	}
	fmt.Fprintf(a.out, "no difference in %d rows\n", rows)
	return nil
}
