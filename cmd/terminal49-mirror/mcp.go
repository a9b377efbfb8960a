package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
)

// mcpPath is the path of the server with --listen.
const mcpPath = "/mcp"

// stdioTime is how long an answer may take to be read after an interrupt.
const stdioTime = time.Second

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	listen            string
	keep, demo, write bool
}

func (a *app) mcp() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer the questions of agents from the copy",
		Long: `Answer the questions of agents from the copy, over the Model Context Protocol.

An agent's program starts it, and writes and reads its standard streams; the log goes to
standard error. With --listen it serves streamable HTTP instead, for programs of this
machine only. It has no logins: every user of the machine can ask.

It reads a copy that another process keeps, without the API key. With --run it keeps the
copy itself. With --demo it needs no account: it answers about a simulated one.

The tools only read. --allow-writes adds the tool track, which asks the service to track
a number; it needs the API key.`,
		Example: `  terminal49-mirror mcp --demo
  terminal49-mirror mcp --db /var/lib/terminal49.db
  terminal49-mirror mcp --run --listen 127.0.0.1:4949`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a); err != nil {
				return err
			}
			if f.demo {
				return a.demoMCP(cmd.Context(), f)
			}
			return a.runMCP(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "loopback `address` to serve HTTP on, such as 127.0.0.1:4949")
	flags.BoolVar(&f.keep, "run", false, "keep the copy equal to the service, by polling")
	flags.BoolVar(&f.demo, "demo", false, "answer about a simulated account")
	flags.BoolVar(&f.write, "allow-writes", false, "offer the tool track")
	return cmd
}

func (f *mcpFlags) check(a *app) error {
	switch {
	case f.demo && f.keep:
		return usageError("--demo cannot be combined with --run: it keeps the copy of the simulated account")
	case f.demo && (a.db != "" || a.schema != ""):
		return usageError("--demo cannot be combined with --db and --schema: its copy is deleted at the end")
	case f.listen != "" && !isLoopback(f.listen):
		return usageError("--listen must be an address of the loopback interface, such as 127.0.0.1:4949, because the server has no logins; " +
			"for another machine, forward the port, for example with ssh -L")
	}
	return nil
}

// isLoopback reports whether an address with a port is reached from this machine only.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// runMCP answers about the account of a database.
func (a *app) runMCP(ctx context.Context, f mcpFlags) error {
	var client *terminal49.Client
	var err error
	if f.keep || f.write {
		client, err = a.client()
	} else {
		client, err = offline()
	}
	if err != nil {
		return err
	}
	db, err := a.open(f.keep)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // all is committed
	m, err := a.mirror(client, db)
	if err != nil {
		return err
	}
	c, err := a.answering(m, db, f)
	if err != nil {
		return err
	}
	if f.write {
		c.Client = client
	}
	account := &oneAccount{db: db, named: a.schema != ""}
	if several := usageError(""); errors.As(account.check(ctx), &several) {
		return several
	} // any other error is that of the tools until it is mended
	keep := func(ctx context.Context) error { <-ctx.Done(); return nil }
	if f.keep {
		keep = m.Run
	}
	return explainFile(a.name(), a.serveMCP(ctx, c, f.listen, account.ready, keep))
}

// answering returns what a server answers from.
func (a *app) answering(m *mirror.Mirror, db *sql.DB, f mcpFlags) (mcpserver.Config, error) {
	log, err := a.logger()
	var of []mirror.Option
	if a.schema != "" {
		of = append(of, mirror.WithSchema(a.schema))
	}
	return mcpserver.Config{Mirror: m, Reader: mirror.NewReader(db, of...), Account: a.schema, Logger: log}, err
}

// serveMCP serves and keeps the copy until ctx, the agent's input or one of both ends. Each call of
// a tool waits for ready.
func (a *app) serveMCP(ctx context.Context, c mcpserver.Config, listen string, ready, keep func(context.Context) error) error {
	server, err := mcpserver.New(c)
	if err != nil {
		return err
	}
	server.AddReceivingMiddleware(after(ready))
	serve := func(ctx context.Context) error { return a.serveStdio(ctx, server) }
	if listen != "" {
		if serve, err = a.listenMCP(listen, server); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	kept := make(chan error, 1)
	go func() {
		defer stop()
		kept <- keep(ctx)
	}()
	err = serve(ctx)
	stop()
	return errors.Join(err, <-kept)
}

// after calls each tool after ready, whose error is the answer. It begins with what to do.
func after(ready func(context.Context) error) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				if err := ready(ctx); err != nil {
					result := new(mcp.CallToolResult)
					result.SetError(err)
					return result, nil
				}
			}
			return next(ctx, method, r)
		}
	}
}

// serveStdio serves the program that started this one. When ctx ends it does not wait long for an
// agent that does not read.
func (a *app) serveStdio(ctx context.Context, server *mcp.Server) error {
	if cli.IsTerminal(os.Stdin) {
		a.complain("terminal49-mirror: waiting for the messages of an agent's program on standard input; with --listen it serves HTTP")
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, mcpserver.Stdio(os.Stdin, a.out)) }()
	select {
	case err := <-ended:
		if ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
		select {
		case <-ended:
		case <-time.After(stdioTime):
		}
	}
	return nil
}

// listenMCP returns what serves HTTP on an address, until ctx ends.
func (a *app) listenMCP(address string, server *mcp.Server) (func(context.Context) error, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen; choose another --listen: %w", err)
	}
	if !isLoopback(listener.Addr().String()) {
		return nil, errors.Join(usageError("--listen must be an address of the loopback interface, and localhost is none on this machine"), listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(mcpPath, mcpserver.Handler(server))
	fmt.Fprintf(a.err, "terminal49-mirror: --listen serves http://%s%s\n", listener.Addr(), mcpPath)
	return func(ctx context.Context) (err error) {
		s := &servers{failed: make(chan error, 1)}
		s.start(listener, mux)
		select {
		case <-ctx.Done():
		case err = <-s.failed:
		}
		return errors.Join(err, s.shutdown())
	}, nil
}
