package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
)

func (a *app) printSQL() *cobra.Command {
	var dialect string
	var o mirror.SchemaOptions
	cmd := &cobra.Command{
		Use:   "print-sql",
		Short: "Print the statements that create the tables, views and roles",
		Long: `Print the statements that create the schemas, tables and views, and record their version.
run executes them by itself, if its role may create a schema. Otherwise a database
administrator applies them, those of later versions too: they leave what exists unchanged,
and all of them are one transaction.

With --owner, --writer and --reader they also create these roles if they are missing,
without passwords: the owner has the tables and cannot log in; the writer may do what run,
verify and the other commands need, but neither create nor drop; the reader may only select,
which is enough for status, tail, verify and queries.`,
		Example: `  terminal49-mirror print-sql --owner t49_owner --writer t49_writer --reader t49_reader >mirror.sql
  psql --set ON_ERROR_STOP=1 --file mirror.sql postgres://admin@db.internal/freight`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dialects := map[string]sqlstore.Dialect{"postgres": sqlstore.Postgres, "sqlite": sqlstore.SQLite}
			d, known := dialects[dialect]
			if !known {
				return usageError("--dialect must be postgres or sqlite")
			}
			o.Name = a.schema
			if d == sqlstore.Postgres {
				o.Name = a.schemaName()
			}
			script, err := mirror.Schema(d, o)
			if err != nil {
				return schemaUsage(err)
			}
			_, err = fmt.Fprintf(a.out, "begin;\n%scommit;\n", script)
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&dialect, "dialect", "postgres", "`name` of the database: postgres or sqlite")
	flags.StringVar(&o.Owner, "owner", "", "`role` that is to own the schemas and tables")
	flags.StringVar(&o.Writer, "writer", "", "`role` for run and verify")
	flags.StringVar(&o.Reader, "reader", "", "`role` that may only select")
	return cmd
}
