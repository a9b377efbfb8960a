package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
)

func (a *app) printSQL() *cobra.Command {
	var dialect string
	cmd := &cobra.Command{
		Use:   "print-sql",
		Short: "Print the statements that create the tables and views",
		Long:  "Print the statements that create the tables and views. run executes them by itself.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dialects := map[string]sqlstore.Dialect{"postgres": sqlstore.Postgres, "sqlite": sqlstore.SQLite}
			d, known := dialects[dialect]
			if !known {
				return usageError("--dialect must be postgres or sqlite")
			}
			_, err := fmt.Fprint(a.out, mirror.Schema(d))
			return err
		},
	}
	cmd.Flags().StringVar(&dialect, "dialect", "postgres", "`name` of the database: postgres or sqlite")
	return cmd
}
