// Fleet shows what processes with one API key share through packages redisstore and sqlstore: the
// rate limits, and the notifications that were handled.
//
//	go run ./examples/fleet
//
// It needs no account and no setup. It starts a simulated service, an engine, and five copies of
// itself: three workers that call the service as often as they may, and two receivers of its
// webhooks behind a balancer. Half-way it kills a worker and a receiver with SIGKILL and starts
// another of each. At the end it prints what the service counted, and exits with status 1 if a
// limit was exceeded or a notification was lost.
//
// The engine is Redis if redis-server is on the PATH, otherwise Postgres if it is installed,
// otherwise SQLite; -engine selects one. With -without, a second service runs at the same time,
// whose processes share nothing, and the table has a column for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("fleet: ")
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		runChild()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if ctx.Err() != nil {
		log.Fatal("interrupted")
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	kind := flags.String("engine", "", "`name` of the engine: redis, postgres or sqlite (default the first that is installed)")
	length := flags.Duration("for", 90*time.Second, "how long to run, as a `duration`; the limits are those of a minute")
	without := flags.Bool("without", false, "also run a fleet whose processes share nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *length < time.Second || flags.NArg() > 0 {
		return errors.New("-for must be at least 1s; there are no arguments other than flags")
	}
	folder, err := os.MkdirTemp("", "t49-fleet-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	shared, stop, err := startEngine(ctx, *kind, folder)
	if err != nil {
		return err
	}
	defer stop()

	deployments := []*deployment{newDeployment(shared, filepath.Join(folder, "handled"))}
	if *without {
		deployments = append(deployments, newDeployment(engine{}, filepath.Join(folder, "handled-without")))
	}
	for _, d := range deployments {
		defer d.stop()
		if err := d.start(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "3 workers and 2 receivers share one API key through %s, for %s.\n", shared.Kind, *length)
	if err := watch(ctx, deployments, *length, out); err != nil {
		return err
	}
	results := make([]result, len(deployments))
	for i, d := range deployments {
		if results[i], err = d.finish(ctx); err != nil {
			return err
		}
	}
	printTable(out, results)
	return results[0].err()
}

// watch prints a line of progress each second and crashes a process of each kind half-way.
func watch(ctx context.Context, deployments []*deployment, length time.Duration, out io.Writer) error {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	half, end, started := time.After(length/2), time.After(length), time.Now()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-end:
			return nil
		case <-half:
			fmt.Fprintln(out, "A worker and a receiver are killed with SIGKILL, the receiver while it handles a notification.")
			for _, d := range deployments {
				if err := d.crash(ctx); err != nil {
					return err
				}
			}
			fmt.Fprintln(out, "Another of each has started.")
		case <-second.C:
			line := fmt.Sprintf("%4.0f s", time.Since(started).Seconds())
			for i, d := range deployments {
				line += fmt.Sprintf("%s%4d requests sent, %2d waiting, %4d notifications handled",
					[]string{"  ", "  | without: "}[i], len(d.service.Requests()), d.waiting(), len(d.handled()))
			}
			fmt.Fprintln(out, line)
		}
	}
}
