// Simulator runs the simulated service as a server, for HTTP clients in any language. It starts
// with a few shipments and keeps nothing when it ends.
//
//	go run ./examples/simulator -addr 127.0.0.1:8049 -speed 3600 -traffic 200 -webhooks
//	export T49_API_BASE_URL=http://127.0.0.1:8049/v2 T49_API_TOKEN=t49-simulated-token
//	go run ./examples/quickstart
//
// On interrupt it finishes the requests in progress and lists the violations: what it received that
// the service does not document.
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

	"github.com/go-freight/terminal49/terminal49test"
)

// shutdownTimeout is how long requests in progress may take after an interrupt.
const shutdownTimeout = 5 * time.Second

// maxSpeed is the maximum of terminal49test.WithSpeed.
const maxSpeed = 1_000_000

// More traffic takes long to add. More containers than maxSynthetic are not tested.
const maxTraffic, maxSynthetic = 2_000, 1_000_000

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
	speed := flags.Float64("speed", 1, "`factor` of the simulated clock: 3600 makes an hour a second")
	seed := flags.Int64("seed", 1, "`number` from which ids are generated: the same seed generates the same ids")
	traffic := flags.Int("traffic", 0, "`number` of shipments under way, which keep moving and are followed by others; 0 means a small example")
	synthetic := flags.Int("containers", 0, "`number` of containers that are generated when they are read, up to a million")
	webhooks := flags.Bool("webhooks", false, "deliver webhooks to their URLs")
	unlimited := flags.Bool("unlimited", false, "do not enforce the service's rate limits")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case !(*speed >= 0 && *speed <= maxSpeed) || flags.NArg() > 0: // NaN compares with nothing
		return errors.New("-speed must be 0 to 1000000; there are no arguments other than flags")
	case *traffic < 0 || *traffic > maxTraffic || *synthetic < 0 || *synthetic > maxSynthetic:
		return errors.New("-traffic must be 0 to 2000, and -containers 0 to 1000000")
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("cannot listen; choose another -addr: %w", err)
	}
	opts := []terminal49test.Option{
		terminal49test.WithListener(listener), terminal49test.WithSpeed(*speed), terminal49test.WithSeed(*seed),
	}
	if *unlimited {
		opts = append(opts, terminal49test.WithoutRateLimits())
	}
	if *webhooks {
		opts = append(opts, terminal49test.WithWebhookTransport(http.DefaultTransport))
	}
	if *synthetic > 0 {
		opts = append(opts, terminal49test.WithSyntheticContainers(*synthetic))
	}
	srv := terminal49test.NewServer(opts...)
	defer srv.Close()
	printWelcome(out, srv, *speed, *traffic)

	<-ctx.Done()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err = srv.Shutdown(bounded)
	printSummary(out, srv)
	return err
}

// printWelcome adds the shipments and prints how to reach the server.
func printWelcome(out io.Writer, srv *terminal49test.Server, speed float64, traffic int) {
	demo := srv.SeedDemo()
	demo.Shipments = append(demo.Shipments, srv.SeedTraffic(traffic)...)
	fmt.Fprintf(out, `A simulated service with %d shipments. Its clock runs at %gx.

base URL  %s
token     %s

Try it:   curl -H 'Authorization: Token %s' %s/shipments
Bill of lading not tracked yet: %s
`, len(demo.Shipments), speed, srv.URL, srv.Token, srv.Token, srv.URL, demo.Untracked)
}

// printSummary prints the violations.
func printSummary(out io.Writer, srv *terminal49test.Server) {
	violations := srv.Violations()
	fmt.Fprintf(out, "\n%d requests received, %d violations of what the service documents\n", srv.RequestCount(), len(violations))
	for _, v := range violations {
		fmt.Fprintln(out, "-", v)
	}
}
