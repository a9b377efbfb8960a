package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// forwarding is what forward is started with.
type forwarding struct {
	webhook, create, since, state string
	folder                        string // of the file if state is ""
	rate                          float64
	activate, anywhere            bool
}

func (a *app) forward() *cobra.Command {
	var f forwarding
	cmd := &cobra.Command{
		Use:   "forward URL",
		Short: "Send the account's notifications to a receiver on this machine, without a public address",
		Long: `Read the service's log of a webhook's notifications until it is interrupted, and
send each new one to a receiver on this machine: in the order of their times of
creation, signed with ` + secretVariable + `, and again until the receiver accepts it
with 200, 201, 202 or 204. It waits for a receiver that is not there, and gives a
notification up after 13 refusals.

Started again, it continues where it ended, also after it was killed. The receiver
may then get a notification a second time.

The webhook must exist, because the service logs nothing without one. The service
tries each notification 13 times, marks it as failed if nobody answers at the
webhook's address, and may then deactivate the webhook. It logs nothing for an
inactive webhook: --activate activates it again.`,
		Example: `  t49 webhooks forward http://localhost:8050/terminal49
  t49 webhooks forward http://localhost:8050/ --create https://t49-forward.invalid/ --activate
  t49 webhooks forward http://localhost:8050/ --since 2h --rate 30`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, to []string) error {
			target, err := receiverURL(to[0], f.anywhere)
			if err != nil {
				return err
			}
			return a.runForward(cmd.Context(), target, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.webhook, "webhook", "", "`id` of the webhook; required if the account has several")
	flags.StringVar(&f.create, "create", "", "create the webhook with this https `address`, unless the account has it; nobody has to answer there")
	flags.BoolVar(&f.activate, "activate", false, "activate the webhook whenever it is inactive")
	flags.StringVar(&f.since, "since", "", "begin at this `time`, such as 2026-11-26T08:00:00Z, or so long ago, such as 2h, or now")
	flags.Float64Var(&f.rate, "rate", 12, "requests a `minute`, 1 to 60, of the account's 100")
	flags.StringVar(&f.state, "state", "", "`file` that keeps what was forwarded; by default in the user's configuration folder")
	completeFiles(cmd, "state")
	flags.BoolVar(&f.anywhere, "anywhere", false, "allow a receiver on another machine")
	return cmd
}

// receiverURL checks the address of a receiver.
func receiverURL(text string, anywhere bool) (*url.URL, error) {
	to, err := url.Parse(text)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, usageError{errors.New("URL must be an http or https address, such as http://127.0.0.1:8050/")}
	}
	if !anywhere && !isLoopback(to.Hostname()) {
		return nil, usageError{errors.New("URL is not on this machine; add --anywhere if it is yours")}
	}
	return to, nil
}

func (a *app) runForward(ctx context.Context, target *url.URL, f forwarding) error {
	if !(f.rate >= 1 && f.rate <= 60) { // true for NaN too
		return usageError{errors.New("--rate must be 1 to 60 requests a minute")}
	}
	since, err := sinceTime(f.since, time.Now())
	if err != nil {
		return err
	}
	if f.state == "" {
		if f.folder, err = stateFolder(); err != nil {
			return err
		}
	} else if err := prepareState(f.state); err != nil { // before a webhook is created
		return err
	}
	secret, err := a.localSecret()
	if err != nil {
		return err
	}
	client, err := a.connect()
	if err != nil {
		return err
	}
	hook, err := a.forwardedWebhook(ctx, client, f)
	if err != nil {
		return err
	}
	at, err := openPosition(cmp.Or(f.state, defaultState(f.folder, hook.ID, target)), f.since != "", since)
	if err != nil {
		return err
	}
	w := &forwarder{
		app: a, client: client, webhook: hook.ID, activate: f.activate, at: at,
		log: &notificationLog{client: client, webhook: hook.ID, pace: &pace{every: time.Duration(float64(time.Minute) / f.rate)}},
		to:  newReceiver(target, secret),
	}
	a.note("forwarding from webhook %s to %s; %s", hook.ID, target.Redacted(), at)
	return errors.Join(w.run(ctx), at.close())
}

// sinceTime returns the time that --since means; zero for "" and now.
func sinceTime(text string, now time.Time) (time.Time, error) {
	if text == "" || text == "now" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.After(now) {
		return at, usageError{errors.New("--since must be a past time such as 2026-11-26T08:00:00Z, a duration such as 2h, or now")}
	}
	return at, nil
}

// How often everything that may have appeared late in the log is read, and the webhook's state. Up
// to 400 notifications an hour are on the page that is read anyway.
const (
	wholeEvery = 10 * time.Minute
	checkEvery = 15 * time.Minute
)

// forwarder sends what appears in the log to the receiver.
type forwarder struct {
	*app
	client   *terminal49.Client
	webhook  string
	activate bool
	log      *notificationLog
	at       *position
	to       *receiver

	last          time.Time // the time of creation of the notification sent last
	passed        bool      // what was new at the start has been sent
	whole, check  time.Time // when the log was last read as a whole, and the webhook's state
	outage        error     // since the service last answered
	warned        bool      // that the log is not newest first
	sent, refused int
}

// run forwards until ctx ends.
func (w *forwarder) run(ctx context.Context) error {
	w.check = time.Now() // the webhook was read at the start
	for ctx.Err() == nil {
		err := w.pass(ctx)
		if err == nil {
			err = w.checkWebhook(ctx)
		}
		if err := w.outcome(ctx, err); err != nil {
			return err
		}
	}
	if w.refused > 0 {
		return fmt.Errorf("the receiver did not accept %d of %d: %w", w.refused, w.sent, errNo)
	}
	return nil
}

// outcome reports an outage of the service, which is waited for, when it begins and when it ends.
// It returns the other errors.
func (w *forwarder) outcome(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return nil
	case err == nil:
		if w.outage != nil {
			w.note("the service answers again")
		}
		w.outage = nil
		return nil
	case !isOutage(err):
		return err
	}
	if w.outage == nil {
		w.note("the log cannot be read now; nothing is lost, and it is tried again: %v", err)
	}
	w.outage = err
	return nil
}

// isOutage reports whether an error may end by itself.
func isOutage(err error) bool {
	switch statusOf(err) {
	case exitRate, exitUpstream, exitNetwork:
		return true
	}
	return false
}

// pass reads what is new, and sends it.
func (w *forwarder) pass(ctx context.Context) error {
	whole := w.passed && time.Since(w.whole) >= wholeEvery
	list, err := w.log.read(ctx, w.at, whole)
	if err != nil {
		return err
	}
	if w.log.unsorted && !w.warned {
		w.warned = true
		w.note("the service's log is not newest first, so all of it is read each time: notifications come later")
	}
	if !w.at.known {
		return w.at.begin(list)
	}
	for _, n := range list {
		if err := w.forwardOne(ctx, n); err != nil {
			return err
		}
	}
	if w.passed = true; !whole {
		return nil
	}
	w.whole = time.Now()
	return w.at.advance()
}

// forwardOne sends a notification until it is accepted or given up.
func (w *forwarder) forwardOne(ctx context.Context, n logged) error {
	outcome, ok := w.to.deliver(ctx, n.body, func(format string, values ...any) {
		w.note("%s %s: %s", n.event, n.id, fmt.Sprintf(format, values...))
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.sent++
	if !ok {
		w.refused++
	}
	if err := w.at.record(n.id, n.created); err != nil {
		return err
	}
	if w.json {
		return w.line(n.body)
	}
	return w.say("%s  %s  %s  %s%s", n.createdText(), n.event, n.id, outcome, w.remark(n))
}

// remark names what the order by time does not decide, or does not hold for.
func (w *forwarder) remark(n logged) string {
	last := w.last
	if n.created.After(last) {
		w.last = n.created
	}
	switch {
	case n.created.IsZero(), last.IsZero():
		return ""
	case n.created.Equal(last):
		return "  (same time as the one before)"
	case n.created.Before(last):
		return "  (late: the service logged it after newer ones)"
	}
	return ""
}

// checkWebhook checks now and then that the webhook is active.
func (w *forwarder) checkWebhook(ctx context.Context) error {
	if time.Since(w.check) < checkEvery {
		return nil
	}
	if err := w.log.pace.wait(ctx); err != nil {
		return err
	}
	hook, err := w.client.Webhooks.Get(ctx, w.webhook, terminal49.WithMaxAttempts(1))
	if errors.Is(err, terminal49.ErrNotFound) {
		return fmt.Errorf("webhook %s has been deleted, so the service logs nothing for it: %w", w.webhook, err)
	}
	if err != nil {
		return err
	}
	if err := w.keepActive(ctx, w.client, hook, w.activate); err != nil {
		return err
	}
	w.check = time.Now()
	return nil
}
