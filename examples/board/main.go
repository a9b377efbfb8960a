// Board shows every container of an account on a web page: where it is, what to do about it, what
// is owed, and how many days are left.
//
//	go run ./examples/board     # http://127.0.0.1:8049
//
// Without a token it shows a simulated account of 200 shipments, with buttons that advance its
// clock. With T49_API_TOKEN it shows the real account and changes nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal("board: ", err)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("board", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8049", "`address` to listen on")
	shipments := flags.Int("shipments", 200, "`number` of shipments under way in the simulated account, at most 1000")
	speed := flags.Float64("speed", 600, "`factor` of the simulated clock: 600 makes ten minutes a second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("the arguments must be flags, not %q", flags.Arg(0))
	}
	if *shipments < 0 || *shipments > 1000 || !(*speed >= 0 && *speed <= maxSpeed) {
		return fmt.Errorf("-shipments must be 0 to 1000, and -speed 0 to %d", maxSpeed)
	}
	b := newBoard()
	if os.Getenv("T49_API_TOKEN") != "" {
		client, err := terminal49.NewFromEnv(terminal49.WithUserAgent("board-example"))
		if err != nil {
			return err
		}
		return b.show(ctx, &account{client: client}, *addr, out)
	}
	s, err := simulate(*shipments, *speed)
	if err != nil {
		return err
	}
	defer s.service.Close()
	return b.show(ctx, s, *addr, out)
}

// show follows a source and serves the pages until ctx ends.
func (b *board) show(ctx context.Context, from source, addr string, out io.Writer) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen; choose another -addr: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	following := make(chan error, 1)
	go func() { following <- from.follow(ctx, b) }()
	site := &site{board: b, source: from, loopback: isLoopback(listener.Addr()), ended: ctx.Done()}
	server := newServer(site.handler())
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	select {
	case err = <-following:
	case err = <-serving:
		following <- nil
	case <-ctx.Done():
		err = nil
	}
	cancel() // ends the streams of events
	bounded, done := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer done()
	return errors.Join(err, server.Shutdown(bounded))
}

// newServer returns a server that does not wait for ever: for a request, its body, or a visitor who
// does not read. A stream of events moves the write deadline with each event.
func newServer(pages http.Handler) *http.Server {
	return &http.Server{
		Handler: pages, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute,
	}
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
