package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

// pushFlags are the flags of push.
type pushFlags struct {
	mirror.Push
	filter, secretFile, metrics string
}

// The environment variables of push.
const (
	pushURL    = "T49_PUSH_URL"
	pushSecret = "T49_PUSH_SECRET"
)

func (a *app) push() *cobra.Command {
	var f pushFlags
	cmd := &cobra.Command{
		Use:   "push [URL]",
		Short: "Send what changes to a receiver, by HTTP, until interrupted",
		Long: `Send what changes to a receiver, by HTTP, until SIGINT or SIGTERM: each change is a POST
with a CloudEvent, signed in the header X-T49-Webhook-Signature. It is sent at least once,
always with the same id, and in order for each resource.

The address is URL or T49_PUSH_URL. Only its scheme and host are stored and logged. The
secret for the signatures is in T49_PUSH_SECRET, or in a file: --secret-file.

What the receiver does not accept is repeated, later and later, and parked after
--attempts failures: see push parked and push replay. While the receiver accepts nothing,
one delivery at a time is tried, and none is parked. If it answers 410 Gone, push stops.

Run one process for each receiver, with a --name of its own. A second process with the
same name waits, and goes on when the first one ends.`,
		Example: `  T49_PUSH_SECRET=... terminal49-mirror push https://example.com/changes
  terminal49-mirror push --name slack --filter situation.ready,situation.last_free_day http://127.0.0.1:8080
  terminal49-mirror push parked
  terminal49-mirror push replay`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.readPush(&f, args); err != nil {
				return err
			}
			client, err := offline()
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), false, client, func(ctx context.Context, m *mirror.Mirror) error { return a.send(ctx, m, f) })
		},
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.Name, "name", "default", "`name` of the push")
	flags = cmd.Flags()
	flags.StringVar(&f.filter, "filter", "", "`kinds` to send, or KIND.ATTRIBUTE, such as container,situation.ready (default all)")
	flags.StringVar(&f.From, "from", "end", "`position` at which a new push begins: begin, end, or that of a change")
	flags.StringVar(&f.secretFile, "secret-file", "", "`path` of a file with the secret (default T49_PUSH_SECRET)")
	flags.DurationVar(&f.Timeout, "timeout", 10*time.Second, "`duration` that the receiver may take for a delivery")
	flags.IntVar(&f.Attempts, "attempts", 15, "`number` of failures after which a delivery is parked")
	flags.StringVar(&f.metrics, "metrics", "", "`address` to serve /healthz and /metrics on, such as 127.0.0.1:9050")
	cmd.AddCommand(a.pushParked(&f), a.pushReplay(&f), a.pushReposition(&f), a.pushRemove(&f))
	return cmd
}

// readPush reads what the flags do not have, and checks all before anything runs.
func (a *app) readPush(f *pushFlags, args []string) error {
	address, secret := os.Getenv(pushURL), os.Getenv(pushSecret)
	if len(args) > 0 {
		address = args[0]
	}
	if f.secretFile != "" {
		data, err := os.ReadFile(f.secretFile)
		if err != nil {
			return usageError("--secret-file cannot be read: " + err.Error())
		}
		secret = strings.TrimSpace(string(data))
	}
	a.secrets.Add(secret, address)
	f.URL, f.Secret = terminal49.NewSecret(strings.TrimSpace(address)), terminal49.NewSecret(secret)
	if f.filter != "" {
		f.Filter = strings.Split(f.filter, ",")
	}
	switch {
	case f.Timeout == 0:
		f.Timeout = -1 // 0 is the default of the package
	case f.Attempts == 0:
		f.Attempts = -1
	}
	return pushUsage(f.Push.Check())
}

// pushUsage names the flag in place of the field that is refused.
func pushUsage(err error) error {
	var argument *terminal49.ArgumentError
	if !errors.As(err, &argument) {
		return err
	}
	switch argument.Field {
	case "Push.URL":
		return usageError("URL, or " + pushURL + ", " + argument.Problem)
	case "positions":
		return usageError("POSITION " + argument.Problem)
	case "Push.Secret":
		return usageError(pushSecret + " is not set, and --secret-file is not given; the receiver verifies signatures with the secret")
	}
	return usageError("--" + strings.ToLower(strings.TrimPrefix(argument.Field, "Push.")) + " " + argument.Problem)
}

// send sends until ctx ends, and serves the health of the push.
func (a *app) send(ctx context.Context, m *mirror.Mirror, f pushFlags) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &servers{failed: make(chan error, 1)}
	if f.metrics != "" {
		listener, err := net.Listen("tcp", f.metrics)
		if err != nil {
			return fmt.Errorf("cannot listen; choose another --metrics: %w", err)
		}
		fmt.Fprintf(a.err, "terminal49-mirror: --metrics serves http://%s\n", listener.Addr())
		about := &reporter{ctx: ctx, load: m.Status}
		mux := http.NewServeMux()
		mux.HandleFunc("GET "+healthPath, about.pushHealth(f.Name))
		mux.HandleFunc("GET "+metricsPath, about.metrics)
		s.start(listener, mux)
	}
	ended := make(chan error, 1)
	go func() { ended <- m.Push(ctx, f.Push) }()
	var err error
	select {
	case err = <-ended:
		stop()
	case err = <-s.failed:
		stop()
		err = errors.Join(err, <-ended)
	}
	if errors.Is(err, mirror.ErrPositionLost) {
		err = fmt.Errorf("%w: terminal49-mirror push reposition --name %s --from end", err, f.Name)
	}
	return errors.Join(err, s.shutdown())
}

// pushHealth answers 200, or 503 and what is wrong with a push.
func (r *reporter) pushHealth(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s, err := r.status()
		if err != nil {
			http.Error(w, printable(err).Error(), http.StatusServiceUnavailable)
			return
		}
		err = errors.New("mirror: the push " + name + " has not begun yet")
		for _, p := range s.Pushes {
			if p.Name != name {
				continue
			}
			if err = p.Healthy(time.Now()); err == nil {
				fmt.Fprintln(w, "ok\n"+pushLine(p, time.Now()))
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}
}

// pushLine describes how far a push is.
func pushLine(p mirror.PushStatus, now time.Time) string {
	text := fmt.Sprintf("push %s to %s: at %s, %s and %d changes behind, %d pending, %d parked, %d sent",
		p.Name, p.Receiver, cmp.Or(string(p.Position), "the beginning"), p.Lag.Round(time.Second), p.Behind, p.Pending, p.Parked, p.Sent)
	if p.Filter != "" {
		text += ", only " + p.Filter
	}
	if !p.AwaySince.IsZero() {
		text += ", the receiver accepts nothing since " + ago(now, p.AwaySince)
	}
	if p.Stopped != "" {
		text += "; stopped: " + p.Stopped
	}
	if p.Problem != "" {
		text += "; latest problem " + ago(now, p.ProblemAt) + ": " + p.Problem
	}
	return text
}

func (a *app) pushParked(f *pushFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "parked",
		Short: "Print the deliveries that failed for the last time",
		Args:  cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error {
			list, err := m.Parked(ctx, f.Name)
			if err != nil {
				return pushUsage(err)
			}
			var rows [][]string
			for _, p := range list {
				rows = append(rows, []string{string(p.Position), fmt.Sprint(p.Kind, " ", p.ID), p.Attribute,
					p.ParkedAt.UTC().Format(time.RFC3339), fmt.Sprint(p.Attempts, " attempts"), p.Problem})
			}
			return printColumns(a.out, rows)
		}),
	}
}

func (a *app) pushReplay(f *pushFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "replay [POSITION...]",
		Short: "Send parked deliveries again, those with some positions or all",
		Long: `Send parked deliveries again, those with some positions or all. The process that runs push
sends them, under the same ids. The receiver may have had later changes of the same
resource meanwhile.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.local(func(ctx context.Context, m *mirror.Mirror) error {
				positions := make([]mirror.Position, len(args))
				for i, text := range args {
					positions[i] = mirror.Position(text)
				}
				n, err := m.Replay(ctx, f.Name, positions...)
				if err == nil {
					fmt.Fprintf(a.out, "%d to be sent again\n", n)
				}
				return noPush(err, f.Name)
			})(cmd, nil)
		},
	}
}

func (a *app) pushReposition(f *pushFlags) *cobra.Command {
	from := ""
	cmd := &cobra.Command{
		Use:   "reposition",
		Short: "Have a push go on from another position",
		Long: `Have a push go on from another position: after its own was lost, or to send what it has
sent already. Deliveries that are pending or parked stay so.`,
		Example: "  terminal49-mirror push reposition --name slack --from end",
		Args:    cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error {
			return noPush(m.Reposition(ctx, f.Name, from), f.Name)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "`position`: begin, end, or that of a change")
	return cmd
}

func (a *app) pushRemove(f *pushFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "remove",
		Short: "Delete a push that is not wanted any more, with what is pending and parked",
		Args:  cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error {
			return noPush(m.RemovePush(ctx, f.Name), f.Name)
		}),
	}
}

// noPush names the push that does not exist, or the argument that is refused.
func noPush(err error, name string) error {
	if errors.Is(err, mirror.ErrNoPush) {
		return usageError("there is no push named " + cli.Printable(name) + "; terminal49-mirror status lists them")
	}
	return pushUsage(err)
}
