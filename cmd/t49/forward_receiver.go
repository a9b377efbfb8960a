package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// Attempts are those of the service: one, and 12 retries. The service documents neither its
// intervals nor its timeout.
const (
	attempts        = 13
	longestWait     = 30 * time.Second
	receiverTimeout = 30 * time.Second
)

// receiver is where notifications are forwarded to.
type receiver struct {
	to     *url.URL
	secret terminal49.Secret
	client *http.Client
}

func newReceiver(to *url.URL, secret terminal49.Secret) *receiver {
	return &receiver{to, secret, &http.Client{
		Timeout:       receiverTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// deliver sends a body until it is accepted, ctx ends, or it has been refused too often. It waits
// for a receiver that is not there. note is called with each problem.
func (r *receiver) deliver(ctx context.Context, body []byte, note func(string, ...any)) (outcome string, accepted bool) {
	wait, away := time.Second, false
	for refusals := 0; ; {
		outcome, err := r.send(ctx, body)
		switch isAway := isNotThere(err); {
		case err == nil && outcome.accepted():
			return outcome.String(), true
		case isAway && !away:
			note("the receiver is not there; waiting for it")
			away, wait = true, time.Second
		case isAway:
		default:
			away, refusals = false, refusals+1
			if refusals == attempts {
				return fmt.Sprintf("given up after %d attempts: %s", attempts, outcome), false
			}
			note("%s; next attempt in %v", outcome, wait)
		}
		if sleep(ctx, wait) != nil {
			return "", false
		}
		if wait = min(2*wait, longestWait); away {
			wait = time.Second
		}
	}
}

// isNotThere reports whether no connection could be made.
func isNotThere(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}

// response is how a receiver answered; 0 with a reason if it did not.
type response struct {
	status int
	reason string
}

func (r response) accepted() bool {
	switch r.status {
	case http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusNoContent:
		return true
	}
	return false
}

// String returns the status or the reason.
func (r response) String() string {
	if r.status == 0 {
		return r.reason
	}
	return fmt.Sprint(r.status)
}

// send makes one attempt.
func (r *receiver) send(ctx context.Context, body []byte) (response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.to.String(), bytes.NewReader(body))
	if err != nil {
		return response{reason: "the request cannot be made"}, err
	}
	req.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(r.secret.Reveal(), body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Terminal49 Webhook Bot")
	answered, err := r.client.Do(req)
	if err != nil {
		return response{reason: noResponse(err)}, err
	}
	_, _ = io.CopyN(io.Discard, answered.Body, 64<<10) // so that the connection can be used again
	return response{status: answered.StatusCode}, answered.Body.Close()
}

// noResponse says why there is none, without the address, which may hold a password.
func noResponse(err error) string {
	var failed *url.Error
	if errors.As(err, &failed) {
		if failed.Timeout() {
			return fmt.Sprintf("no response within %v", receiverTimeout)
		}
		err = failed.Err
	}
	return err.Error()
}
