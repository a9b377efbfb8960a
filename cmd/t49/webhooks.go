package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

func (a *app) webhooks() *cobra.Command {
	cmd := &cobra.Command{Use: "webhooks", Short: "List, create and delete webhooks; receive or forward notifications, or send samples of them"}
	cmd.AddCommand(a.listWebhooks(), a.createWebhook(), a.deleteWebhook(), a.listen(), a.send(), a.forward())
	return cmd
}

func (a *app) listWebhooks() *cobra.Command {
	return a.listing(&cobra.Command{
		Use:   "list",
		Short: "List the account's webhooks",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			t := a.printWebhooks()
			params := terminal49.WebhookListParams{PageParams: terminal49.PageParams{PageSize: a.pageSize()}}
			return printList(t.table, client.Webhooks.All(cmd.Context(), &params, terminal49.WithResponse(&a.read)), t.row)
		},
	}, "webhooks.list")
}

// webhookTable is a table of webhooks.
type webhookTable struct{ *table }

func (a *app) printWebhooks() webhookTable {
	return webhookTable{a.print("URL", "ACTIVE", "EVENTS", "ID")}
}

func (t webhookTable) row(hook *terminal49.Webhook) error {
	return t.table.row(hook, hook.URL, yesNo(hook.Active), fmt.Sprint(len(hook.Events)), hook.ID)
}

func (a *app) createWebhook() *cobra.Command {
	var events []string
	cmd := a.tabular(&cobra.Command{
		Use:   "create URL",
		Short: "Create a webhook, unless the account has one for this URL",
		Long: `Create a webhook, unless the account has one for this public https address; then
set its events. Its secret is not printed: "t49 api /webhooks/ID" does that.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, to []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			if err := checkEvents(events); err != nil {
				return err
			}
			hook, err := client.Webhooks.Ensure(cmd.Context(), to[0], eventNames(events))
			if err != nil {
				return err
			}
			t := a.printWebhooks()
			return t.end(t.row(hook))
		},
	}, "webhooks.get")
	cmd.Flags().StringSliceVar(&events, "event", nil, "only these `events`, such as container.updated; without it, all of the account")
	complete(cmd, "event", terminal49.WebhookEvents())
	return cmd
}

// checkEvents returns an error for an event that this version does not know.
func checkEvents(events []string) error {
	for _, event := range eventNames(events) {
		if err := check("event", event, terminal49.WebhookEvents()); err != nil {
			return err
		}
	}
	return nil
}

// eventNames returns nil for none.
func eventNames(events []string) (names []terminal49.EventName) {
	for _, event := range events {
		names = append(names, terminal49.EventName(event))
	}
	return names
}

func (a *app) deleteWebhook() *cobra.Command {
	return &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a webhook; its notifications end",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, which []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			if !isID(which[0]) {
				return usageError{fmt.Errorf("%s is not the id of a webhook; t49 webhooks list prints it", plain(which[0]))}
			}
			return client.Webhooks.Delete(cmd.Context(), which[0])
		},
	}
}

// secretVariable has the secret of a webhook. A flag would show it in the list of processes.
const secretVariable = "T49_WEBHOOK_SECRET"

// environmentSecret returns the secret of the environment without the white space around it; "" if
// there is none.
func environmentSecret() (string, error) {
	text := strings.TrimSpace(os.Getenv(secretVariable))
	if strings.Trim(text, "\"'`") != text {
		return "", usageError{errors.New(secretVariable + " must not be in quotes; docker run --env-file, for example, does not remove them")}
	}
	return text, nil
}

func (a *app) listen() *cobra.Command {
	var addr, url string
	cmd := &cobra.Command{
		Use:   "listen",
		Short: "Receive notifications, verify them and print them",
		Long: `Receive notifications until it is interrupted, verify their signatures and print
them. ` + secretVariable + ` is the webhook's secret. With --url, the public https address that
leads to --addr, the webhook is created if the account has none for it, and the
secret is read from the service. With neither, a secret is generated and printed,
for "t49 webhooks send".`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			secret, err := a.secret(cmd.Context(), url)
			if err != nil {
				return err
			}
			return a.receive(cmd.Context(), addr, secret)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8050", "`address` to listen on")
	cmd.Flags().StringVar(&url, "url", "", "public https `address` that leads here; the webhook is not deleted afterwards")
	return cmd
}

func (a *app) secret(ctx context.Context, url string) (terminal49.Secret, error) {
	if url != "" {
		client, err := a.connect()
		if err != nil {
			return terminal49.Secret{}, err
		}
		hook, err := client.Webhooks.Ensure(ctx, url, nil)
		if err != nil {
			return terminal49.Secret{}, err
		}
		return hook.Secret, nil
	}
	return a.localSecret()
}

// localSecret returns the secret of the environment, or generates one and prints it.
func (a *app) localSecret() (terminal49.Secret, error) {
	text, err := environmentSecret()
	if err == nil && text == "" {
		text = rand.Text()
		fmt.Fprintf(a.log, "%s is not set; this one is used: %s\n", secretVariable, text)
	}
	return terminal49.NewSecret(text), err
}

// receive serves until ctx ends.
func (a *app) receive(ctx context.Context, addr string, secret terminal49.Secret) error {
	handler, err := webhook.NewHandler(webhook.WithSecrets(secret),
		webhook.OnAny(func(_ context.Context, n *webhook.Notification) error { return a.notified(n) }),
		webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) {
			if d.Outcome != webhook.OutcomeHandled {
				a.note("%d %s: %v", d.StatusCode, d.Outcome, d.Err)
			}
		}))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usageError{fmt.Errorf("cannot listen; choose another --addr: %w", err)}
	}
	fmt.Fprintf(a.log, "receiving on http://%s\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(server.Shutdown(bounded), handler.Shutdown(bounded))
}

// notified prints a notification: a line, or as JSON what was delivered.
func (a *app) notified(n *webhook.Notification) error {
	if a.json {
		return a.line(n.Raw())
	}
	about := n.Shipment.ID()
	if c, ok := n.Container.Value(); ok {
		about = c.Number
	}
	text := fmt.Sprintf("%s  %s  %s", n.CreatedAt.String(), n.Event, about)
	if updated, ok := n.Payload.(*webhook.ContainerUpdatedPayload); ok {
		changes, err := json.Marshal(updated.Changeset)
		if err != nil {
			return err
		}
		text += "  " + string(changes)
	}
	return a.say("%s", text)
}
