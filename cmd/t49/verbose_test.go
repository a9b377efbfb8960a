package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// --verbose prints each request, with its address, outcome and attempt, and each retry. What it
// prints has no secret, and the output is the same.
func TestVerbose_PrintsRequests(t *testing.T) {
	a := newAccount(t).here()
	for _, args := range [][]string{{"containers", "--csv"}, {"api", "/containers", "-f", "page[size]=3", "--all"}} {
		quiet := a.must(args...)
		a.srv.AddFault(terminal49test.Fault{Status: http.StatusServiceUnavailable})
		status, out, log := a.do(append(args, "-v")...)
		require.Zero(t, status, log)
		require.Equal(t, quiet, out)
		address := `GET http://127\.0\.0\.1:\d+/v2/containers\S*`
		require.Regexp(t, `(?m)^`+address+`  503  0\.\d{3} s  attempt 1$`, log)
		require.Regexp(t, `(?m)^containers\.list: status 503; waiting \S+ s before attempt 2$`, log)
		require.Regexp(t, `(?m)^`+address+`  200  0\.\d{3} s  attempt 2$`, log)
	}
	_, _, log := a.do("containers")
	require.Empty(t, log)
}

// SECURITY: neither the token nor what a body or a response has is in what --verbose prints.
func TestVerbose_HasNoSecrets(t *testing.T) {
	a := newAccount(t)
	cmd := a.command("api", "-v", "-X", "POST", "/webhooks/trigger", "--input", "-")
	cmd.Stdin = strings.NewReader(`{"url":"https://example.com/hook-of-mine","event":"container.updated","secret":"hush-hush"}`)
	_, _, log := clitest.Run(t, cmd)
	require.Contains(t, log, "/v2/webhooks/trigger  ")
	for _, secret := range []string{"hush-hush", "hook-of-mine", a.srv.Token} {
		require.NotContains(t, log, secret)
	}
	_, _, log = a.do("api", "-v", "--unchecked", "/containers?token="+a.srv.Token)
	require.Contains(t, log, "token=[secret]  ")
}

// A wait for the rate limit is announced with its length, before it begins.
func TestVerbose_AnnouncesTheRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
		require.NoError(t, err)
		var log notes
		l := announce(limiter, &traffic{note: log.note, patience: patience})
		for range 10 { // the limit of refreshing containers
			release, err := l.Acquire(t.Context(), terminal49.BucketRefresh)
			require.NoError(t, err)
			release()
		}
		time.Sleep(18 * time.Second)
		require.Empty(t, log)
		began := time.Now()
		release, err := l.Acquire(t.Context(), terminal49.BucketRefresh)
		require.NoError(t, err)
		release()
		require.Equal(t, notes{"waiting 42 s for the rate limit of 10 requests a minute"}, log)
		require.Equal(t, 42*time.Second, time.Since(began).Round(time.Second))
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = l.Acquire(over, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// On a terminal, what takes long is announced without --verbose, and the rest is not.
func TestVerbose_AnnouncesSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log notes
		w := &traffic{note: log.note, patience: patience}
		slow := w.middleware(roundTrip(func(*http.Request) (*http.Response, error) {
			time.Sleep(7 * time.Second)
			return nil, errors.New("late")
		}))
		ctx, _ := w.call(t.Context(), terminal49.CallInfo{})
		_, err := slow.RoundTrip((&http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "example.com", Path: "/v2/me"}}).WithContext(ctx))
		synctest.Wait() // for the timer that announced it
		require.Error(t, err)
		w.attempt(ctx, terminal49.Attempt{Method: http.MethodGet, Err: err})
		info := terminal49.CallInfo{Op: "me.get", Attempt: 1}
		w.retry(ctx, terminal49.Retry{CallInfo: info, Err: err, Wait: time.Second})
		w.retry(ctx, terminal49.Retry{CallInfo: info, StatusCode: http.StatusTooManyRequests, Wait: 30 * time.Second})
		w.requests = true
		w.retry(ctx, terminal49.Retry{CallInfo: info, Err: err, Wait: time.Second / 2})
		w.attempt(ctx, terminal49.Attempt{CallInfo: info, Method: http.MethodGet, Err: err, Duration: 7 * time.Second})
		require.Equal(t, notes{
			"GET /v2/me: no response yet",
			"me.get: status 429, the service's rate limit; waiting 30 s before attempt 2",
			"me.get: late; waiting 0.5 s before attempt 2",
			"GET https://example.com/v2/me  failed  7.000 s  attempt 1",
		}, log)
	})
	quiet, attended := &app{}, &app{attended: true}
	require.Empty(t, quiet.traffic())
	require.NotEmpty(t, attended.traffic())
}

type notes []string

func (n *notes) note(format string, values ...any) { *n = append(*n, fmt.Sprintf(format, values...)) }
