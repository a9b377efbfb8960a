// Terminal49-board shows every container of an account on a web page: where it is, what to do about
// it, what is owed, and how many days are left.
//
//	terminal49-board --demo                          # http://127.0.0.1:8049, a simulated account
//	T49_API_TOKEN=... terminal49-board               # the real account; nothing is changed
//	terminal49-board --mirror sqlite:terminal49.db   # a mirror; no request to the service
//
// The exit status is 0 if an interrupt ended it, 2 if the command or its environment is wrong, such
// as a missing token, and 3 if anything else failed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func main() {
	debug.SetGCPercent(50) // most of the memory are rows that stay
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second interrupt ends the process at once
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit statuses other than 0.
const (
	exitUsage  = 2
	exitFailed = 3
)

// usageError is a mistake in how the command is called.
type usageError string

func (e usageError) Error() string { return string(e) }

// execute runs the command and returns its exit status.
func execute(ctx context.Context, args []string, out, log io.Writer) int {
	a := &app{out: out, log: log}
	cmd := a.command()
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(log)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	a.complain(err.Error())
	var usage usageError
	var argument *terminal49.ArgumentError
	if a.started && !errors.As(err, &usage) && !errors.As(err, &argument) {
		return exitFailed
	}
	return exitUsage
}

// app is the command line.
type app struct {
	out, log io.Writer
	addr     string
	mirror   string // URL of its database
	schema   string
	demo     bool
	demoOptions
	started bool // the arguments were right
}

// demoOptions are those of the simulated account.
type demoOptions struct {
	shipments int
	speed     float64
}

func (a *app) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "terminal49-board",
		Short: "Show the containers of a Terminal49 account on a web page",
		Long: `Show the containers of a Terminal49 account on a web page, the most urgent first.

It reads the account of T49_API_TOKEN and changes nothing, or a simulated account with
--demo, or with --mirror the database of terminal49-mirror, without a request to the
service. T49_API_BASE_URL and T49_ACCOUNT_ID are optional. PGPASSWORD or a password file
keeps the password of Postgres out of the command line.

There is no login: put a proxy that asks for one in front of it before others can reach it.

Exit status:
  0  an interrupt ended it
  2  the command or its environment is wrong
  3  anything else failed`,
		Example: `  terminal49-board --demo
  terminal49-board --mirror sqlite:terminal49.db
  terminal49-board --mirror postgres://board@db.internal/freight --schema freight`,
		Args:          cobra.NoArgs,
		Version:       terminal49.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&a.addr, "addr", "127.0.0.1:8049", "`address` to listen on")
	flags.StringVar(&a.mirror, "mirror", "", "`URL` of a mirror's database: sqlite:PATH or postgres://USER@HOST/DATABASE")
	flags.StringVar(&a.schema, "schema", "", "`name` of the Postgres schema of the mirror (default t49)")
	flags.BoolVar(&a.demo, "demo", false, "show a simulated account, with buttons that advance its clock")
	flags.IntVar(&a.shipments, "shipments", 200, "of --demo, the `number` of shipments under way, at most 10000")
	flags.Float64Var(&a.speed, "speed", 600, "of --demo, the `factor` of the clock: 600 makes ten minutes a second")
	return cmd
}

const errNoToken usageError = "T49_API_TOKEN is not set; set it to an API key, or try a simulated account: terminal49-board --demo"

// check returns a mistake in the flags.
func (a *app) check() error {
	switch {
	case a.demo && a.mirror != "":
		return usageError("--demo and --mirror exclude each other: choose one of them")
	case a.schema != "" && !isPostgres(a.mirror):
		return usageError("--schema needs --mirror with a Postgres URL")
	case a.shipments < 0 || a.shipments > 10_000:
		return usageError("--shipments must be 0 to 10000")
	case !(a.speed >= 0 && a.speed <= maxSpeed):
		return usageError(fmt.Sprintf("--speed must be 0 to %d", maxSpeed))
	case !a.demo && a.mirror == "" && os.Getenv("T49_API_TOKEN") == "":
		return errNoToken
	}
	return nil
}

func (a *app) run(ctx context.Context) error {
	if err := a.check(); err != nil {
		return err
	}
	a.started = true
	switch {
	case a.demo:
		s, err := simulate(a.shipments, a.speed)
		if err != nil {
			return err
		}
		defer s.server.Close()
		return a.show(ctx, s)
	case a.mirror != "":
		c, err := openCopy(a.mirror, a.schema)
		if err != nil {
			return err
		}
		defer c.db.Close() //nolint:errcheck // it was only read
		return a.show(ctx, c)
	}
	client, err := connect()
	if err != nil {
		return err
	}
	return a.show(ctx, newAccount(client))
}

// complain writes a message to standard error.
func (a *app) complain(message string) {
	for line := range strings.Lines(message) {
		fmt.Fprintln(a.log, "terminal49-board: "+plain(strings.TrimSuffix(line, "\n")))
	}
}

// plain replaces characters that a terminal would interpret instead of showing.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
