package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/terminal49-mirror/internal/board"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
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
the account of T49_API_TOKEN, and changes nothing; with --demo it shows a simulated one.
For both it keeps a copy in a private temporary folder, which it deletes at the end.

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
	flags.BoolVar(&f.account, "account", false, "show the account of T49_API_TOKEN, without --db")
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
		return usageError("--demo and --account cannot be combined with --db and --schema: their copy is temporary")
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
		return a.boardDemo(ctx, f)
	case f.account:
		return a.boardAccount(ctx, f)
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

// boardDemo shows a simulated account.
func (a *app) boardDemo(ctx context.Context, f boardFlags) error {
	a.level = slog.LevelWarn
	d, err := a.openDemo([]terminal49test.Option{terminal49test.WithoutSocket()})
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(int64(120<<20 + f.shipments*(60<<10))) // the pages of walks are many, and soon dropped
	d.srv.SeedTraffic(f.shipments)
	d.srv.SeedDemo()
	err = a.showOwn(d.m, d.client, func(o board.Own) error {
		return a.show(ctx, board.Demo(o, d.srv, f.speed), nil, f.addr)
	})
	return errors.Join(err, d.close())
}

// boardAccount shows the account of T49_API_TOKEN. Its copy is deleted afterwards.
func (a *app) boardAccount(ctx context.Context, f boardFlags) error {
	client, err := board.HidingToken(a.client)
	if err != nil {
		return err
	}
	a.level = slog.LevelWarn
	folder, err := a.temporaryFile()
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is in the system's folder for temporary files
	return a.with(ctx, true, client, func(ctx context.Context, m *mirror.Mirror) error {
		return a.showOwn(m, client, func(o board.Own) error {
			return a.show(ctx, board.Account(o), nil, f.addr)
		})
	}, board.AccountOptions()...)
}

// showOwn calls show with a mirror of this process, and a connection that only reads its database.
func (a *app) showOwn(m *mirror.Mirror, client *terminal49.Client, show func(board.Own) error) error {
	a.reading = true
	db, err := a.open(false)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	return show(board.Own{Mirror: m, DB: db, Client: client})
}

// show serves a board, unless there is an error, until ctx ends.
func (a *app) show(ctx context.Context, b *board.Board, err error, addr string) error {
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usageError("cannot listen; choose another --addr: " + err.Error())
	}
	if _, err := fmt.Fprintf(a.out, "http://%s\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return b.Serve(ctx, listener, func(problem string) { a.complain("terminal49-mirror: " + problem) })
}
