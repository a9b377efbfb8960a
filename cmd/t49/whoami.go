package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) whoami() *cobra.Command {
	return a.tabular(&cobra.Command{
		Use:     "whoami",
		Aliases: []string{"me"},
		Short:   "Show whose API key it is, and what it may do",
		Long: `Show whose API key it is and what it may do: account, plan, tracking slots, features, and the
rate limits that this program keeps. A service that does not report them yet is asked for one
webhook, which shows whether it accepts the key.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.showCredential(cmd.Context()) },
	}, "me.get")
}

func (a *app) showCredential(ctx context.Context) error {
	client, err := a.connect()
	if err != nil {
		return err
	}
	me, err := client.Me(ctx)
	if errors.Is(err, terminal49.ErrNotFound) && !a.json {
		if accepted := a.showAccepted(ctx, client); !errors.Is(accepted, terminal49.ErrNotFound) {
			return accepted
		}
	}
	if err != nil {
		return err
	}
	account, hasAccount := me.Account.Value()
	t := a.print("WHAT", "VALUE")
	if a.json {
		if err := t.row(me); err != nil || !hasAccount {
			return err
		}
		return t.row(account)
	}
	key := string(me.Kind)
	if me.Name != "" {
		key += ", " + me.Name
	}
	if !hasAccount {
		account = &terminal49.Account{}
	}
	t.cells("account", account.CompanyName)
	t.cells("key", key)
	t.cells("plan", account.Plan)
	t.cells("tracking slots", slots(account.TrackingSlots))
	for _, feature := range me.Features {
		t.cells("feature "+string(feature.Feature), string(feature.Status))
	}
	t.cells("requests", limits())
	t.cells("requests left", "not reported by the service; this program waits for its limits")
	return t.end(nil)
}

// showAccepted checks the key with a small request, for a service without the operation.
func (a *app) showAccepted(ctx context.Context, client *terminal49.Client) error {
	if _, err := client.Webhooks.List(ctx, &terminal49.WebhookListParams{PageParams: terminal49.PageParams{PageSize: 1}}); err != nil {
		return err
	}
	t := a.print("WHAT", "VALUE")
	t.cells("key", "accepted; the service does not report more yet")
	t.cells("requests", limits())
	t.cells("requests left", "not reported by the service; this program waits for its limits")
	return t.end(nil)
}

// checkAccount returns an error unless the token is of the account that --account names.
func (a *app) checkAccount(ctx context.Context, name string) error {
	client, err := a.connect()
	if err != nil {
		return err
	}
	me, err := client.Me(ctx)
	if err != nil {
		return fmt.Errorf("--account cannot be checked: %w", err)
	}
	if account, ok := me.Account.Value(); !ok || !strings.EqualFold(account.CompanyName, strings.TrimSpace(name)) {
		if !ok {
			account = &terminal49.Account{CompanyName: "that the service does not report"}
		}
		return usageError{fmt.Errorf("T49_API_TOKEN is of the account %q, not of %q; nothing was done", account.CompanyName, name)}
	}
	return nil
}

// slots returns how many of its numbers an account has tracked. What is not reported is unknown.
func slots(s terminal49.TrackingSlots) string {
	if s.Unlimited {
		return "unlimited"
	}
	if s == (terminal49.TrackingSlots{}) {
		return ""
	}
	return fmt.Sprintf("%s of %s used, %s left", count(s.Used), count(s.Limit), count(s.Remaining))
}

func count(n terminal49.Opt[int]) string {
	if v, ok := n.Get(); ok {
		return fmt.Sprint(v)
	}
	return "unknown"
}

// limits returns the rate limits that the client keeps.
func limits() string {
	l := terminal49.DefaultRateLimits()
	return fmt.Sprintf("at most %d a minute; creating tracking requests %d, inferring numbers %d, refreshing containers %d",
		l.Default, l.Create, l.Infer, l.Refresh)
}
