package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/go-freight/terminal49"
)

// unanswered is the address of a webhook that nobody has to answer. No name below .invalid ever
// leads anywhere (RFC 6761, section 6.4), so the service can send nothing to a stranger.
const unanswered = "https://t49-forward.invalid/"

const whatUnansweredMeans = `The service sends each notification to the webhook's address. If nobody answers there,
it tries 13 times, marks the notification as failed, and may deactivate the webhook.
What it logs meanwhile is forwarded.`

// forwardedWebhook returns the webhook whose notifications are forwarded.
func (a *app) forwardedWebhook(ctx context.Context, client *terminal49.Client, f forwarding) (*terminal49.Webhook, error) {
	hook, err := a.chosenWebhook(ctx, client, f)
	if err == nil {
		err = a.keepActive(ctx, client, hook, f.activate)
	}
	return hook, err
}

func (a *app) chosenWebhook(ctx context.Context, client *terminal49.Client, f forwarding) (*terminal49.Webhook, error) {
	switch {
	case f.webhook != "" && f.create != "":
		return nil, usageError{errors.New("--webhook and --create exclude each other")}
	case f.webhook != "":
		return client.Webhooks.Get(ctx, f.webhook)
	case f.create != "":
		return a.existingOrNew(ctx, client, f.create)
	}
	var hooks []*terminal49.Webhook
	for hook, err := range client.Webhooks.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		hooks = append(hooks, hook)
	}
	switch len(hooks) {
	case 0:
		return a.offerWebhook(ctx, client)
	case 1:
		return hooks[0], nil
	}
	return nil, a.severalWebhooks(hooks)
}

// severalWebhooks lists the webhooks without the paths of their addresses, which may be secret.
func (a *app) severalWebhooks(hooks []*terminal49.Webhook) error {
	for _, hook := range hooks {
		host := "an unreadable address"
		if to, err := url.Parse(hook.URL); err == nil {
			host = to.Host
		}
		a.note("%s  %s", hook.ID, host)
	}
	return usageError{fmt.Errorf("the account has %d webhooks; choose one with --webhook ID", len(hooks))}
}

// existingOrNew returns the webhook with an address, as it is, or creates it.
func (a *app) existingOrNew(ctx context.Context, client *terminal49.Client, address string) (*terminal49.Webhook, error) {
	for hook, err := range client.Webhooks.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if hook.URL == address {
			return hook, nil
		}
	}
	hook, err := client.Webhooks.Ensure(ctx, address, nil)
	if err == nil {
		a.note("created webhook %s; \"t49 webhooks delete %s\" removes it", hook.ID, hook.ID)
	}
	return hook, err
}

// offerWebhook asks on a terminal whether to create a webhook.
func (a *app) offerWebhook(ctx context.Context, client *terminal49.Client) (*terminal49.Webhook, error) {
	refused := usageError{errors.New("the account has no webhook, and without one the service logs no notifications; --create " +
		unanswered + " creates one that nobody has to answer, and so does \"t49 webhooks create URL\" with an address of yours")}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil, refused
	}
	fmt.Fprintf(a.log, "The account has no webhook, and without one the service logs no notifications.\n%s\nCreate one with the address %s? [y/N] ",
		whatUnansweredMeans, unanswered)
	if !isYes(ctx, os.Stdin) {
		return nil, refused
	}
	return a.existingOrNew(ctx, client, unanswered)
}

// isYes reads the answer to a question.
func isYes(ctx context.Context, from *os.File) bool {
	answered := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(from).ReadString('\n')
		answered <- line
	}()
	select {
	case line := <-answered:
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes"
	case <-ctx.Done():
		return false
	}
}

// keepActive activates a webhook, or reports that it is inactive.
func (a *app) keepActive(ctx context.Context, client *terminal49.Client, hook *terminal49.Webhook, activate bool) error {
	switch {
	case hook.Active:
		return nil
	case !activate:
		a.note("webhook %s is inactive, so the service logs nothing new for it; --activate activates it", hook.ID)
		return nil
	}
	_, err := client.Webhooks.Update(ctx, hook.ID, terminal49.WebhookUpdate{Active: terminal49.Some(true)})
	if err == nil {
		a.note("webhook %s was inactive and is active again; what happened meanwhile is not in the log", hook.ID)
	}
	return err
}
