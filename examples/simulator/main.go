// Simulator runs the simulated service as a server of its own, so that any HTTP client in any language can be tried
// against it. Its world is seeded with a few shipments and forgotten when it ends.
//
//	go run ./examples/simulator -addr 127.0.0.1:8049 -speed 3600
//	T49_API_BASE_URL=http://127.0.0.1:8049/v2 T49_API_TOKEN=t49-simulated-token go run ./examples/quickstart
//
// On interrupt it finishes the requests under way and lists what it received that the service does not document.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// grace is how long requests under way may take once the server is told to stop.
const grace = 5 * time.Second

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		log.Fatal("simulator: ", err)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("simulator", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8049", "`address` to listen on; port 0 picks a free one")
	speed := flags.Float64("speed", 1, "how many `times` as fast as real time the world runs: 3600 makes an hour a second")
	seed := flags.Int64("seed", 1, "`number` that all ids come from: the same seed, the same ids")
	unlimited := flags.Bool("unlimited", false, "do not enforce the service's rate limits")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *speed < 0 || flags.NArg() > 0 {
		return errors.New("-speed must not be negative, and there are no arguments but flags")
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("cannot listen, choose another -addr: %w", err)
	}
	opts := []terminal49test.Option{
		terminal49test.WithListener(listener), terminal49test.WithSpeed(*speed), terminal49test.WithSeed(*seed),
	}
	if *unlimited {
		opts = append(opts, terminal49test.WithoutRateLimits())
	}
	srv := terminal49test.NewServer(opts...)
	defer srv.Close()
	welcome(out, srv, *speed)

	<-ctx.Done()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = srv.Shutdown(bounded)
	farewell(out, srv)
	return err
}

// welcome tells how to talk to the server.
func welcome(out io.Writer, srv *terminal49test.Server, speed float64) {
	world := srv.SeedDemo()
	fmt.Fprintf(out, `A simulated service, with %d shipments in its world, which runs at %gx.

base URL  %s
token     %s

Try it:   curl -H 'Authorization: Token %s' %s/shipments
Untracked bill of lading to track: %s
`, len(world.Shipments), speed, srv.URL, srv.Token, srv.Token, srv.URL, world.Untracked)
}

// farewell tells what went wrong with the requests, if anything.
func farewell(out io.Writer, srv *terminal49test.Server) {
	violations := srv.Violations()
	fmt.Fprintf(out, "\n%d requests received, %d departures from what the service documents\n", len(srv.Requests()), len(violations))
	for _, v := range violations {
		fmt.Fprintln(out, "-", v)
	}
}
