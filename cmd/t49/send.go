package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func (a *app) send() *cobra.Command {
	var events []string
	var anywhere bool
	cmd := &cobra.Command{
		Use:   "send URL",
		Short: "Send signed samples of notifications to your receiver",
		Long: `Send a signed sample of each event to a receiver on this machine, from the
simulator: no account is needed, and nothing leaves the machine.
` + secretVariable + ` is the secret that signs them.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, to []string) error {
			target, err := receiverURL(to[0], anywhere)
			if err != nil {
				return err
			}
			if err := checkEvents(events); err != nil {
				return err
			}
			return a.sendSamples(cmd.Context(), target, events)
		},
	}
	cmd.Flags().StringSliceVar(&events, "event", nil, "only these `events`, such as container.updated")
	complete(cmd, "event", terminal49.WebhookEvents())
	cmd.Flags().BoolVar(&anywhere, "anywhere", false, "allow a receiver on another machine")
	return cmd
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (a *app) sendSamples(ctx context.Context, target *url.URL, events []string) error {
	secret, err := environmentSecret()
	if err != nil {
		return err
	}
	if secret == "" {
		return usageError{errors.New(secretVariable + ` is not set: set it to the receiver's secret; "t49 webhooks listen" prints one`)}
	}
	service := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookTransport(redirected{target}))
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL),
		terminal49.WithHTTPClient(service.HTTPClient()), terminal49.WithoutRateLimits())
	if err != nil {
		return err
	}
	names := terminal49.WebhookEvents()
	if len(events) > 0 {
		names = eventNames(events)
	}
	return a.trigger(ctx, client, names, terminal49.NewSecret(secret))
}

// trigger has the simulator send a sample of each event, and prints how the receiver answered.
func (a *app) trigger(ctx context.Context, client *terminal49.Client, events []terminal49.EventName, secret terminal49.Secret) error {
	refused := 0
	for _, event := range events {
		result, err := client.Webhooks.Trigger(ctx, terminal49.WebhookTrigger{URL: "https://receiver.example/", Event: event, Secret: secret})
		if err != nil {
			return fmt.Errorf("%s: %w", plain(string(event)), err)
		}
		if err := a.say("%s  %s", event, answer(result)); err != nil {
			return err
		}
		if !result.Succeeded {
			refused++
		}
	}
	if refused > 0 {
		return fmt.Errorf("the receiver did not accept %d of %d: %w", refused, len(events), errNo)
	}
	return nil
}

func answer(r terminal49.WebhookTriggerResult) string {
	if status, ok := r.StatusCode.Get(); ok {
		return fmt.Sprint(status)
	}
	return r.Error
}

// redirected sends what the simulator delivers to the receiver.
type redirected struct{ to *url.URL }

// RoundTrip implements http.RoundTripper.
func (f redirected) RoundTrip(req *http.Request) (*http.Response, error) {
	inner := req.Clone(req.Context())
	inner.URL, inner.Host = f.to, ""
	return http.DefaultTransport.RoundTrip(inner)
}
