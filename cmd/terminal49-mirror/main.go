// Terminal49-mirror keeps a copy of an account of Terminal49 in a database, SQLite or Postgres, and
// shows it.
//
//	terminal49-mirror run --demo --for 30s    # no account: a simulated one, at high speed
//	export T49_API_TOKEN=...
//	terminal49-mirror run                     # ./terminal49.db, by polling
//	terminal49-mirror board                   # in another terminal: a web page
//
// The exit status is 0 if all went well, also when an interrupt ends run without --once; 1 if the
// copy is not as it should be: verify found a difference, status found the mirror too old, repair
// could not repair, or rows wait for confirm-deletions after run --once; 2 if the command or its
// environment is wrong, such as a missing token, or the output cannot be written; 3 if anything
// else failed; 4 if tail or push cannot continue from its position without a gap.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/cmd/terminal49-mirror/internal/board"
	"github.com/go-freight/terminal49/mirror"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second interrupt ends the process at once
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit statuses other than 0.
const (
	exitDiffers = 1
	exitUsage   = 2
	exitFailed  = 3
	exitLost    = 4
)

// errDiffers means that the copy is not as it should be. What is wrong has been printed.
var errDiffers = errors.New("the copy is not equal to the service")

// execute runs a command and returns its exit status.
func execute(ctx context.Context, args []string, out, log io.Writer) int {
	return (&app{}).execute(ctx, args, out, log)
}

func (a *app) execute(ctx context.Context, args []string, out, log io.Writer) int {
	a.secrets = &cli.Secrets{}
	printed := cli.NewOutput(out, nil)
	a.out, a.err, a.log = printed, a.secrets.Hide(log), log
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	cmd, err := root.ExecuteContextC(ctx)
	err = explainVerb(err)
	if failure := printed.Failure(); failure != nil {
		a.complain("terminal49-mirror: " + failure.Error())
		if err != nil && !errors.Is(err, failure) {
			a.complainOf("terminal49-mirror: ", err)
		}
		return exitUsage
	}
	var argument *terminal49.ArgumentError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errDiffers):
		return exitDiffers
	}
	a.complainOf("terminal49-mirror: ", err)
	if !a.started {
		fmt.Fprintf(a.err, "Run \"%s --help\" for its arguments.\n", cmd.CommandPath())
	}
	if !a.started || errors.As(err, &usage) || errors.As(err, new(board.UsageError)) || errors.As(err, &argument) {
		return exitUsage
	}
	if errors.Is(err, mirror.ErrPositionLost) {
		return exitLost
	}
	return exitFailed
}

// app is the command line.
type app struct {
	out       io.Writer
	err       io.Writer // without secrets
	log       io.Writer // the same, for a handler that leaves out secrets itself
	secrets   *cli.Secrets
	db        string     // path, URL or keywords
	schema    string     // of the tables in Postgres; "" for the default
	format    string     // of the log
	level     slog.Level // below it nothing is logged
	reading   bool       // the database is not written
	temporary bool       // the database is deleted at the end
	noCopy    string     // what the command can do without a copy; "" if nothing
	started   bool       // the arguments were right

	settle time.Duration // between two reads of the same thing, for tests; 0 for the default
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "terminal49-mirror",
		Short: "Keep a copy of a Terminal49 account in a database",
		Long: `Keep a copy of a Terminal49 account in a database, SQLite or Postgres.

The environment variable T49_API_TOKEN is the API key. T49_API_BASE_URL and
T49_ACCOUNT_ID are optional. T49_MIRROR_DB is the default of --db, and T49_MIRROR_SCHEMA
that of --schema with Postgres. For push, T49_PUSH_URL and T49_PUSH_SECRET are the address
of the receiver and the secret of the signatures.

Exit status:
  0  all went well
  1  the copy is not as it should be: verify found a difference, status found the
     mirror too old, repair could not repair a row, or after run --once rows wait for
     confirm-deletions
  2  the command or its environment is wrong, or the output cannot be written
  3  anything else failed
  4  tail or push cannot continue from its position without a gap`,
		Version:       terminal49.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, err := a.logger()
			a.started = err == nil
			return err
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.db, "db", "", "`path` of a SQLite file, postgres:// URL or Postgres keywords (default T49_MIRROR_DB, or ./terminal49.db)")
	flags.StringVar(&a.schema, "schema", "", "`name` of the Postgres schema of the tables, for several accounts in one database (default T49_MIRROR_SCHEMA, or t49)")
	flags.StringVar(&a.format, "log", "auto", "`form` of the log: text, json, or auto for text unless it goes to a terminal")
	root.AddCommand(a.run(), a.status(), a.verify(), a.repair(), a.confirmDeletions(), a.rebuild(), a.tail(), a.push(), a.worklist(), a.dispute(), a.forget(),
		a.restored(), a.printSQL(), a.mcp(), a.board())
	cli.RefuseTopics(root)
	return root
}
