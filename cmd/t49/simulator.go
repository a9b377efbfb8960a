package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

const controlTokenVariable = "T49_SIMULATOR_CONTROL_TOKEN"

// simulation is what the simulator is started with.
type simulation struct {
	addr                string
	speed               float64
	seed                int64
	traffic, containers int
	webhooks, unlimited bool
	scenario            scenario
}

func (a *app) simulator() *cobra.Command {
	var s simulation
	cmd := &cobra.Command{
		Use:   "simulator",
		Short: "Serve a simulated service, for HTTP clients in any language",
		Long: `Serve a simulated service until it is interrupted, and then list the violations:
what it received that the service does not document. Set what it prints:

  t49 simulator --speed 3600 --traffic 200
  export T49_API_BASE_URL=http://127.0.0.1:8051/v2 T49_API_TOKEN=t49-simulated-token
  t49 containers

Below /_simulator/ on the same address, tests in any language move its clock, set faults and more; see
the guide https://github.com/go-freight/terminal49/blob/main/docs/testing.md. Other machines that can
reach the address need the control token of T49_SIMULATOR_CONTROL_TOKEN for it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.simulate(cmd.Context(), s) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8051", "`address` to listen on; port 0 picks a free one")
	flags.Float64Var(&s.speed, "speed", 1, "`factor` of the simulated clock: 3600 makes an hour a second")
	flags.Int64Var(&s.seed, "seed", rand.Int64(), "`number` from which ids are generated: the same seed generates the same ids")
	flags.Lookup("seed").DefValue = "another one in each run"
	flags.IntVar(&s.traffic, "traffic", 0, "`number` of shipments under way, which keep moving and are followed by others")
	flags.IntVar(&s.containers, "containers", 0, "`number` of containers that are generated when they are read, up to a million")
	flags.BoolVar(&s.webhooks, "webhooks", false, "deliver webhooks to their URLs")
	flags.StringVar(&s.scenario.name, "scenario", "", "`name` of what happens instead of the demo, or a file with commands: "+strings.Join(control.Scenarios(), ", "))
	flags.BoolVar(&s.unlimited, "unlimited", false, "do not enforce the service's rate limits")
	completeFrom(cmd, "scenario", control.Scenarios())
	return cmd
}

// The maxima are that of terminal49test.WithSpeed, and what a computer with little memory can hold.
func (s simulation) check() error {
	switch {
	case !(s.speed >= 0 && s.speed <= 1_000_000): // true for NaN too
		return usageError{errors.New("--speed must be 0 to 1000000")}
	case s.traffic < 0 || s.traffic > 10_000:
		return usageError{errors.New("--traffic must be 0 to 10000")}
	case s.containers < 0 || s.containers > 1_000_000:
		return usageError{errors.New("--containers must be 0 to 1000000")}
	}
	return nil
}

func (s simulation) options() []terminal49test.Option {
	opts := []terminal49test.Option{terminal49test.WithSpeed(s.speed), terminal49test.WithSeed(s.seed)}
	if s.unlimited {
		opts = append(opts, terminal49test.WithoutRateLimits())
	}
	if s.webhooks {
		opts = append(opts, terminal49test.WithWebhookTransport(http.DefaultTransport))
	}
	if s.containers > 0 {
		opts = append(opts, terminal49test.WithSyntheticContainers(s.containers))
	}
	return opts
}

// beginning is what an account begins with.
type beginning struct {
	has  string // such as "6 shipments"
	hint string // a sentence to print
	err  error
}

// fill puts in what the account begins with.
func (s simulation) fill(service *terminal49test.Server) beginning {
	if s.scenario.name != "" {
		err := s.scenario.play(service)
		service.SeedTraffic(s.traffic)
		return beginning{"the scenario " + s.scenario.name, cmp.Or(s.scenario.description(), "Its commands were executed."), err}
	}
	demo := service.SeedDemo()
	count := len(demo.Shipments) + len(service.SeedTraffic(s.traffic))
	return beginning{fmt.Sprintf("%d shipments", count), "Bill of lading not tracked yet: " + demo.Untracked, nil}
}

func (a *app) simulate(ctx context.Context, s simulation) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := s.scenario.read(); err != nil {
		return usageError{err}
	}
	controlToken := os.Getenv(controlTokenVariable)
	if strings.ContainsFunc(controlToken, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return usageError{errors.New(controlTokenVariable + " must have only visible characters of ASCII: it is sent in a header")}
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return usageError{fmt.Errorf("cannot listen; choose another --addr: %w", err)}
	}
	var began beginning
	var first sync.Once // a reset fills the account again
	simulator := control.New(control.Options{
		Default: s.options(), ControlToken: controlToken,
		Fill: func(service *terminal49test.Server) {
			filled := s.fill(service)
			first.Do(func() { began = filled })
		},
	})
	defer simulator.Close()
	if began.err != nil {
		return usageError{errors.Join(began.err, listener.Close())}
	}
	service := simulator.Default()
	server := &http.Server{Handler: simulator, ReadHeaderTimeout: time.Minute, ReadTimeout: time.Minute, IdleTimeout: 10 * time.Minute}
	go func() { _ = server.Serve(listener) }() // ends with Shutdown
	fmt.Fprintf(cli.Hidden(a.out), `A simulated service with %s. Its clock runs at %gx.

export T49_API_BASE_URL=%s T49_API_TOKEN=%s

%s
`, plain(began.has), s.speed, here("http://"+listener.Addr().String()+"/v2"), service.Token, plain(began.hint))

	<-ctx.Done()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	simulator.Close() // ends what waits or is stalled
	err = server.Shutdown(bounded)
	violations := service.Violations()
	fmt.Fprintf(a.out, "\nrequests received: %d; violations of what the service documents: %d\n", service.RequestCount(), len(violations))
	for _, v := range violations {
		a.say("- %s", v)
	}
	return err
}

// here returns an address that a client on this machine can use, also if the simulator listens on
// all addresses of the machine.
func here(address string) string {
	return strings.NewReplacer("//[::]:", "//127.0.0.1:", "//0.0.0.0:", "//127.0.0.1:").Replace(address)
}
