package main

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// runFlags are the flags of run.
type runFlags struct {
	listen, url, metrics string
	share                float64
	demo, once           bool
	length               time.Duration
	keep                 mirror.Retention
	situations           string // the file of rules
	rules                mirror.SituationRules
}

func (a *app) run() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Keep the copy equal to the service, until interrupted, or --once",
		Long: `Keep the copy equal to the service, until SIGINT or SIGTERM.

It polls, so it needs no public address. With --listen and --url it also keeps a webhook,
and changes arrive within seconds. Several processes may run with one Postgres database:
one of them writes, all receive, and another one takes over: within 3 seconds after
it stops or, on the same Linux machine, crashes; 15 after a crash of another machine.
The next process with a SQLite file waits as long.

/healthz and the webhook answer from the start. Until the tables exist they answer 503,
and the service delivers again. If the SQLite file is replaced or deleted, run stops.

With --once it walks over everything, compares the inbox with the service's log of
notifications, reads what that marks, prints the status, and ends: for a job at intervals.
If another process mirrors into the database, that one does the work, with its own flags.
The exit status is 1 if rows wait for confirm-deletions afterwards.

With --demo it needs no account: it copies a simulated one, whose clock runs fast, and
prints what appears and changes. --for stops it after that time, verifies the copy, and
exits with 1 on any difference.`,
		Example: `  terminal49-mirror run --demo --for 30s
  terminal49-mirror run
  terminal49-mirror run --once
  terminal49-mirror run --db postgres://mirror@db.internal/freight --listen :8080 --url https://mirror.example.com/webhook`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(f.checkEffects(cmd), f.check(), f.readRules()); err != nil {
				return err
			}
			return a.start(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "`address` to serve /healthz and /metrics on, and the webhook with --url")
	flags.StringVar(&f.url, "url", "", "public https `address` of the webhook, which leads to --listen")
	flags.StringVar(&f.metrics, "metrics", "", "`address` to serve /healthz and /metrics on instead, such as 127.0.0.1:9049")
	flags.Float64Var(&f.share, "share", 0.6, "`part` of the rate limit that walks may use")
	flags.BoolVar(&f.demo, "demo", false, "copy a simulated account")
	flags.DurationVar(&f.keep.Changes, "keep-changes", 0, "delete changes older than this `duration`, such as 2160h; 0 keeps all")
	flags.DurationVar(&f.keep.Inbox, "keep-inbox", 0, "delete applied notifications older than this `duration`; 0 keeps all")
	flags.DurationVar(&f.keep.Facts, "keep-facts", 0, "delete estimates and container_events older than this `duration`; 0 keeps all")
	flags.StringVar(&f.situations, "situations", "", "`file` of JSON with the numbers for notices on situations, such as {\"last_free_days\": [2, 0]}")
	flags.BoolVar(&f.once, "once", false, "walk over everything once, and end")
	flags.DurationVar(&f.length, "for", 0, "how long to run, as a `duration`; only with --demo")
	return cmd
}

// start begins what the flags ask for, and returns when it has ended.
func (a *app) start(ctx context.Context, f runFlags) error {
	if f.demo {
		return a.runDemo(ctx, f)
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	if f.once {
		return interrupted(ctx, a.with(ctx, true, client, a.once, f.options()...))
	}
	return a.with(ctx, true, client, func(ctx context.Context, m *mirror.Mirror) error {
		return a.keep(ctx, m, f)
	}, f.options()...)
}

func (f *runFlags) check() error {
	switch {
	case !(f.share > 0 && f.share <= 1): // true for NaN too
		return usageError("--share must be above 0 and at most 1")
	case f.length != 0 && (!f.demo || f.length < time.Second):
		return usageError("--for must be at least 1s, and needs --demo")
	case f.demo && f.listen+f.url+f.metrics != "":
		return usageError("--demo cannot be combined with --listen, --url and --metrics")
	case f.url != "":
		return f.checkURL()
	}
	return nil
}

func (f *runFlags) checkURL() error {
	address, err := url.Parse(f.url)
	switch {
	case err != nil || address.Scheme != "https" || address.Hostname() == "" || strings.Contains(f.url, "#"):
		return usageError("--url must be an https address such as https://mirror.example.com/webhook")
	case f.listen == "":
		return usageError("--url needs --listen, the address to which it leads")
	case address.Path == healthPath || address.Path == metricsPath:
		return usageError("--url must have another path than " + healthPath + " and " + metricsPath)
	case !isClean(address.Path):
		return usageError(`--url must have a path without empty, "." and ".." parts, which clients and proxies remove`)
	}
	return nil
}

// isClean reports whether a path, which may be empty or end with a slash, is the one that clients
// request and [http.ServeMux] matches.
func isClean(p string) bool {
	clean := path.Clean("/" + p)
	return p == "" || p == clean || p == clean+"/" && clean != "/"
}

// readRules reads the file of --situations.
func (f *runFlags) readRules() error {
	if f.situations == "" {
		return nil
	}
	data, err := os.ReadFile(f.situations)
	if err != nil {
		return usageError("--situations: " + err.Error())
	}
	f.rules, err = mirror.ParseSituationRules(data)
	if argument := (*terminal49.ArgumentError)(nil); errors.As(err, &argument) {
		return usageError("--situations " + f.situations + ": " + argument.Field + " " + argument.Problem)
	}
	return err
}

func (f *runFlags) options() []mirror.Option {
	opts := []mirror.Option{mirror.WithRateLimitShare(f.share), mirror.WithRetention(f.keep), mirror.WithSituationRules(f.rules)}
	if f.url != "" {
		opts = append(opts, mirror.WithWebhook(f.url))
	}
	return opts
}

// keep runs the mirror and its servers until ctx ends, which is not an error, or one of them fails.
// The servers answer while Run creates the tables or waits for them.
func (a *app) keep(ctx context.Context, m *mirror.Mirror, f runFlags) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	servers, err := a.serve(ctx, m, f)
	if err != nil {
		return err
	}
	shown := a.showProgress(ctx, m)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	select {
	case err = <-ended:
		stop()
	case err = <-servers.failed:
		stop()
		err = errors.Join(err, <-ended)
	}
	<-shown
	return errors.Join(err, servers.shutdown())
}
