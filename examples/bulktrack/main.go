// Bulktrack tracks all numbers of a CSV file and writes the outcome of each to another file.
//
//	go run ./examples/bulktrack examples/bulktrack/sample.csv
//
// The first row of the file is its header. Without one, the numbers are in the first column. The
// columns number, type, scac, reference (or references), tags and customer are used; only number is
// required. A cell can have several references or tags, separated by semicolons, and customer is
// the id of a party. Other columns are named in a warning. The flag -column names another column
// with the numbers.
//
// Outcomes are written as they arrive, with the line of the input. After an interrupt with Ctrl-C,
// run the same command again: numbers with an outcome are skipped, failed numbers are retried, and
// nothing is created twice. A second run at the same time over the same outcomes is refused on
// Windows, macOS, Linux and the BSDs; elsewhere, and on a file share without locks, do not start
// one.
//
// Without a token it starts a simulated service in this process and needs neither an account nor a
// network. With T49_API_TOKEN set it creates tracking requests at the real service, or at the one
// named by T49_API_BASE_URL.
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
	"strings"

	"github.com/schollz/progressbar/v3"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(plain("bulktrack: " + err.Error()))
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bulktrack", flag.ContinueOnError)
	column := flags.String("column", "", "`name` of the column with the numbers (default \"number\", or else the first column)")
	output := flags.String("out", "", "`file` for the outcomes (default the input's name with .outcomes.csv)")
	concurrency := flags.Int("concurrency", 0, "`count` of numbers tracked at once (default 8)")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: bulktrack [flags] numbers.csv")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case flags.NArg() != 1:
		flags.Usage()
		return errors.New("one CSV file is required")
	}
	j := job{input: flags.Arg(0), column: *column, output: *output, concurrency: *concurrency, progress: progressBar, warn: func(s string) { log.Print(plain("bulktrack: " + s)) }}
	if j.output == "" {
		j.output = strings.TrimSuffix(j.input, filepath.Ext(j.input)) + ".outcomes.csv"
	}
	closeService, err := j.connect()
	if err != nil {
		return err
	}
	defer closeService()

	counts, err := j.run(ctx)
	fmt.Printf("%d created, %d existing or found, %d to confirm, %d invalid, %d failed or interrupted, %d skipped.\nSee %s\n",
		counts.Created, counts.Existing+counts.FoundAfterUnknown+counts.ContainerTracked, counts.NeedsConfirmation, counts.Invalid, counts.Failed, counts.Skipped, plain(j.output))
	if ctx.Err() != nil {
		return errors.New("interrupted; run the same command again to continue")
	}
	return err
}

// connect creates the client: of the real service if there is a token, otherwise of a simulated
// one.
func (j *job) connect() (closeService func(), err error) {
	if os.Getenv("T49_API_TOKEN") != "" {
		j.service = terminal49.DefaultBaseURL
		if base := os.Getenv("T49_API_BASE_URL"); base != "" {
			j.service = base
		}
		fmt.Printf("Using %s with the token of T49_API_TOKEN. This creates tracking requests.\n", plain(j.service))
		j.client, err = terminal49.NewFromEnv(terminal49.WithUserAgent("bulktrack"))
		return func() {}, err
	}
	fmt.Println("T49_API_TOKEN is not set: using a simulated service in this process, without a network.")
	service := terminal49test.NewServer()
	// This number of the sample requires confirmation.
	service.Script("SHA7781234", terminal49test.Journey{Inference: &terminal49test.Inference{
		SCAC: "EGLV", Confidence: 0.81, OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.6}},
	}})
	j.service = "simulated"
	j.client, err = terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	return service.Close, err
}

// progressBar shows the counts as a bar if standard error is a terminal.
func progressBar(total int) func(terminal49.TrackProgress) {
	var out io.Writer = os.Stderr
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		out = io.Discard
	}
	bar := progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(), progressbar.OptionOnCompletion(func() { fmt.Fprintln(out) }))
	return func(p terminal49.TrackProgress) {
		bar.Describe(fmt.Sprintf("%d new, %d failed", p.Created, p.Failed))
		_ = bar.Set(p.Done()) // a drawing error does not stop the job
	}
}
