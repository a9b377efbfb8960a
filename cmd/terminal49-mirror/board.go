package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/terminal49-mirror/internal/board"
	"github.com/go-freight/terminal49/mirror"
)

// boardFlags are the flags of board.
type boardFlags struct {
	addr          string
	demo, account bool
	shipments     int
	speed         float64
}

func (a *app) board() *cobra.Command {
	var f boardFlags
	cmd := &cobra.Command{
		Use:   "board",
		Short: "Show the containers on a web page",
		Long: `Show the containers on a web page, the most urgent first.

It reads a copy that another process keeps, without the API key. With --account it reads
the account of T49_API_TOKEN, without a copy, and changes nothing. With --demo it shows a
simulated account.

There is no login: put a proxy that asks for one in front of it before others can reach it.`,
		Example: `  terminal49-mirror board --demo
  terminal49-mirror board --db /var/lib/terminal49.db
  terminal49-mirror board --account`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a); err != nil {
				return err
			}
			return a.runBoard(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8049", "`address` to listen on")
	flags.BoolVar(&f.account, "account", false, "show the account of T49_API_TOKEN, without a copy")
	flags.BoolVar(&f.demo, "demo", false, "show a simulated account, with buttons that advance its clock")
	flags.IntVar(&f.shipments, "shipments", 200, "of --demo, the `number` of shipments under way, at most 10000")
	flags.Float64Var(&f.speed, "speed", 600, "of --demo, the `factor` of the clock: 600 makes ten minutes a second")
	return cmd
}

func (f *boardFlags) check(a *app) error {
	switch {
	case f.demo && f.account:
		return usageError("--demo and --account exclude each other: choose one of them")
	case (f.demo || f.account) && (a.db != "" || a.schema != ""):
		return usageError("--demo and --account cannot be combined with --db and --schema: they show no copy")
	case f.shipments < 0 || f.shipments > 10_000:
		return usageError("--shipments must be 0 to 10000")
	case !(f.speed >= 0 && f.speed <= board.MaxSpeed):
		return usageError(fmt.Sprintf("--speed must be 0 to %d", board.MaxSpeed))
	}
	return nil
}

func (a *app) runBoard(ctx context.Context, f boardFlags) error {
	debug.SetGCPercent(50) // most of the memory are rows that stay
	switch {
	case f.demo:
		b, err := board.Demo(f.shipments, f.speed)
		return a.show(ctx, b, err, f.addr)
	case f.account:
		b, err := board.Account(a.client)
		return a.show(ctx, b, err, f.addr)
	}
	a.reading, a.noCopy = true, "; --account and --demo need no copy"
	db, err := a.open(false)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	var opts []mirror.Option
	if a.schema != "" {
		opts = append(opts, mirror.WithSchema(a.schema))
	}
	b, err := board.Copy(db, a.secrets.Mask, opts...)
	return a.show(ctx, b, schemaUsage(err), f.addr)
}

// show serves a board, unless there is an error, until ctx ends.
func (a *app) show(ctx context.Context, b *board.Board, err error, addr string) error {
	if err != nil {
		return err
	}
	defer b.Close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usageError("cannot listen; choose another --addr: " + err.Error())
	}
	if _, err := fmt.Fprintf(a.out, "http://%s\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return b.Serve(ctx, listener, func(problem string) { a.complain("terminal49-mirror: " + problem) })
}
